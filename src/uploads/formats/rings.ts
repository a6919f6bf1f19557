import { FileFault } from './format.ts';

/** Max comparisons in one file to assign holes to outlines; each position read adds some. */
const COMPARISONS = 50_000_000;
export const COMPARISONS_PER_POSITION = 64;
/** Cost of checking an outline's box, in comparisons of an edge. */
const BOX = 8;

export type Position = number[];

/** Remaining comparisons in one file. */
export interface Comparisons {
  left: number;
}

export function newComparisons(): Comparisons {
  return { left: COMPARISONS };
}

/** A ring of a polygon with its holes, if it is an outline. */
interface Ring {
  /** As they are in the file. */
  readonly positions: Position[];
  readonly holes: Ring[];
  readonly area: number;
  readonly box: readonly [number, number, number, number];
  /** X and y of each position in turn, which is faster to read. Made when needed. */
  edges?: Float64Array;
}

/** Relative tolerance for areas of the same ring, because sums of doubles depend on their order. */
const AREA_ROUNDING = 1e-9;

/**
 * Assembles polygons from rings. In a shapefile outlines are clockwise and holes counter-clockwise. It does not say
 * which hole is in which outline, so each hole goes into the smallest outline around it. Some programs write all rings
 * in the opposite direction: then a hole in no outline is an outline, and outlines in it are its holes.
 */
export function polygonsOf(parts: readonly Position[][], comparisons: Comparisons): unknown {
  const outlines: Ring[] = [];
  const holes: Ring[] = [];
  for (const positions of parts) {
    const area = signedArea(positions);
    (area < 0 ? outlines : holes).push({ positions, holes: [], area: Math.abs(area), box: boxOf(positions) });
  }
  const turned: Ring[] = [];
  for (const hole of holes.sort(bySize)) {
    const around = smallestAround(hole, outlines, comparisons) ?? smallestAround(hole, turned, comparisons);
    (around?.holes ?? turned).push(hole);
  }
  const polygons = withTurned(outlines, turned, comparisons).map((outline) => [
    directed(outline, true),
    ...outline.holes.map((hole) => directed(hole, false)),
  ]);
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0] }
    : { type: 'MultiPolygon', coordinates: polygons };
}

/** All outlines, if some were written in the direction of holes. */
function withTurned(outlines: Ring[], turned: Ring[], comparisons: Comparisons): Ring[] {
  if (turned.length === 0) return outlines;
  const found = turned.slice();
  const others: Ring[] = [];
  for (const ring of outlines.toSorted(bySize)) {
    const around = smallestAround(ring, found, comparisons);
    (around?.holes ?? others).push(ring);
    // Holes of a hole are islands in it.
    if (around) found.push(...ring.holes);
  }
  return [...others, ...found];
}

function bySize(a: Ring, b: Ring): number {
  return b.area - a.area;
}

function directed({ positions }: Ring, counterClockwise: boolean): Position[] {
  return signedArea(positions) > 0 === counterClockwise ? positions : positions.toReversed();
}

/** The smallest outline around a ring, or else an identical one, which leaves nothing of it. */
function smallestAround(
  { positions, area, box }: Ring,
  outlines: readonly Ring[],
  comparisons: Comparisons,
): Ring | undefined {
  // A position of the ring may be on the outline that it touches, and so on either side of it.
  const position = outlines.length === 0 ? [] : positionInside(positions, box);
  let found: Ring | undefined;
  let same: Ring | undefined;
  for (const outline of outlines) {
    spend(comparisons, BOX);
    if (outline.area < area * (1 - AREA_ROUNDING) || !isInBox(position, outline.box)) continue;
    if (found && found.area <= outline.area) continue;
    outline.edges ??= Float64Array.from(outline.positions.flatMap(([x = 0, y = 0]) => [x, y]));
    spend(comparisons, outline.edges.length / 2);
    if (!isInside(position, outline.edges)) continue;
    // An island that fills its hole is not around it.
    if (outline.area <= area * (1 + AREA_ROUNDING)) same = outline;
    else found = outline;
  }
  return found ?? same;
}

/**
 * A position inside a ring: the middle of the widest part of a line from west to east that no position of the ring is
 * on. Of a ring without area it is a position on it.
 */
function positionInside(ring: readonly Position[], [, south, , north]: Ring['box']): Position {
  const middle = (south + north) / 2;
  let [below, above] = [south, north];
  for (const [, y = 0] of ring) {
    if (y <= middle) below = Math.max(below, y);
    else above = Math.min(above, y);
  }
  const line = (below + above) / 2;
  const crossings: number[] = [];
  for (let i = 1; i < ring.length; i += 1) {
    const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = [ring[i - 1], ring[i]];
    if (y1 > line !== y2 > line) crossings.push(((x2 - x1) * (line - y1)) / (y2 - y1) + x1);
  }
  crossings.sort((a, b) => a - b);
  let widest = -1;
  let found = ring[0] as Position;
  for (let i = 1; i < crossings.length; i += 2) {
    const [west = 0, east = 0] = [crossings[i - 1], crossings[i]];
    if (east - west > widest) [widest, found] = [east - west, [(west + east) / 2, line]];
  }
  return found;
}

function spend(comparisons: Comparisons, count: number): void {
  comparisons.left -= count;
  if (comparisons.left < 0) throw new FileFault('has too many holes in too large shapes');
}

/** Positive where a ring is counter-clockwise. */
function signedArea(ring: readonly Position[]): number {
  let sum = 0;
  const [ox = 0, oy = 0] = ring[0] ?? [];
  for (let i = 0; i + 1 < ring.length; i += 1) {
    const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = [ring[i], ring[i + 1]];
    sum += (x1 - ox) * (y2 - oy) - (x2 - ox) * (y1 - oy);
  }
  return sum / 2;
}

function boxOf(ring: readonly Position[]): [number, number, number, number] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x = 0, y = 0] of ring) {
    west = Math.min(west, x);
    south = Math.min(south, y);
    east = Math.max(east, x);
    north = Math.max(north, y);
  }
  return [west, south, east, north];
}

function isInBox([x = 0, y = 0]: Position, [west, south, east, north]: Ring['box']): boolean {
  return x >= west && x <= east && y >= south && y <= north;
}

/**
 * Whether a position is inside a ring. The loop runs millions of times, so it does without destructuring, which would
 * make arrays.
 *
 * @param ring x and y of each position in turn
 */
function isInside(position: Position, ring: Float64Array): boolean {
  const x = position[0] as number;
  const y = position[1] as number;
  let inside = false;
  let x1 = ring[0] as number;
  let y1 = ring[1] as number;
  for (let i = 2; i < ring.length; i += 2) {
    const x2 = ring[i] as number;
    const y2 = ring[i + 1] as number;
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
    x1 = x2;
    y1 = y2;
  }
  return inside;
}
