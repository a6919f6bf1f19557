import { NO_ROW } from './layout.ts';

/** The rows of a level by the parent that a column names, so that the children of one are found without looking at all. */
export class RowGroups {
  /** The row of the first parent. */
  readonly #base: number;
  /** Where the group of each parent begins, and the end of the last. */
  readonly #starts: Uint32Array;
  readonly #rows: Uint16Array;

  /**
   * @param column the row of the parent of every row, `NO_ROW` where there is none
   * @param children the rows of the level
   * @param parents the rows of the parents' level
   * @throws Error if a parent is no row of its level
   */
  constructor(column: Uint16Array, children: Range, parents: Range) {
    this.#base = parents.first;
    const starts = new Uint32Array(parents.end - parents.first + 1);
    const { first, end } = children;
    for (let row = first; row < end; row += 1) {
      const parent = column[row] as number;
      if (parent === NO_ROW) continue;
      if (parent < parents.first || parent >= parents.end) throw outside(parent);
      starts[parent - parents.first + 1] = (starts[parent - parents.first + 1] as number) + 1;
    }
    for (let i = 1; i < starts.length; i += 1) starts[i] = (starts[i] as number) + (starts[i - 1] as number);
    this.#starts = starts;
    this.#rows = new Uint16Array(starts.at(-1) as number);
    const next = starts.slice();
    for (let row = first; row < end; row += 1) {
      const parent = column[row] as number;
      if (parent === NO_ROW) continue;
      const index = next[parent - parents.first] as number;
      this.#rows[index] = row;
      next[parent - parents.first] = index + 1;
    }
  }

  /**
   * The rows with this parent, in the order of their codes.
   *
   * @throws Error if it is no row of the parents' level
   */
  of(parent: number): Uint16Array {
    const at = parent - this.#base;
    if (!(at >= 0 && at < this.#starts.length - 1)) throw outside(parent);
    return this.#rows.subarray(this.#starts[at], this.#starts[at + 1]);
  }
}

function outside(parent: number): Error {
  return new Error(`The row ${parent} is not of the level of parents`);
}

/** Rows from the first to the one before the end. */
export interface Range {
  readonly first: number;
  readonly end: number;
}
