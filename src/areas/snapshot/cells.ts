import { orient2d } from 'robust-predicates';
import type { Level, Point } from '../store.ts';
import { type GridPoint, gridPoint } from './grid.ts';

// What a cell of the grid knows of boundaries, and which areas contain a point in it.
//
// A point is inside an area when a ray from it to the west crosses the area's rings an odd number of times. A cell has
// the edges whose box meets the cell. Of all other edges only those that lie wholly west of the cell can be crossed,
// and each of them is crossed if and only if the point is between its ends in latitude. They form chains: inner
// vertices of a chain count twice, so only its ends remain. Ends above or below the cell change nothing within it and
// are in `base`. The others are `steps`: latitudes at which chains end between the cell's southern and northern lines.
//
// Every comparison is one of whole microdegrees or the sign of an exact determinant, so nothing depends on rounding.
// Vertices are taken for the doubles that their decimals parse to, as PostGIS does.

/** Levels whose edges are stored together, since they have many in common. Levels of different sets share few. */
export const LEVEL_SETS: readonly (readonly Level[])[] = [['region', 'province'], ['municity'], ['barangay']];

/** Edges of boundaries in a cell, each once, however many areas it bounds. Coordinates are whole microdegrees. */
export interface EdgeSet {
  readonly xs: Int32Array;
  readonly ys: Int32Array;
  /** Per piece, which is a short run of edges with the same areas at its sides: its first and last vertex. */
  readonly pieceStart: Int32Array;
  readonly pieceEnd: Int32Array;
  /** Per piece: west, south, east, north. */
  readonly pieceBox: Int32Array;
  /** Per area, in ascending order: the number of the area. */
  readonly rows: Uint16Array;
  /** Per area: west, south, east, north of its edges. */
  readonly areaBox: Int32Array;
  /** Per area: the bits of `INSIDE`. */
  readonly inside: Uint8Array;
  /** Per area and one more: where its pieces begin in `pieces`. */
  readonly pieceOffset: Int32Array;
  readonly pieces: Int32Array;
  /** Per area and one more: where its steps begin in `steps`. */
  readonly stepOffset: Int32Array;
  readonly steps: Int32Array;
}

/** Whether the parts of a cell in which an area has no edge are inside the area. */
export const INSIDE = { base: 1, south: 2, east: 4 } as const;

/** The edges of all levels in a cell. */
export interface Cell {
  readonly number: number;
  /** Bytes that it takes in memory. */
  readonly byteLength: number;
  /** Per level: where its areas stand in a set of edges. */
  readonly levels: Readonly<Record<Level, { edges: EdgeSet; from: number; to: number }>>;
}

/**
 * The lowest row of the areas of a level that contain a point, or -1. A point on the edge of an area is in the area.
 *
 * @param cell the cell that the point lies in
 * @param isAllowed says of a row whether it counts; every row does where it is left out
 */
export function containingRow(
  cell: Cell,
  level: Level,
  { point, isAllowed }: { point: Point; isAllowed?: ((row: number) => boolean) | undefined },
): number {
  const { edges, from, to } = cell.levels[level];
  const at = gridPoint(point);
  for (let area = from; area < to; area++) {
    if (!contains(edges, area, at)) continue;
    const row = edges.rows[area] as number;
    if (isAllowed === undefined || isAllowed(row)) return row;
  }
  return -1;
}

function contains(edges: EdgeSet, area: number, at: GridPoint): boolean {
  const { areaBox, pieceBox, pieceStart, pieceEnd, ys, pieces, steps } = edges;
  const { x, y } = at;
  const inside = edges.inside[area] as number;
  const box = area * 4;
  if (x < (areaBox[box] as number) || y > (areaBox[box + 3] as number)) return (inside & INSIDE.base) !== 0;
  if (y < (areaBox[box + 1] as number)) return (inside & INSIDE.south) !== 0;
  if (x > (areaBox[box + 2] as number)) return (inside & INSIDE.east) !== 0;

  let odd = (inside & INSIDE.base) !== 0;
  for (let i = edges.stepOffset[area] as number, end = edges.stepOffset[area + 1] as number; i < end; i++) {
    if (y < (steps[i] as number)) odd = !odd;
  }
  for (let i = edges.pieceOffset[area] as number, end = edges.pieceOffset[area + 1] as number; i < end; i++) {
    const piece = pieces[i] as number;
    const p = piece * 4;
    if (x < (pieceBox[p] as number) || y < (pieceBox[p + 1] as number) || y > (pieceBox[p + 3] as number)) continue;
    if (x > (pieceBox[p + 2] as number)) {
      // The piece is west of the point, so how often it is crossed depends on its ends.
      if (y < (ys[pieceStart[piece] as number] as number) !== y < (ys[pieceEnd[piece] as number] as number)) odd = !odd;
      continue;
    }
    const crossings = crossingsWest(edges, piece, at);
    if (crossings === ON_EDGE) return true;
    if (crossings === 1) odd = !odd;
  }
  return odd;
}

const ON_EDGE = -1;

/** How many edges of a piece lie between a point and the west, modulo two; or that the point is on one. */
function crossingsWest({ xs, ys, pieceStart, pieceEnd }: EdgeSet, piece: number, at: GridPoint): number {
  const { x, y } = at;
  const start = pieceStart[piece] as number;
  const end = pieceEnd[piece] as number;
  let odd = 0;
  let x1 = xs[start] as number;
  let y1 = ys[start] as number;
  for (let i = start + 1; i <= end; i++) {
    const x2 = xs[i] as number;
    const y2 = ys[i] as number;
    if (y < y1 !== y < y2) {
      if (x1 < x && x2 < x) odd ^= 1;
      else if (x1 <= x || x2 <= x) {
        const side = orient2d(x1 / 1e6, y1 / 1e6, x2 / 1e6, y2 / 1e6, at.lon, at.lat);
        if (side === 0) return ON_EDGE;
        // robust-predicates has y point down: a negative value is a left turn.
        if (side > 0 === y1 < y2) odd ^= 1;
      }
    } else if (at.exactY && isOnLevelEdge(at, x1, y1, x2, y2)) return ON_EDGE;
    x1 = x2;
    y1 = y2;
  }
  return odd;
}

/** Whether a point is on an edge that the ray does not cross: one at its latitude, or one that ends there from below. */
function isOnLevelEdge({ x, y, exactX }: GridPoint, x1: number, y1: number, x2: number, y2: number): boolean {
  if (y1 === y && y2 === y) {
    const east = Math.max(x1, x2);
    return Math.min(x1, x2) <= x && (x < east || (x === east && exactX));
  }
  return exactX && ((x1 === x && y1 === y) || (x2 === x && y2 === y));
}
