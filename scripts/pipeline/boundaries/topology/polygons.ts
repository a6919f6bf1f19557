import type { Topology } from './arcs.ts';

/** A closed ring of vertices without the last one, which is the first one. */
export type Ring = number[];

/**
 * Puts the polygons of one level together from arcs, as GeoJSON texts by the name of the area. Rings run as RFC 7946
 * says, and none of them meets itself.
 * @param nameOf the area to which a unit belongs at this level; null for none
 */
export function* polygonsOf(
  topology: Topology,
  nameOf: (unit: number) => string | null,
): Generator<{ name: string; geojson: string }> {
  const position = positionsOf(topology);
  for (const { name, polygons } of ringsOfAreas(topology, nameOf)) yield { name, geojson: textOf(polygons, position) };
}

/**
 * The rings of the areas of one level: of each polygon the outer one first.
 * @param nameOf the area to which a unit belongs at this level; null for none
 */
export function* ringsOfAreas<Name>(
  topology: Topology,
  nameOf: (unit: number) => Name | null,
): Generator<{ name: Name; polygons: Ring[][] }> {
  const borders = new Map<Name, number[]>();
  const add = (name: Name | null, arc: number) => {
    if (name === null) return;
    const list = borders.get(name);
    if (list) list.push(arc);
    else borders.set(name, [arc]);
  };
  for (const [i, { left, right, path }] of topology.arcs.entries()) {
    if (path.length === 0) continue;
    const [onLeft, onRight] = [nameOf(left), nameOf(right)];
    if (onLeft === onRight) continue;
    add(onLeft, 2 * i);
    add(onRight, 2 * i + 1);
  }
  const marks = new Marks(topology.xs.length);
  for (const [name, arcs] of borders) yield { name, polygons: polygonsFrom(topology, arcs, marks) };
}

/** Finds rings that come to a vertex again. A set of vertices for each ring would take four times as long. */
class Marks {
  /** Per vertex the number of the ring that had it last. */
  readonly #rings: Uint32Array;
  #ring = 0;

  constructor(vertices: number) {
    this.#rings = new Uint32Array(vertices);
  }

  hasTwice(ring: Ring): boolean {
    this.#ring += 1;
    for (const vertex of ring) {
      if (this.#rings[vertex] === this.#ring) return true;
      this.#rings[vertex] = this.#ring;
    }
    return false;
  }
}

/** Rings of an area from its arcs, each twice its number, plus one where it runs backwards. */
function polygonsFrom(topology: Topology, arcs: readonly number[], marks: Marks): Ring[][] {
  const outers: Ring[][] = [];
  const holes: Ring[] = [];
  for (const traced of trace(topology, arcs)) {
    const loops = marks.hasTwice(traced) ? simpleLoops(traced) : [traced];
    const outer = loops.filter((ring) => doubleAreaOf(topology, ring) > 0);
    const inner = loops.filter((ring) => doubleAreaOf(topology, ring) < 0);
    if (outer.length === 0) holes.push(...inner);
    else outers.push([outer[0] as Ring, ...inner], ...outer.slice(1).map((ring) => [ring]));
  }
  const bySize = outers.toSorted((a, b) => doubleAreaOf(topology, a[0] as Ring) - doubleAreaOf(topology, b[0] as Ring));
  for (const hole of holes) {
    const around =
      bySize.length === 1 ? bySize[0] : bySize.find(([ring]) => isIn(topology, hole[0] as number, ring as Ring));
    around?.push(hole);
  }
  return outers;
}

/** Follows arcs around the interior on their left. */
function trace(topology: Topology, arcs: readonly number[]): Ring[] {
  const { xs, ys } = topology;
  const paths = arcs.map((it) => {
    const { path } = topology.arcs[it >> 1] as { path: number[] };
    return it % 2 === 0 ? path : path.toReversed();
  });
  const starts = Map.groupBy(paths.keys(), (i) => paths[i]?.[0]);
  const direction = (a: number, b: number) =>
    Math.atan2((ys[b] as number) - (ys[a] as number), (xs[b] as number) - (xs[a] as number));
  const used = new Uint8Array(paths.length);
  const rings: Ring[] = [];
  for (const first of paths.keys()) {
    if (used[first] === 1) continue;
    const ring: Ring = [];
    for (let current: number | undefined = first; current !== undefined && used[current] === 0; ) {
      used[current] = 1;
      const path = paths[current] as number[];
      for (let i = 0; i < path.length - 1; i += 1) ring.push(path[i] as number);
      const end = path.at(-1) as number;
      const choices: number[] = starts.get(end) ?? [];
      if (choices.length <= 1) current = choices[0];
      else {
        // The first arc clockwise from the one on which the end was reached.
        const back = direction(end, path.at(-2) as number);
        const angle = (i: number) => {
          const turned = back - direction(end, (paths[i] as number[])[1] as number);
          return turned > 0 ? turned : turned + 2 * Math.PI;
        };
        current = choices.reduce((best, it) => (angle(it) < angle(best) ? it : best));
      }
    }
    rings.push(ring);
  }
  return rings;
}

/** Divides a ring where it comes to a vertex again. */
function simpleLoops(ring: Ring): Ring[] {
  const loops: Ring[] = [];
  const open: Ring = [];
  const places = new Map<number, number>();
  for (const vertex of ring) {
    const index = places.get(vertex);
    if (index !== undefined) {
      const loop = open.splice(index);
      for (const it of loop) places.delete(it);
      loops.push(loop);
    }
    places.set(vertex, open.length);
    open.push(vertex);
  }
  loops.push(open);
  return loops;
}

/** Twice the area of a ring, positive if it runs counter-clockwise. */
export function doubleAreaOf({ xs, ys }: Pick<Topology, 'xs' | 'ys'>, ring: readonly number[]): number {
  const [x0, y0] = [xs[ring[0] as number] as number, ys[ring[0] as number] as number];
  let area = 0;
  let last = ring.at(-1) as number;
  for (const vertex of ring) {
    area +=
      ((xs[last] as number) - x0) * ((ys[vertex] as number) - y0) -
      ((ys[last] as number) - y0) * ((xs[vertex] as number) - x0);
    last = vertex;
  }
  return area;
}

/** Whether a vertex lies within a ring; it must not lie on it. */
export function isIn({ xs, ys }: Pick<Topology, 'xs' | 'ys'>, vertex: number, ring: readonly number[]): boolean {
  const [x, y] = [xs[vertex] as number, ys[vertex] as number];
  let inside = false;
  let last = ring.at(-1) as number;
  for (const next of ring) {
    const [ax, ay, bx, by] = [xs[last] as number, ys[last] as number, xs[next] as number, ys[next] as number];
    if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
    last = next;
  }
  return inside;
}

/** Makes the text of the position of a vertex. */
function positionsOf({ xs, ys }: Pick<Topology, 'xs' | 'ys'>): (vertex: number) => string {
  return (vertex) => `[${(xs[vertex] as number) / 1e6},${(ys[vertex] as number) / 1e6}]`;
}

function textOf(polygons: readonly Ring[][], position: (vertex: number) => string): string {
  const ringText = (ring: Ring) => {
    let text = '[';
    for (const vertex of ring) text += `${position(vertex)},`;
    return `${text}${position(ring[0] as number)}]`;
  };
  const texts = polygons.map((rings) => `[${rings.map(ringText).join(',')}]`);
  return texts.length === 1
    ? `{"type":"Polygon","coordinates":${texts[0]}}`
    : `{"type":"MultiPolygon","coordinates":[${texts.join(',')}]}`;
}
