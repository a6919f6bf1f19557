import { type Plane, turn } from './plane.ts';

/**
 * Microdegrees, some two hundred metres: the least size of the cells in which edges are looked for that may cross. Where
 * edges are longer on the average, cells are larger, because an edge is noted in each cell through which it passes.
 */
const CELL = 2000;
/** Numbers of edges are below this, so that a cell and an edge fit into one number. */
const EDGES = 2 ** 23;
/** More than the columns of cells east of Greenwich up to the Philippines, so that a cell is one number. */
const COLUMNS = 2 ** 16;

/**
 * Microdegrees, less than a metre. A crossing this close to an end of an edge is moved to that end. New crossings can
 * come of that, and of rounding, so that the distance grows from round to round until there are none.
 */
const NEAR = 8;
const GROWTH = 1.2;
const ROUNDS = 60;

/**
 * Splits edges until they meet at vertices only. Where two cross, the crossing is rounded to a whole microdegree, which
 * moves an edge by less than its width on any map. After this no two edges cross, touch or overlap.
 * @throws Error if that does not end
 */
export function splitCrossings(plane: Plane): void {
  const cells = new Cells(plane);
  for (let round = 0, fresh = 0; round < ROUNDS; round += 1) {
    const splits = findSplits(plane, cells, { fresh, near: NEAR * GROWTH ** round });
    if (splits.size === 0) return;
    fresh = plane.from.length;
    for (const [edge, through] of splits) plane.split(edge, inOrder(plane, edge, through));
    cells.add(fresh);
  }
  throw new Error('The borders cross in a way that could not be resolved');
}

type Splits = Map<number, Set<number>>;

/**
 * Finds the vertices through which edges must run.
 * @param options edges below `fresh` are known not to cross one another
 */
function findSplits(plane: Plane, cells: Cells, { fresh, near }: { fresh: number; near: number }): Splits {
  const splits: Splits = new Map();
  const add = (edge: number, vertex: number) => {
    if (vertex === plane.from[edge] || vertex === plane.to[edge]) return;
    const existing = splits.get(edge);
    if (existing) existing.add(vertex);
    else splits.set(edge, new Set([vertex]));
  };
  const { from, to, vertices } = plane;
  const { xs, ys } = vertices;
  const boxes: number[] = [];
  for (const edges of cells.changed()) {
    for (const [i, edge] of edges.entries()) {
      const [a, b] = [from[edge] as number, to[edge] as number];
      const [ax, ay, bx, by] = [xs[a] as number, ys[a] as number, xs[b] as number, ys[b] as number];
      boxes[4 * i] = Math.min(ax, bx);
      boxes[4 * i + 1] = Math.max(ax, bx);
      boxes[4 * i + 2] = Math.min(ay, by);
      boxes[4 * i + 3] = Math.max(ay, by);
    }
    // The edges of a cell are in ascending order.
    const firstFresh = edges.findIndex((edge) => edge >= fresh);
    if (firstFresh < 0) continue;
    for (let i = 0; i < edges.length; i += 1) {
      const e = edges[i] as number;
      const [west, east] = [boxes[4 * i] as number, boxes[4 * i + 1] as number];
      const [south, north] = [boxes[4 * i + 2] as number, boxes[4 * i + 3] as number];
      for (let j = Math.max(i + 1, firstFresh); j < edges.length; j += 1) {
        if ((boxes[4 * j] as number) > east || (boxes[4 * j + 1] as number) < west) continue;
        if ((boxes[4 * j + 2] as number) > north || (boxes[4 * j + 3] as number) < south) continue;
        compare(plane, [e, edges[j] as number], { near, add });
      }
    }
  }
  return splits;
}

/** Which edges pass through each cell. */
class Cells {
  readonly #plane: Plane;
  readonly #size: number;
  /** Pairs of a cell and an edge, ascending, of the edges that the plane had at first. */
  readonly #first: Float64Array;
  /** Edges that came later, by cell. */
  readonly #later = new Map<number, number[]>();
  /** Cells in which edges came last; undefined: all. */
  #last: Set<number> | undefined;

  constructor(plane: Plane) {
    this.#plane = plane;
    this.#size = Math.max(CELL, Math.ceil(meanLength(plane)));
    const pairs: number[] = [];
    for (const edge of plane.from.keys()) this.#eachCell(edge, (cell) => pairs.push(cell * EDGES + edge));
    this.#first = Float64Array.from(pairs).sort();
  }

  /** Adds the edges from a number on. */
  add(from: number): void {
    this.#last = new Set();
    for (let edge = from; edge < this.#plane.from.length; edge += 1) {
      this.#eachCell(edge, (cell) => {
        const list = this.#later.get(cell);
        if (list) list.push(edge);
        else this.#later.set(cell, [edge]);
        this.#last?.add(cell);
      });
    }
  }

  /** The edges of each cell in which edges came last. */
  *changed(): Generator<number[]> {
    const pairs = this.#first;
    if (this.#last === undefined) {
      for (let start = 0, end = 0; start < pairs.length; start = end) {
        const cell = Math.floor((pairs[start] as number) / EDGES);
        while (end < pairs.length && (pairs[end] as number) < (cell + 1) * EDGES) end += 1;
        yield Array.from(pairs.subarray(start, end), (pair) => pair - cell * EDGES);
      }
      return;
    }
    const { from, to } = this.#plane;
    for (const cell of this.#last) {
      const edges: number[] = [];
      for (let at = this.#find(cell * EDGES); at < pairs.length; at += 1) {
        const edge = (pairs[at] as number) - cell * EDGES;
        if (edge >= EDGES) break;
        edges.push(edge);
      }
      yield [...edges, ...(this.#later.get(cell) ?? [])].filter((edge) => from[edge] !== to[edge]);
    }
  }

  /** Calls `visit` for each cell through which an edge passes. */
  #eachCell(edge: number, visit: (cell: number) => void): void {
    const size = this.#size;
    const { from, to, vertices } = this.#plane;
    const { xs, ys } = vertices;
    const [a, b] = [from[edge] as number, to[edge] as number];
    if (a === b) return;
    const [low, high] = (ys[a] as number) < (ys[b] as number) ? [a, b] : [b, a];
    const [x0, y0, x1, y1] = [xs[low] as number, ys[low] as number, xs[high] as number, ys[high] as number];
    const [south, north] = [Math.floor(y0 / size), Math.floor(y1 / size)];
    const at = (y: number) => (y1 === y0 ? x0 : x0 + ((x1 - x0) * (y - y0)) / (y1 - y0));
    for (let row = south; row <= north; row += 1) {
      // In its first and last row an edge begins and ends somewhere between the sides of the row.
      const first = row === south ? x0 : at(row * size);
      const second = row === north ? x1 : at((row + 1) * size);
      const west = Math.floor((Math.min(first, second) - 1) / size);
      const east = Math.floor((Math.max(first, second) + 1) / size);
      for (let column = west; column <= east; column += 1) visit(row * COLUMNS + column);
    }
  }

  /** Where the pairs from a value on begin. */
  #find(value: number): number {
    let [low, high] = [0, this.#first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#first[middle] as number) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function meanLength({ from, to, vertices: { xs, ys } }: Plane): number {
  let total = 0;
  for (const [edge, a] of from.entries()) {
    const b = to[edge] as number;
    total += Math.abs((xs[b] as number) - (xs[a] as number)) + Math.abs((ys[b] as number) - (ys[a] as number));
  }
  return from.length === 0 ? 0 : total / from.length;
}

/** Calls `add` where two edges with overlapping boxes cross or touch, except at shared ends. */
function compare(
  { from, to, vertices }: Plane,
  [e, f]: readonly [number, number],
  { near, add }: { near: number; add: (edge: number, vertex: number) => void },
): void {
  const { xs, ys } = vertices;
  const [a, b, c, d] = [from[e] as number, to[e] as number, from[f] as number, to[f] as number];
  const [ax, ay, bx, by] = [xs[a] as number, ys[a] as number, xs[b] as number, ys[b] as number];
  const [cx, cy, dx, dy] = [xs[c] as number, ys[c] as number, xs[d] as number, ys[d] as number];
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
    const distance = (it: number) => Math.hypot((xs[it] as number) - x, (ys[it] as number) - y);
    const nearest = [a, b, c, d].reduce((best, it) => (distance(it) < distance(best) ? it : best));
    const vertex = distance(nearest) <= near ? nearest : vertices.at(Math.round(x), Math.round(y));
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
