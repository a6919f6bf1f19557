import type { Level, Point } from '../store.ts';
import { type Cell, containingRow, type EdgeSet } from './cells.ts';
import { metresBetween, metresPerDegree } from './geodesy.ts';
import { cellOf, cellsOfBox } from './grid.ts';

/** Metres. Areas whose distances differ by less are equally far. */
const SAME = 1e-6;

/**
 * Share by which distances in the plane of a point's latitude may be wrong: in latitudes up to 60° and some kilometres, up to 25°
 * and a hundred kilometres.
 */
const FLAT_ERROR = 0.01;

/** The numbers of the cells that have every edge within some metres of a point, in ascending order. */
export function cellsNear(point: Point, metres: number): number[] {
  return cellsOfBox(boxAround(point, metres));
}

/** A box in degrees that has everything within some metres of a point. */
export function boxAround(point: Point, metres: number) {
  const scale = metresPerDegree(Math.min(Math.abs(point.lat) + 1, 89));
  const lon = (metres * (1 + FLAT_ERROR)) / scale.lon;
  const lat = (metres * (1 + FLAT_ERROR)) / metresPerDegree(0).lat;
  return { west: point.lon - lon, south: point.lat - lat, east: point.lon + lon, north: point.lat + lat };
}

interface Search {
  point: Point;
  /** How far an area may be, metres. */
  within: number;
  /** Says of a row whether it counts; every row does where it is left out. */
  isAllowed?: ((row: number) => boolean) | undefined;
}

/**
 * The area of a level that is nearest to a point, and how many metres away it is: zero where it contains the point.
 * Of areas equally far it is the one of the lowest row.
 *
 * Edges are straight in longitudes and latitudes (RFC 7946, 3.1.1), so that vertices on a straight border change nothing.
 * The nearest point of an area is looked for in the plane of the requested latitude. Its distance is measured on the WGS 84
 * ellipsoid, as in PostGIS.
 *
 * @param cells those of `cellsNear` that there are, in any order
 * @returns undefined where there is no such area within so many metres
 */
export function nearestRow(
  cells: readonly Cell[],
  level: Level,
  { point, within, isAllowed }: Search,
): { row: number; metres: number } | undefined {
  const home = cells.find(({ number }) => number === cellOf(point));
  const container = home ? containingRow(home, level, { point, isAllowed }) : -1;
  if (container !== -1) return { row: container, metres: 0 };

  // Distances in a plane, which take little to work out, say which edges can be the nearest.
  const plane = new Plane(point);
  let limit = within * (1 + FLAT_ERROR);
  const visit = (visitEdge: VisitEdge) => {
    for (const cell of cells) visitEdges(plane, cell.levels[level], { limitOf: () => limit, isAllowed, visitEdge });
  };
  visit((edges, end) => {
    limit = Math.min(limit, plane.metresToEdge(edges, end) * (1 + 2 * FLAT_ERROR) + SAME);
  });

  const closest = new Map<number, Closest>();
  visit((edges, end, row) => {
    const flat = plane.metresToEdge(edges, end);
    if (flat > limit || flat >= (closest.get(row)?.flat ?? Number.POSITIVE_INFINITY)) return;
    closest.set(row, { flat, at: plane.nearestOnEdge(edges, end) });
  });
  let nearest: { row: number; metres: number } | undefined;
  for (const [row, { at }] of closest) {
    const metres = metresBetween(point, at);
    if (metres > within || (nearest && metres > nearest.metres + SAME)) continue;
    if (!nearest || metres < nearest.metres - SAME || row < nearest.row) nearest = { row, metres };
  }
  return nearest;
}

interface Closest {
  /** Metres in the plane. */
  readonly flat: number;
  readonly at: Point;
}

type VisitEdge = (edges: EdgeSet, end: number, row: number) => void;

interface Visit {
  /** How far from the point an edge may be that is visited, metres in the plane; of an area, where its row is given. */
  readonly limitOf: (row: number) => number;
  readonly isAllowed?: Search['isAllowed'];
  readonly visitEdge: VisitEdge;
}

/** Visits the edges of a level in a cell that may be near enough, area by area. */
function visitEdges(
  plane: Plane,
  { edges, from, to }: Cell['levels'][Level],
  { limitOf, isAllowed, visitEdge }: Visit,
): void {
  for (let area = from; area < to; area++) {
    const row = edges.rows[area] as number;
    if (plane.metresToBox(edges.areaBox, area) > limitOf(row)) continue;
    if (isAllowed !== undefined && !isAllowed(row)) continue;
    for (let i = edges.pieceOffset[area] as number; i < (edges.pieceOffset[area + 1] as number); i++) {
      const piece = edges.pieces[i] as number;
      if (plane.metresToBox(edges.pieceBox, piece) > limitOf(row)) continue;
      const last = edges.pieceEnd[piece] as number;
      for (let end = (edges.pieceStart[piece] as number) + 1; end <= last; end++) visitEdge(edges, end, row);
    }
  }
}

/** The distances of all areas of a level that lie within some metres of a point, measured as `nearestRow` does. */
export class DistancesWithin {
  readonly #point: Point;
  readonly #within: number;
  readonly #plane: Plane;
  readonly #closest = new Map<number, Closest>();

  /** @param within metres, a hundred kilometres at most */
  constructor(point: Point, within: number) {
    this.#point = point;
    this.#within = within;
    this.#plane = new Plane(point);
  }

  /** Adds what a cell has of areas: each of those of `cellsNear` once, in any order. */
  addCell(cell: Cell, level: Level): void {
    if (cell.number === cellOf(this.#point)) this.addContaining(containingRow(cell, level, { point: this.#point }));
    visitEdges(this.#plane, cell.levels[level], {
      limitOf: (row) => this.#limitOf(row),
      visitEdge: (edges, end, row) => this.#addEdge(edges, end, row),
    });
  }

  /** Adds an area that contains the point; none where the row is -1. */
  addContaining(row: number): void {
    if (row !== -1) this.#closest.set(row, { flat: 0, at: this.#point });
  }

  /** Adds a ring of an area: vertices in degrees, the last as the first. */
  addRing(row: number, ring: readonly (readonly [number, number])[]): void {
    const [xs, ys] = ([0, 1] as const).map((axis) => Int32Array.from(ring, (it) => Math.round(it[axis] * 1e6)));
    const edges = { xs: xs as Int32Array, ys: ys as Int32Array };
    for (let end = 1; end < ring.length; end++) this.#addEdge(edges, end, row);
  }

  /** Rows and the metres to each, in no order. */
  *distances(): Generator<{ row: number; metres: number }> {
    for (const [row, { at }] of this.#closest) {
      const metres = metresBetween(this.#point, at);
      if (metres <= this.#within) yield { row, metres };
    }
  }

  #limitOf(row: number): number {
    return this.#closest.get(row)?.flat ?? this.#within * (1 + FLAT_ERROR);
  }

  #addEdge(edges: Pick<EdgeSet, 'xs' | 'ys'>, end: number, row: number): void {
    const flat = this.#plane.metresToEdge(edges, end);
    const limit = this.#limitOf(row);
    if (flat < limit) this.#closest.set(row, { flat, at: this.#plane.nearestOnEdge(edges, end) });
  }
}

/** Metres around a point as if the Earth were flat there. */
class Plane {
  readonly #x: number;
  readonly #y: number;
  /** Metres in a microdegree. */
  readonly #perX: number;
  readonly #perY: number;

  constructor({ lon, lat }: Point) {
    const perDegree = metresPerDegree(lat);
    this.#x = lon * 1e6;
    this.#y = lat * 1e6;
    this.#perX = perDegree.lon / 1e6;
    this.#perY = perDegree.lat / 1e6;
  }

  /** @param boxes west, south, east, north, in microdegrees, one box after another */
  metresToBox(boxes: Int32Array, box: number): number {
    const [west, south] = [boxes[4 * box] as number, boxes[4 * box + 1] as number];
    const [east, north] = [boxes[4 * box + 2] as number, boxes[4 * box + 3] as number];
    const x = Math.max(west - this.#x, 0, this.#x - east) * this.#perX;
    const y = Math.max(south - this.#y, 0, this.#y - north) * this.#perY;
    return Math.sqrt(x * x + y * y);
  }

  /** @param end the edge's second vertex; its first is the one before */
  metresToEdge({ xs, ys }: Pick<EdgeSet, 'xs' | 'ys'>, end: number): number {
    const x1 = ((xs[end - 1] as number) - this.#x) * this.#perX;
    const y1 = ((ys[end - 1] as number) - this.#y) * this.#perY;
    const dx = ((xs[end] as number) - this.#x) * this.#perX - x1;
    const dy = ((ys[end] as number) - this.#y) * this.#perY - y1;
    const t = shareOf(x1, y1, dx, dy);
    return Math.hypot(x1 + t * dx, y1 + t * dy);
  }

  nearestOnEdge({ xs, ys }: Pick<EdgeSet, 'xs' | 'ys'>, end: number): Point {
    const [x1, y1, x2, y2] = [xs[end - 1] as number, ys[end - 1] as number, xs[end] as number, ys[end] as number];
    const [perX, perY] = [this.#perX, this.#perY];
    const t = shareOf((x1 - this.#x) * perX, (y1 - this.#y) * perY, (x2 - x1) * perX, (y2 - y1) * perY);
    return { lon: (x1 + t * (x2 - x1)) / 1e6, lat: (y1 + t * (y2 - y1)) / 1e6 };
  }
}

/** How far along an edge, from 0 to 1, it is nearest to the origin. The edge begins at x, y. */
function shareOf(x: number, y: number, dx: number, dy: number): number {
  const square = dx * dx + dy * dy;
  return square === 0 ? 0 : Math.min(Math.max(-(x * dx + y * dy) / square, 0), 1);
}
