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
  const all = [...outlines, ...holes];
  const [own, turned] = [new Grid(all), new Grid(all)];
  for (const outline of outlines) own.add(outline);
  for (const hole of holes.sort(bySize)) {
    const around = smallestAround(hole, own, comparisons) ?? smallestAround(hole, turned, comparisons);
    if (around) around.holes.push(hole);
    else turned.add(hole);
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
function withTurned(outlines: Ring[], found: Grid, comparisons: Comparisons): Ring[] {
  if (found.rings.length === 0) return outlines;
  const others: Ring[] = [];
  for (const ring of outlines.toSorted(bySize)) {
    const around = smallestAround(ring, found, comparisons);
    (around?.holes ?? others).push(ring);
    // Holes of a hole are islands in it.
    if (around) for (const hole of ring.holes) found.add(hole);
  }
  return [...others, ...found.rings];
}

/** Max cells of a grid in which a ring is listed. A larger one is compared with every position. */
const MAX_CELLS = 64;

/** Rings in a square grid over all rings of a shape, so that a position is compared with those near it. */
class Grid {
  readonly rings: Ring[] = [];
  readonly #wide: Ring[] = [];
  readonly #cells = new Map<number, Ring[]>();
  readonly #box: Ring['box'];
  readonly #side: number;

  /** @param all the rings that may be added */
  constructor(all: readonly Ring[]) {
    this.#side = Math.ceil(Math.sqrt(all.length));
    this.#box = boxOf(
      all.flatMap(({ box: [west, south, east, north] }) => [
        [west, south],
        [east, north],
      ]),
    );
  }

  add(ring: Ring): void {
    this.rings.push(ring);
    const [west, south, east, north] = ring.box;
    const [left, bottom, right, top] = [...this.#cellAt(west, south), ...this.#cellAt(east, north)] as [
      number,
      number,
      number,
      number,
    ];
    if ((right - left + 1) * (top - bottom + 1) > MAX_CELLS) {
      this.#wide.push(ring);
      return;
    }
    for (let y = bottom; y <= top; y += 1) {
      for (let x = left; x <= right; x += 1) {
        const cell = y * this.#side + x;
        const listed = this.#cells.get(cell);
        if (listed) listed.push(ring);
        else this.#cells.set(cell, [ring]);
      }
    }
  }

  /** The rings whose boxes may have a position in them. */
  near([x = 0, y = 0]: Position): readonly Ring[] {
    const [column, row] = this.#cellAt(x, y);
    return [...this.#wide, ...(this.#cells.get(row * this.#side + column) ?? [])];
  }

  #cellAt(x: number, y: number): [column: number, row: number] {
    const [west, south, east, north] = this.#box;
    const at = (value: number, from: number, to: number) =>
      to > from ? Math.min(this.#side - 1, Math.floor(((value - from) / (to - from)) * this.#side)) : 0;
    return [at(x, west, east), at(y, south, north)];
  }
}

function bySize(a: Ring, b: Ring): number {
  return b.area - a.area;
}

function directed({ positions }: Ring, counterClockwise: boolean): Position[] {
  return signedArea(positions) > 0 === counterClockwise ? positions : positions.toReversed();
}

/** The smallest outline around a ring, or else an identical one, which leaves nothing of it. */
function smallestAround({ positions, area, box }: Ring, outlines: Grid, comparisons: Comparisons): Ring | undefined {
  if (outlines.rings.length === 0) return undefined;
  // A position of the ring may be on the outline that it touches, and so on either side of it.
  const position = positionInside(positions, box);
  let found: Ring | undefined;
  let same: Ring | undefined;
  for (const outline of outlines.near(position)) {
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
