import type { Arc, Topology } from './arcs.ts';
import { areaUnder, differenceOf } from './measure.ts';

/** Max changes of a unit by simplification, as shares of its area. */
export interface Shares {
  /** How much may change hands along its borders: its symmetric difference. */
  difference: number;
  /** How much its area may grow or shrink. */
  area: number;
}

/** Accounts for the changes of each unit by simplification. All sizes are square microdegrees. */
export class Allowance {
  readonly #original: Topology;
  /** Per unit: its area, what changed hands at most, and what it has gained. */
  readonly areas: Float64Array;
  readonly #differences: Float64Array;
  readonly #gains: Float64Array;

  /** @param least per unit the size as which it is measured at least */
  constructor(topology: Topology, units: number, least?: Float64Array) {
    this.#original = topology;
    this.areas = new Float64Array(units);
    this.#differences = new Float64Array(units);
    this.#gains = new Float64Array(units);
    for (const { path, left, right } of topology.arcs) {
      const area = areaUnder(topology, path);
      if (left >= 0) (this.areas[left] as number) += area;
      if (right >= 0) (this.areas[right] as number) -= area;
    }
    for (const [unit, size] of least?.entries() ?? []) this.areas[unit] = Math.max(this.areas[unit] as number, size);
  }

  /** Whether both units beside an arc can afford that the left one gains this much of the right one. */
  covers({ left, right }: Arc, gain: number, shares: Shares): boolean {
    return this.#affords(left, gain, shares) && this.#affords(right, -gain, shares);
  }

  #affords(unit: number, gain: number, { difference, area }: Shares): boolean {
    if (unit < 0) return true;
    const size = this.areas[unit] as number;
    return (
      (this.#differences[unit] as number) + Math.abs(gain) <= difference * size &&
      Math.abs((this.#gains[unit] as number) + gain) <= area * size
    );
  }

  spend({ left, right }: Arc, gain: number): void {
    if (left >= 0) {
      (this.#differences[left] as number) += Math.abs(gain);
      (this.#gains[left] as number) += gain;
    }
    if (right >= 0) {
      (this.#differences[right] as number) += Math.abs(gain);
      (this.#gains[right] as number) -= gain;
    }
  }

  /**
   * Measures the actual changes so far. They are less than the sum of all steps, because one corner may undo another.
   * @param pathOf what is left of an arc, by its number
   */
  measure(pathOf: (arc: number) => readonly number[]): void {
    this.#differences.fill(0);
    for (const [i, { path, left, right }] of this.#original.arcs.entries()) {
      const difference = differenceOf(this.#original, path, pathOf(i));
      for (const unit of [left, right]) if (unit >= 0) (this.#differences[unit] as number) += difference;
    }
  }
}
