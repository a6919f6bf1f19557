import type { NameIndex } from './index.ts';
import { eachOf, NAME_LEVELS } from './source.ts';

/** Characters of keys: the end of a key, the space, digits and letters. */
const CHARACTERS = 38;

function indexOf(code: number): number {
  if (code >= 97) return code - 85;
  if (code >= 48) return code - 46;
  return code === 32 ? 1 : 0;
}

/**
 * Where words begin in the keys of an index, grouped by their first two letters, so that a beginning is found without a
 * search of all keys. Grouped and not sorted, because sorting the country's names takes a fifth of a second.
 */
export class WordStarts {
  /** The place of each area among all: higher levels first, then larger populations, then codes. */
  readonly rankOf: Uint16Array;
  /** The rank of the best area that has a key. */
  readonly #bestRanks: Uint16Array;
  readonly #index: NameIndex;
  readonly #groups: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #keys: Uint32Array;

  constructor(index: NameIndex) {
    this.#index = index;
    this.rankOf = ranksOf(index);
    const { text, starts, size } = index.keys;
    this.#bestRanks = new Uint16Array(size).fill(0xffff);
    for (let row = 0; row < index.source.size; row += 1) {
      const rank = this.rankOf[row] as number;
      index.eachKey(row, (key) => {
        if (rank < (this.#bestRanks[key] as number)) this.#bestRanks[key] = rank;
      });
    }
    const groups = new Uint32Array(CHARACTERS * CHARACTERS + 1);
    eachStart(text, (at) => {
      const group = groupOf(text, at) + 1;
      groups[group] = (groups[group] as number) + 1;
    });
    for (let i = 1; i < groups.length; i += 1) groups[i] = (groups[i] as number) + (groups[i - 1] as number);
    this.#starts = new Uint32Array(groups.at(-1) as number);
    this.#keys = new Uint32Array(this.#starts.length);
    const next = groups.slice();
    let key = 0;
    eachStart(text, (at) => {
      while ((starts[key + 1] as number) <= at) key += 1;
      const group = groupOf(text, at);
      const slot = next[group] as number;
      next[group] = slot + 1;
      this.#starts[slot] = at;
      this.#keys[slot] = key;
    });
    this.#groups = groups;
  }

  /** Bytes of its arrays. */
  get bytes(): number {
    const arrays = [this.rankOf, this.#bestRanks, this.#groups, this.#starts, this.#keys];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /**
   * Calls back with every key that has a word at which a folded text begins.
   *
   * @param found gets the key, how the text fits it, and the rank of the best area that has the key
   */
  each(folded: string, found: (key: number, how: How, bestRank: number) => void): void {
    const { text, starts } = this.#index.keys;
    const first = indexOf(folded.charCodeAt(0)) * CHARACTERS;
    const [from, to] = folded.length === 1 ? [first, first + CHARACTERS] : [groupOf(folded, 0), groupOf(folded, 0) + 1];
    const end = this.#groups[to] as number;
    for (let at = this.#groups[from] as number; at < end; at += 1) {
      const start = this.#starts[at] as number;
      const key = this.#keys[at] as number;
      const isFirst = start === starts[key];
      if (folded.length < 3 || text.startsWith(folded, start)) {
        const isWhole = isFirst && start + folded.length + 1 === starts[key + 1];
        found(key, isWhole ? 'whole' : isFirst ? 'beginning' : 'word', this.#bestRanks[key] as number);
      } else if (isFirst && beginsJoined(text, start, folded)) found(key, 'joined', this.#bestRanks[key] as number);
    }
  }
}

/** `whole`: the text is the key; `joined`: it is at the beginning where spaces make no difference. */
export type How = 'whole' | 'beginning' | 'joined' | 'word';

/** Whether a folded text is at a place of a text, spaces aside. Of the spellings of a name, keys have only one. */
function beginsJoined(text: string, start: number, folded: string): boolean {
  let at = start;
  for (let i = 0; i < folded.length; i += 1) {
    const letter = folded.charCodeAt(i);
    if (letter === SPACE) continue;
    if (text.charCodeAt(at) === SPACE) at += 1;
    if (text.charCodeAt(at) !== letter) return false;
    at += 1;
  }
  return true;
}

const SPACE = 32;

function groupOf(text: string, at: number): number {
  return indexOf(text.charCodeAt(at)) * CHARACTERS + indexOf(text.charCodeAt(at + 1));
}

/** Calls back with the place of each word. Words are apart by a space or the end of a line. */
function eachStart(text: string, found: (at: number) => void): void {
  for (let at = 1; at < text.length; at += 1) if (text.charCodeAt(at - 1) <= 32) found(at);
}

function ranksOf({ source }: NameIndex): Uint16Array {
  const ranks = new Uint16Array(source.size);
  let rank = 0;
  for (const level of NAME_LEVELS) {
    const rows = Uint16Array.from(eachOf(source.rowsOf(level)));
    rows.sort((a, b) => (source.populations[b] as number) - (source.populations[a] as number) || a - b);
    for (const row of rows) {
      ranks[row] = rank;
      rank += 1;
    }
  }
  return ranks;
}
