import type { Path } from '../geojson/geometry.ts';
import { widenBy } from '../layer-files/shapes.ts';
import { areaWestOf } from './ellipsoid.ts';

/** A Polygon or MultiPolygon of RFC 7946. */
export type Polygonal =
  | { readonly type: 'Polygon'; readonly coordinates: readonly Positions[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Positions[])[] };

type Positions = readonly (readonly number[])[];

/** A closed line: longitudes and latitudes by turns, the first position again at the end. */
export interface Ring {
  readonly at: Float64Array;
  /** Where it stands in its geometry. */
  readonly path: Path;
  /** Whether it bounds a hole. */
  readonly isInner: boolean;
  /** Degrees: west, south, east, north. */
  readonly box: readonly [number, number, number, number];
}

/** The rings of a geometry, moved by some degrees. Positions that repeat the one before are left out. */
export function ringsOf({ type, coordinates }: Polygonal, [dx, dy]: readonly [number, number] = [0, 0]): Ring[] {
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  return polygons.flatMap((rings, i) =>
    rings.flatMap((positions, j) => {
      const path = ['coordinates', ...(type === 'Polygon' ? [j] : [i, j])];
      const ring = { at: positionsOf(positions, dx, dy), path, isInner: j > 0 };
      return ring.at.length < 8 ? [] : [{ ...ring, box: boxOf(ring.at) }];
    }),
  );
}

function positionsOf(positions: Positions, dx: number, dy: number): Float64Array {
  const at = new Float64Array(2 * positions.length);
  let end = 0;
  for (const [lon = 0, lat = 0] of positions) {
    const [x, y] = [lon + dx, lat + dy];
    if (end > 0 && at[end - 2] === x && at[end - 1] === y) continue;
    at[end] = x;
    at[end + 1] = y;
    end += 2;
  }
  return at.subarray(0, end);
}

/** West, south, east and north of positions. */
export function boxOf(at: Float64Array): Ring['box'] {
  const box: [number, number, number, number] = [180, 90, -180, -90];
  widenBy(box, at, 2);
  return box;
}

/** Square kilometres in a ring, negative where it runs clockwise. */
export function signedArea({ at }: Ring): number {
  let sum = 0;
  for (let i = 2; i < at.length; i += 2) {
    sum += areaWestOf(at[i - 2] as number, at[i - 1] as number, at[i] as number, at[i + 1] as number);
  }
  return sum;
}

/** A ring in the direction that has what it bounds at its left: counterclockwise, or clockwise around a hole. */
export function directed(ring: Ring, isInner = ring.isInner): Ring {
  if (isClockwise(ring) === isInner) return ring;
  const at = new Float64Array(ring.at.length);
  for (let i = 0; i < at.length; i += 2) {
    at[at.length - 2 - i] = ring.at[i] as number;
    at[at.length - 1 - i] = ring.at[i + 1] as number;
  }
  return { ...ring, at };
}

function isClockwise({ at }: Ring): boolean {
  let sum = 0;
  for (let i = 2; i < at.length; i += 2) {
    sum += ((at[i + 1] as number) - (at[i - 1] as number)) * ((at[i] as number) + (at[i - 2] as number));
  }
  return sum < 0;
}
