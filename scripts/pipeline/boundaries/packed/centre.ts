import type { Topology } from '../topology/arcs.ts';
import { doubleAreaOf, type Ring } from '../topology/polygons.ts';

type Vertices = Pick<Topology, 'xs' | 'ys'>;
type Polygons = readonly (readonly Ring[])[];

/** Number of parallels across an area on which a point inside it is looked for. */
const LINES = 31;

/** Microdegrees. In a narrower stretch the rounded middle may lie on the border. */
const MIN_WIDTH = 2;

/**
 * The centre of an area, in microdegrees: the centroid of the largest part of its detailed boundary. Where that lies
 * outside this part, or outside a coarser boundary, it is a point inside all of them. If no point is inside all of them, it is a
 * point inside the largest part, or else the centroid.
 *
 * @param coarser the same area at other resolutions
 */
export function centreOf(vertices: Vertices, detailed: Polygons, coarser: readonly Polygons[]): [number, number] {
  const sizes = detailed.map((polygon) => doubleAreaOfPolygon(vertices, polygon));
  const part = detailed[sizes.indexOf(Math.max(...sizes))] ?? [];
  const centroid = centroidOf(vertices, part);
  const all = [[part], ...coarser];
  if (all.every((polygons) => contains(vertices, polygons, ...centroid))) return centroid;
  return pointOnSurface(vertices, all) ?? pointOnSurface(vertices, [[part]]) ?? centroid;
}

/** Twice the area of a polygon with holes. */
function doubleAreaOfPolygon(vertices: Vertices, polygon: readonly Ring[]): number {
  // Holes run the other way around.
  return polygon.reduce((sum, ring) => sum + doubleAreaOf(vertices, ring), 0);
}

/** Centroid of a polygon with holes, microdegrees. Sums are relative to its first vertex, for precision. */
function centroidOf({ xs, ys }: Vertices, polygon: readonly Ring[]): [number, number] {
  const first = polygon[0]?.[0] as number;
  const [x0, y0] = [xs[first] as number, ys[first] as number];
  let [doubleArea, sumX, sumY] = [0, 0, 0];
  for (const ring of polygon) {
    let last = ring.at(-1) as number;
    for (const vertex of ring) {
      const [ax, ay] = [(xs[last] as number) - x0, (ys[last] as number) - y0];
      const [bx, by] = [(xs[vertex] as number) - x0, (ys[vertex] as number) - y0];
      const cross = ax * by - bx * ay;
      doubleArea += cross;
      sumX += (ax + bx) * cross;
      sumY += (ay + by) * cross;
      last = vertex;
    }
  }
  return [Math.round(x0 + sumX / (3 * doubleArea)), Math.round(y0 + sumY / (3 * doubleArea))];
}

/** Whether a point lies inside: a line from it to the west crosses the rings an odd number of times. */
function contains(vertices: Vertices, polygons: Polygons, x: number, y: number): boolean {
  return crossingsOf(vertices, polygons, y).filter((it) => it < x).length % 2 === 1;
}

/** The longitudes at which a parallel crosses the rings of polygons. */
function crossingsOf({ xs, ys }: Vertices, polygons: Polygons, y: number): number[] {
  const found: number[] = [];
  for (const polygon of polygons) {
    for (const ring of polygon) {
      let last = ring.at(-1) as number;
      let ay = ys[last] as number;
      for (const vertex of ring) {
        const by = ys[vertex] as number;
        if (ay > y !== by > y) {
          const [ax, bx] = [xs[last] as number, xs[vertex] as number];
          found.push(ax + ((bx - ax) * (y - ay)) / (by - ay));
        }
        last = vertex;
        ay = by;
      }
    }
  }
  return found;
}

/**
 * The middle of the longest stretch of a parallel inside all boundaries, microdegrees. It is looked for on `LINES` evenly spaced
 * parallels, and undefined if no stretch is longer than `MIN_WIDTH`.
 *
 * @param all boundaries of one area; only the extent of the first is searched
 */
export function pointOnSurface(vertices: Vertices, all: readonly Polygons[]): [number, number] | undefined {
  let [south, north] = [Infinity, -Infinity];
  for (const ring of all[0]?.flat() ?? []) {
    for (const vertex of ring) {
      const y = vertices.ys[vertex] as number;
      if (y < south) south = y;
      if (y > north) north = y;
    }
  }
  let best: { width: number; at: [number, number] } | undefined;
  for (let line = 1; line <= LINES; line += 1) {
    const y = Math.round(south + ((north - south) * line) / (LINES + 1));
    const crossings = all.map((polygons) => crossingsOf(vertices, polygons, y));
    const ends = [...new Set(crossings.flat())].sort((a, b) => a - b);
    for (const [i, end] of ends.slice(1).entries()) {
      const start = ends[i] as number;
      const middle = (start + end) / 2;
      if (end - start <= (best?.width ?? MIN_WIDTH)) continue;
      if (crossings.every((xs) => xs.filter((x) => x < middle).length % 2 === 1)) {
        best = { width: end - start, at: [Math.round(middle), y] };
      }
    }
  }
  return best?.at;
}
