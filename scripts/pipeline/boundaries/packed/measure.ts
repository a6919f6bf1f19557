import type { Topology } from '../topology/arcs.ts';

/** WGS 84: the semi-minor axis in kilometres, and the eccentricity. */
const MINOR_KM = 6356.752314245;
const ECCENTRICITY = 0.0818191908426215;

const RADIANS = Math.PI / 180e6;

/** Base of keys of two area numbers: more than a level has areas. */
const KEY_BASE = 65_536;

/** Microdegrees of latitude from which an edge is integrated by Simpson's rule. Below it the trapezoidal rule is exact enough. */
const SIMPSON_FROM = 10_000;

export interface Measures {
  /** Square kilometres on the ellipsoid. Edges are straight in longitude and latitude. */
  readonly km2: Float64Array;
  /** West, south, east, north of each unit, in microdegrees. */
  readonly boxes: Int32Array;
}

/** Measures the land of each unit of a topology. */
export function measureUnits({ xs, ys, arcs }: Topology, units: number): Measures {
  const km2 = new Float64Array(units);
  const boxes = new Int32Array(4 * units);
  for (let unit = 0; unit < units; unit += 1) boxes.set([2 ** 31 - 1, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31)], 4 * unit);
  for (const { path, left, right } of arcs) {
    let under = 0;
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    let x = xs[path[0] as number] as number;
    let y = ys[path[0] as number] as number;
    let q = underParallel(y);
    for (const vertex of path) {
      const [nextX, nextY] = [xs[vertex] as number, ys[vertex] as number];
      const nextQ = underParallel(nextY);
      const middle = Math.abs(nextY - y) > SIMPSON_FROM ? underParallel((y + nextY) / 2) : (q + nextQ) / 2;
      under += ((nextX - x) * RADIANS * (q + 4 * middle + nextQ)) / 6;
      [x, y, q] = [nextX, nextY, nextQ];
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
    for (const [unit, gained] of [
      [left, -under],
      [right, under],
    ] as const) {
      if (unit < 0) continue;
      (km2[unit] as number) += gained;
      const at = 4 * unit;
      boxes[at] = Math.min(boxes[at] as number, west);
      boxes[at + 1] = Math.min(boxes[at + 1] as number, south);
      boxes[at + 2] = Math.max(boxes[at + 2] as number, east);
      boxes[at + 3] = Math.max(boxes[at + 3] as number, north);
    }
  }
  return { km2, boxes };
}

/** Square kilometres between the equator and a parallel, for each radian of longitude. */
function underParallel(microdegrees: number): number {
  const sine = Math.sin(microdegrees * RADIANS);
  const eSine = ECCENTRICITY * sine;
  return (MINOR_KM ** 2 / 2) * (sine / (1 - eSine * eSine) + Math.atanh(eSine) / ECCENTRICITY);
}

/**
 * Finds which areas of a level touch: those that have a border or the end of one in common.
 *
 * @param areaOf the number of the area that a unit belongs to; -1 for none
 * @param isWanted whether one of a pair must be such an area
 * @returns pairs of these numbers, each in both directions, ascending
 */
export function touchingPairs(
  { arcs }: Topology,
  areaOf: Int32Array,
  isWanted: (area: number) => boolean,
): [number, number][] {
  const pairs = new Set<number>();
  const around = new Map<number, number[]>();
  const pair = (a: number, b: number) => {
    if (a === b || a < 0 || b < 0 || !(isWanted(a) || isWanted(b))) return;
    pairs.add(a * KEY_BASE + b);
    pairs.add(b * KEY_BASE + a);
  };
  for (const { path, left, right } of arcs) {
    const [a, b] = [left < 0 ? -1 : (areaOf[left] as number), right < 0 ? -1 : (areaOf[right] as number)];
    if (a === b) continue;
    pair(a, b);
    for (const end of [path[0] as number, path.at(-1) as number]) {
      const existing = around.get(end);
      if (existing) existing.push(a, b);
      else around.set(end, [a, b]);
    }
  }
  for (const areas of around.values()) for (const a of areas) for (const b of areas) pair(a, b);
  const sorted = Float64Array.from(pairs).sort();
  return Array.from(sorted, (key) => [Math.floor(key / KEY_BASE), key % KEY_BASE]);
}
