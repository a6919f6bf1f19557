import type { Topology } from './arcs.ts';
import { turn } from './plane.ts';
import { isIn } from './polygons.ts';

/** Microdegrees: the cells in which vertices are looked for. */
const CELL = 4000;
const COLUMNS = 2 ** 16;

/** Finds which vertices of borders lie in a corner or in a ring. */
export class Nearby {
  readonly #positions: Pick<Topology, 'xs' | 'ys'>;
  readonly #cells = new Map<number, number[]>();

  constructor({ xs, ys, arcs }: Topology) {
    this.#positions = { xs, ys };
    const added = new Uint8Array(xs.length);
    for (const { path } of arcs) {
      for (const vertex of path) {
        if (added[vertex] === 1) continue;
        added[vertex] = 1;
        const key = this.#key(vertex);
        const cell = this.#cells.get(key);
        if (cell) cell.push(vertex);
        else this.#cells.set(key, [vertex]);
      }
    }
  }

  #key(vertex: number): number {
    const { xs, ys } = this.#positions;
    return Math.floor((ys[vertex] as number) / CELL) * COLUMNS + Math.floor((xs[vertex] as number) / CELL);
  }

  remove(vertex: number): void {
    const cell = this.#cells.get(this.#key(vertex)) ?? [];
    const at = cell.indexOf(vertex);
    if (at < 0) return;
    cell[at] = cell.at(-1) as number;
    cell.pop();
  }

  /** Whether no vertex but its own lies in a triangle or on it. */
  isEmptyCorner(a: number, b: number, c: number): boolean {
    const { xs, ys } = this.#positions;
    let [ax, ay, bx, by] = [xs[a] as number, ys[a] as number, xs[b] as number, ys[b] as number];
    const [cx, cy] = [xs[c] as number, ys[c] as number];
    if (turn(ax, ay, bx, by, cx, cy) < 0) [ax, ay, bx, by] = [bx, by, ax, ay];
    const [west, east] = [Math.min(ax, bx, cx), Math.max(ax, bx, cx)];
    const [south, north] = [Math.min(ay, by, cy), Math.max(ay, by, cy)];
    return this.#none({ west, south, east, north }, (vertex) => {
      if (vertex === a || vertex === b || vertex === c) return false;
      const [x, y] = [xs[vertex] as number, ys[vertex] as number];
      if (x < west || x > east || y < south || y > north) return false;
      return turn(ax, ay, bx, by, x, y) >= 0 && turn(bx, by, cx, cy, x, y) >= 0 && turn(cx, cy, ax, ay, x, y) >= 0;
    });
  }

  /** Whether no vertex but its own lies in a ring. */
  isEmptyRing(ring: readonly number[]): boolean {
    const { xs, ys } = this.#positions;
    const own = new Set(ring);
    const [x, y] = [ring.map((it) => xs[it] as number), ring.map((it) => ys[it] as number)];
    const box = { west: Math.min(...x), south: Math.min(...y), east: Math.max(...x), north: Math.max(...y) };
    return this.#none(box, (vertex) => !own.has(vertex) && isIn(this.#positions, vertex, ring));
  }

  #none(
    { west, south, east, north }: Record<'west' | 'south' | 'east' | 'north', number>,
    isWithin: (vertex: number) => boolean,
  ): boolean {
    for (let row = Math.floor(south / CELL); row <= Math.floor(north / CELL); row += 1) {
      for (let column = Math.floor(west / CELL); column <= Math.floor(east / CELL); column += 1) {
        if (this.#cells.get(row * COLUMNS + column)?.some(isWithin)) return false;
      }
    }
    return true;
  }
}
