import { noticeOfParent } from '../areas/lost-parents.ts';
import type { AreaNames, CodeLookup, Level } from '../areas/store.ts';
import type { Notice } from '../http/notices.ts';
import { addressLabel, type Range, typedRanges } from '../names/address-label.ts';
import { type NameHit, type NameSearch, searchNames } from '../names/search.ts';
import { NAME_LEVELS, type NameLevel } from '../names/source.ts';
import { type NameSuggestion, suggestNames } from '../names/suggest.ts';

interface NamedArea {
  /** Ten digits. */
  readonly code: string;
  readonly level: NameLevel;
  readonly name: string;
}

interface Placed extends NamedArea {
  readonly type: string | null;
  /** From the region down. */
  readonly ancestors: readonly NamedArea[];
}

/** A place found, as in the response. */
interface SearchHit extends Placed, Pick<NameHit, 'score' | 'match' | 'matched_name'> {}

/** Default max number of hits. */
export const DEFAULT_HITS = 10;
export const DEFAULT_SUGGESTIONS = 5;

/** Notices for the caller, set if no area has the parent's code today. If it has successors, these are searched instead. */
interface Noticed {
  readonly notices?: readonly Notice[] | undefined;
}

/**
 * Finds places of all levels by name, best first. An unknown parent has no places (an abolished parent has successors).
 *
 * @param lookUpCode looks up a code at a level
 */
export async function searchPlaces(
  names: AreaNames,
  search: NameSearch,
  lookUpCode: (level: Level, code: string) => Promise<CodeLookup>,
): Promise<Noticed & { readonly hits: readonly SearchHit[] }> {
  const { parent } = search;
  const hits = searchNames(names.index, search).map(({ row, score, match, matched_name }) => {
    const { ancestors, ...area } = placed(names, row);
    return { ...area, score, match, matched_name, ancestors };
  });
  return { hits, notices: await noticesOf(names, lookUpCode, { parameter: 'parent', code: parent }) };
}

/** A suggestion, as in the response. */
interface SuggestedPlace extends Placed, Pick<NameSuggestion, 'match'> {
  readonly label: string;
  readonly highlights: readonly Range[];
  readonly matched_name: string;
}

interface SuggestQuery {
  readonly q: string;
  readonly levels?: readonly NameLevel[] | undefined;
  readonly within?: string | undefined;
  /** The codes of areas around the caller, from the smallest. */
  readonly around: readonly { readonly level: NameLevel; readonly code: string }[];
  readonly limit: number;
}

/** Suggests places while a name is typed, best first. In an unknown area there are none. */
export async function suggestPlaces(
  names: AreaNames,
  { around, ...query }: SuggestQuery,
  lookUpCode: (level: Level, code: string) => Promise<CodeLookup>,
): Promise<Noticed & { readonly places: readonly SuggestedPlace[] }> {
  const { index } = names;
  const { q, within } = query;
  const near = around.map(({ level, code }) => index.rowOf(level, code)).filter((row) => row !== -1);
  const places = suggestNames(index, { ...query, near }).map(({ row, match, matchedName }) => {
    const { ancestors, ...area } = placed(names, row);
    const label = addressLabel(index, row);
    return { ...area, label, highlights: typedRanges(label, q), match, matched_name: matchedName, ancestors };
  });
  return { places, notices: await noticesOf(names, lookUpCode, { parameter: 'within', code: within }) };
}

/** Says so if no area has the code of a parent today. */
async function noticesOf(
  { index }: AreaNames,
  lookUpCode: (level: Level, code: string) => Promise<CodeLookup>,
  { parameter, code }: { parameter: string; code: string | undefined },
): Promise<readonly Notice[] | undefined> {
  const isKnown = code === undefined || NAME_LEVELS.some((level) => index.rowOf(level, code) !== -1);
  return isKnown ? undefined : noticeOfParent(lookUpCode, code, parameter);
}

/** An area with its type, and what it lies in. */
export function placed({ index, typeOf }: AreaNames, row: number): Placed {
  const named = (it: number): NamedArea => ({
    code: index.codeOf(it),
    level: index.levelOf(it),
    name: index.source.nameOf(it),
  });
  return { ...named(row), type: typeOf(row), ancestors: index.ancestorsOf(row).map(named) };
}
