import type { Level } from '../store.ts';
import { type Cell, type EdgeSet, INSIDE, LEVEL_SETS } from './cells.ts';
import { cornerOf } from './grid.ts';

// The bytes of a cell. `scripts/pipeline/snapshot/encode-cell.ts` writes them. Whole numbers are LEB128 varints unless
// something else is stated; lists are ascending, and all but the first of their numbers stand as differences.
//
//   format, cell
//   for every set of levels:
//     per level: number of areas
//     per area: row; 2 · number of steps + base; steps north of the cell's southern line
//     number of borders; per border, which is a list of areas that have edges in common: number of areas, areas
//     number of arcs; per arc, which is a chain of edges of one border: 2 · edges + 1 where it begins at the last
//       vertex of the arc before, border
//     number of vertices
//     vertices' longitudes, then latitudes: differences to the vertex before, the first to the cell's corner; signs in
//       the lowest bit; all lowest bytes, then all second, third, fourth bytes, which packs better than varints do
//
// Longest arcs are cut into pieces when they are read.

export const CELL_FORMAT = 1;

/** Edges of a piece, at most: few enough that most of a cell is passed over, enough that boxes take little memory. */
const PIECE_EDGES = 32;

/** Approximate bytes that a typed array takes besides its elements. */
const ARRAY_OVERHEAD = 160;

/** Pieces of all areas of a cell together, at most: every area of a border has those of the border. */
const MAX_PIECES = 1 << 20;

/**
 * Reads a cell.
 *
 * @param bytes as inflated
 * @throws RangeError for bytes that are no cell
 */
export function decodeCell(bytes: Uint8Array): Cell {
  const input = new Input(bytes);
  if (input.next() !== CELL_FORMAT) throw new RangeError('Not a cell in the format that is read here');
  const number = input.next();
  const levels: Partial<Record<Level, { edges: EdgeSet; from: number; to: number }>> = {};
  let byteLength = 0;
  for (const set of LEVEL_SETS) {
    const ends: number[] = [];
    for (const _ of set) ends.push((ends.at(-1) ?? 0) + input.count());
    const edges = readEdges(input, cornerOf(number), ends.at(-1) ?? 0);
    for (const [i, level] of set.entries()) levels[level] = { edges, from: ends[i - 1] ?? 0, to: ends[i] ?? 0 };
    byteLength += memoryOf(edges);
  }
  if (!input.atEnd) throw new RangeError('A cell is followed by other bytes');
  return { number, byteLength, levels: levels as Cell['levels'] };
}

function memoryOf(edges: EdgeSet): number {
  let bytes = 0;
  for (const value of Object.values(edges)) if (ArrayBuffer.isView(value)) bytes += value.byteLength + ARRAY_OVERHEAD;
  return bytes;
}

function readEdges(input: Input, corner: { west: number; south: number }, areas: number): EdgeSet {
  const { rows, inside, stepOffset, steps } = readAreas(input, areas, corner.south);
  const borders = readBorders(input, areas);
  const arcs = readArcs(input, borders.length);
  const { xs, ys } = readVertices(input, corner, arcs.vertices);
  const { pieceStart, pieceEnd, pieceBox, pieceBorder } = cut(arcs, xs, ys);
  const { pieceOffset, pieces } = piecesOf(pieceBorder, borders, areas);
  const edges: EdgeSet = {
    xs,
    ys,
    pieceStart,
    pieceEnd,
    pieceBox,
    rows,
    inside,
    stepOffset,
    steps,
    pieceOffset,
    pieces,
    areaBox: new Int32Array(4 * areas),
  };
  for (let area = 0; area < areas; area++) surround(edges, area, corner.south);
  return edges;
}

/** Rows of areas, which side of their edges is inside, and their steps. */
function readAreas(input: Input, areas: number, south: number) {
  const rows = new Uint16Array(areas);
  const inside = new Uint8Array(areas);
  const stepOffset = new Int32Array(areas + 1);
  const steps: number[] = [];
  let row = 0;
  for (let area = 0; area < areas; area++) {
    row += input.next();
    if (row > 0xffff) throw new RangeError('A cell has a row beyond 65,535');
    rows[area] = row;
    const head = input.next();
    if (head & 1) inside[area] = INSIDE.base;
    for (let i = head >>> 1, step = south; i > 0; i--) {
      step += input.next();
      steps.push(step);
    }
    stepOffset[area + 1] = steps.length;
  }
  return { rows, inside, stepOffset, steps: Int32Array.from(steps) };
}

/** Areas of every border. */
function readBorders(input: Input, areas: number): number[][] {
  const borders: number[][] = [];
  for (let left = input.count(); left > 0; left--) {
    const border: number[] = [];
    let area = 0;
    for (let i = input.count(); i > 0; i--) {
      area += input.next();
      if (area >= areas) throw new RangeError('A border of a cell names an area that is not there');
      border.push(area);
    }
    borders.push(border);
  }
  return borders;
}

interface Arcs {
  /** Per arc: its first and last vertex, and its border. */
  start: number[];
  end: number[];
  border: number[];
  vertices: number;
}

function readArcs(input: Input, borders: number): Arcs {
  const arcs: Arcs = { start: [], end: [], border: [], vertices: 0 };
  for (let left = input.count(); left > 0; left--) {
    const head = input.next();
    const length = head >>> 1;
    const border = input.next();
    if (length === 0 || border >= borders) throw new RangeError('A cell has an arc of no edges or no border');
    if ((head & 1) === 0) arcs.vertices++;
    if (arcs.vertices === 0) throw new RangeError('The first arc of a cell begins nowhere');
    arcs.start.push(arcs.vertices - 1);
    arcs.vertices += length;
    arcs.end.push(arcs.vertices - 1);
    arcs.border.push(border);
  }
  if (input.next() !== arcs.vertices) throw new RangeError('A cell has more or less vertices than its arcs');
  return arcs;
}

function readVertices(input: Input, corner: { west: number; south: number }, count: number) {
  const bytes = input.take(8 * count);
  const xs = sums(bytes, 0, { count, origin: corner.west });
  const ys = sums(bytes, 4 * count, { count, origin: corner.south });
  return { xs, ys };
}

/** Running sums of differences that stand in four planes of bytes. */
function sums(bytes: Uint8Array, at: number, { count, origin }: { count: number; origin: number }): Int32Array {
  const values = new Int32Array(count);
  let value = origin;
  for (let i = 0, a = at, b = a + count, c = b + count, d = c + count; i < count; i++, a++, b++, c++, d++) {
    const coded =
      ((bytes[a] as number) |
        ((bytes[b] as number) << 8) |
        ((bytes[c] as number) << 16) |
        ((bytes[d] as number) << 24)) >>>
      0;
    value += (coded >>> 1) ^ -(coded & 1);
    values[i] = value;
  }
  return values;
}

/** Cuts arcs into pieces. */
function cut(arcs: Arcs, xs: Int32Array, ys: Int32Array) {
  let count = 0;
  for (const [arc, start] of arcs.start.entries())
    count += Math.ceil(((arcs.end[arc] as number) - start) / PIECE_EDGES);
  const pieceStart = new Int32Array(count);
  const pieceEnd = new Int32Array(count);
  const pieceBox = new Int32Array(4 * count);
  const pieceBorder = new Int32Array(count);
  let piece = 0;
  for (const [arc, first] of arcs.start.entries()) {
    const last = arcs.end[arc] as number;
    for (let start = first; start < last; start += PIECE_EDGES, piece++) {
      const end = Math.min(start + PIECE_EDGES, last);
      pieceStart[piece] = start;
      pieceEnd[piece] = end;
      pieceBorder[piece] = arcs.border[arc] as number;
      let west = xs[start] as number;
      let south = ys[start] as number;
      let east = west;
      let north = south;
      for (let i = start + 1; i <= end; i++) {
        const x = xs[i] as number;
        const y = ys[i] as number;
        if (x < west) west = x;
        else if (x > east) east = x;
        if (y < south) south = y;
        else if (y > north) north = y;
      }
      pieceBox.set([west, south, east, north], 4 * piece);
    }
  }
  return { pieceStart, pieceEnd, pieceBox, pieceBorder };
}

/** The pieces of every area, from the areas of every border. */
function piecesOf(pieceBorder: Int32Array, borders: readonly (readonly number[])[], areas: number) {
  const pieceOffset = new Int32Array(areas + 1);
  let total = 0;
  for (const border of pieceBorder) {
    total += (borders[border] as readonly number[]).length;
    if (total > MAX_PIECES) throw new RangeError('A cell has too many pieces');
    for (const area of borders[border] as readonly number[]) (pieceOffset[area + 1] as number)++;
  }
  for (let area = 0; area < areas; area++) (pieceOffset[area + 1] as number) += pieceOffset[area] as number;
  const pieces = new Int32Array(pieceOffset[areas] as number);
  const next = pieceOffset.slice();
  for (const [piece, border] of pieceBorder.entries()) {
    for (const area of borders[border] as readonly number[]) pieces[(next[area] as number)++] = piece;
  }
  return { pieceOffset, pieces };
}

/**
 * Sets the box of an area's edges, and whether what lies south and east of that box is inside the area. Such a part of
 * the cell has no edges in it, so one answer is right for all of it.
 */
function surround(edges: EdgeSet, area: number, south: number): void {
  const { ys, pieceStart, pieceEnd, pieceBox, pieces, pieceOffset, stepOffset, inside, areaBox } = edges;
  const box = [0x7fffffff, 0x7fffffff, -0x80000000, -0x80000000];
  const steps = (stepOffset[area + 1] as number) - (stepOffset[area] as number);
  const southInside = ((inside[area] as number) & INSIDE.base) !== (steps & 1);
  let eastInside = southInside;
  for (let i = pieceOffset[area] as number; i < (pieceOffset[area + 1] as number); i++) {
    const piece = pieces[i] as number;
    for (const side of [0, 1] as const) box[side] = Math.min(box[side] as number, pieceBox[4 * piece + side] as number);
    for (const side of [2, 3] as const) box[side] = Math.max(box[side] as number, pieceBox[4 * piece + side] as number);
    const below = south < (ys[pieceStart[piece] as number] as number);
    if (below !== south < (ys[pieceEnd[piece] as number] as number)) eastInside = !eastInside;
  }
  areaBox.set(box, 4 * area);
  inside[area] =
    ((inside[area] as number) & INSIDE.base) | (southInside ? INSIDE.south : 0) | (eastInside ? INSIDE.east : 0);
}

/** Reads numbers from bytes. */
class Input {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The next varint, below 2^31. */
  next(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('A cell is cut short');
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value > 0x7fffffff) break;
        return value;
      }
    }
    throw new RangeError('A cell has a number that is too large');
  }

  /** The next varint, as a number of things that follow: each takes a byte at least. */
  count(): number {
    const count = this.next();
    if (count > this.#bytes.length - this.#at) throw new RangeError('A cell is cut short');
    return count;
  }

  /** The next bytes. */
  take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw new RangeError('A cell is cut short');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
