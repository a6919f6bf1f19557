import { type Plane, turn } from './plane.ts';

/** Microdegrees, some two hundred metres: the cells in which edges are looked for that may cross. */
const CELL = 2000;
/** Numbers of edges are below this, so that a cell and an edge fit into one number. */
const EDGES = 2 ** 23;
/** More than the columns of cells east of Greenwich up to the Philippines, so that a cell is one number. */
const COLUMNS = 2 ** 16;

/** Microdegrees, less than a metre. A crossing this close to an end of an edge is moved to that end. */
const NEAR = 8;

/** Crossing points are rounded to the grid, which can make new crossings. They end after a few rounds. */
const ROUNDS = 40;

/**
 * Splits edges until they meet at vertices only. Where two cross, the crossing is rounded to a whole microdegree, which
 * moves an edge by less than its width on any map. After this no two edges cross, touch or overlap.
 * @throws Error where that does not end
 */
export function splitCrossings(plane: Plane): void {
  let fresh = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const splits = findSplits(plane, fresh);
    if (splits.size === 0) return;
    fresh = plane.from.length;
    for (const [edge, through] of splits) plane.split(edge, inOrder(plane, edge, through));
  }
  throw new Error('The borders cross in a way that could not be resolved');
}

/**
 * Finds the vertices through which edges must run.
 * @param fresh edges below this number are known not to cross one another
 */
function findSplits(plane: Plane, fresh: number): Map<number, Set<number>> {
  const splits = new Map<number, Set<number>>();
  const add = (edge: number, vertex: number) => {
    if (vertex === plane.from[edge] || vertex === plane.to[edge]) return;
    const known = splits.get(edge);
    if (known) known.add(vertex);
    else splits.set(edge, new Set([vertex]));
  };
  const entries = cellsOf(plane);
  for (let start = 0, end = 0; start < entries.length; start = end) {
    const cell = Math.floor((entries[start] as number) / EDGES);
    const last = (cell + 1) * EDGES;
    while (end < entries.length && (entries[end] as number) < last) end += 1;
    // Entries of a cell ascend by edge, so the last one tells whether any is fresh.
    if ((entries[end - 1] as number) - cell * EDGES < fresh) continue;
    for (let i = start; i < end; i += 1) {
      const e = (entries[i] as number) - cell * EDGES;
      for (let j = Math.max(i + 1, start); j < end; j += 1) {
        const f = (entries[j] as number) - cell * EDGES;
        if (f >= fresh) compare(plane, e, f, add);
      }
    }
  }
  return splits;
}

/** Pairs of a cell and an edge that passes through it, ascending. */
function cellsOf({ from, to, vertices: { xs, ys } }: Plane): Float64Array {
  const pairs: number[] = [];
  for (let edge = 0; edge < from.length; edge += 1) {
    const [a, b] = [from[edge] as number, to[edge] as number];
    if (a === b) continue;
    const [low, high] = (ys[a] as number) < (ys[b] as number) ? [a, b] : [b, a];
    const [x0, y0, x1, y1] = [xs[low] as number, ys[low] as number, xs[high] as number, ys[high] as number];
    const [south, north] = [Math.floor(y0 / CELL), Math.floor(y1 / CELL)];
    for (let row = south; row <= north; row += 1) {
      const at = (y: number) => (y1 === y0 ? x0 : x0 + ((x1 - x0) * (y - y0)) / (y1 - y0));
      const first = row === south ? x0 : at(row * CELL);
      const second = row === north ? x1 : at((row + 1) * CELL);
      const west = Math.floor((Math.min(first, second) - 1) / CELL);
      const east = Math.floor((Math.max(first, second) + 1) / CELL);
      for (let column = west; column <= east; column += 1) pairs.push((row * COLUMNS + column) * EDGES + edge);
    }
  }
  return Float64Array.from(pairs).sort();
}

/** Tells `add` where two edges cross or touch elsewhere than at ends that they share. */
function compare(
  { from, to, vertices }: Plane,
  e: number,
  f: number,
  add: (edge: number, vertex: number) => void,
): void {
  const { xs, ys } = vertices;
  const [a, b, c, d] = [from[e] as number, to[e] as number, from[f] as number, to[f] as number];
  const [ax, ay, bx, by] = [xs[a] as number, ys[a] as number, xs[b] as number, ys[b] as number];
  const [cx, cy, dx, dy] = [xs[c] as number, ys[c] as number, xs[d] as number, ys[d] as number];
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return;
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return;
  const ofC = turn(ax, ay, bx, by, cx, cy);
  const ofD = turn(ax, ay, bx, by, dx, dy);
  const ofA = turn(cx, cy, dx, dy, ax, ay);
  const ofB = turn(cx, cy, dx, dy, bx, by);
  const within = (x: number, y: number, x0: number, y0: number, x1: number, y1: number) =>
    x >= Math.min(x0, x1) && x <= Math.max(x0, x1) && y >= Math.min(y0, y1) && y <= Math.max(y0, y1);
  if (ofC === 0 && within(cx, cy, ax, ay, bx, by)) add(e, c);
  if (ofD === 0 && within(dx, dy, ax, ay, bx, by)) add(e, d);
  if (ofA === 0 && within(ax, ay, cx, cy, dx, dy)) add(f, a);
  if (ofB === 0 && within(bx, by, cx, cy, dx, dy)) add(f, b);
  if (ofC < 0 !== ofD < 0 && ofA < 0 !== ofB < 0 && ofC !== 0 && ofD !== 0 && ofA !== 0 && ofB !== 0) {
    const share = ofA / (ofA - ofB);
    const [x, y] = [ax + share * (bx - ax), ay + share * (by - ay)];
    const near = [a, b, c, d].find((it) => Math.hypot((xs[it] as number) - x, (ys[it] as number) - y) <= NEAR);
    const vertex = near ?? vertices.at(Math.round(x), Math.round(y));
    add(e, vertex);
    add(f, vertex);
  }
}

/** The vertices along an edge, from its `from` to its `to`. */
function inOrder({ from, to, vertices: { xs, ys } }: Plane, edge: number, through: Iterable<number>): number[] {
  const [a, b] = [from[edge] as number, to[edge] as number];
  const [dx, dy] = [(xs[b] as number) - (xs[a] as number), (ys[b] as number) - (ys[a] as number)];
  const along = (vertex: number) => dx * (xs[vertex] as number) + dy * (ys[vertex] as number);
  return [...through].sort((one, other) => along(one) - along(other));
}
