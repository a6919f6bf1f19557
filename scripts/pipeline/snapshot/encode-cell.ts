import { CELL_FORMAT } from '../../../src/areas/snapshot/decode-cell.ts';
import { cornerOf } from '../../../src/areas/snapshot/grid.ts';
import { arcsOf } from './arcs.ts';

// Writes cells in the format that `src/areas/snapshot/decode-cell.ts` describes and reads.

/** The edges of one set of levels in a cell. Coordinates are whole microdegrees. */
export interface CellEdges {
  /** Numbers: for every edge its ends x, y, x, y and the row of its area. Rows ascend. */
  readonly edges: Int32Array;
  /** Numbers: for every step its row and latitude. Rows ascend. */
  readonly steps: readonly number[];
  /** Rows of the areas for which edges that are not here lie west of the cell's corner an odd number of times. */
  readonly covered: ReadonlySet<number>;
}

/** The bytes that stand at the beginning of a cell. */
export function encodeHead(cell: number): Uint8Array {
  const output: number[] = [];
  push(output, CELL_FORMAT);
  push(output, cell);
  return Uint8Array.from(output);
}

/**
 * The bytes of one set of levels in a cell.
 *
 * @param ends per level of the set: the row after its last
 */
export function encodeEdges(cell: number, { edges, steps, covered }: CellEdges, ends: readonly number[]): Uint8Array {
  const corner = cornerOf(cell);
  const present = new Set(covered);
  for (let i = 4; i < edges.length; i += 5) present.add(edges[i] as number);
  const rows = [...present].sort((a, b) => a - b);
  const indexes = new Map(rows.map((row, index) => [row, index]));
  const output: number[] = [];
  for (const [i, end] of ends.entries()) {
    push(output, rows.filter((row) => row < end && row >= (ends[i - 1] ?? 0)).length);
  }
  const stepsOf = stepsByRow(steps);
  for (const [i, row] of rows.entries()) {
    push(output, row - (rows[i - 1] ?? 0));
    const latitudes = stepsOf.get(row) ?? [];
    // A reader flips base for every step north of the point. At the corner these are all steps, so base is flipped as often here.
    const base = covered.has(row) !== (latitudes.length % 2 === 1);
    push(output, 2 * latitudes.length + Number(base));
    for (const [j, y] of latitudes.entries()) push(output, y - (latitudes[j - 1] ?? corner.south));
  }

  const { borders, arcs } = arcsOf(edges, indexes);
  push(output, borders.length);
  for (const border of borders) {
    push(output, border.length);
    for (const [i, area] of border.entries()) push(output, area - (border[i - 1] ?? 0));
  }
  push(output, arcs.length);
  const xs: number[] = [];
  const ys: number[] = [];
  for (const { path, border } of arcs) {
    const continues = xs.length > 0 && path[0] === xs.at(-1) && path[1] === ys.at(-1);
    push(output, 2 * (path.length / 2 - 1) + Number(continues));
    push(output, border);
    for (let i = continues ? 2 : 0; i < path.length; i += 2) {
      xs.push(path[i] as number);
      ys.push(path[i + 1] as number);
    }
  }
  push(output, xs.length);
  return Buffer.concat([Uint8Array.from(output), planes(xs, corner.west), planes(ys, corner.south)]);
}

/** Latitudes of steps by row, in ascending order. */
function stepsByRow(steps: readonly number[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (let i = 0; i < steps.length; i += 2) {
    const row = steps[i] as number;
    const latitudes = found.get(row) ?? [];
    found.set(row, latitudes);
    latitudes.push(steps[i + 1] as number);
  }
  for (const latitudes of found.values()) latitudes.sort((a, b) => a - b);
  return found;
}

/** Appends a whole number below 2^31 in groups of seven bits, the lowest first. */
function push(output: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    output.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  output.push(rest);
}

/** The differences of values, signs in the lowest bit: all lowest bytes, then all second, third and fourth bytes. */
function planes(values: readonly number[], origin: number): Uint8Array {
  const count = values.length;
  const bytes = new Uint8Array(4 * count);
  let before = origin;
  for (const [i, value] of values.entries()) {
    const difference = value - before;
    const coded = (difference << 1) ^ (difference >> 31);
    for (let plane = 0; plane < 4; plane++) bytes[plane * count + i] = coded >>> (8 * plane);
    before = value;
  }
  return bytes;
}
