import { type Box, unionOf } from '../../../src/layer-files/shapes.ts';

/** Cells of the curve in each direction. */
const CELLS = 2 ** 16 - 1;

/**
 * The order of boxes along a Hilbert curve by their middles, from its end to its beginning, as FlatGeobuf packs its
 * index: what lies together stands together.
 *
 * @returns indices of the boxes
 */
export function hilbertOrder(boxes: readonly Box[]): number[] {
  const [west, south, east, north] = unionOf(boxes);
  const cell = (middle: number, low: number, high: number) =>
    high === low ? 0 : Math.floor((CELLS * (middle - low)) / (high - low));
  const places = boxes.map((box) =>
    hilbert(cell((box[0] + box[2]) / 2, west, east), cell((box[1] + box[3]) / 2, south, north)),
  );
  return boxes.map((_, i) => i).sort((a, b) => (places[b] as number) - (places[a] as number) || a - b);
}

/**
 * The distance of a cell along the curve. Based on the public-domain code at https://github.com/rawrunprotected/hilbert_curves
 *
 * @param x column, 0 to 2^16 - 1
 * @param y row, the same
 */
function hilbert(x: number, y: number): number {
  let a = x ^ y;
  let b = 0xffff ^ a;
  let c = 0xffff ^ (x | y);
  let d = x & (y ^ 0xffff);
  let [A, B, C, D] = [a | (b >> 1), (a >> 1) ^ a, (c >> 1) ^ (b & (d >> 1)) ^ c, (a & (c >> 1)) ^ (d >> 1) ^ d];
  for (const shift of [2, 4]) {
    [a, b, c, d] = [A, B, C, D];
    A = (a & (a >> shift)) ^ (b & (b >> shift));
    B = (a & (b >> shift)) ^ (b & ((a ^ b) >> shift));
    C ^= (a & (c >> shift)) ^ (b & (d >> shift));
    D ^= (b & (c >> shift)) ^ ((a ^ b) & (d >> shift));
  }
  [a, b, c, d] = [A, B, C, D];
  C ^= (a & (c >> 8)) ^ (b & (d >> 8));
  D ^= (b & (c >> 8)) ^ ((a ^ b) & (d >> 8));
  a = C ^ (C >> 1);
  b = D ^ (D >> 1);
  const i0 = x ^ y;
  const i1 = b | (0xffff ^ (i0 | a));
  return ((spread(i1) << 1) | spread(i0)) >>> 0;
}

/** The bits of 16 with a zero before each. */
function spread(bits: number): number {
  let spaced = bits & 0xffff;
  spaced = (spaced | (spaced << 8)) & 0x00ff00ff;
  spaced = (spaced | (spaced << 4)) & 0x0f0f0f0f;
  spaced = (spaced | (spaced << 2)) & 0x33333333;
  return (spaced | (spaced << 1)) & 0x55555555;
}
