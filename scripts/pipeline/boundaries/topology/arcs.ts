/** A border between two units, or between one and none. */
export interface Arc {
  /** Vertices in their order; the first one is the last one where the arc is a ring. Empty where the arc is gone. */
  path: number[];
  /** The unit on each side of the path; -1 for none. */
  left: number;
  right: number;
}

/** The borders of units that cover no place twice. Arcs meet at their ends only. */
export interface Topology {
  /** Per vertex its position in microdegrees. */
  xs: ArrayLike<number>;
  ys: ArrayLike<number>;
  arcs: Arc[];
}

/** Straight pieces of borders, each once, with the unit on each side; -1 for none. */
export interface Edges {
  from: number[];
  to: number[];
  left: number[];
  right: number[];
}

/** Joins edges to arcs. Arcs end where more than two edges meet. */
export function joinEdges({ xs, ys }: Pick<Topology, 'xs' | 'ys'>, { from, to, left, right }: Edges): Topology {
  const offsets = new Int32Array(xs.length + 1);
  for (const ends of [from, to]) for (const vertex of ends) (offsets[vertex + 1] as number) += 1;
  for (let i = 1; i < offsets.length; i += 1) (offsets[i] as number) += offsets[i - 1] as number;
  const around = new Int32Array(2 * from.length);
  const free = offsets.slice();
  for (const ends of [from, to]) {
    for (const [edge, vertex] of ends.entries()) around[(free[vertex] as number)++] = edge;
  }
  const degree = (vertex: number) => (offsets[vertex + 1] as number) - (offsets[vertex] as number);
  const used = new Uint8Array(from.length);
  const arcs: Arc[] = [];
  const walk = (start: number, first: number) => {
    const path = [start];
    let vertex = start;
    for (let edge = first; used[edge] === 0; ) {
      used[edge] = 1;
      vertex = (from[edge] === vertex ? to[edge] : from[edge]) as number;
      path.push(vertex);
      if (degree(vertex) !== 2) break;
      const at = offsets[vertex] as number;
      edge = (around[at] === edge ? around[at + 1] : around[at]) as number;
    }
    const [one, other] = [left[first] as number, right[first] as number];
    arcs.push(from[first] === start ? { path, left: one, right: other } : { path, left: other, right: one });
  };
  const walkFrom = (vertex: number) => {
    for (let i = offsets[vertex] as number; i < (offsets[vertex + 1] as number); i += 1) {
      if (used[around[i] as number] === 0) walk(vertex, around[i] as number);
    }
  };
  for (let vertex = 0; vertex < xs.length; vertex += 1) if (degree(vertex) !== 2) walkFrom(vertex);
  // What is left are rings that meet nothing else.
  for (let vertex = 0; vertex < xs.length; vertex += 1) walkFrom(vertex);
  return { xs, ys, arcs };
}

/** The topology of larger units: borders between units of one group are left out. */
export function mergeUnits(topology: Topology, groupOf: (unit: number) => number): Topology {
  const edges: Edges = { from: [], to: [], left: [], right: [] };
  for (const { path, left, right } of topology.arcs) {
    const [one, other] = [left < 0 ? -1 : groupOf(left), right < 0 ? -1 : groupOf(right)];
    if (one === other) continue;
    for (let i = 1; i < path.length; i += 1) {
      edges.from.push(path[i - 1] as number);
      edges.to.push(path[i] as number);
      edges.left.push(one);
      edges.right.push(other);
    }
  }
  return joinEdges(topology, edges);
}
