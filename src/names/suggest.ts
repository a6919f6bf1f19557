import { addressLabel } from './address-label.ts';
import {
  type Beginning,
  begin,
  beginningsOf,
  eachBeforeParents,
  formsOf,
  splitsOf,
  wordStartsOf,
} from './beginnings.ts';
import { codeIn, rowsOfCode } from './codes.ts';
import { fold, plainWords, unescaped } from './fold.ts';
import { KIND, type Kind } from './forms.ts';
import type { NameIndex } from './index.ts';
import { type NameHit, searchNames } from './search.ts';
import { COLUMNS, columnOf, eachOf, NAME_LEVELS, type NameLevel } from './source.ts';
import type { How, WordStarts } from './word-starts.ts';

export interface NameSuggestion {
  /** The row in the index's source. */
  readonly row: number;
  /** How the typed text fits a name of the area. */
  readonly match: NameHit['match'];
  /** The name or alias that was found. */
  readonly matchedName: string;
}

interface Typed {
  /** What has been typed so far: a name or its beginning, alone or before the names of what it lies in. */
  readonly q: string;
  /** All where none are given. */
  readonly levels?: readonly NameLevel[] | undefined;
  /** Code of an area in which all suggestions must lie. */
  readonly within?: string | undefined;
  /** Areas around the caller, from the smallest. Of names that fit as well, those nearby come first. */
  readonly near?: readonly number[] | undefined;
  /** Max suggestions. */
  readonly limit: number;
}

/** Max characters that are read. */
const MAX_LENGTH = 100;

/** How a typed text fits a name; lower is better. */
const FIT = { whole: 0, beginning: 1, otherBeginning: 2, word: 3, otherWord: 4 } as const;

type Fit = (typeof FIT)[keyof typeof FIT];

/**
 * Suggests areas while their name is typed, from the first letter, best first. Names that begin with the text come before
 * those of which another word does. Of these, nearby areas, higher levels and larger places come first. Where nothing
 * begins so, it is searched for with slips.
 */
export function suggestNames(index: NameIndex, typed: Typed): NameSuggestion[] {
  const { q, levels = NAME_LEVELS, within, near = [], limit } = typed;
  const text = unescaped(q.slice(0, MAX_LENGTH));
  const parents = within === undefined ? undefined : rowsOfCode(index, codeIn(within) ?? '');
  const starts = wordStartsOf(index);
  const best = new Best(starts.rankOf, { index, near, limit, isTyped: typedIn(index, text) });
  const isWanted = (row: number) =>
    levels.includes(index.levelOf(row)) && (!parents || parents.some((it) => it !== row && index.isIn(row, it)));
  const search = { index, isWanted, best };
  for (const beginning of beginningsOf(text)) {
    // An area has few names, and the country has many. Those nearby are added even where others are known better.
    for (const area of parents ?? near.slice(-1)) addOf(search, descendantsOf(index, area), beginning);
    if (!parents) addAll(search, starts, { beginning, levels });
  }
  addBeforeParents(search, text);
  if (best.areas.length === 0) addBehindParents(search, text);
  // Only a comma tells that the words behind it are no part of the name.
  if (best.areas.length === 0 || text.includes(',')) addBeginningsBeforeParents(search, text, levels);
  if (best.areas.length === 0 && !levels.includes('submunicipality')) addOfDistricts(search, starts, text);
  if (best.areas.length > 0) return best.areas.map((it) => suggestionOf(index, it));
  const hits = searchNames(index, { q: text, levels, parent: within, limit });
  return hits.map(({ row, match, matched_name }) => ({ row, match, matchedName: matched_name }));
}

/**
 * Whether a text is the beginning of an area's label as it stands, accents and hyphens included: `Hañ` is no `Hanopol`.
 * Asked only where the text has more than letters, digits and spaces between them.
 */
function typedIn(index: NameIndex, text: string): ((row: number) => boolean) | undefined {
  const wanted = text.trimStart().toLowerCase().normalize('NFC');
  if (/^[a-z0-9]+(?: [a-z0-9]+)*$/.test(wanted) || plainWords(wanted).length === 0) return undefined;
  return (row) => addressLabel(index, row).toLowerCase().startsWith(wanted);
}

interface Search {
  readonly index: NameIndex;
  readonly isWanted: (row: number) => boolean;
  readonly best: Best;
}

/** Adds those of all areas that have a name with a word at which a text begins. */
function addAll(
  { index, isWanted, best }: Search,
  starts: WordStarts,
  { beginning: { text, level, isGuess }, levels }: { beginning: Beginning; levels: readonly NameLevel[] },
): void {
  const columns = [...new Set((level ? [level] : levels).map(columnOf))];
  const end = Math.max(...columns.map((column) => index.endOf(column)));
  starts.each(text, (key, how, bestRank) => {
    const fit = isGuess ? FIT.otherBeginning : FITS[how];
    if (key >= end || !best.hasRoomFor(fit, bestRank)) return;
    for (const column of columns) {
      index.eachArea(key, column, (row, kind) => {
        if (isWanted(row)) best.add({ row, key, fit: fitOf(fit, kind) });
      });
    }
  });
}

/** Of a text that has other spaces than the name: `Lapul` for Lapu-Lapu. */
const FITS = { whole: FIT.whole, beginning: FIT.beginning, joined: FIT.otherBeginning, word: FIT.word } as const;

/** Adds those of some areas that have a name with a word at which a text begins. */
function addOf({ index, isWanted, best }: Search, rows: Iterable<number>, { text, level, isGuess }: Beginning): void {
  for (const row of rows) {
    if (!isWanted(row) || (level && index.levelOf(row) !== level)) continue;
    index.eachKey(row, (key, kind) => {
      const name = index.keys.at(key);
      const how = name === text ? 'whole' : name.startsWith(text) ? 'beginning' : 'word';
      if (how === 'word' && !name.includes(` ${text}`)) return;
      best.add({ row, key, fit: fitOf(isGuess ? FIT.otherBeginning : FITS[how], kind) });
    });
  }
}

/** Other names count less than the name of today. Only a whole short name is as good: `QC`. */
function fitOf(fit: Fit, kind: Kind): Fit {
  if (kind < KIND.alias || (kind === KIND.alias && fit === FIT.whole)) return fit;
  return fit === FIT.word ? FIT.otherWord : FIT.otherBeginning;
}

/** The areas that lie in an area, hosted ones included. */
function* descendantsOf(index: NameIndex, parent: number): Generator<number> {
  if (index.levelOf(parent) === 'barangay') return;
  const { first, end } = index.source.rowsOf('province');
  for (let row = first; row < end; row += 1) if (row !== parent && index.isIn(row, parent)) yield row;
  yield* index.childrenOf('municity', parent);
  yield* index.childrenOf('barangay', parent);
}

/** Calls back with the areas whose name is a whole text. */
function eachCalled(
  { index, isWanted }: Pick<Search, 'index' | 'isWanted'>,
  text: string,
  found: (row: number, key: number, kind: Kind) => void,
): void {
  for (const { text: name, level } of formsOf(fold(text))) {
    const key = index.keys.find(name);
    if (key === -1) continue;
    for (const column of level ? [columnOf(level)] : COLUMNS) {
      index.eachArea(key, column, (row, kind) => {
        if (isWanted(row)) found(row, key, kind);
      });
    }
  }
}

/** Adds areas whose whole name stands before the beginning of the names of what they lie in: `San Isidro, Cai`. */
function addBeforeParents(search: Search, text: string): void {
  const { index, best } = search;
  const fit = text.includes(',') ? FIT.whole : FIT.otherBeginning;
  for (const { before, behind } of splitsOf(text)) {
    const parents = beginningsOf(behind);
    eachCalled(search, before, (row, key, kind) => {
      const ancestors = index.ancestorsOf(row).reverse();
      if (best.isTyped(row) || parents.some((it) => begin(index, it.text, ancestors)))
        best.add({ row, key, fit: fitOf(fit, kind) });
    });
  }
}

/** Adds areas of whose name only the first words stand before the names of what they lie in: `Poblacion, Carcar` for Poblacion I. */
function addBeginningsBeforeParents(
  { index, isWanted, best }: Search,
  text: string,
  levels: readonly NameLevel[],
): void {
  const fitIn = (how: How) => (how === 'whole' && !text.includes(',') ? FIT.beginning : FITS[how]);
  const typed = {
    text,
    columns: [...new Set(levels.map(columnOf))],
    isWhole: false,
    isWanted: (how: How, bestRank: number) => best.hasRoomFor(fitIn(how), bestRank),
  };
  eachBeforeParents(index, typed, (row, key, { how, kind }) => {
    if (isWanted(row)) best.add({ row, key, fit: fitOf(fitIn(how), kind) });
  });
}

/** Adds areas whose name begins behind the whole name of what they lie in: `Cebu Lah`. */
function addBehindParents(search: Search, text: string): void {
  const { index } = search;
  for (const { before, behind } of splitsOf(text)) {
    const areas = new Set<number>();
    eachCalled({ index, isWanted: (row) => index.levelOf(row) !== 'barangay' }, before, (row) => areas.add(row));
    for (const area of areas) {
      for (const beginning of beginningsOf(behind)) addOf(search, descendantsOf(index, area), beginning);
    }
  }
}

/**
 * Adds what lies in the sub-municipalities that are typed where they themselves are not wanted: barangays of Ermita have only
 * numbers, so that `Ermita, Manila` names none of them.
 */
function addOfDistricts({ index, isWanted, best }: Search, starts: WordStarts, text: string): void {
  const districts = new Best(starts.rankOf, { index, near: [], limit: MAX_DISTRICTS, isTyped: undefined });
  const isDistrict = (row: number) => index.levelOf(row) === 'submunicipality';
  const search = { index, isWanted: isDistrict, best: districts };
  const rows = [...eachOf(index.source.rowsOf('submunicipality'))];
  for (const beginning of beginningsOf(text)) addOf(search, rows, beginning);
  addBeforeParents(search, text);
  for (const district of districts.areas) {
    for (const row of index.childrenOf('barangay', district.row)) {
      if (isWanted(row)) best.add({ row, key: -1, fit: FIT.word });
    }
  }
}

/** A text is the beginning of as many districts at most: `San Nicolas` and `San Miguel`. */
const MAX_DISTRICTS = 2;

interface FoundArea {
  readonly row: number;
  /** The key that fits. */
  readonly key: number;
  readonly fit: Fit;
}

/** A found area with the places that decide between those that fit as well. */
interface Placed extends FoundArea {
  /** Whether its label begins with the text as it stands. */
  readonly isTyped: boolean;
  /** How many of the areas around the caller it does not lie in. */
  readonly distance: number;
  readonly rank: number;
}

/** The best areas, each once, up to a limit. */
class Best {
  readonly areas: Placed[] = [];
  readonly #ranks: Uint16Array;
  readonly #index: NameIndex;
  readonly #near: readonly number[];
  readonly #limit: number;
  readonly #isTyped: ((row: number) => boolean) | undefined;

  constructor(
    ranks: Uint16Array,
    {
      index,
      near,
      limit,
      isTyped,
    }: {
      index: NameIndex;
      near: readonly number[];
      limit: number;
      isTyped: ((row: number) => boolean) | undefined;
    },
  ) {
    this.#isTyped = isTyped;
    this.#ranks = ranks;
    this.#index = index;
    this.#near = near;
    this.#limit = limit;
  }

  /** Whether an area of a fit and a rank, or one behind it, may be among the best. */
  hasRoomFor(fit: Fit, rank: number): boolean {
    const last = this.areas.length < this.#limit ? undefined : this.areas.at(-1);
    // What is nearby has been added before.
    const isTyped = this.#isTyped !== undefined;
    return last === undefined || compare({ isTyped, fit, rank, distance: this.#near.length }, last) < 0;
  }

  /** Whether an area's label begins with the text as it stands. */
  isTyped(row: number): boolean {
    return this.#isTyped?.(row) ?? false;
  }

  add(found: FoundArea): void {
    const { row } = found;
    const isTyped = this.isTyped(row);
    const rank = this.#ranks[row] as number;
    const around = this.#near.findIndex((it) => this.#index.isIn(row, it));
    const placed: Placed = { ...found, isTyped, rank, distance: around === -1 ? this.#near.length : around };
    const last = this.areas.at(-1);
    if (last && this.areas.length === this.#limit && compare(placed, last) >= 0) return;
    const same = this.areas.findIndex((it) => it.row === row);
    if (same !== -1) {
      if (compare(placed, this.areas[same] as Placed) >= 0) return;
      this.areas.splice(same, 1);
    }
    const index = this.areas.findIndex((it) => compare(placed, it) < 0);
    this.areas.splice(index === -1 ? this.areas.length : index, 0, placed);
    if (this.areas.length > this.#limit) this.areas.pop();
  }
}

type Order = Pick<Placed, 'isTyped' | 'fit' | 'distance' | 'rank'>;

/** Below zero if `a` comes first. */
function compare(a: Order, b: Order): number {
  return Number(b.isTyped) - Number(a.isTyped) || a.fit - b.fit || a.distance - b.distance || a.rank - b.rank;
}

function suggestionOf(index: NameIndex, { row, key, fit }: Placed): NameSuggestion {
  const names = index.namesOf(row);
  const has = (it: { key: string }) => index.keys.find(it.key) === key;
  const at = Math.max(
    0,
    names.findIndex(({ keys }) => keys.some(has)),
  );
  const own = names[0]?.keys.find(has);
  const isOwn = at === 0 && (own?.kind ?? KIND.full) <= KIND.part;
  const match = !isOwn ? 'alias' : fit >= FIT.word ? 'word' : fit === FIT.whole ? 'exact' : 'prefix';
  return { row, match, matchedName: names[at]?.name ?? index.source.nameOf(row) };
}
