/**
 * Edit distances of compact keys: insertions, deletions, substitutions and transpositions of neighbours
 * (optimal string alignment).
 */

/** Max letters of a pattern in a 32-bit word. */
const MAX_BITS = 31;

/** Max slips allowed in a name by its number of letters. */
export function slipsOf(length: number): number {
  return length <= 2 ? 0 : length <= 5 ? 1 : length <= 10 ? 2 : 3;
}

/** The set of letters of a text as bits: 26 for letters, 6 for digits. */
export function maskOf(text: string): number {
  let mask = 0;
  for (let at = 0; at < text.length; at += 1) mask |= bitOf(text.charCodeAt(at));
  return mask;
}

export function bitOf(code: number): number {
  return code >= 97 ? 1 << (code - 97) : code >= 48 ? 1 << (26 + (code % 6)) : 0;
}

/** How many bits are set. */
function bitsIn(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Whether two texts with these letter sets can be at most `max` slips apart. */
export function mayBeNear(a: number, b: number, max: number): boolean {
  return bitsIn(a & ~b) <= max && bitsIn(b & ~a) <= max;
}

/** Whether one of two texts, by their letter sets, can contain most words of the other. */
export function mayHold(a: number, b: number): boolean {
  return bitsIn(a & ~b) <= 2 || bitsIn(b & ~a) <= 2;
}

/**
 * A text to which many others are compared, by the bit-parallel algorithm of Hyyrö ("A bit-vector algorithm for computing
 * Levenshtein and Damerau edit distances", 2003): one step for each letter of the other text.
 */
export class Pattern {
  readonly text: string;
  readonly mask: number;
  readonly #places = new Uint32Array(128);

  /** @param text letters `a-z`, digits and spaces */
  constructor(text: string) {
    this.text = text;
    this.mask = maskOf(text);
    for (let at = 0; at < Math.min(text.length, MAX_BITS); at += 1) {
      const code = text.charCodeAt(at) & 127;
      this.#places[code] = (this.#places[code] as number) | (1 << at);
    }
  }

  /** The distance to the letters between two indexes; any value above `max` means more than `max`. */
  distance(letters: Uint8Array, start: number, end: number, max: number): number {
    const length = this.text.length;
    if (length > MAX_BITS) return plainDistance(this.text, String.fromCharCode(...letters.subarray(start, end)));
    const places = this.#places;
    const last = 1 << (length - 1);
    let up = -1;
    let down = 0;
    let diagonal = 0;
    let before = 0;
    let distance = length;
    for (let at = start; at < end; at += 1) {
      const here = places[letters[at] as number] as number;
      const swapped = ((~diagonal & here) << 1) & before;
      diagonal = ((((here & up) + up) | 0) ^ up) | here | down | swapped;
      let plus = down | ~(diagonal | up);
      let minus = diagonal & up;
      if (plus & last) distance += 1;
      else if (minus & last) distance -= 1;
      if (distance - (end - at - 1) > max) return max + 1;
      plus = (plus << 1) | 1;
      minus <<= 1;
      up = minus | ~(diagonal | plus);
      down = plus & diagonal;
      before = here;
    }
    return distance;
  }
}

/** Letters that are taken for one another by ear or by spelling. */
const ALIKE = new Uint8Array(128 * 128);
for (const [a = '', b = ''] of 'ck cq kq fp sz cs iy ei ou bv uw hj gj xs dt mn lr vf jy'.split(' ')) {
  ALIKE[a.charCodeAt(0) * 128 + b.charCodeAt(0)] = 1;
  ALIKE[b.charCodeAt(0) * 128 + a.charCodeAt(0)] = 1;
}

const LETTER_H = 104;

/** Costs in halves of a slip. */
const WHOLE = 2;
const HALF = 1;

/** What it costs to leave a letter out: half where it is doubled or a silent `h`. */
function omission(letter: number, before: number): number {
  return letter === before || letter === LETTER_H ? HALF : WHOLE;
}

/** Three rows of the distance table, reused by every comparison. */
const ROWS = [new Uint16Array(512), new Uint16Array(512), new Uint16Array(512)] as const;

/** The distance of two texts in slips; common slips count half. Only the first 500 letters count. */
export function slipsBetween(a: string, b: string): number {
  return cost(a.slice(0, 500), b.slice(0, 500), true) / WHOLE;
}

function plainDistance(a: string, b: string): number {
  return cost(a.slice(0, 500), b.slice(0, 500), false) / WHOLE;
}

function cost(a: string, b: string, isWeighted: boolean): number {
  let [older, old, row]: [Uint16Array, Uint16Array, Uint16Array] = [...ROWS];
  old[0] = 0;
  for (let j = 1; j <= b.length; j += 1) {
    old[j] =
      (old[j - 1] as number) + (isWeighted ? omission(b.charCodeAt(j - 1), j > 1 ? b.charCodeAt(j - 2) : 0) : WHOLE);
  }
  for (let i = 1; i <= a.length; i += 1) {
    const letter = a.charCodeAt(i - 1);
    const before = i > 1 ? a.charCodeAt(i - 2) : 0;
    const left = isWeighted ? omission(letter, before) : WHOLE;
    row[0] = (old[0] as number) + left;
    let last = 0;
    for (let j = 1; j <= b.length; j += 1) {
      const other = b.charCodeAt(j - 1);
      let best = old[j - 1] as number;
      if (letter !== other) best += isWeighted && ALIKE[letter * 128 + other] === 1 ? HALF : WHOLE;
      best = Math.min(best, (old[j] as number) + left);
      best = Math.min(best, (row[j - 1] as number) + (isWeighted ? omission(other, last) : WHOLE));
      if (i > 1 && letter === last && other === before) best = Math.min(best, (older[j - 2] as number) + WHOLE);
      row[j] = best;
      last = other;
    }
    [older, old, row] = [old, row, older];
  }
  return old[b.length] as number;
}
