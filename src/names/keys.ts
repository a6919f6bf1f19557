import { bitOf, mayBeNear, mayHold, type Pattern } from './edits.ts';

/**
 * Distinct keys, numbered in the order in which they were added. Lookups are by letters, ignoring spaces, and with
 * slips.
 */
export class Keys {
  /** All keys with their spaces, each on a line of its own, and one line end before the first. */
  readonly text: string;
  /** Where each key begins in `text`, and where the last one ends. */
  readonly starts: Uint32Array;
  /** The letters of the keys without spaces, one after another. */
  readonly #letters: Uint8Array;
  readonly #letterStarts: Uint32Array;
  /** The set of letters of each key. */
  readonly #masks: Uint32Array;
  /** Hash table of key numbers plus one; zero for an empty slot. */
  readonly #table: Uint32Array;

  constructor(keys: readonly string[], letters: Uint8Array, letterStarts: Uint32Array, table: Uint32Array) {
    const starts = new Uint32Array(keys.length + 1);
    const masks = new Uint32Array(keys.length);
    let at = 1;
    for (let key = 0; key < keys.length; key += 1) {
      starts[key] = at;
      at += (keys[key] as string).length + 1;
      let mask = 0;
      for (let i = letterStarts[key] as number; i < (letterStarts[key + 1] as number); i += 1) {
        mask |= bitOf(letters[i] as number);
      }
      masks[key] = mask;
    }
    starts[keys.length] = at;
    this.text = `\n${keys.join('\n')}\n`;
    this.starts = starts;
    this.#letters = letters;
    this.#letterStarts = letterStarts;
    this.#masks = masks;
    this.#table = table;
  }

  get size(): number {
    return this.starts.length - 1;
  }

  /** Bytes of its arrays and its text. */
  get bytes(): number {
    const arrays = [this.starts, this.#letters, this.#letterStarts, this.#masks, this.#table];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.text.length);
  }

  /** The key of a number, with spaces. */
  at(key: number): string {
    return this.text.slice(this.starts[key], (this.starts[key + 1] as number) - 1);
  }

  /** The number of the key with the letters of a folded text, ignoring spaces; -1 if none. */
  find(folded: string): number {
    if (folded.length > wanted.length) return -1;
    const letters = this.#letters;
    const length = writeCompact(folded, wanted, 0);
    const size = this.#table.length - 1;
    for (let slot = hashOf(wanted, 0, length) & size; ; slot = (slot + 1) & size) {
      const key = (this.#table[slot] as number) - 1;
      if (key === -1) return -1;
      const start = this.#letterStarts[key] as number;
      if ((this.#letterStarts[key + 1] as number) - start === length && isSame(letters, start, wanted, length))
        return key;
    }
  }

  /** Calls back with every key before `end` at most `max` slips away from a pattern. */
  near(
    pattern: Pattern,
    { max, end }: { max: number; end: number },
    found: (key: number, slips: number) => void,
  ): void {
    const starts = this.#letterStarts;
    const shortest = pattern.text.length - max;
    const longest = pattern.text.length + max;
    for (let key = 0, start = 0; key < end; key += 1) {
      const next = starts[key + 1] as number;
      const length = next - start;
      if (length >= shortest && length <= longest && mayBeNear(pattern.mask, this.#masks[key] as number, max)) {
        const slips = pattern.distance(this.#letters, start, next, max);
        if (slips <= max) found(key, slips);
      }
      start = next;
    }
  }

  /** The slips between a pattern and a key; any value above `max` means more than `max`. */
  slipsTo(key: number, pattern: Pattern, max: number): number {
    const start = this.#letterStarts[key] as number;
    const end = this.#letterStarts[key + 1] as number;
    if (Math.abs(end - start - pattern.text.length) > max) return max + 1;
    if (!mayBeNear(pattern.mask, this.#masks[key] as number, max)) return max + 1;
    return pattern.distance(this.#letters, start, end, max);
  }

  /** Whether one of a key and a text, by its letter set, can contain all words of the other. */
  mayShareWords(key: number, mask: number): boolean {
    return mayHold(this.#masks[key] as number, mask);
  }
}

export class KeyCollector {
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

  /** The number of a key, added if new. */
  add(key: string): number {
    const start = this.#starts[this.#keys.length] as number;
    if (start + key.length > this.#letters.length)
      this.#letters = grown(this.#letters, new Uint8Array(2 * (start + key.length)));
    const end = writeCompact(key, this.#letters, start);
    const size = this.#table.length - 1;
    for (let slot = hashOf(this.#letters, start, end) & size; ; slot = (slot + 1) & size) {
      const existing = (this.#table[slot] as number) - 1;
      if (existing === -1) {
        this.#keys.push(key);
        this.#starts.push(end);
        this.#table[slot] = this.#keys.length;
        return this.#keys.length - 1;
      }
      const other = this.#starts[existing] as number;
      const length = end - start;
      if ((this.#starts[existing + 1] as number) - other !== length) continue;
      if (isSame(this.#letters, other, this.#letters.subarray(start, end), length)) return existing;
    }
  }

  /** The keys, when all are added. */
  keys(): Keys {
    const letters = this.#letters.slice(0, this.#starts.at(-1));
    return new Keys(this.#keys, letters, Uint32Array.from(this.#starts), this.#table);
  }
}

export function grown<T extends Uint8Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** Letters of the text being looked up. One buffer for all lookups, because allocating would cost as much as the lookup. */
const wanted = new Uint8Array(512);

/**
 * Writes the letters of a folded text without spaces, except between two numbers, so that spaces make no difference.
 *
 * @returns where they end
 */
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

function isSame(letters: Uint8Array, start: number, wanted: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i += 1) if (letters[start + i] !== wanted[i]) return false;
  return true;
}
