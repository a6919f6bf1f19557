import { Allowance, type Shares } from './allowance.ts';
import type { Arc, Topology } from './arcs.ts';
import { MinHeap } from './heap.ts';
import { areaUnder } from './measure.ts';
import { Nearby } from './nearby.ts';
import { turn } from './plane.ts';
import { doubleAreaOf } from './polygons.ts';

/** Limits of simplification for a unit, and the size of removed corners. */
export interface Limits extends Shares {
  /** Square microdegrees: the largest corner that is removed from a border, by the arc. */
  corner(arc: Arc): number;
}

/** The largest corner, as a share of the smaller one of the two areas beside it. */
const CORNER_SHARE = 0.5;

/**
 * Simplifies the borders of a topology by removing corners, the smallest first (Visvalingam), and islands and holes
 * that are smaller than a corner. A corner goes only where
 *
 * - both units beside it can afford it: `Limits` hold for the unit, measured against the topology that was given;
 * - no other vertex lies in it. So borders never cross or touch, and every ring stays a ring.
 *
 * Each call goes on from the one before.
 */
export class Simplifier {
  readonly #topology: Topology;
  /** Per vertex its neighbours on its arc, and the arc; -1 for ends of arcs and for vertices that are gone. */
  readonly #previous: Int32Array;
  readonly #following: Int32Array;
  readonly #arcOf: Int32Array;
  readonly #length: Int32Array;
  readonly #gone: Uint8Array;
  /** Per arc: whether it is a ring that meets nothing else, in which every vertex can go. */
  readonly #isRing: Uint8Array;
  /** Per unit the arc of its largest ring, where it consists of rings only; -1 otherwise. */
  readonly #mainRing: Int32Array;
  readonly #allowance: Allowance;
  readonly #nearby: Nearby;
  /** Straight arcs by their ends. */
  readonly #straight = new Set<number>();

  /** @param least per unit the size as which it is measured at least, square microdegrees */
  constructor(topology: Topology, units: number, least?: Float64Array) {
    this.#topology = topology;
    const { xs, arcs } = topology;
    this.#previous = new Int32Array(xs.length).fill(-1);
    this.#following = new Int32Array(xs.length).fill(-1);
    this.#arcOf = new Int32Array(xs.length).fill(-1);
    this.#gone = new Uint8Array(xs.length);
    this.#length = Int32Array.from(arcs, ({ path }) => path.length);
    this.#isRing = new Uint8Array(arcs.length);
    this.#allowance = new Allowance(topology, units, least);
    this.#nearby = new Nearby(topology);
    this.#mainRing = new Int32Array(units).fill(-2);
    this.#link();
  }

  #link(): void {
    const { arcs } = this.#topology;
    const ends = new Map<number, number>();
    for (const { path } of arcs) {
      for (const end of [path[0] as number, path.at(-1) as number]) ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    const largest = new Map<number, number>();
    for (const [i, { path, left, right }] of arcs.entries()) {
      const [first, last] = [path[0] as number, path.at(-1) as number];
      const ring = first === last && ends.get(first) === 2;
      this.#isRing[i] = ring ? 1 : 0;
      for (const [k, vertex] of path.entries()) {
        const isEnd = k === 0 || k === path.length - 1;
        if (isEnd && !ring) continue;
        this.#arcOf[vertex] = i;
        if (k < path.length - 1) this.#following[vertex] = path[k + 1] as number;
        if (k > 0) this.#previous[vertex] = path[k - 1] as number;
      }
      if (path.length === 2) this.#straight.add(this.#ends(first, last));
      const area = areaUnder(this.#topology, path);
      for (const unit of [left, right]) {
        if (unit < 0) continue;
        if (!ring) this.#mainRing[unit] = -1;
        const own = unit === left ? area : -area;
        if (ring && this.#mainRing[unit] !== -1 && own > (largest.get(unit) ?? 0)) {
          largest.set(unit, own);
          this.#mainRing[unit] = i;
        }
      }
    }
  }

  #ends(a: number, b: number): number {
    return Math.min(a, b) * 2 ** 26 + Math.max(a, b);
  }

  /** Removes what the limits allow. */
  run(limits: Limits): void {
    const { arcs } = this.#topology;
    const corners = Float64Array.from(arcs, (arc) => {
      const areas = [arc.left, arc.right]
        .filter((unit) => unit >= 0)
        .map((unit) => this.#allowance.areas[unit] as number);
      return Math.min(limits.corner(arc), CORNER_SHARE * limits.difference * Math.min(...areas));
    });
    // A refused corner may become removable later.
    for (let round = 0, removed = 1; removed > 0 && round < 4; round += 1) {
      removed = this.#sweep(limits, corners);
      this.#allowance.measure((arc) => this.#pathOf(arc));
    }
  }

  #sweep(limits: Limits, corners: Float64Array): number {
    const heap = new MinHeap();
    const offer = (vertex: number) => {
      const arc = this.#arcOf[vertex] as number;
      if (arc < 0 || this.#gone[vertex] === 1) return;
      const size = Math.abs(this.#corner(vertex)) / (corners[arc] as number);
      if (size < 1) heap.push(size, vertex);
    };
    for (const [i, { path }] of this.#topology.arcs.entries()) {
      if (this.#length[i] === 0) continue;
      if (this.#isRing[i] === 1) {
        const ring = this.#ringOf(i);
        const size = Math.abs(doubleAreaOf(this.#topology, ring) / 2) / (corners[i] as number);
        if (size < 1) heap.push(size, -1 - i);
      }
      for (const vertex of path) offer(vertex);
    }
    let removed = 0;
    for (let item = heap.pop(); item !== undefined; item = heap.pop()) {
      const { value, key } = item;
      if (value < 0) {
        if (this.#dropRing(-1 - value, limits)) removed += 1;
        continue;
      }
      const arc = this.#arcOf[value] as number;
      if (this.#gone[value] === 1 || this.#length[arc] === 0) continue;
      if (Math.abs(this.#corner(value)) / (corners[arc] as number) !== key) continue;
      const [before, after] = [this.#previous[value] as number, this.#following[value] as number];
      if (!this.#remove(value, arc, limits)) continue;
      removed += 1;
      offer(before);
      offer(after);
    }
    return removed;
  }

  /** The area of the corner at a vertex, positive where its arc turns left. */
  #corner(vertex: number): number {
    const { xs, ys } = this.#topology;
    const [a, c] = [this.#previous[vertex] as number, this.#following[vertex] as number];
    return (
      turn(
        xs[a] as number,
        ys[a] as number,
        xs[vertex] as number,
        ys[vertex] as number,
        xs[c] as number,
        ys[c] as number,
      ) / 2
    );
  }

  #remove(vertex: number, arc: number, limits: Limits): boolean {
    const [a, c] = [this.#previous[vertex] as number, this.#following[vertex] as number];
    const length = this.#length[arc] as number;
    // A ring keeps three corners, and so does an arc that comes back to where it began.
    const { path } = this.#topology.arcs[arc] as Arc;
    if (path[0] === path.at(-1) ? length <= 4 : length === 3 && this.#straight.has(this.#ends(a, c))) return false;
    const corner = this.#corner(vertex);
    // Where the arc turns left, its corner belongs to what lies on its left, which loses it.
    const own = this.#topology.arcs[arc] as Arc;
    if (!this.#allowance.covers(own, -corner, limits) || !this.#nearby.isEmptyCorner(a, vertex, c)) return false;
    this.#allowance.spend(own, -corner);
    this.#gone[vertex] = 1;
    if (this.#arcOf[a] === arc) this.#following[a] = c;
    if (this.#arcOf[c] === arc) this.#previous[c] = a;
    this.#length[arc] = length - 1;
    if (length === 3) this.#straight.add(this.#ends(a, c));
    this.#nearby.remove(vertex);
    return true;
  }

  #ringOf(arc: number): number[] {
    const { path } = this.#topology.arcs[arc] as Arc;
    const first = path.find((vertex) => this.#gone[vertex] === 0) as number;
    const ring = [first];
    for (let it = this.#following[first] as number; it !== first; it = this.#following[it] as number) ring.push(it);
    return ring;
  }

  /** Removes an island or a hole with nothing in it, unless it is the largest part of a unit. */
  #dropRing(arc: number, limits: Limits): boolean {
    const own = this.#topology.arcs[arc] as Arc;
    if (this.#length[arc] === 0) return false;
    if ([own.left, own.right].some((unit) => unit >= 0 && this.#mainRing[unit] === arc)) return false;
    const ring = this.#ringOf(arc);
    const gain = -doubleAreaOf(this.#topology, ring) / 2;
    if (!this.#allowance.covers(own, gain, limits) || !this.#nearby.isEmptyRing(ring)) return false;
    this.#allowance.spend(own, gain);
    for (const vertex of ring) {
      this.#gone[vertex] = 1;
      this.#nearby.remove(vertex);
    }
    this.#length[arc] = 0;
    return true;
  }

  /** What is left of an arc. */
  #pathOf(arc: number): number[] {
    if (this.#length[arc] === 0) return [];
    if (this.#isRing[arc] === 1) {
      const ring = this.#ringOf(arc);
      return [...ring, ring[0] as number];
    }
    return (this.#topology.arcs[arc] as Arc).path.filter((vertex) => this.#gone[vertex] === 0);
  }

  result(): Topology {
    const { xs, ys, arcs } = this.#topology;
    return { xs, ys, arcs: arcs.map(({ left, right }, i) => ({ path: this.#pathOf(i), left, right })) };
  }
}
