import { eachBeforeParents } from './beginnings.ts';
import { codeIn, rowsOfCode } from './codes.ts';
import { type Candidate, nearScore, TypedName } from './compare.ts';
import { slipsOf } from './edits.ts';
import { findSame, isOther } from './find.ts';
import { fold, unescaped } from './fold.ts';
import { KIND, type Kind } from './forms.ts';
import { explainsAll, readings } from './free-text.ts';
import type { NameIndex } from './index.ts';
import { isRecorded } from './recorded.ts';
import { isDecided } from './result.ts';
import { type Column, columnOf, NAME_LEVELS, type NameLevel } from './source.ts';
import { partsOf } from './text-words.ts';
import { matchText } from './texts.ts';

/** How a name was found, best first. Former names are aliases too. */
type HitMatch = 'exact' | 'alias' | 'prefix' | 'word' | 'contains' | 'fuzzy';

export interface NameHit {
  /** Ten digits. */
  readonly code: string;
  readonly level: NameLevel;
  /** The row in the index's source. */
  readonly row: number;
  /** From 0 to 1. */
  readonly score: number;
  readonly match: HitMatch;
  /** The name or alias that was found. */
  readonly matched_name: string;
}

export interface NameSearch {
  /** A name, a name with its parents (`San Juan, Metro Manila`), or a code. */
  readonly q: string;
  /** All where none are given. */
  readonly levels?: readonly NameLevel[] | undefined;
  /** Code of an area in which all hits must lie. */
  readonly parent?: string | undefined;
  /** Max hits. */
  readonly limit: number;
}

const SCORES = { exact: 1, alias: 0.97, former: 0.95, prefix: 0.85, word: 0.75, contains: 0.65, fuzzy: 0.6 } as const;

/** Score of a name that matches within the typed parents but is misspelled. */
const WITHIN_PARENTS = 0.94;

/** Factor of a part of another name than that of today. */
const OTHER_NAME = 0.98;

/** Max characters of a query. */
const MAX_LENGTH = 200;

interface FoundArea {
  readonly row: number;
  readonly score: number;
  readonly match: HitMatch;
  /** The key found; undefined if it is a form of the text itself. */
  readonly key?: number;
  /** The name in the text, if parents follow it. */
  readonly name?: string;
}

/**
 * Finds areas by name, best first: by every letter, by an alias or former name, by the beginning, by a word, by any part,
 * and with slips. Among those that are as good, higher levels and then larger places come first.
 */
export function searchNames(index: NameIndex, { q, levels = NAME_LEVELS, parent, limit }: NameSearch): NameHit[] {
  const text = unescaped(q.slice(0, MAX_LENGTH));
  const within = parent === undefined ? undefined : rowsOfCode(index, codeIn(parent) ?? '');
  const hits = new Hits(index, { levels, within, limit });
  const folded = fold(text);
  if (folded === '' || within?.length === 0) return [];
  const code = codeIn(text) ?? '';
  for (const row of rowsOfCode(index, code)) {
    // A code that no area has had can be an area's except for its region.
    const match = isRecorded(index, code, row) ? 'exact' : 'fuzzy';
    hits.add({ row, score: SCORES[match], match });
  }
  const columns = [...new Set(levels.map(columnOf))];
  for (const column of columns) {
    for (const it of findSame(index, new TypedName(text, column)).sorted()) hits.add(exactHit(it, column));
  }
  // A barangay named like a city with its province doesn't hide the city: `Sta. Rosa Laguna`.
  const isRead = folded.includes(' ') && (!hits.hasExact || text.includes(',') || hits.hasOnlyBarangays);
  const isSpelled = isRead && addRead(index, text, hits);
  if (isRead && !isSpelled) addBeginnings(index, text, { columns, hits });
  if (!isSpelled && !hits.isFull) addParts(index, folded, hits);
  if (!isSpelled && !hits.isFull) for (const column of columns) addNear(index, new TypedName(text, column), hits);
  if (hits.isEmpty) addApart(index, text, { levels, hits });
  return hits.list().map((found) => hitOf(index, found, text));
}

function exactHit({ row, score, kind }: Candidate, column: Column): FoundArea {
  const match = kind <= KIND.part ? 'exact' : 'alias';
  return {
    row,
    match,
    score: score * (kind >= KIND.former ? SCORES.former : isKnownBy(kind, column) ? 1 : SCORES[match]),
  };
}

/** An alias of a province or region is better known than any barangay of that name. */
function isKnownBy(kind: Kind, column: Column): boolean {
  return kind === KIND.alias && (column === 'region' || column === 'province');
}

/** Adds areas named with their parents, as lists are matched. Returns whether all is spelled right. */
function addRead(index: NameIndex, text: string, hits: Hits): boolean {
  const [best, ...others] = readings(index, text).filter(explainsAll);
  if (best && Object.keys(best.fields).length > 1) {
    for (const { fields, rows, cost } of [best, ...others]) {
      if (cost > best.cost + MAX_COST) break;
      for (const row of rows) {
        const column = columnOf(index.levelOf(row));
        const name = fields[column] ?? text;
        const same = findSame(index, new TypedName(name, column)).sorted();
        const { kind = KIND.part } = same.find((it) => it.row === row) ?? {};
        const score = 1 - COST * (cost - best.cost);
        hits.add({ ...exactHit({ row, kind, how: 'same', score }, column), name });
      }
    }
    return true;
  }
  const parts = partsOf(text);
  const match = matchText(index, { text, columns: {} });
  const scale = isDecided(match) ? WITHIN_PARENTS : UNDECIDED;
  for (const { code, level, score } of match.candidates) {
    const row = index.rowOf(level, code);
    const column = columnOf(level);
    const found = parts.flatMap((name) =>
      findSame(index, new TypedName(name, column))
        .sorted()
        .flatMap((it) => (it.row === row ? [{ ...exactHit(it, column), name }] : [])),
    );
    if (isDecided(match) && found[0]) hits.add(found[0]);
    else if (code === match.code && !isDecided(match)) hits.add({ row, match: 'word', score: PARENT_ALONE });
    else hits.add({ row, match: 'fuzzy', score: scale * score });
  }
  return false;
}

/** Adds areas of whose name only the first words stand before the names of what they lie in: `Poblacion, Carcar`. */
function addBeginnings(
  index: NameIndex,
  text: string,
  { columns, hits }: { columns: readonly Column[]; hits: Hits },
): void {
  eachBeforeParents(index, { text, columns, isWhole: true }, (row, key, { how, kind }) => {
    const match = how === 'word' ? 'word' : 'prefix';
    hits.add({ row, key, match, score: SCORES[match] * (kind >= KIND.alias ? OTHER_NAME : 1) });
  });
}

/** Max cost of a reading above the best one. */
const MAX_COST = 0.6;

const COST = 0.1;

/** Fallback if nothing else is found: the parents in the text, and areas named like a part of it. */
function addApart(
  index: NameIndex,
  text: string,
  { levels, hits }: { levels: readonly NameLevel[]; hits: Hits },
): void {
  const { code, level, candidates } = matchText(index, { text, columns: {} });
  const named = code !== null && level !== null ? [{ code, level }] : [];
  for (const it of [...named, ...candidates]) {
    const row = index.rowOf(it.level, it.code);
    for (const wanted of levels) {
      const parent = index.ancestorAt(row, wanted);
      if (parent !== undefined) hits.add({ row: parent, match: 'word', score: PARENT_ALONE });
    }
  }
}

/** Scores of a parent found alone, and of a candidate of an ambiguous text. */
const PARENT_ALONE = 0.5;
const UNDECIDED = 0.6;

/** Adds areas with a key that contains the text: at its beginning, at a word's beginning, or anywhere. */
function addParts(index: NameIndex, folded: string, hits: Hits): void {
  const { text, starts } = index.keys;
  const last = index.endOf(columnOf(hits.finest));
  const end = starts[last] as number;
  for (const [match, mark] of MARKED) {
    if (hits.isFull) return;
    const wanted = mark + folded;
    let low = 0;
    for (let at = text.indexOf(wanted); at !== -1 && at + mark.length < end; ) {
      const key = keyAt(starts, { low, high: last - 1, position: at + mark.length });
      // From here on keys belong to barangays alone.
      if (key >= index.endOf('municity') && hits.hasNoRoomBelow(SCORES[match])) return;
      hits.addKey(key, { match, score: SCORES[match] });
      low = key;
      at = text.indexOf(wanted, (starts[key + 1] as number) - 1);
    }
  }
}

/** Prefixes that tell whether a part is at the beginning of its key, of a word, or neither. */
const MARKED = [
  ['prefix', '\n'],
  ['word', ' '],
  ['contains', ''],
] as const;

/** The key at an index of the text. */
function keyAt(starts: Uint32Array, { low, high, position }: { low: number; high: number; position: number }): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to + 1) >>> 1;
    if ((starts[middle] as number) <= position) from = middle;
    else to = middle - 1;
  }
  return from;
}

function addNear(index: NameIndex, name: TypedName, hits: Hits): void {
  const max = slipsOf(name.pattern.text.length);
  if (max === 0 || isOther(name)) return;
  index.keys.near(name.pattern, { max, end: index.endOf(name.level) }, (key) => {
    const likeness = nearScore(name, index.keys.at(key));
    if (likeness > 0) hits.addKey(key, { match: 'fuzzy', score: SCORES.fuzzy * likeness, column: name.level });
  });
}

/** A hit with its sort keys, which are read once. */
interface Ranked {
  readonly found: FoundArea;
  readonly level: number;
  readonly population: number;
}

/** The best hits, each area once, up to the limit, because a short text is the beginning of thousands of names. */
class Hits {
  readonly #index: NameIndex;
  readonly #levels: readonly NameLevel[];
  readonly #within: readonly number[] | undefined;
  readonly #limit: number;
  /** Best first. */
  readonly #best: Ranked[] = [];

  constructor(
    index: NameIndex,
    options: { levels: readonly NameLevel[]; within: readonly number[] | undefined; limit: number },
  ) {
    this.#index = index;
    this.#levels = options.levels;
    this.#within = options.within;
    this.#limit = options.limit;
  }

  get isFull(): boolean {
    return this.#best.length >= this.#limit;
  }

  get isEmpty(): boolean {
    return this.#best.length === 0;
  }

  get hasExact(): boolean {
    return (this.#best[0]?.found.score ?? 0) >= SCORES.former;
  }

  get hasOnlyBarangays(): boolean {
    return this.#best.every(({ level }) => level === NAME_LEVELS.indexOf('barangay'));
  }

  /** Whether the hits have no room for a barangay with this score. */
  hasNoRoomBelow(score: number): boolean {
    const last = this.#best.at(-1);
    return (
      this.isFull && last !== undefined && last.found.score >= score && last.level < NAME_LEVELS.indexOf('barangay')
    );
  }

  get finest(): NameLevel {
    return NAME_LEVELS.findLast((level) => this.#levels.includes(level)) ?? 'region';
  }

  add(given: FoundArea): void {
    const found = this.#asCity(given);
    const { row, score } = found;
    const { source } = this.#index;
    const level = this.#index.levelOf(row);
    const ranked = { found, level: NAME_LEVELS.indexOf(level), population: source.populations[row] as number };
    if (this.isFull && this.#compare(ranked, this.#best.at(-1) as Ranked) > 0) return;
    if (!this.#levels.includes(level)) return;
    if (this.#within && !this.#within.some((parent) => row !== parent && this.#index.isIn(row, parent))) return;
    const at = this.#best.findIndex((it) => it.found.row === row);
    if (at !== -1) {
      if ((this.#best[at] as Ranked).found.score >= score) return;
      this.#best.splice(at, 1);
    }
    const index = this.#best.findIndex((it) => this.#compare(ranked, it) < 0);
    this.#best.splice(index === -1 ? this.#best.length : index, 0, ranked);
    if (this.#best.length > this.#limit) this.#best.pop();
  }

  /** Replaces a sub-municipality by its city if only cities are requested. */
  #asCity(found: FoundArea): FoundArea {
    const isWanted = (level: NameLevel) => this.#levels.includes(level);
    const isSubMunicipality = this.#index.levelOf(found.row) === 'submunicipality';
    if (!isSubMunicipality || isWanted('submunicipality') || !isWanted('municity')) return found;
    const row = this.#index.source.municities[found.row] as number;
    return { ...found, row, ...(found.match === 'exact' && { match: 'alias', score: found.score * SCORES.alias }) };
  }

  addKey(key: number, { column, ...found }: Omit<FoundArea, 'row' | 'key'> & { column?: Column }): void {
    for (const each of column === undefined ? new Set(this.#levels.map(columnOf)) : [column]) {
      this.#index.eachArea(key, each, (row, kind: Kind) => {
        const score = kind >= KIND.alias && !isKnownBy(kind, each) ? found.score * OTHER_NAME : found.score;
        const worst = this.isFull ? this.#best.at(-1) : undefined;
        if (
          worst &&
          (score < worst.found.score || (score === worst.found.score && NAME_LEVELS.indexOf(each) > worst.level))
        )
          return;
        this.add({ ...found, row, key, score });
      });
    }
  }

  /** The hits without noise: those that score less than half of the best. */
  list(): FoundArea[] {
    const least = (this.#best[0]?.found.score ?? 0) / 2;
    return this.#best.flatMap(({ found }) => (found.score >= least ? [found] : []));
  }

  /** Comparator; below zero if `a` comes first. */
  #compare(a: Ranked, b: Ranked): number {
    const isCity = ({ found }: Ranked) => Number(/\bcity\b/i.test(this.#index.source.nameOf(found.row)));
    return (
      b.found.score - a.found.score ||
      a.level - b.level ||
      b.population - a.population ||
      isCity(b) - isCity(a) ||
      a.found.row - b.found.row
    );
  }
}

function hitOf(index: NameIndex, { row, score, match, key, name }: FoundArea, text: string): NameHit {
  const level = index.levelOf(row);
  const forms = key === undefined ? new TypedName(name ?? text, columnOf(level)).forms : [index.keys.at(key)];
  const names = index.namesOf(row);
  const wanted = new Set(forms.map((form) => index.keys.find(form)));
  const named = names.find(({ keys }) => keys.some((it) => wanted.has(index.keys.find(it.key)))) ?? names[0];
  return {
    code: index.codeOf(row),
    level,
    row,
    score: Math.round(score * 1000) / 1000,
    match,
    matched_name: named?.name ?? index.source.nameOf(row),
  };
}
