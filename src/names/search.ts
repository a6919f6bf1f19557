import { codeIn, rowsOfCode } from './codes.ts';
import { type Candidate, nearScore, TypedName } from './compare.ts';
import { slipsOf } from './edits.ts';
import { findAmong, findSame, isOther } from './find.ts';
import { fold } from './fold.ts';
import { KIND, type Kind } from './forms.ts';
import { splitParents } from './free-text.ts';
import type { NameIndex } from './index.ts';
import { LEVEL_ORDER } from './result.ts';
import type { NameLevel } from './source.ts';

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
  /** The code of an area that everything has to lie in. */
  readonly parent?: string | undefined;
  /** How many hits at most. */
  readonly limit: number;
}

const SCORES = { exact: 1, alias: 0.97, former: 0.95, prefix: 0.85, word: 0.75, contains: 0.65, fuzzy: 0.6 } as const;

/** A name that was found with the parents that were typed behind it, but is spelled otherwise. */
const WITHIN_PARENTS = 0.94;

/** The likeness below which a name in its parents is none. */
const LIKE = 0.55;

/** The most characters that are looked for. */
const MOST_CHARACTERS = 200;

interface Found {
  readonly row: number;
  readonly score: number;
  readonly match: HitMatch;
  /** The key that was found; undefined where it is a form of the text. */
  readonly key?: number;
  /** What of the text is the name, where parents stand behind it. */
  readonly name?: string;
}

/**
 * Finds areas by name, best first: by every letter, by an alias or former name, by the beginning, by a word, by any part,
 * and with slips. Among those that are as good, higher levels and then larger places come first.
 */
export function searchNames(index: NameIndex, { q, levels = LEVEL_ORDER, parent, limit }: NameSearch): NameHit[] {
  const text = q.slice(0, MOST_CHARACTERS);
  const within = parent === undefined ? undefined : rowsOfCode(index, codeIn(parent) ?? '');
  const hits = new Hits(index, { levels, within, limit });
  const folded = fold(text);
  if (folded === '' || within?.length === 0) return [];
  for (const row of rowsOfCode(index, codeIn(text) ?? '')) hits.add({ row, score: 1, match: 'exact' });
  for (const level of levels) {
    for (const it of findSame(index, new TypedName(text, level)).sorted()) hits.add(exactHit(it, level));
  }
  if (!hits.hasExact || text.includes(',')) addWithinParents(index, text, { levels, hits });
  if (!hits.isFull) addParts(index, folded, hits);
  if (!hits.isFull) for (const level of levels) addNear(index, new TypedName(text, level), hits);
  if (hits.isEmpty) addApart(index, text, { levels, hits });
  return hits.list().map((found) => hitOf(index, found, text));
}

function exactHit({ row, score, kind }: Candidate, level: NameLevel): Found {
  const match = kind <= KIND.part ? 'exact' : 'alias';
  // Another name of a province or region is better known than any barangay that is called so.
  const isLarge = kind === KIND.alias && (level === 'region' || level === 'province');
  return { row, match, score: score * (kind === KIND.former ? SCORES.former : isLarge ? 1 : SCORES[match]) };
}

/** Areas whose parents are named behind their own name, with a comma or without. */
function addWithinParents(
  index: NameIndex,
  text: string,
  { levels, hits }: { levels: readonly NameLevel[]; hits: Hits },
): void {
  for (const { name, parents } of splitParents(index, text)) {
    for (const level of levels) {
      if (level === 'region' || level === 'province') continue;
      const typed = new TypedName(name, level);
      let isFound = false;
      for (const it of findSame(index, typed).sorted()) {
        if (!parents.every((rows) => rows.some((row) => row !== it.row && index.isIn(it.row, row)))) continue;
        hits.add({ ...exactHit(it, level), name });
        isFound = true;
      }
      if (isFound) continue;
      for (const parent of parents[0] ?? []) {
        if (index.levelOf(parent) === level) continue;
        for (const it of findAmong(index, typed, index.childrenOf(level, parent)).slice(0, 5)) {
          if (it.score < LIKE || !parents.every((rows) => rows.some((row) => index.isIn(it.row, row)))) continue;
          const match = it.how === 'part' ? 'word' : 'fuzzy';
          hits.add({ row: it.row, match, score: it.score * WITHIN_PARENTS, name });
        }
      }
    }
  }
}

/** The scores of parents that have nothing of a name in them, and of areas elsewhere that have it. */
const PARENT_ALONE = 0.5;
const ELSEWHERE = 0.45;

/** Where nothing of a name lies in the parents behind it: the parents, and the areas of that name elsewhere. */
function addApart(
  index: NameIndex,
  text: string,
  { levels, hits }: { levels: readonly NameLevel[]; hits: Hits },
): void {
  for (const { name, parents } of splitParents(index, text)) {
    for (const row of parents.flat())
      hits.add({ row, match: 'word', score: PARENT_ALONE, name: index.source.nameOf(row) });
    for (const level of levels) {
      for (const { row } of findSame(index, new TypedName(name, level)).sorted()) {
        hits.add({ row, match: 'word', score: ELSEWHERE, name });
      }
    }
  }
}

/** Areas that have a key with the text in it: at its beginning, at that of a word, or anywhere. */
function addParts(index: NameIndex, folded: string, hits: Hits): void {
  const { text, starts } = index.keys;
  const last = index.endOf(hits.finest);
  const end = starts[last] as number;
  const found: Record<'prefix' | 'word' | 'contains', number[]> = { prefix: [], word: [], contains: [] };
  let key = 0;
  for (let at = text.indexOf(folded, 1); at !== -1 && at < end; ) {
    key = keyAt(starts, { low: key, high: last - 1, place: at });
    const next = starts[key + 1] as number;
    let match: keyof typeof found = 'contains';
    if (at === starts[key]) match = 'prefix';
    else if (text.charCodeAt(at - 1) === 32 || text.slice(at, next).includes(` ${folded}`)) match = 'word';
    found[match].push(key);
    at = text.indexOf(folded, next);
  }
  for (const match of ['prefix', 'word', 'contains'] as const) {
    if (hits.isFull) return;
    const score = SCORES[match];
    for (const it of found[match]) hits.addKey(it, { match, score });
  }
}

/** The key that a place of the text is in. */
function keyAt(starts: Uint32Array, { low, high, place }: { low: number; high: number; place: number }): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to + 1) >>> 1;
    if ((starts[middle] as number) <= place) from = middle;
    else to = middle - 1;
  }
  return from;
}

function addNear(index: NameIndex, name: TypedName, hits: Hits): void {
  const most = slipsOf(name.pattern.text.length);
  if (most === 0 || isOther(name)) return;
  index.keys.near(name.pattern, { most, end: index.endOf(name.level) }, (key) => {
    const likeness = nearScore(name, index.keys.at(key));
    if (likeness > 0) hits.addKey(key, { match: 'fuzzy', score: SCORES.fuzzy * likeness, level: name.level });
  });
}

/** The best hits, each area once. */
class Hits {
  readonly #index: NameIndex;
  readonly #levels: readonly NameLevel[];
  readonly #within: readonly number[] | undefined;
  readonly #limit: number;
  readonly #best = new Map<number, Found>();

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
    return this.#best.size >= this.#limit;
  }

  get isEmpty(): boolean {
    return this.#best.size === 0;
  }

  get hasExact(): boolean {
    for (const { score } of this.#best.values()) if (score >= SCORES.former) return true;
    return false;
  }

  /** The finest level that is looked for. */
  get finest(): NameLevel {
    return LEVEL_ORDER.findLast((level) => this.#levels.includes(level)) ?? 'region';
  }

  add(found: Found): void {
    const { row } = found;
    const known = this.#best.get(row);
    if (known && known.score >= found.score) return;
    if (!this.#levels.includes(this.#index.levelOf(row))) return;
    if (this.#within && !this.#within.some((parent) => row !== parent && this.#index.isIn(row, parent))) return;
    this.#best.set(row, found);
  }

  /** Adds the areas with a key. */
  addKey(key: number, { level, ...found }: Omit<Found, 'row' | 'key'> & { level?: NameLevel }): void {
    for (const each of level === undefined ? this.#levels : [level]) {
      this.#index.eachArea(key, each, (row, kind: Kind) => {
        this.add({ ...found, row, key, score: kind >= KIND.alias ? found.score * 0.98 : found.score });
      });
    }
  }

  list(): Found[] {
    const { source } = this.#index;
    const rank = (row: number) => LEVEL_ORDER.indexOf(this.#index.levelOf(row));
    const all = [...this.#best.values()];
    const isCity = (row: number) => Number(/\bcity\b/i.test(source.nameOf(row)));
    return all
      .sort(
        (a, b) =>
          b.score - a.score ||
          rank(a.row) - rank(b.row) ||
          (source.populations[b.row] as number) - (source.populations[a.row] as number) ||
          isCity(b.row) - isCity(a.row) ||
          a.row - b.row,
      )
      .slice(0, this.#limit);
  }
}

function hitOf(index: NameIndex, { row, score, match, key, name }: Found, text: string): NameHit {
  const level = index.levelOf(row);
  const forms = key === undefined ? new TypedName(name ?? text, level).forms : [index.keys.at(key)];
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
