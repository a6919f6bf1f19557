import { number } from './format.ts';

/** West, south, east, north, degrees. */
export type Extent = readonly [west: number, south: number, east: number, north: number];

/** The Philippines with its seas, Spratly Islands and Benham Rise. */
const AROUND: Extent = [112, 3, 130, 23];

/** Whether all of an extent lies in the Philippines or near. */
export function isNear([west, south, east, north]: Extent): boolean {
  return west >= AROUND[0] && south >= AROUND[1] && east <= AROUND[2] && north <= AROUND[3];
}

/** Whether nothing of an extent lies in the Philippines or near. */
function isFar([west, south, east, north]: Extent): boolean {
  return west > AROUND[2] || east < AROUND[0] || south > AROUND[3] || north < AROUND[1];
}

/** What lies in the Philippines or near, and how much lies elsewhere. */
export interface Whereabouts {
  /**
   * The part of the world to open a map on, without what lies far outside of the Philippines or reaches there; undefined
   * where nothing lies far outside, or most does.
   */
  readonly main: Extent | undefined;
  /** How many lie far outside of the Philippines, with all of their extent. */
  readonly far: number;
}

/** @param extents of the features that have a place */
export function whereabouts(extents: readonly Extent[]): Whereabouts {
  const near = extents.filter(isNear);
  const far = extents.filter(isFar).length;
  if (far === 0 || near.length <= far) return { main: undefined, far };
  const main = near.reduce<[number, number, number, number]>(
    ([west, south, east, north], one) => [
      Math.min(west, one[0]),
      Math.min(south, one[1]),
      Math.max(east, one[2]),
      Math.max(north, one[3]),
    ],
    [Infinity, Infinity, -Infinity, -Infinity],
  );
  return { main, far };
}

/** How many lie far away, as a sentence without its end. @param noun of one and of several */
export function farWords(count: number, [one, several]: readonly [one: string, several: string]): string {
  return `${number(count)} ${count === 1 ? `${one} lies` : `${several} lie`} far outside of the Philippines`;
}
