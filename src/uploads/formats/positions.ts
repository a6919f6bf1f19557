import { MAX_POSITIONS } from '../../geojson/geometry.ts';
import { levelPositions } from './feature-values.ts';
import { FileFault } from './format.ts';

/** How many lines, rings, polygons and parts of collections a geometry may have: each takes memory, if only empty. */
const MAX_PARTS = MAX_POSITIONS / 2;

/** The positions of one geometry while it is read from binary data. It limits what is kept of it in memory. */
export class Positions {
  readonly #all: number[][] = [];
  #parts = 0;

  /** @throws FileFault where the geometry has more positions than it may have, before they are read */
  require(count: number): void {
    if (this.#all.length + count <= MAX_POSITIONS) return;
    throw new FileFault(`a geometry must not have more than ${MAX_POSITIONS} positions`);
  }

  /** @throws FileFault where the geometry has more parts than it may have */
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
 * Does a piece of work on binary data, where reading beyond its end throws RangeError.
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
