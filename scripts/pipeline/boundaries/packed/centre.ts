import type { Topology } from '../topology/arcs.ts';
import { areaOf, type Ring } from '../topology/polygons.ts';

type Vertices = Pick<Topology, 'xs' | 'ys'>;
type Polygons = readonly (readonly Ring[])[];

/** Lines across an area on which a point inside of it is looked for. */
const LINES = 31;

/**
 * The centre of an area, in microdegrees: the centroid of the largest part of its detailed boundary. Where that lies
 * outside of this part, or outside of a coarser boundary, it is a point that lies inside of all of them.
 *
 * @param coarser the same area at other resolutions
 */
export function centreOf(vertices: Vertices, detailed: Polygons, coarser: readonly Polygons[]): [number, number] {
  const sizes = detailed.map((polygon) => sizeOf(vertices, polygon));
  const part = detailed[sizes.indexOf(Math.max(...sizes))] ?? [];
  const centroid = centroidOf(vertices, part);
  const all = [[part], ...coarser];
  if (all.every((polygons) => contains(vertices, polygons, ...centroid))) return centroid;
  return insideOf(vertices, all) ?? insideOf(vertices, [[part]]) ?? centroid;
}

function sizeOf(vertices: Vertices, polygon: readonly Ring[]): number {
  // Holes run the other way around.
  return polygon.reduce((sum, ring) => sum + areaOf(vertices, ring), 0);
}

function centroidOf({ xs, ys }: Vertices, polygon: readonly Ring[]): [number, number] {
  const first = polygon[0]?.[0] as number;
  const [x0, y0] = [xs[first] as number, ys[first] as number];
  let [twice, sumX, sumY] = [0, 0, 0];
  for (const ring of polygon) {
    let last = ring.at(-1) as number;
    for (const vertex of ring) {
      const [ax, ay] = [(xs[last] as number) - x0, (ys[last] as number) - y0];
      const [bx, by] = [(xs[vertex] as number) - x0, (ys[vertex] as number) - y0];
      const cross = ax * by - bx * ay;
      twice += cross;
      sumX += (ax + bx) * cross;
      sumY += (ay + by) * cross;
      last = vertex;
    }
  }
  return [Math.round(x0 + sumX / (3 * twice)), Math.round(y0 + sumY / (3 * twice))];
}

/** Whether a point lies inside: a line from it to the west crosses the rings an odd number of times. */
function contains({ xs, ys }: Vertices, polygons: Polygons, x: number, y: number): boolean {
  let isInside = false;
  for (const polygon of polygons) {
    for (const ring of polygon) {
      let last = ring[ring.length - 1] as number;
      let ay = ys[last] as number;
      for (let i = 0; i < ring.length; i += 1) {
        const vertex = ring[i] as number;
        const by = ys[vertex] as number;
        if (ay > y !== by > y) {
          const [ax, bx] = [xs[last] as number, xs[vertex] as number];
          if (ax + ((bx - ax) * (y - ay)) / (by - ay) < x) isInside = !isInside;
        }
        last = vertex;
        ay = by;
      }
    }
  }
  return isInside;
}

/** Where a parallel crosses the rings of polygons, from west to east. */
function crossings({ xs, ys }: Vertices, polygons: Polygons, y: number): number[] {
  const found: number[] = [];
  for (const polygon of polygons) {
    for (const ring of polygon) {
      let last = ring.at(-1) as number;
      for (const vertex of ring) {
        const [ay, by] = [ys[last] as number, ys[vertex] as number];
        if (ay > y !== by > y) {
          const [ax, bx] = [xs[last] as number, xs[vertex] as number];
          found.push(ax + ((bx - ax) * (y - ay)) / (by - ay));
        }
        last = vertex;
      }
    }
  }
  return found.sort((a, b) => a - b);
}

/** The middle of the widest stretch of a parallel that lies inside of all polygons, in microdegrees. */
export function insideOf(vertices: Vertices, all: readonly Polygons[]): [number, number] | undefined {
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
    const stretches = all.map((polygons) => crossings(vertices, polygons, y));
    const ends = [...new Set(stretches.flat())].sort((a, b) => a - b);
    for (const [i, end] of ends.slice(1).entries()) {
      const start = ends[i] as number;
      const middle = (start + end) / 2;
      if (end - start <= (best?.width ?? 2)) continue;
      if (stretches.every((of) => of.filter((it) => it < middle).length % 2 === 1)) {
        best = { width: end - start, at: [Math.round(middle), y] };
      }
    }
  }
  return best?.at;
}
