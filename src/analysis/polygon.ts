import { orient2d } from 'robust-predicates';
import { GeometryFault, type Path } from '../geojson/geometry.ts';
import { turn } from '../turn.ts';
import { areaWestOf, kilometres } from './ellipsoid.ts';
import { directed, type Polygonal, type Ring, ringsOf } from './rings.ts';

/** Columns and rows of the grid that edges are found by, at most. */
const MAX_SIDE = 100;

/** Edges that searches look at in one turn: some ten milliseconds of the processor. */
export const VISITED_PER_TURN = 500_000;

/**
 * Degrees that the polygon is moved by, less than a thousandth of a millimetre. Whoever sends the boundary of an area has its very
 * edges; so moved, they cross those of areas in points, and no edge lies on another.
 */
const APART = [0.8e-11, 0.6e-11] as const;

/** Edges whose sides are looked at in one turn. */
const EDGES_OF_TURN = 250;

/** Degrees beside an edge where it is asked what lies there. */
const BESIDE = 1e-9;

/** An edge that is shorter tells nothing of its sides, degrees. */
const SHORT = 1e-7;

/**
 * A polygon that areas are held against. Its edges are numbered, ring after ring, and each is found by the cell of a grid that it
 * runs through.
 */
export class Polygon {
  readonly rings: readonly Ring[];
  /** Per ring: the number of its first edge; and the number behind the last edge of all. */
  readonly firstOf: readonly number[];
  /** Per edge: longitude and latitude of its ends. */
  readonly ends: Float64Array;
  /** Per edge and one more: what the edges before it have west of them, square kilometres. See `areaWestOf`. */
  readonly westBefore: Float64Array;
  readonly box: readonly [number, number, number, number];
  /** Square kilometres. */
  readonly area: number;
  /** Kilometres around it. */
  readonly length: number;
  readonly #side: number;
  /** Edges by cell. */
  readonly #cells: Lists;
  /** Edges by column and by row, each once: a long edge stands in many cells of them. */
  readonly #columns: Lists;
  readonly #rows: Lists;
  /** When each edge was last found, so that it is given once. */
  readonly #seen: Int32Array;
  #search = 0;

  private constructor(rings: readonly Ring[]) {
    this.rings = rings;
    const firstOf = [0];
    for (const { at } of rings) firstOf.push((firstOf.at(-1) as number) + at.length / 2 - 1);
    this.firstOf = firstOf;
    const count = firstOf.at(-1) as number;
    this.ends = new Float64Array(4 * count);
    this.westBefore = new Float64Array(count + 1);
    let edge = 0;
    let length = 0;
    for (const { at } of rings) {
      for (let i = 2; i < at.length; i += 2, edge++) {
        const ends = at.subarray(i - 2, i + 2);
        this.ends.set(ends, 4 * edge);
        const [x1, y1, x2, y2] = ends as unknown as [number, number, number, number];
        this.westBefore[edge + 1] = (this.westBefore[edge] as number) + areaWestOf(x1, y1, x2, y2);
        length += kilometres(x1, y1, x2, y2);
      }
    }
    this.area = this.westBefore[count] as number;
    this.length = length;
    const side = (at: 0 | 1 | 2 | 3) => rings.map(({ box }) => box[at]);
    this.box = [Math.min(...side(0)), Math.min(...side(1)), Math.max(...side(2)), Math.max(...side(3))];
    this.#side = Math.min(MAX_SIDE, Math.ceil(Math.sqrt(count)));
    this.#seen = new Int32Array(count);
    [this.#cells, this.#columns, this.#rows] = this.#indexed(count);
  }

  /**
   * A polygon of a geometry. What is inside an odd number of its rings is inside.
   *
   * @throws GeometryFault if rings cross one another or themselves, or bound nothing
   */
  static async of(geometry: Polygonal): Promise<Polygon> {
    const drawn = ringsOf(geometry, APART);
    if (drawn.length === 0) throw fault(['coordinates'], 'must have a ring that bounds something');
    const rings = drawn.map((ring) => directed(ring, false));
    const unsorted = new Polygon(rings);
    await unsorted.#requireNoCrossing();
    const sorted: Ring[] = [];
    for (const [i, ring] of rings.entries()) sorted.push((await unsorted.#isInner(i)) ? directed(ring, true) : ring);
    const polygon = new Polygon(sorted);
    if (!(polygon.area > 0)) throw fault(['coordinates'], 'must have a ring that bounds something');
    return polygon;
  }

  get edges(): number {
    return this.westBefore.length - 1;
  }

  /** Longitude and latitude of both ends of an edge. */
  #endsOf(edge: number): readonly [x1: number, y1: number, x2: number, y2: number] {
    return this.ends.subarray(4 * edge, 4 * edge + 4) as unknown as readonly [number, number, number, number];
  }

  /** Whether a point is inside. */
  contains(x: number, y: number): boolean {
    const [west, south, east, north] = this.box;
    if (x < west || x > east || y < south || y > north) return false;
    let isInside = false;
    for (const edge of this.meeting([west, y, x, y]))
      if (isCrossedWestOf(this.ends, 4 * edge, x, y)) isInside = !isInside;
    return isInside;
  }

  /** How many edges all searches have visited. */
  visitedEdges = 0;

  /** The numbers of the edges whose box meets another box, each once. Looks at every edge once at most, and at rows. */
  meeting(box: readonly [number, number, number, number]): number[] {
    const found: number[] = [];
    if (box[0] > this.box[2] || box[1] > this.box[3] || box[2] < this.box[0] || box[3] < this.box[1]) return found;
    this.#search++;
    const [left, right] = [this.#columnOf(box[0]), this.#columnOf(box[2])];
    const [bottom, top] = [this.#rowOf(box[1]), this.#rowOf(box[3])];
    const whole = Math.min(this.#columns.count(left, right), this.#rows.count(bottom, top), this.edges);
    let entries = 0;
    for (let row = bottom; row <= top && entries <= whole; row++) {
      entries += this.#cells.count(row * this.#side + left, row * this.#side + right);
    }
    this.visitedEdges += top - bottom;
    const take = (edge: number) => {
      if (this.#seen[edge] === this.#search) return;
      this.#seen[edge] = this.#search;
      if (meets(this.ends, 4 * edge, box)) found.push(edge);
    };
    this.visitedEdges += Math.min(entries, whole);
    if (entries <= whole) {
      for (let row = bottom; row <= top; row++) {
        this.#cells.each(row * this.#side + left, row * this.#side + right, take);
      }
    } else if (whole === this.#columns.count(left, right)) this.#columns.each(left, right, take);
    else if (whole === this.#rows.count(bottom, top)) this.#rows.each(bottom, top, take);
    else for (let edge = 0; edge < this.edges; edge++) take(edge);
    return found;
  }

  meets(edge: number, box: readonly [number, number, number, number]): boolean {
    return meets(this.ends, 4 * edge, box);
  }

  /** What of a box is inside: all of it, nothing, or a part, as far as that is seen without looking into the box. */
  coverOf(box: readonly [number, number, number, number]): 'whole' | 'part' | 'none' {
    const [west, south, east, north] = box;
    if (this.meeting(box).some((edge) => isOnBothSides(this.ends, 4 * edge, box))) return 'part';
    return this.contains((west + east) / 2, (south + north) / 2) ? 'whole' : 'none';
  }

  /** The column of the grid that a longitude lies in, the nearest one where it lies outside. */
  #columnOf(lon: number): number {
    return this.#within(((lon - this.box[0]) / (this.box[2] - this.box[0])) * this.#side);
  }

  #rowOf(lat: number): number {
    return this.#within(((lat - this.box[1]) / (this.box[3] - this.box[1])) * this.#side);
  }

  #within(index: number): number {
    return index <= 0 ? 0 : index >= this.#side ? this.#side - 1 : Math.floor(index);
  }

  #indexed(count: number): [cells: Lists, columns: Lists, rows: Lists] {
    const lists = (length: number): number[][] => Array.from({ length }, () => []);
    const [cells, columns, rows] = [lists(this.#side ** 2), lists(this.#side), lists(this.#side)];
    for (let edge = 0; edge < count; edge++) {
      const [x1, y1, x2, y2] = this.#endsOf(edge);
      const [, south, , north] = this.box;
      const top = this.#rowOf(Math.max(y1, y2));
      const slope = y1 === y2 ? 0 : 1 / (y2 - y1);
      const slack = (this.box[2] - this.box[0]) * 1e-9;
      // How far along the edge a line between rows is; all of an edge without a slope is in its row.
      const shareAt = (line: number) =>
        Math.min(Math.max((south + (line / this.#side) * (north - south) - y1) * slope, 0), 1);
      for (let row = this.#rowOf(Math.min(y1, y2)); row <= top; row++) {
        // The part of the edge in the row; a little more, so that rounding leaves nothing out.
        const from = x1 + (slope === 0 ? 0 : shareAt(row - 1e-6)) * (x2 - x1);
        const to = x1 + (slope === 0 ? 1 : shareAt(row + 1 + 1e-6)) * (x2 - x1);
        const right = this.#columnOf(Math.max(from, to) + slack);
        for (let column = this.#columnOf(Math.min(from, to) - slack); column <= right; column++) {
          cells[row * this.#side + column]?.push(edge);
          // The rows of an edge follow one another, so that it would be the last one.
          if (columns[column]?.at(-1) !== edge) columns[column]?.push(edge);
        }
        rows[row]?.push(edge);
      }
    }
    return [new Lists(cells), new Lists(columns), new Lists(rows)];
  }

  /** @throws GeometryFault if two edges cross */
  async #requireNoCrossing(): Promise<void> {
    let next = VISITED_PER_TURN;
    for (const [i, { path }] of this.rings.entries()) {
      for (let edge = this.firstOf[i] as number; edge < (this.firstOf[i + 1] as number); edge++) {
        const [x1, y1, x2, y2] = this.#endsOf(edge);
        const box = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)] as const;
        const near = this.meeting(box);
        for (const other of near) {
          if (other > edge && cross(this.ends, 4 * edge, 4 * other)) {
            const [lon, lat] = [x1, y1].map((degrees) => Number(degrees.toFixed(6)));
            throw fault(path, `must not cross itself or another ring, as the edge from ${lon}, ${lat} does`);
          }
        }
        if (this.visitedEdges > next) {
          next = this.visitedEdges + VISITED_PER_TURN;
          await turn();
        }
      }
    }
  }

  /**
   * Whether a ring bounds a hole: at the left of its edges one is inside an even number of rings.
   *
   * @throws GeometryFault if that is so of some of its edges only: it lies partly in another ring
   */
  async #isInner(ring: number): Promise<boolean> {
    let isInner: boolean | undefined;
    for (let edge = this.firstOf[ring] as number; edge < (this.firstOf[ring + 1] as number); edge++) {
      const [x1, y1, x2, y2] = this.#endsOf(edge);
      const length = Math.hypot(x2 - x1, y2 - y1);
      if (edge % EDGES_OF_TURN === EDGES_OF_TURN - 1) await turn();
      if (length < SHORT) continue;
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const isInside = this.contains((x1 + x2) / 2 - dy * BESIDE, (y1 + y2) / 2 + dx * BESIDE);
      isInner ??= !isInside;
      if (isInner !== isInside) continue;
      const [lon, lat] = [x1, y1].map((degrees) => Number(degrees.toFixed(6)));
      const { path } = this.rings[ring] as Ring;
      throw fault(path, `must not overlap itself or another ring, as it does from ${lon}, ${lat}`);
    }
    return isInner ?? false;
  }
}

/** Lists of numbers, one behind another. */
class Lists {
  readonly #all: Int32Array;
  /** Where each list begins; and the end of all. */
  readonly #starts: Int32Array;

  constructor(lists: readonly (readonly number[])[]) {
    this.#starts = new Int32Array(lists.length + 1);
    for (const [i, { length }] of lists.entries()) this.#starts[i + 1] = (this.#starts[i] as number) + length;
    this.#all = new Int32Array(this.#starts[lists.length] as number);
    for (const [i, list] of lists.entries()) this.#all.set(list, this.#starts[i]);
  }

  /** How many numbers the lists from one to another have. */
  count(from: number, to: number): number {
    return (this.#starts[to + 1] as number) - (this.#starts[from] as number);
  }

  each(from: number, to: number, take: (number: number) => void): void {
    for (let i = this.#starts[from] as number, end = this.#starts[to + 1] as number; i < end; i++) {
      take(this.#all[i] as number);
    }
  }
}

function fault(path: Path, rule: string): GeometryFault {
  return new GeometryFault(path, rule);
}

/** Whether an edge crosses a line that leads from a point to the west. @param at where its four numbers begin */
export function isCrossedWestOf(ends: Float64Array, at: number, x: number, y: number): boolean {
  const [x1, y1] = [ends[at] as number, ends[at + 1] as number];
  const [x2, y2] = [ends[at + 2] as number, ends[at + 3] as number];
  if (y1 > y === y2 > y || (x1 > x && x2 > x)) return false;
  if (x1 < x && x2 < x) return true;
  // robust-predicates has y point down: a positive value is a right turn.
  return orient2d(x1, y1, x2, y2, x, y) > 0 === y1 < y2;
}

/** Whether two edges cross in a point between their ends. */
function cross(ends: Float64Array, one: number, other: number): boolean {
  return isBetween(ends, one, other) && isBetween(ends, other, one);
}

/** Whether the ends of an edge lie on both sides of another, and not on it. */
function isBetween(ends: Float64Array, line: number, edge: number): boolean {
  return sideOf(ends, line, edge) * sideOf(ends, line, edge + 2) < 0;
}

function sideOf(ends: Float64Array, line: number, end: number): number {
  return Math.sign(turnOf(ends, line, ends[end] as number, ends[end + 1] as number));
}

/** Positive where a point lies at the right of an edge, negative at its left. */
function turnOf(ends: Float64Array, at: number, x: number, y: number): number {
  const [x1, y1] = [ends[at] as number, ends[at + 1] as number];
  return orient2d(x1, y1, ends[at + 2] as number, ends[at + 3] as number, x, y);
}

function meets(
  ends: Float64Array,
  at: number,
  [west, south, east, north]: readonly [number, number, number, number],
): boolean {
  const [x1, y1] = [ends[at] as number, ends[at + 1] as number];
  const [x2, y2] = [ends[at + 2] as number, ends[at + 3] as number];
  if (x1 < west ? x2 < west : x1 > east && x2 > east) return false;
  return !(y1 < south ? y2 < south : y1 > north && y2 > north);
}

/** Whether the corners of a box lie on both sides of an edge, or on it. */
function isOnBothSides(
  ends: Float64Array,
  at: number,
  [west, south, east, north]: readonly [number, number, number, number],
): boolean {
  const sides = [
    turnOf(ends, at, west, south),
    turnOf(ends, at, east, south),
    turnOf(ends, at, east, north),
    turnOf(ends, at, west, north),
  ];
  return !(sides.every((side) => side > 0) || sides.every((side) => side < 0));
}
