import { BoundedMap } from '../bounded-map.ts';
import { addKeys, type Key, KIND, type Kind } from './forms.ts';
import type { Keys } from './keys.ts';
import {
  type Column,
  columnOf,
  NAME_LEVELS,
  type NameLevel,
  type NameSource,
  NO_PARENT,
  rowAt,
  rowsOfColumn,
} from './source.ts';

/** Max cached results per kind of lookup. An entry has at most about a kilobyte. */
const MAX_CACHED = 1000;

/** Longer keys are cached for the row that asks many times, not for the list. */
const LONG_KEY = 300;
const MAX_CACHED_LONG = 4;

/** A name of an area, with its keys. */
export interface FoundName {
  readonly name: string;
  readonly keys: readonly Key[];
}

/**
 * The index of names of one release: every distinct key once, in typed arrays, with the areas that have it. Keys of the
 * higher levels come first, so that a search for cities looks at a tenth of them. Made by `buildIndex`, never changed.
 *
 * Areas are numbers here: the row of an area in the source.
 */
export class NameIndex {
  readonly source: NameSource;
  readonly keys: Keys;
  readonly #entryStarts: Uint32Array;
  readonly #entryRows: Uint16Array;
  readonly #entryKinds: Uint8Array;
  readonly #rowStarts: Uint32Array;
  readonly #rowKeys: Uint32Array;
  readonly #rowKinds: Uint8Array;
  /** How many keys there are down to each level. */
  readonly #ends: Readonly<Record<NameLevel, number>>;
  readonly #beside: NamesBeside;
  /** The first row of each level. */
  readonly #firstRows: readonly number[];
  readonly #children = new Map<string, Uint16Array[]>();
  /** Cached results by kind of lookup and text, because lists repeat texts. */
  readonly #cached = new Map<string, BoundedMap<string, unknown>>();

  constructor({ source, keys, rowStarts, rowKeys, rowKinds, ends, beside }: IndexParts) {
    this.source = source;
    this.keys = keys;
    this.#firstRows = NAME_LEVELS.map((level) => source.rowsOf(level).first);
    this.#rowStarts = rowStarts;
    this.#rowKeys = rowKeys;
    this.#rowKinds = rowKinds;
    this.#ends = ends;
    this.#beside = beside;
    const { starts, rows, kinds } = turned(keys.size, { rowStarts, rowKeys, rowKinds });
    this.#entryStarts = starts;
    this.#entryRows = rows;
    this.#entryKinds = kinds;
  }

  /** Bytes of its arrays and its text. */
  get bytes(): number {
    const entries = [this.#entryStarts, this.#entryRows, this.#entryKinds];
    const rows = [this.#rowStarts, this.#rowKeys, this.#rowKinds];
    return [...entries, ...rows].reduce((sum, { byteLength }) => sum + byteLength, this.keys.bytes);
  }

  /** Number of keys of a column's areas and of those above. Later keys belong to finer levels alone. */
  endOf(column: Column): number {
    return this.#ends[column === 'municity' ? 'submunicipality' : column];
  }

  /** Calls back with the areas of a column that have a key, in the order of their levels and codes. */
  eachArea(key: number, column: Column, found: (row: number, kind: Kind) => void): void {
    const { first, end } = rowsOfColumn(this.source, column);
    for (let at = this.#entryStarts[key] as number; at < (this.#entryStarts[key + 1] as number); at += 1) {
      const row = this.#entryRows[at] as number;
      if (row >= end) return;
      if (row >= first) found(row, this.#entryKinds[at] as Kind);
    }
  }

  eachKey(row: number, found: (key: number, kind: Kind) => void): void {
    for (let at = this.#rowStarts[row] as number; at < (this.#rowStarts[row + 1] as number); at += 1) {
      found(this.#rowKeys[at] as number, this.#rowKinds[at] as Kind);
    }
  }

  /** Whether a key of an area fits. */
  hasKey(row: number, fits: (key: number, kind: Kind) => boolean): boolean {
    const [first, end] = [this.#rowStarts[row] as number, this.#rowStarts[row + 1] as number];
    for (let at = first; at < end; at += 1)
      if (fits(this.#rowKeys[at] as number, this.#rowKinds[at] as Kind)) return true;
    return false;
  }

  levelOf(row: number): NameLevel {
    // Most rows are those of barangays.
    let level = NAME_LEVELS.length - 1;
    while (row < (this.#firstRows[level] as number)) level -= 1;
    return NAME_LEVELS[level] as NameLevel;
  }

  /** The row of a level with a code of today; -1 if none. */
  rowOf(level: NameLevel, code: string): number {
    return rowAt(this.source, level, Number(code));
  }

  /** The ancestor of an area at a level, or itself; its host in place of a province; undefined if none. */
  ancestorAt(row: number, level: NameLevel): number | undefined {
    if (this.levelOf(row) === level) return row;
    const parent = this.#parentAt(row, level);
    return parent === NO_PARENT ? undefined : parent;
  }

  /** The ancestors of an area from the region down, its host in place of a province that it doesn't belong to. */
  ancestorsOf(row: number): number[] {
    const parents = NAME_LEVELS.map((level) => this.#parentAt(row, level));
    return parents.filter((parent): parent is number => parent !== undefined && parent !== NO_PARENT);
  }

  #parentAt(row: number, level: NameLevel): number | undefined {
    const { regions, provinces, hosts, municities, submunicipalities } = this.source;
    switch (level) {
      case 'region':
        return regions[row];
      case 'province':
        return provinces[row] === NO_PARENT ? hosts[row] : provinces[row];
      case 'municity':
        return municities[row];
      case 'submunicipality':
        return submunicipalities[row];
      case 'barangay':
        return NO_PARENT;
    }
  }

  codeOf(row: number): string {
    return String(this.source.codes[row]).padStart(10, '0');
  }

  /** The rows of a column that lie in an area, hosted ones included. */
  childrenOf(column: 'municity' | 'barangay', parent: number): Uint16Array {
    const at = this.levelOf(parent);
    const { source } = this;
    const { first, end } = rowsOfColumn(source, column);
    const key = `${column} ${at}`;
    let groups = this.#children.get(key);
    if (!groups) {
      const lists: number[][] = [];
      const put = (to: number, row: number) => {
        if (to === NO_PARENT) return;
        const list = lists[to];
        if (list) list.push(row);
        else lists[to] = [row];
      };
      for (let row = first; row < end; row += 1) {
        if (at === 'region') put(source.regions[row] as number, row);
        else if (at === 'municity') put(source.municities[row] as number, row);
        else if (at === 'submunicipality') put(source.submunicipalities[row] as number, row);
        else {
          put(source.provinces[row] as number, row);
          put(source.hosts[row] as number, row);
        }
      }
      groups = lists.map((list) => Uint16Array.from(list));
      this.#children.set(key, groups);
    }
    return groups[parent] ?? NOTHING;
  }

  /** The cached result of a lookup, computed on a miss. */
  cached<Found>(kind: string, key: string, find: () => Found): Found {
    const isLong = key.length > LONG_KEY;
    const slot = isLong ? `long ${kind}` : kind;
    let answers = this.#cached.get(slot);
    if (!answers) {
      answers = new BoundedMap(isLong ? MAX_CACHED_LONG : MAX_CACHED);
      this.#cached.set(slot, answers);
    }
    const answer = answers.get(key) as Found | undefined;
    if (answer !== undefined) return answer;
    const found = find();
    answers.set(key, found);
    return found;
  }

  /** Whether of two areas one lies in the other, or both are the same. */
  areRelated(row: number, other: number): boolean {
    return this.isIn(row, other) || this.isIn(other, row);
  }

  /** Whether an area is another or lies in it, as part of it or hosted by it. */
  isIn(row: number, parent: number): boolean {
    const { source } = this;
    return (
      row === parent ||
      source.municities[row] === parent ||
      source.submunicipalities[row] === parent ||
      source.provinces[row] === parent ||
      source.hosts[row] === parent ||
      source.regions[row] === parent
    );
  }

  /** The names of an area with their keys: its name, former names, aliases and those of other editions. */
  namesOf(row: number): FoundName[] {
    const column = columnOf(this.levelOf(row));
    const keysOf = (name: string, kind: Kind) => {
      const keys: Key[] = [];
      addKeys(keys, name, { column, kind });
      return { name, keys };
    };
    return [
      keysOf(this.source.nameOf(row), KIND.full),
      ...(this.#beside.get(row) ?? []).map(({ name, kind }) => keysOf(name, kind)),
      ...this.source.formerNames(row).map((name) => keysOf(name, KIND.former)),
    ];
  }
}

const NOTHING = new Uint16Array();

/** Names that the source lacks, by row. */
export type NamesBeside = ReadonlyMap<number, readonly { readonly name: string; readonly kind: Kind }[]>;

/** The keys of each row, one row after another. */
interface KeysByRow {
  readonly rowStarts: Uint32Array;
  readonly rowKeys: Uint32Array;
  readonly rowKinds: Uint8Array;
}

interface IndexParts extends KeysByRow {
  readonly source: NameSource;
  readonly keys: Keys;
  readonly ends: Readonly<Record<NameLevel, number>>;
  readonly beside: NamesBeside;
}

/** Inverts the keys by area to areas by key. */
function turned(keys: number, { rowStarts, rowKeys, rowKinds }: KeysByRow) {
  const length = keys + 1;
  const starts = new Uint32Array(length);
  for (const key of rowKeys) starts[key + 1] = (starts[key + 1] as number) + 1;
  for (let key = 1; key < length; key += 1) starts[key] = (starts[key] as number) + (starts[key - 1] as number);
  const next = starts.slice();
  const rows = new Uint16Array(rowKeys.length);
  const kinds = new Uint8Array(rowKeys.length);
  for (let row = 0; row + 1 < rowStarts.length; row += 1) {
    for (let at = rowStarts[row] as number; at < (rowStarts[row + 1] as number); at += 1) {
      const key = rowKeys[at] as number;
      const position = next[key] as number;
      next[key] = position + 1;
      rows[position] = row;
      kinds[position] = rowKinds[at] as number;
    }
  }
  return { starts, rows, kinds };
}
