import { BoundedMap } from '../bounded-map.ts';
import { aliases } from './aliases.ts';
import { bitOf, mayBeNear, mayHold, type Pattern } from './edits.ts';
import { addKeys, type Key, KIND, type Kind } from './forms.ts';
import { NAME_LEVELS, type NameLevel, type NameSource, NO_PARENT } from './source.ts';

/** How many texts of columns are remembered. An entry has about a kilobyte. */
const MOST_REMEMBERED = 2000;

const LEVELS: readonly NameLevel[] = ['region', 'province', 'municity', 'barangay'];

/** A name beside those that a source has: of another edition, say. */
export interface ExtraName {
  /** A ten-digit code, of any edition. */
  readonly code: string;
  readonly name: string;
}

/** A name by which an area is found, with its keys. */
export interface FoundName {
  readonly name: string;
  readonly keys: readonly Key[];
}

/**
 * The index of names of one release: every distinct key once, in typed arrays, with the areas that have it. Keys of the
 * higher levels come first, so that a search for cities looks at a tenth of them. Made by `buildIndex`, never changed.
 */
export class NameIndex {
  readonly source: NameSource;
  /** All keys with their spaces, each on a line of its own, and one line end before the first. */
  readonly text: string;
  /** Where each key begins in `text`, and the place after the last. */
  readonly starts: Uint32Array;
  /** The letters of the keys without spaces, one after another. */
  readonly #letters: Uint8Array;
  readonly #letterStarts: Uint32Array;
  readonly #masks: Uint32Array;
  /** The keys by hash: a key's number and one more, zero for an empty place. */
  readonly #table: Uint32Array;
  readonly #entryStarts: Uint32Array;
  readonly #entryRows: Uint16Array;
  readonly #entryKinds: Uint8Array;
  readonly #rowStarts: Uint32Array;
  readonly #rowKeys: Uint32Array;
  readonly #rowKinds: Uint8Array;
  /** How many keys there are down to each level. */
  readonly #ends: Readonly<Record<NameLevel, number>>;
  readonly #extra: ReadonlyMap<number, readonly { name: string; kind: Kind }[]>;
  readonly #children = new Map<string, Uint16Array[]>();
  /** What was found for the texts of columns above, which lists repeat. */
  readonly #remembered = new BoundedMap<string, unknown>(MOST_REMEMBERED);

  constructor(parts: IndexParts) {
    this.source = parts.source;
    this.text = parts.text;
    this.starts = parts.starts;
    this.#letters = parts.letters;
    this.#letterStarts = parts.letterStarts;
    this.#masks = parts.masks;
    this.#table = parts.table;
    this.#rowStarts = parts.rowStarts;
    this.#rowKeys = parts.rowKeys;
    this.#rowKinds = parts.rowKinds;
    this.#ends = parts.ends;
    this.#extra = parts.extra;
    const { starts, rows, kinds } = turned(parts);
    this.#entryStarts = starts;
    this.#entryRows = rows;
    this.#entryKinds = kinds;
  }

  get size(): number {
    return this.starts.length - 1;
  }

  /** Bytes of its arrays and its text. */
  get bytes(): number {
    const arrays = [this.starts, this.#letters, this.#letterStarts, this.#masks, this.#table, this.#entryStarts];
    const others = [this.#entryRows, this.#entryKinds, this.#rowStarts, this.#rowKeys, this.#rowKinds];
    return [...arrays, ...others].reduce((sum, { byteLength }) => sum + byteLength, this.text.length);
  }

  /** How many keys areas of a level and of those above have: no later one is of theirs alone. */
  endOf(level: NameLevel): number {
    return this.#ends[level];
  }

  /** The key of a number, with spaces. */
  keyAt(key: number): string {
    return this.text.slice(this.starts[key], (this.starts[key + 1] as number) - 1);
  }

  /** Letters and digits of a key. */
  lengthAt(key: number): number {
    return (this.#letterStarts[key + 1] as number) - (this.#letterStarts[key] as number);
  }

  /** The number of the key with the letters of a folded text, whatever its spaces; -1 where there is none. */
  find(folded: string): number {
    const letters = this.#letters;
    const wanted = compactCodes(folded);
    const size = this.#table.length - 1;
    for (let place = hashOf(wanted, 0, wanted.length) & size; ; place = (place + 1) & size) {
      const key = (this.#table[place] as number) - 1;
      if (key === -1) return -1;
      if (isSame(letters, this.#letterStarts[key] as number, this.#letterStarts[key + 1] as number, wanted)) return key;
    }
  }

  /** Calls back with the areas of a level that have a key, in the order of their codes. */
  eachArea(key: number, level: NameLevel, found: (row: number, kind: Kind) => void): void {
    const { first, end } = this.source.rowsOf(level);
    for (let at = this.#entryStarts[key] as number; at < (this.#entryStarts[key + 1] as number); at += 1) {
      const row = this.#entryRows[at] as number;
      if (row >= end) return;
      if (row >= first) found(row, this.#entryKinds[at] as Kind);
    }
  }

  /** Calls back with the keys of an area. */
  eachKey(row: number, found: (key: number, kind: Kind) => void): void {
    for (let at = this.#rowStarts[row] as number; at < (this.#rowStarts[row + 1] as number); at += 1) {
      found(this.#rowKeys[at] as number, this.#rowKinds[at] as Kind);
    }
  }

  /** Calls back with every key before the end that is at most so many slips from a pattern. */
  near(
    pattern: Pattern,
    { most, end }: { most: number; end: number },
    found: (key: number, slips: number) => void,
  ): void {
    const starts = this.#letterStarts;
    const shortest = pattern.text.length - most;
    const longest = pattern.text.length + most;
    for (let key = 0, start = 0; key < end; key += 1) {
      const next = starts[key + 1] as number;
      const length = next - start;
      if (length >= shortest && length <= longest && mayBeNear(pattern.mask, this.#masks[key] as number, most)) {
        const slips = pattern.distance(this.#letters, start, next, most);
        if (slips <= most) found(key, slips);
      }
      start = next;
    }
  }

  /** The slips between a pattern and one key; more than `most` stands for any number beyond it. */
  slipsTo(key: number, pattern: Pattern, most: number): number {
    const start = this.#letterStarts[key] as number;
    const end = this.#letterStarts[key + 1] as number;
    if (Math.abs(end - start - pattern.text.length) > most) return most + 1;
    if (!mayBeNear(pattern.mask, this.#masks[key] as number, most)) return most + 1;
    return pattern.distance(this.#letters, start, end, most);
  }

  /** Whether a key and a text with a set of letters can have words in common, one of them all. */
  mayShareWords(key: number, mask: number): boolean {
    return mayHold(this.#masks[key] as number, mask);
  }

  levelOf(row: number): NameLevel {
    if (row >= this.source.rowsOf('barangay').first) return 'barangay';
    if (row >= this.source.rowsOf('municity').first) return 'municity';
    return row >= this.source.rowsOf('province').first ? 'province' : 'region';
  }

  /** The row of a level with a code, which is one of today; -1 where there is none. */
  rowOf(level: NameLevel, code: string): number {
    return rowAt(this.source, level, Number(code));
  }

  /** The area of a level that an area is or lies in, its host in place of a province; undefined where there is none. */
  ancestorAt(row: number, level: NameLevel): number | undefined {
    if (this.levelOf(row) === level) return row;
    const { regions, provinces, hosts, municities } = this.source;
    const province = provinces[row] === NO_PARENT ? hosts[row] : provinces[row];
    const parent = level === 'region' ? regions[row] : level === 'province' ? province : municities[row];
    return parent === NO_PARENT ? undefined : parent;
  }

  codeOf(row: number): string {
    return String(this.source.codes[row]).padStart(10, '0');
  }

  /** The rows of a level that lie in an area, hosted ones included. */
  childrenOf(level: 'municity' | 'barangay', parent: number): Uint16Array {
    const at = this.levelOf(parent);
    const { source } = this;
    const { first, end } = source.rowsOf(level);
    const key = `${level} ${at}`;
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

  /** What was found for a key before, or else is found now. */
  remembered<Found>(key: string, find: () => Found): Found {
    const known = this.#remembered.get(key) as Found | undefined;
    if (known !== undefined) return known;
    const found = find();
    if (key.length < MOST_KEY) this.#remembered.set(key, found);
    return found;
  }

  /** Whether an area is another or lies in it, as part of it or as its guest. */
  isIn(row: number, parent: number): boolean {
    const { source } = this;
    return (
      row === parent ||
      source.municities[row] === parent ||
      source.provinces[row] === parent ||
      source.hosts[row] === parent ||
      source.regions[row] === parent
    );
  }

  /** The names of an area with their keys: its name, former names, aliases and those of other editions. */
  namesOf(row: number): FoundName[] {
    const level = this.levelOf(row);
    const keysOf = (name: string, kind: Kind) => {
      const keys: Key[] = [];
      addKeys(keys, name, { level, kind });
      return { name, keys };
    };
    return [
      keysOf(this.source.nameOf(row), KIND.whole),
      ...(this.#extra.get(row) ?? []).map(({ name, kind }) => keysOf(name, kind)),
      ...this.source.formerNames(row).map((name) => keysOf(name, KIND.former)),
    ];
  }
}

/** Letters of the longest key that is remembered. */
const MOST_KEY = 300;

const NOTHING = new Uint16Array();

interface IndexParts {
  readonly source: NameSource;
  readonly text: string;
  readonly starts: Uint32Array;
  readonly letters: Uint8Array;
  readonly letterStarts: Uint32Array;
  readonly masks: Uint32Array;
  readonly table: Uint32Array;
  readonly rowStarts: Uint32Array;
  readonly rowKeys: Uint32Array;
  readonly rowKinds: Uint8Array;
  readonly ends: Readonly<Record<NameLevel, number>>;
  readonly extra: ReadonlyMap<number, readonly { name: string; kind: Kind }[]>;
}

/** The areas by key, of the keys by area. */
function turned({ starts: { length }, rowStarts, rowKeys, rowKinds }: IndexParts) {
  const starts = new Uint32Array(length);
  for (const key of rowKeys) starts[key + 1] = (starts[key + 1] as number) + 1;
  for (let key = 1; key < length; key += 1) starts[key] = (starts[key] as number) + (starts[key - 1] as number);
  const next = starts.slice();
  const rows = new Uint16Array(rowKeys.length);
  const kinds = new Uint8Array(rowKeys.length);
  for (let row = 0; row + 1 < rowStarts.length; row += 1) {
    for (let at = rowStarts[row] as number; at < (rowStarts[row + 1] as number); at += 1) {
      const key = rowKeys[at] as number;
      const place = next[key] as number;
      next[key] = place + 1;
      rows[place] = row;
      kinds[place] = rowKinds[at] as number;
    }
  }
  return { starts, rows, kinds };
}

/**
 * Makes the index of a source's names, of the aliases and of further names. It takes about a tenth of a second for the
 * whole country, so it is made when the first search or match is asked for.
 */
export function buildIndex(source: NameSource, extraNames: Iterable<ExtraName> = []): NameIndex {
  const extra = namesBeside(source, extraNames);
  const found = new KeyTable(source.size);
  const rowStarts = new Uint32Array(source.size + 1);
  let rowKeys = new Uint32Array(source.size * 2);
  let rowKinds = new Uint8Array(source.size * 2);
  const ends: Partial<Record<NameLevel, number>> = {};
  let count = 0;
  for (const level of NAME_LEVELS) {
    const { first, end } = source.rowsOf(level);
    for (let row = first; row < end; row += 1) {
      // Sub-municipalities are no level of the search: their names are Manila's.
      if (level !== 'submunicipality') {
        const keys: Key[] = [];
        addKeys(keys, source.nameOf(row), { level, kind: KIND.whole });
        for (const { name, kind } of extra.get(row) ?? []) addKeys(keys, name, { level, kind });
        for (const name of source.formerNames(row)) addKeys(keys, name, { level, kind: KIND.former });
        if (count + keys.length > rowKeys.length) {
          rowKeys = grown(rowKeys, new Uint32Array(2 * rowKeys.length + keys.length));
          rowKinds = grown(rowKinds, new Uint8Array(2 * rowKinds.length + keys.length));
        }
        for (const { key, kind } of keys) {
          rowKeys[count] = found.add(key);
          rowKinds[count] = kind;
          count += 1;
        }
      }
      rowStarts[row + 1] = count;
    }
    if (level !== 'submunicipality') ends[level] = found.size;
  }
  return new NameIndex({
    source,
    extra,
    rowStarts,
    rowKeys: rowKeys.slice(0, count),
    rowKinds: rowKinds.slice(0, count),
    ends: ends as Record<NameLevel, number>,
    ...found.parts(),
  });
}

/** The distinct keys, as they are found. */
class KeyTable {
  #keys: string[] = [];
  #letters = new Uint8Array(1 << 16);
  #starts: number[] = [0];
  #table: Uint32Array;

  constructor(areas: number) {
    this.#table = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(1024, areas * 2))));
  }

  get size(): number {
    return this.#keys.length;
  }

  /** The number of a key, new or known. */
  add(key: string): number {
    const start = this.#starts[this.#keys.length] as number;
    if (start + key.length > this.#letters.length)
      this.#letters = grown(this.#letters, new Uint8Array(2 * (start + key.length)));
    const end = writeCompact(key, this.#letters, start);
    const size = this.#table.length - 1;
    for (let place = hashOf(this.#letters, start, end) & size; ; place = (place + 1) & size) {
      const known = (this.#table[place] as number) - 1;
      if (known === -1) {
        this.#keys.push(key);
        this.#starts.push(end);
        this.#table[place] = this.#keys.length;
        return this.#keys.length - 1;
      }
      const wanted = this.#letters.subarray(start, end);
      if (isSame(this.#letters, this.#starts[known] as number, this.#starts[known + 1] as number, wanted)) return known;
    }
  }

  parts() {
    const keys = this.#keys;
    const starts = new Uint32Array(keys.length + 1);
    const masks = new Uint32Array(keys.length);
    let at = 1;
    for (let key = 0; key < keys.length; key += 1) {
      starts[key] = at;
      at += (keys[key] as string).length + 1;
      let mask = 0;
      for (let i = this.#starts[key] as number; i < (this.#starts[key + 1] as number); i += 1) {
        mask |= bitOf(this.#letters[i] as number);
      }
      masks[key] = mask;
    }
    starts[keys.length] = at;
    return {
      text: `\n${keys.join('\n')}\n`,
      starts,
      masks,
      letters: this.#letters.slice(0, this.#starts.at(-1)),
      letterStarts: Uint32Array.from(this.#starts),
      table: this.#table,
    };
  }
}

function grown<T extends Uint8Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** The letters of a folded text without its spaces, but for those between two numbers: what spaces can't change. */
function compactCodes(folded: string): Uint8Array {
  const letters = new Uint8Array(folded.length);
  return letters.subarray(0, writeCompact(folded, letters, 0));
}

function writeCompact(folded: string, letters: Uint8Array, start: number): number {
  let end = start;
  for (let at = 0; at < folded.length; at += 1) {
    const code = folded.charCodeAt(at);
    if (code === 32 && !(folded.charCodeAt(at - 1) < 58 && folded.charCodeAt(at + 1) < 58)) continue;
    letters[end] = code;
    end += 1;
  }
  return end;
}

/** FNV-1a. */
function hashOf(letters: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (letters[at] as number), 0x01000193);
  return hash >>> 0;
}

function isSame(letters: Uint8Array, start: number, end: number, wanted: Uint8Array): boolean {
  if (end - start !== wanted.length) return false;
  for (let at = start, i = 0; at < end; at += 1, i += 1) if (letters[at] !== wanted[i]) return false;
  return true;
}

/** The row of a level with a code; a code whose region has changed is found by its last eight digits. -1: none. */
export function rowOfCode(source: NameSource, level: (typeof NAME_LEVELS)[number], code: string): number {
  const exact = rowAt(source, level, Number(code));
  if (exact !== -1 || level === 'region') return exact;
  const { first, end } = source.rowsOf('region');
  for (let region = first; region < end; region += 1) {
    const row = rowAt(source, level, (source.codes[region] as number) + Number(code.slice(2)));
    if (row !== -1) return row;
  }
  return -1;
}

function rowAt(source: NameSource, level: (typeof NAME_LEVELS)[number], code: number): number {
  let { first, end } = source.rowsOf(level);
  while (first < end) {
    const middle = (first + end) >>> 1;
    const found = source.codes[middle] as number;
    if (found === code) return middle;
    if (found < code) first = middle + 1;
    else end = middle;
  }
  return -1;
}

const MANILA = '1380600000';

/** Aliases and further names by row. */
function namesBeside(source: NameSource, extraNames: Iterable<ExtraName>) {
  const names = new Map<number, { name: string; kind: Kind }[]>();
  const put = (code: string, name: string, kind: Kind) => {
    for (const level of LEVELS) {
      const row = rowOfCode(source, level, code);
      if (row === -1) continue;
      if (source.nameOf(row) === name) continue;
      const known = names.get(row);
      if (known) known.push({ name, kind });
      else names.set(row, [{ name, kind }]);
    }
  };
  for (const [alias, code] of aliases) put(code, alias, KIND.alias);
  const { first, end } = source.rowsOf('submunicipality');
  for (let row = first; row < end; row += 1) put(MANILA, source.nameOf(row), KIND.alias);
  for (const { code, name } of extraNames) put(code, name, KIND.former);
  return names;
}
