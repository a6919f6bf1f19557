import { noticeOfParent } from '../areas/lost-parents.ts';
import type { AreaNames, Lead, Level } from '../areas/store.ts';
import type { Notice } from '../http/notices.ts';
import { type NameHit, type NameSearch, searchNames } from '../names/search.ts';
import { NAME_LEVELS, type NameLevel } from '../names/source.ts';

interface Named {
  /** Ten digits. */
  readonly code: string;
  readonly level: NameLevel;
  readonly name: string;
}

/** A place found, as in the response. */
interface SearchHit extends Named, Pick<NameHit, 'score' | 'match' | 'matched_name'> {
  readonly type: string | null;
  /** From the region down. */
  readonly ancestors: readonly Named[];
}

/** Default max number of hits. */
export const DEFAULT_HITS = 10;

/** The result of a search, with notices for its caller. */
interface Search {
  readonly hits: readonly SearchHit[];
  /** Set if no area has the parent's code today. The successors of an abolished parent are searched instead. */
  readonly notices?: readonly Notice[] | undefined;
}

/**
 * Finds places of all levels by name, best first. An unknown parent has no places.
 *
 * @param leadOf looks up what a code of a level leads to
 */
export async function searchPlaces(
  names: AreaNames,
  search: NameSearch,
  leadOf: (level: Level, code: string) => Promise<Lead>,
): Promise<Search> {
  const { parent } = search;
  const isLost = parent !== undefined && !NAME_LEVELS.some((level) => names.index.rowOf(level, parent) !== -1);
  return { hits: hitsOf(names, search), notices: isLost ? await noticeOfParent(leadOf, parent, 'parent') : undefined };
}

function hitsOf({ index, typeOf }: AreaNames, search: NameSearch): SearchHit[] {
  const named = (row: number): Named => ({
    code: index.codeOf(row),
    level: index.levelOf(row),
    name: index.source.nameOf(row),
  });
  return searchNames(index, search).map(({ row, score, match, matched_name }) => ({
    ...named(row),
    type: typeOf(row),
    score,
    match,
    matched_name,
    ancestors: index.ancestorsOf(row).map(named),
  }));
}
