import type { Edges } from './arcs.ts';
import { type Plane, turn } from './plane.ts';

/**
 * The faces into which the edges of a plane divide it. Each edge is two half-edges, `2 * edge` from its `from` to its
 * `to` and `2 * edge + 1` back; a half-edge belongs to the face on its left.
 */
export interface Faces {
  /** Per half-edge its face; -1 where the edge was replaced. */
  of: Int32Array;
  /** Per face: the shapes that cover it, ascending. */
  covers: (readonly number[])[];
  /** Per face its area in square microdegrees; zero for what lies outside of everything. */
  areas: Float64Array;
  /** The face outside of everything. */
  outside: number;
}

/** A cycle of half-edges with one face on its left. */
interface Cycles {
  of: Int32Array;
  /** A half-edge of each. */
  first: number[];
  /** Twice the area, negative where the cycle bounds its face from within. */
  areas: number[];
}

/** Finds the faces of a plane whose edges meet at vertices only. */
export function findFaces(plane: Plane): Faces {
  const next = successors(plane);
  const cycles = findCycles(plane, next);
  const covers: (readonly number[] | undefined)[] = cycles.first.map(() => undefined);
  /** Per cycle the face that it bounds, named by the cycle that bounds it from without; -1: outside of everything. */
  const faceOf = new Int32Array(cycles.first.length).fill(-2);
  const toLeft = leftFinder(plane);
  for (const { start, inner } of componentsFromWest(plane, cycles)) {
    const beside = toLeft(start, cycles.of, inner);
    const around = beside === -1 ? -1 : (faceOf[beside] as number);
    for (const cycle of inner.cycles) faceOf[cycle] = cycle === inner.outer ? around : cycle;
    spread(plane, { next, cycles, covers, start: inner.outer, cover: beside === -1 ? [] : (covers[beside] ?? []) });
  }
  return numbered(cycles, faceOf, covers);
}

/** Per half-edge the next one of its cycle: the first one clockwise at its end. */
function successors({ from, to, vertices: { xs, ys } }: Plane): Int32Array {
  const offsets = new Int32Array(xs.length + 1);
  for (let edge = 0; edge < from.length; edge += 1) {
    if (from[edge] === to[edge]) continue;
    (offsets[(from[edge] as number) + 1] as number) += 1;
    (offsets[(to[edge] as number) + 1] as number) += 1;
  }
  for (let i = 1; i < offsets.length; i += 1) (offsets[i] as number) += offsets[i - 1] as number;
  const around = new Int32Array(offsets.at(-1) as number);
  const free = offsets.slice();
  for (let edge = 0; edge < from.length; edge += 1) {
    const [a, b] = [from[edge] as number, to[edge] as number];
    if (a === b) continue;
    around[(free[a] as number)++] = 2 * edge;
    around[(free[b] as number)++] = 2 * edge + 1;
  }
  const target = (half: number) => (half % 2 === 0 ? to[half >> 1] : from[half >> 1]) as number;
  const next = new Int32Array(2 * from.length).fill(-1);
  for (let vertex = 0; vertex < xs.length; vertex += 1) {
    const list = around.subarray(offsets[vertex], offsets[vertex + 1]);
    const [x, y] = [xs[vertex] as number, ys[vertex] as number];
    const isUpper = (half: number) => {
      const [tx, ty] = [xs[target(half)] as number, ys[target(half)] as number];
      return ty > y || (ty === y && tx > x);
    };
    if (list.length > 2) {
      list.sort((one, other) => {
        const upper = isUpper(one);
        if (upper !== isUpper(other)) return upper ? -1 : 1;
        const [a, b] = [target(one), target(other)];
        return -turn(x, y, xs[a] as number, ys[a] as number, xs[b] as number, ys[b] as number);
      });
    }
    for (let i = 0; i < list.length; i += 1) {
      // After the other half of an edge comes the edge before it counter-clockwise.
      next[(list[i] as number) ^ 1] = list[(i + list.length - 1) % list.length] as number;
    }
  }
  return next;
}

function findCycles({ from, to, vertices: { xs, ys } }: Plane, next: Int32Array): Cycles {
  const of = new Int32Array(next.length).fill(-1);
  const first: number[] = [];
  const areas: number[] = [];
  for (let half = 0; half < next.length; half += 1) {
    if ((next[half] as number) < 0 || (of[half] as number) >= 0) continue;
    const id = first.length;
    const origin = from[half >> 1] as number;
    const [x0, y0] = [xs[origin] as number, ys[origin] as number];
    let area = 0;
    for (let it = half; (of[it] as number) < 0; it = next[it] as number) {
      of[it] = id;
      const edge = it >> 1;
      const [a, b] = (it % 2 === 0 ? [from[edge], to[edge]] : [to[edge], from[edge]]) as [number, number];
      area += ((xs[a] as number) - x0) * ((ys[b] as number) - y0) - ((ys[a] as number) - y0) * ((xs[b] as number) - x0);
    }
    first.push(half);
    areas.push(area);
  }
  return { of, first, areas };
}

interface Component {
  cycles: number[];
  /** The cycle that bounds all of it. */
  outer: number;
}

/** The connected parts of the plane with their westernmost vertices, from west to east. */
function componentsFromWest(
  { from, to, vertices: { xs } }: Plane,
  { of, first, areas }: Cycles,
): { start: number; inner: Component }[] {
  const parent = Int32Array.from(first.keys());
  const find = (cycle: number): number => {
    let root = cycle;
    while (parent[root] !== root) root = parent[root] as number;
    for (let it = cycle; parent[it] !== root; ) {
      const up = parent[it] as number;
      parent[it] = root;
      it = up;
    }
    return root;
  };
  for (let half = 0; half < of.length; half += 2) {
    if ((of[half] as number) >= 0) parent[find(of[half] as number)] = find(of[half + 1] as number);
  }
  // Cycles that only meet at a vertex belong together as well: there the cycle of one half-edge runs on into the other.
  const components = new Map<number, Component>();
  for (const cycle of first.keys()) {
    const root = find(cycle);
    const component = components.get(root) ?? { cycles: [], outer: cycle };
    component.cycles.push(cycle);
    if ((areas[cycle] as number) < (areas[component.outer] as number)) component.outer = cycle;
    components.set(root, component);
  }
  const west = new Map<number, number>();
  for (let edge = 0; edge < from.length; edge += 1) {
    if (from[edge] === to[edge]) continue;
    const root = find(of[2 * edge] as number);
    for (const vertex of [from[edge], to[edge]] as [number, number]) {
      const existing = west.get(root);
      if (existing === undefined || (xs[vertex] as number) < (xs[existing] as number)) west.set(root, vertex);
    }
  }
  return [...components]
    .map(([root, inner]) => ({ start: west.get(root) as number, inner }))
    .sort((one, other) => (xs[one.start] as number) - (xs[other.start] as number));
}

/** Microdegrees: the height of the rows in which edges are looked for. */
const ROW = 10_000;

/** Makes the function that finds the cycle on the right of the next edge west of a vertex, outside of a component. */
function leftFinder({ from, to, vertices: { xs, ys } }: Plane) {
  const rows = new Map<number, number[]>();
  for (let edge = 0; edge < from.length; edge += 1) {
    const [a, b] = [ys[from[edge] as number] as number, ys[to[edge] as number] as number];
    if (a === b) continue;
    for (let row = Math.floor(Math.min(a, b) / ROW); row <= Math.floor(Math.max(a, b) / ROW); row += 1) {
      const list = rows.get(row);
      if (list) list.push(edge);
      else rows.set(row, [edge]);
    }
  }
  return (vertex: number, cycleOf: Int32Array, { cycles }: Component): number => {
    const own = new Set(cycles);
    const [x, y] = [xs[vertex] as number, ys[vertex] as number];
    let best = Number.NEGATIVE_INFINITY;
    let lean = 0;
    let found = -1;
    for (const edge of rows.get(Math.floor(y / ROW)) ?? []) {
      const [a, b] = [from[edge] as number, to[edge] as number];
      const [ax, ay, bx, by] = [xs[a] as number, ys[a] as number, xs[b] as number, ys[b] as number];
      // An edge counts from its lower end up to, and without, its upper end.
      if (ay <= y === by <= y) continue;
      if (Math.min(ax, bx) > x) continue;
      const at = ax + ((bx - ax) * (y - ay)) / (by - ay);
      // Two edges that go up from one vertex at this height lie side by side above it: the one that leans east is next.
      const leaning = (bx - ax) / (by - ay);
      if (at >= x || at < best || (at === best && leaning <= lean) || own.has(cycleOf[2 * edge] as number)) continue;
      [best, lean] = [at, leaning];
      // East of the edge is on the right of its half that goes up.
      found = cycleOf[by > ay ? 2 * edge + 1 : 2 * edge] as number;
    }
    return found;
  };
}

interface Spread {
  next: Int32Array;
  cycles: Cycles;
  covers: (readonly number[] | undefined)[];
  start: number;
  cover: readonly number[];
}

/** Computes which shapes cover the face of each cycle of a component, beginning with the one around it. */
function spread(plane: Plane, { next, cycles, covers, start, cover }: Spread): void {
  // A shape stands in a cover as often as its rings run around the face; as -1 - shape where they run clockwise.
  covers[start] = cover;
  const waiting = [start];
  for (let cycle = waiting.pop(); cycle !== undefined; cycle = waiting.pop()) {
    const own = covers[cycle] as readonly number[];
    const first = cycles.first[cycle] as number;
    let half = first;
    do {
      const other = cycles.of[half ^ 1] as number;
      if (covers[other] === undefined) {
        covers[other] = across(plane, half, own);
        waiting.push(other);
      }
      half = next[half] as number;
    } while (half !== first);
  }
}

/** What covers the face on the right of a half-edge, where `cover` covers the face on its left. */
function across({ head, shapes, next }: Plane, half: number, cover: readonly number[]): readonly number[] {
  const result = [...cover];
  for (let it = head[half >> 1] as number; it >= 0; it = next[it] as number) {
    const entry = shapes[it] as number;
    const shape = entry >> 1;
    const [come, leave] = (entry & 1) === (half & 1) ? [-1 - shape, shape] : [shape, -1 - shape];
    const index = result.indexOf(leave);
    if (index >= 0) result.splice(index, 1);
    else result.push(come);
  }
  return result;
}

function numbered(cycles: Cycles, faceOf: Int32Array, covers: (readonly number[] | undefined)[]): Faces {
  const ids = new Map<number, number>([[-1, 0]]);
  const result: (readonly number[])[] = [[]];
  const areas: number[] = [0];
  for (const [cycle, face] of faceOf.entries()) {
    let id = ids.get(face);
    if (id === undefined) {
      id = result.length;
      ids.set(face, id);
      result.push([...new Set(covers[face]?.map((shape) => (shape < 0 ? -1 - shape : shape)))]);
      areas.push(0);
    }
    if (id > 0) (areas[id] as number) += (cycles.areas[cycle] as number) / 2;
  }
  const of = cycles.of.map((cycle) => (cycle < 0 ? -1 : (ids.get(faceOf[cycle] as number) as number)));
  return { of, covers: result, areas: Float64Array.from(areas), outside: 0 };
}

export function edgesBetween({ from, to }: Plane, faces: Faces, unitOf: Int32Array): Edges {
  const edges: Edges = { from: [], to: [], left: [], right: [] };
  for (let edge = 0; edge < from.length; edge += 1) {
    if (from[edge] === to[edge]) continue;
    const left = unitOf[faces.of[2 * edge] as number] as number;
    const right = unitOf[faces.of[2 * edge + 1] as number] as number;
    if (left === right) continue;
    edges.from.push(from[edge] as number);
    edges.to.push(to[edge] as number);
    edges.left.push(left);
    edges.right.push(right);
  }
  return edges;
}
