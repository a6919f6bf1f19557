import { MAX_POSITIONS } from '../../geojson/geometry.ts';
import { levelPositions } from './feature-values.ts';
import { FileFault } from './format.ts';

/** Max lines, rings, polygons and parts of collections in a geometry, because even an empty one takes memory. */
const MAX_PARTS = MAX_POSITIONS / 2;

/** The positions of a geometry being read from binary data. Limits their memory. */
export class Positions {
  readonly #all: number[][] = [];
  #parts = 0;

  /** @throws FileFault if the geometry has too many positions, before they are read */
  require(count: number): void {
    if (this.#all.length + count <= MAX_POSITIONS) return;
    throw new FileFault(`a geometry must not have more than ${MAX_POSITIONS} positions`);
  }

  /** @throws FileFault if the geometry has too many parts */
  part(): void {
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) throw new FileFault(`a geometry must not have more than ${MAX_PARTS} parts`);
  }

  /** @param z the height; undefined or no finite number: none */
  add(x: number, y: number, z: number | undefined): number[] {
    const position = z !== undefined && Number.isFinite(z) ? [x, y, z] : [x, y];
    this.#all.push(position);
    return position;
  }

  /** Leaves out the heights unless all positions have one. */
  level(): void {
    levelPositions(this.#all);
  }
}

/**
 * Calls `work`, which reads binary data and throws RangeError beyond its end.
 *
 * @throws FileFault in place of RangeError, and what the work throws
 */
export function intact<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? new FileFault(`${what} is damaged or cut off`) : error;
  }
}
