/** How well a name fits a text, best first. */
export type Rank = 0 | 1 | 2 | 3;

/** A row that was found by name. */
export interface Hit {
  readonly row: number;
  /** Twice the rank of the best key (exact, prefix, word, contains), and one more where that is a former name. */
  readonly rank: number;
}

/**
 * The names of the areas of a level in the form in which they are compared (`searchKeys`), every key on a line of one
 * text. The first key of a row is its whole name.
 */
export class NameKeys {
  readonly #text: string;
  /** Where each key begins, and the end of the text and one more. */
  readonly #starts: Uint32Array;
  readonly #rows: Uint16Array;
  readonly #former: Uint8Array;
  readonly #firstKeys: Uint32Array;
  readonly #firstRow: number;
  #exact: Map<string, number[]> | undefined;

  /**
   * @param text the keys of all rows, a line each
   * @param counts how many keys each row has
   * @param former for each key 1 where it is of a former name
   * @param firstRow the first row of the level
   */
  constructor(text: string, counts: Uint8Array, former: Uint8Array, firstRow: number) {
    this.#text = text;
    this.#former = former;
    this.#firstRow = firstRow;
    this.#rows = new Uint16Array(former.length);
    this.#starts = new Uint32Array(former.length + 1);
    this.#firstKeys = new Uint32Array(counts.length);
    let key = 0;
    let at = 0;
    for (let i = 0; i < counts.length; i += 1) {
      this.#firstKeys[i] = key;
      for (let n = counts[i] as number; n > 0; n -= 1) {
        this.#rows[key] = firstRow + i;
        this.#starts[key] = at;
        const end = text.indexOf('\n', at);
        at = (end === -1 ? text.length : end) + 1;
        key += 1;
      }
    }
    this.#starts[key] = text.length + 1;
  }

  /** The key of a row's whole name. */
  nameKeyOf(row: number): string {
    return this.#key(this.#firstKeys[row - this.#firstRow] as number);
  }

  /** The rows with a key that is a text, former names left out; sorted. */
  rowsNamed(key: string): readonly number[] {
    this.#exact ??= this.#index();
    return this.#exact.get(key) ?? [];
  }

  #index(): Map<string, number[]> {
    const found = new Map<string, number[]>();
    for (let i = 0; i < this.#former.length; i += 1) {
      if (this.#former[i] === 1) continue;
      const key = this.#key(i);
      const rows = found.get(key);
      if (rows) rows.push(this.#rows[i] as number);
      else found.set(key, [this.#rows[i] as number]);
    }
    return found;
  }

  #key(index: number): string {
    return this.#text.slice(this.#starts[index], (this.#starts[index + 1] as number) - 1);
  }

  /** Every row with a key that contains a text, each with the rank of its best key. */
  search(wanted: string): Hit[] {
    const hits: Hit[] = [];
    if (wanted === '') return hits;
    const text = this.#text;
    let best: { row: number; rank: number } | undefined;
    for (let at = text.indexOf(wanted); at !== -1; ) {
      const key = this.#keyAt(at);
      const start = this.#starts[key] as number;
      const next = this.#starts[key + 1] as number;
      const rank = 2 * this.#rankIn(wanted, start, next - 1, at) + (this.#former[key] as number);
      const row = this.#rows[key] as number;
      if (best?.row === row) best.rank = Math.min(best.rank, rank);
      else {
        best = { row, rank };
        hits.push(best);
      }
      at = text.indexOf(wanted, next);
    }
    return hits;
  }

  /** How well the key between two places fits, of which a text was found first at another. */
  #rankIn(wanted: string, start: number, end: number, found: number): Rank {
    if (found === start) return end - start === wanted.length ? 0 : 1;
    for (let at = found; at !== -1 && at < end; at = this.#text.indexOf(wanted, at + 1)) {
      if (this.#text[at - 1] === ' ') return 2;
    }
    return 3;
  }

  /** The index of the key that a position of the text is in. */
  #keyAt(position: number): number {
    let low = 0;
    let high = this.#former.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] as number) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
