/** A chain of edges that bound the same areas. */
interface Arc {
  /** Longitudes and latitudes by turns. */
  path: number[];
  /** Index of the areas. */
  border: number;
}

/** Base of keys of two numbers, which must be lower. */
const KEY_BASE = 2 ** 26;

/** Microdegrees that an edge may span: differences of coordinates are written with 31 bits. */
export const MAX_EDGE = 16_000_000;

/**
 * Joins the edges of areas to chains: an edge that bounds several areas is in one chain, and a chain ends where the
 * areas at its sides change. Chains that touch follow one another where they can.
 *
 * @param edges numbers: for every edge its ends x, y, x, y in microdegrees and the row of its area; rows ascend
 * @param indexes the number of each row among the borders' areas
 * @returns per border its areas, ascending, and twice where an area has an edge twice
 */
export function arcsOf(edges: Int32Array, indexes: ReadonlyMap<number, number>): { borders: number[][]; arcs: Arc[] } {
  const graph = graphOf(edges, indexes);
  return { borders: graph.borders, arcs: walk(graph) };
}

/** Numbers pairs of integers in the order in which they come. It takes a third of the time of a Map with keys of both. */
class PairNumbers {
  /** Per slot the number of its pair and one more; zero where it is free. */
  readonly #slots: Int32Array;
  readonly #pairs: Int32Array;
  #count = 0;

  /** @param max max number of different pairs */
  constructor(max: number) {
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * max + 2)));
    this.#pairs = new Int32Array(2 * max);
  }

  of(a: number, b: number): number {
    const mask = this.#slots.length - 1;
    const mixed = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b);
    for (let slot = (mixed ^ (mixed >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1;
      if (number >= 0 && this.#pairs[2 * number] === a && this.#pairs[2 * number + 1] === b) return number;
      if (number >= 0) continue;
      this.#pairs[2 * this.#count] = a;
      this.#pairs[2 * this.#count + 1] = b;
      this.#count += 1;
      this.#slots[slot] = this.#count;
      return this.#count - 1;
    }
  }
}

interface Graph {
  /** Longitudes and latitudes of vertices by turns. */
  vertices: number[];
  /** Per edge: its two vertices. */
  ends: number[];
  borderOf: number[];
  borders: number[][];
}

function graphOf(edges: Int32Array, indexes: ReadonlyMap<number, number>): Graph {
  const graph: Graph = { vertices: [], ends: [], borderOf: [], borders: [] };
  let last = -1;
  const vertexIds = new PairNumbers((2 * edges.length) / 5);
  const vertex = (x: number, y: number) => {
    // An edge mostly begins where the one before ended.
    if (x === graph.vertices[2 * last] && y === graph.vertices[2 * last + 1]) return last;
    const id = vertexIds.of(x, y);
    if (2 * id === graph.vertices.length) graph.vertices.push(x, y);
    return id;
  };
  const edgeIds = new PairNumbers(edges.length / 5);
  // A list of areas is a list that is one shorter, and an area; the empty list is number -1.
  const listIds = new Map<number, number>();
  const lists: number[][] = [];
  for (let i = 0; i < edges.length; i += 5) {
    const a = vertex(edges[i] as number, edges[i + 1] as number);
    const b = vertex(edges[i + 2] as number, edges[i + 3] as number);
    last = b;
    const area = indexes.get(edges[i + 4] as number) as number;
    const edge = edgeIds.of(Math.min(a, b), Math.max(a, b));
    if (edge === graph.borderOf.length) {
      graph.ends.push(a, b);
      graph.borderOf.push(-1);
    }
    const list = graph.borderOf[edge] as number;
    const longer = (list + 1) * KEY_BASE + area;
    let id = listIds.get(longer);
    if (id === undefined) {
      id = lists.length;
      listIds.set(longer, id);
      lists.push([...(lists[list] ?? []), area]);
    }
    graph.borderOf[edge] = id;
  }
  // Only lists that an edge has in the end are borders.
  const borderIds = new Map<number, number>();
  for (const [edge, list] of graph.borderOf.entries()) {
    const id = borderIds.get(list) ?? borderIds.size;
    if (id === borderIds.size) {
      borderIds.set(list, id);
      graph.borders.push(lists[list] as number[]);
    }
    graph.borderOf[edge] = id;
  }
  return graph;
}

function walk({ vertices, ends, borderOf }: Graph): Arc[] {
  // Per vertex: where its edges begin in `around`.
  const offsets = new Int32Array(vertices.length / 2 + 1);
  for (const end of ends) (offsets[end + 1] as number)++;
  for (let i = 1; i < offsets.length; i++) (offsets[i] as number) += offsets[i - 1] as number;
  const around = new Int32Array(ends.length);
  const next = offsets.slice();
  for (const [i, end] of ends.entries()) around[(next[end] as number)++] = i >> 1;

  const used = new Uint8Array(borderOf.length);
  const arcs: Arc[] = [];
  const passes = (vertex: number) => {
    const first = offsets[vertex] as number;
    const two = (offsets[vertex + 1] as number) - first === 2;
    return two && borderOf[around[first] as number] === borderOf[around[first + 1] as number];
  };
  const unusedAt = (vertex: number) => {
    for (let i = offsets[vertex] as number; i < (offsets[vertex + 1] as number); i++) {
      if (used[around[i] as number] === 0) return around[i] as number;
    }
    return undefined;
  };
  /** Makes arcs from a vertex on, each from the end of the one before. */
  const from = (start: number) => {
    let vertex = start;
    for (let edge = unusedAt(vertex); edge !== undefined; edge = unusedAt(vertex)) {
      const path = [vertices[2 * vertex] as number, vertices[2 * vertex + 1] as number];
      const border = borderOf[edge] as number;
      for (
        let step: number | undefined = edge;
        step !== undefined;
        step = passes(vertex) ? unusedAt(vertex) : undefined
      ) {
        used[step] = 1;
        vertex = ends[2 * step] === vertex ? (ends[2 * step + 1] as number) : (ends[2 * step] as number);
        path.push(vertices[2 * vertex] as number, vertices[2 * vertex + 1] as number);
      }
      arcs.push({ path, border });
    }
  };
  for (let vertex = 0; vertex < vertices.length / 2; vertex++) {
    while (!passes(vertex) && unusedAt(vertex) !== undefined) from(vertex);
  }
  // The rest are rings.
  for (let vertex = 0; vertex < vertices.length / 2; vertex++) from(vertex);
  return arcs;
}
