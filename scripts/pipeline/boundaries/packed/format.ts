import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Arc, Topology } from '../topology/arcs.ts';
import { RANKS, type Unit } from '../topology/country.ts';

// The borders of a country in one file: brotli around a header of JSON and columns of numbers.
//
// header   length (uint32, little endian), then JSON: the codes of every unit, one text per level, and the counts
// arcs     per arc: unit on the left, unit on the right (-1 is none, so 1 is added), number of vertices
// vertices per arc: its first vertex as the difference to the first one of the arc before, then the differences from
//          vertex to vertex, in microdegrees
// ranks    per vertex of an arc: in which coarser borders it is
//
// Numbers are stored plane by plane, the lowest bytes of all of them first, because brotli packs each plane for itself.
// Differences are zigzag coded: 0, -1, 1, -2 become 0, 1, 2, 3.

/** Bits of the rank of a vertex: the coarser borders that it is a vertex of. */
export const IN_MEDIUM = 1;
export const IN_SIMPLE = 2;
/** Simple borders of cities and municipalities, provinces and regions. */
export const IN_UPPER = 4;

/** Borders of land that belongs to the same area at every level. */
export interface PackedCountry {
  /** What the sides of arcs are indexes of. */
  readonly units: readonly Unit[];
  /** The detailed borders. Ends of arcs that meet are one vertex. */
  readonly detailed: Topology;
  /** Per vertex: in which coarser borders it is. */
  readonly ranks: Uint8Array;
}

interface Header {
  readonly format: 1;
  readonly units: Readonly<Record<keyof Unit, string>>;
  readonly arcs: number;
  readonly vertices: number;
}

const FORMAT = 1;

/** Packs the borders of a country. Takes some seconds for each megabyte. */
export function packCountry({ units, detailed, ranks }: PackedCountry): Uint8Array {
  const { xs, ys, arcs } = detailed;
  const [lefts, rights, lengths]: [number[], number[], number[]] = [[], [], []];
  const [dx, dy, all]: [number[], number[], number[]] = [[], [], []];
  let [startX, startY] = [0, 0];
  for (const { path, left, right } of arcs) {
    lefts.push(left + 1);
    rights.push(right + 1);
    lengths.push(path.length);
    let [x, y] = [startX, startY];
    for (const [i, vertex] of path.entries()) {
      const [nextX, nextY] = [xs[vertex] as number, ys[vertex] as number];
      if (i === 0) [startX, startY] = [nextX, nextY];
      dx.push(zigzag(nextX - x));
      dy.push(zigzag(nextY - y));
      [x, y] = [nextX, nextY];
      all.push(ranks[vertex] as number);
    }
  }
  const header: Header = {
    format: FORMAT,
    units: Object.fromEntries(
      RANKS.map((level) => [level, units.map((unit) => unit[level] ?? '').join(' ')]),
    ) as Header['units'],
    arcs: arcs.length,
    vertices: dx.length,
  };
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const bytes = Buffer.concat([
    length,
    text,
    planesOf(lefts, 3),
    planesOf(rights, 3),
    planesOf(lengths, 3),
    planesOf(dx, 4),
    planesOf(dy, 4),
    Uint8Array.from(all),
  ]);
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function planesOf(values: readonly number[], width: number): Uint8Array {
  const planes = new Uint8Array(values.length * width);
  for (const [i, value] of values.entries()) {
    for (let plane = 0, rest = value; plane < width; plane += 1, rest = Math.floor(rest / 256)) {
      planes[plane * values.length + i] = rest % 256;
    }
  }
  return planes;
}

/**
 * Opens packed borders.
 *
 * @throws Error if the bytes have another format
 */
export function unpackCountry(packed: Uint8Array): PackedCountry {
  const bytes = brotliDecompressSync(packed);
  const length = bytes.readUInt32LE(0);
  const header = JSON.parse(bytes.toString('utf8', 4, 4 + length)) as Header;
  if (header.format !== FORMAT) throw new Error(`The borders have the format ${header.format}, not ${FORMAT}.`);
  const { arcs: arcCount, vertices: count } = header;
  let at = 4 + length;
  const take = (values: number, width: number) => {
    const start = at;
    at += values * width;
    const numbers = new Int32Array(values);
    for (let plane = width - 1; plane >= 0; plane -= 1) {
      const from = start + plane * values;
      for (let i = 0; i < values; i += 1) numbers[i] = ((numbers[i] as number) << 8) | (bytes[from + i] as number);
    }
    return numbers;
  };
  const [lefts, rights, lengths] = [take(arcCount, 3), take(arcCount, 3), take(arcCount, 3)];
  const [dx, dy] = [take(count, 4), take(count, 4)];
  if (at + count !== bytes.length) throw new Error(`The borders have ${bytes.length} bytes in place of ${at + count}.`);
  const [xs, ys, ranks] = [new Int32Array(count), new Int32Array(count), new Uint8Array(count)];
  const ends = new Map<number, number>();
  let vertices = 0;
  const add = (x: number, y: number, rank: number) => {
    xs[vertices] = x;
    ys[vertices] = y;
    ranks[vertices] = rank;
    return vertices++;
  };
  const addEnd = (x: number, y: number, rank: number) => {
    const key = x * 2 ** 26 + y;
    const existing = ends.get(key);
    if (existing !== undefined) return existing;
    const vertex = add(x, y, rank);
    ends.set(key, vertex);
    return vertex;
  };
  const arcs: Arc[] = [];
  let [startX, startY] = [0, 0];
  for (let arc = 0, next = 0; arc < arcCount; arc += 1) {
    const size = lengths[arc] as number;
    const path = new Array<number>(size);
    let [x, y] = [startX, startY];
    for (let i = 0; i < size; i += 1, next += 1) {
      x += unzigzag(dx[next] as number);
      y += unzigzag(dy[next] as number);
      if (i === 0) [startX, startY] = [x, y];
      const rank = bytes[at + next] as number;
      path[i] = i === 0 || i === size - 1 ? addEnd(x, y, rank) : add(x, y, rank);
    }
    arcs.push({ path, left: (lefts[arc] as number) - 1, right: (rights[arc] as number) - 1 });
  }
  const codes = RANKS.map((level) => [level, header.units[level].split(' ')] as const);
  const units = (codes[0]?.[1] ?? []).map(
    (_, i) => Object.fromEntries(codes.map(([level, texts]) => [level, texts[i] || null])) as unknown as Unit,
  );
  return {
    units,
    detailed: { xs: xs.subarray(0, vertices), ys: ys.subarray(0, vertices), arcs },
    ranks: ranks.subarray(0, vertices),
  };
}

function unzigzag(coded: number): number {
  return (coded >>> 1) ^ -(coded & 1);
}
