/**
 * The slot at which the search for a pair of numbers begins in a hash table.
 *
 * @param mask the number of slots, a power of two, less one
 */
function slotOf(a: number, b: number, mask: number): number {
  const hash = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) >>> 0;
  return (hash ^ (hash >>> 15)) & mask;
}

/** Positions in microdegrees, each of them once, which a hash table with open addressing finds. */
class Vertices {
  readonly xs: number[] = [];
  readonly ys: number[] = [];
  #table = new Int32Array(1 << 16).fill(-1);

  /** The number of the vertex at a position, which is made where there is none. */
  at(x: number, y: number): number {
    let slot = this.#slot(x, y);
    const existing = this.#table[slot] as number;
    if (existing >= 0) return existing;
    if (2 * this.xs.length > this.#table.length) {
      this.#grow();
      slot = this.#slot(x, y);
    }
    const id = this.xs.length;
    this.#table[slot] = id;
    this.xs.push(x);
    this.ys.push(y);
    return id;
  }

  #slot(x: number, y: number): number {
    const mask = this.#table.length - 1;
    let slot = slotOf(x, y, mask);
    for (let id = this.#table[slot] as number; id >= 0; id = this.#table[slot] as number) {
      if (this.xs[id] === x && this.ys[id] === y) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    this.#table = new Int32Array(2 * this.#table.length).fill(-1);
    for (let id = 0; id < this.xs.length; id += 1) {
      this.#table[this.#slot(this.xs[id] as number, this.ys[id] as number)] = id;
    }
  }
}

/**
 * Straight edges between vertices. Each edge has two sides, and on each side the shapes whose ring runs along it with
 * their interior on that side.
 */
export class Plane {
  readonly vertices = new Vertices();
  /** Per edge: its ends, the one with the lower number first; equal ones where the edge was replaced. */
  readonly from: number[] = [];
  readonly to: number[] = [];
  /** Per edge: the last entry of its list in `shapes` and `next`; -1 for none. */
  readonly head: number[] = [];
  /** Entries: a shape, times two, plus one where its interior lies on the right of the edge. */
  readonly shapes: number[] = [];
  readonly next: number[] = [];
  /** The hash table of edges by their ends; -1 for none. */
  #table = new Int32Array(1 << 16).fill(-1);

  /**
   * Adds a closed ring, longitudes and latitudes by turns in microdegrees; the interior of the shape lies on its left.
   *
   * @param shape the number of the shape that the ring belongs to
   */
  addRing(shape: number, ring: ArrayLike<number>): void {
    let last = -1;
    for (let i = 0; i < ring.length; i += 2) {
      const vertex = this.vertices.at(ring[i] as number, ring[i + 1] as number);
      if (last >= 0 && last !== vertex) {
        const edge = this.edge(last, vertex);
        this.note(edge, 2 * shape + (last < vertex ? 0 : 1));
      }
      last = vertex;
    }
  }

  /** The number of the edge between two vertices, which is made where there is none. */
  edge(a: number, b: number): number {
    const [low, high] = a < b ? [a, b] : [b, a];
    let slot = this.#slot(low, high);
    const existing = this.#table[slot] as number;
    if (existing >= 0) return existing;
    if (2 * this.from.length > this.#table.length) {
      this.#grow();
      slot = this.#slot(low, high);
    }
    const id = this.from.length;
    this.#table[slot] = id;
    this.from.push(low);
    this.to.push(high);
    this.head.push(-1);
    return id;
  }

  #slot(low: number, high: number): number {
    const mask = this.#table.length - 1;
    let slot = slotOf(low, high, mask);
    // An edge that was replaced keeps its place; its ends are equal, so that it is never found.
    for (let id = this.#table[slot] as number; id >= 0; id = this.#table[slot] as number) {
      if (this.from[id] === low && this.to[id] === high) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    this.#table = new Int32Array(2 * this.#table.length).fill(-1);
    for (let id = 0; id < this.from.length; id += 1) {
      const [low, high] = [this.from[id] as number, this.to[id] as number];
      if (low !== high) this.#table[this.#slot(low, high)] = id;
    }
  }

  /** Adds an entry, as in `shapes`, to the list of an edge. */
  note(edge: number, entry: number): void {
    this.shapes.push(entry);
    this.next.push(this.head[edge] as number);
    this.head[edge] = this.shapes.length - 1;
  }

  /** Replaces an edge by edges that run through vertices, given in their order from its `from` to its `to`. */
  split(edge: number, through: readonly number[]): void {
    const [from, to] = [this.from[edge] as number, this.to[edge] as number];
    const entries: number[] = [];
    for (let it = this.head[edge] as number; it >= 0; it = this.next[it] as number)
      entries.push(this.shapes[it] as number);
    this.to[edge] = from;
    this.head[edge] = -1;
    let last = from;
    for (const vertex of [...through, to]) {
      if (vertex === last) continue;
      const part = this.edge(last, vertex);
      for (const entry of entries) this.note(part, last < vertex ? entry : entry ^ 1);
      last = vertex;
    }
  }
}

/**
 * Twice the area of the triangle a, b, c, positive where it runs counter-clockwise. Exact for positions of one country
 * in microdegrees.
 */
export function turn(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}
