import type { Geometry, Position } from 'geojson';
import type { Box } from './places.ts';

/** A position where the name of an area may stand: halfway between two of its coasts, or beside one of them. */
export interface Spot {
  readonly position: Position;
  /** On which side of the position the name stands: east (1) or west (-1), south (1) or north (-1). Both are 0 between coasts. */
  readonly side: readonly [east: number, south: number];
}

/** Where an area is crossed to find spots, as shares of the longer side of its extent; in the order in which spots are tried. */
const SHARES = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9];

/** Spots along the largest part of an area, the best first: all between its coasts come before those beside them. */
export function spotsAlong(geometry: Geometry): Spot[] {
  const [ring = []] = outerRings(geometry).toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const [[west, east], [south, north]] = [rangeOf(ring, 0), rangeOf(ring, 1)];
  const isTall = north - south > east - west;
  const [along, across] = isTall ? [1, 0] : [0, 1];
  const [from, to] = isTall ? [south, north] : [west, east];
  const [within, beside]: [Spot[], Spot[]] = [[], []];
  for (const share of SHARES) {
    const at = from + (to - from) * share;
    const [low = 0, high = 0] = widest(crossingsOf(ring, at, { along, across }));
    const spot = (where: number, side: number): Spot => ({
      position: isTall ? [where, at] : [at, where],
      side: isTall ? [side, 0] : [0, -side],
    });
    within.push(spot((low + high) / 2, 0));
    beside.push(spot(high, 1), spot(low, -1));
  }
  return [...within, ...beside];
}

/**
 * Whether an area reaches into a box: it has a corner there, or land on the southern edge, the northern edge
 * or the parallel halfway between them.
 */
export function reachesInto(geometry: Geometry, [west, south, east, north]: Box): boolean {
  const rings = outerRings(geometry);
  const isWithin = ([x = 0, y = 0]: Position) => west < x && x < east && south < y && y < north;
  if (rings.some((ring) => ring.some(isWithin))) return true;
  return [south, (south + north) / 2, north].some((y) => {
    const crossings = rings.flatMap((ring) => crossingsOf(ring, y, { along: 1, across: 0 }));
    const before = (x: number) => crossings.filter((crossing) => crossing < x).length;
    // An odd number of coasts is on the way from the far west to a position on land.
    return before(west) % 2 === 1 || before(east) !== before(west);
  });
}

/** The extent of a polygon or of several. That of other geometries is infinite; `own/extent.ts` knows all of them. */
export function extentOf(geometry: Geometry): Box {
  const [[west, east], [south, north]] = [
    rangeOf(outerRings(geometry).flat(), 0),
    rangeOf(outerRings(geometry).flat(), 1),
  ];
  return [west, south, east, north];
}

function outerRings(geometry: Geometry): Position[][] {
  if (geometry.type === 'Polygon') return geometry.coordinates.slice(0, 1);
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flatMap((rings) => rings.slice(0, 1)) : [];
}

function rangeOf(ring: readonly Position[], axis: number): [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity];
  for (const { [axis]: value = 0 } of ring) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}

/** Square degrees of the extent. */
function sizeOf(ring: readonly Position[]): number {
  const [[west, east], [south, north]] = [rangeOf(ring, 0), rangeOf(ring, 1)];
  return (east - west) * (north - south);
}

/** Indexes in a position: 0 is the longitude, 1 the latitude. */
interface Axes {
  /** The axis on which the line has one value: 1 for a parallel, 0 for a meridian. */
  readonly along: number;
  /** The other axis. */
  readonly across: number;
}

/**
 * Where a ring crosses a parallel or a meridian: values on the axis `across`, ascending.
 *
 * @param at the value of the line on the axis `along`
 */
function crossingsOf(ring: readonly Position[], at: number, { along, across }: Axes): number[] {
  const crossings = ring.flatMap((to, index) => {
    const from = ring.at(index - 1) ?? to;
    const [a = 0, b = 0] = [from[along], to[along]];
    const [c = 0, d = 0] = [from[across], to[across]];
    return a > at === b > at ? [] : [c + ((d - c) * (at - a)) / (b - a)];
  });
  return crossings.sort((a, b) => a - b);
}

/** The two ends of the widest piece of a line that is in a ring; empty without crossings. */
function widest(crossings: readonly number[]): readonly number[] {
  const pieces = crossings.flatMap((from, index) => (index % 2 === 0 ? [[from, crossings[index + 1] ?? from]] : []));
  const widthOf = ([from = 0, to = 0]: readonly number[]) => to - from;
  return pieces.reduce((best, piece) => (widthOf(piece) > widthOf(best) ? piece : best), [] as readonly number[]);
}
