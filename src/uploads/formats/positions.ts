import { MAX_POSITIONS } from '../../geojson/geometry.ts';
import { dropPartialHeights } from './feature-values.ts';
import { FileFault } from './format.ts';

/** Max lines, rings, polygons and parts of collections in a geometry, because even an empty one takes memory. */
const MAX_PARTS = MAX_POSITIONS / 2;

/** The positions of a geometry that is being read. Limits their memory. */
export class Positions {
  readonly #all: number[][] = [];
  #parts = 0;

  /** @throws FileFault if the geometry has too many positions, before they are read */
  requireRoomFor(count: number): void {
    if (this.#all.length + count <= MAX_POSITIONS) return;
    throw new FileFault(`a geometry must not have more than ${MAX_POSITIONS} positions`);
  }

  /** @throws FileFault if the geometry has too many parts */
  countPart(): void {
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
  dropPartialHeights(): void {
    dropPartialHeights(this.#all);
  }
}

/**
 * Calls `work`, which reads binary data. It throws RangeError beyond its end, and for anything else that is damaged. The texts of
 * these errors are shown to nobody.
 *
 * @throws FileFault in place of RangeError, and what the work throws
 */
export function withFaultIfDamaged<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? new FileFault(`${what} is damaged or cut off`) : error;
  }
}
