import { joinBytes } from '../bytes.ts';
import { type Column, LayerChanged, type Value } from './columns.ts';
import { type Box, boxOf, type Shape, unionOf } from './shapes.ts';

// The files of a Shapefile of polygons (ESRI Shapefile Technical Description, 1998) and its table in dBASE III.

const HEADER_BYTES = 100;
const RECORD_HEADER_BYTES = 8;
/** The number of the type of polygons. */
const POLYGON = 5;

/** WGS 84 as readers of `.prj` expect it. */
export const SHAPEFILE_CRS =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

/**
 * Measures the polygons of a Shapefile. Its first bytes have its length and extent, so polygons are measured before the
 * first one is written.
 */
export class PolygonMeasure {
  /** Bytes of each record without its header. */
  readonly #lengths: number[] = [];
  #extent: Box | undefined;

  add(shape: Shape): void {
    const box = boxOf(shape) as Box;
    this.#extent = this.#extent ? unionOf([this.#extent, box]) : box;
    this.#lengths.push(contentBytes(ringsOf(shape)));
  }

  /** The first bytes of the `.shp`. */
  head(): Uint8Array {
    return headOf(
      this.#lengths.reduce((sum, length) => sum + RECORD_HEADER_BYTES + length, HEADER_BYTES),
      this.#extent,
    );
  }

  /** The `.shx`: where each record of the `.shp` begins, and its length. */
  index(): Uint8Array {
    const records = new DataView(new ArrayBuffer(RECORD_HEADER_BYTES * this.#lengths.length));
    let at = HEADER_BYTES;
    for (const [i, length] of this.#lengths.entries()) {
      setWords(records, RECORD_HEADER_BYTES * i, [at, length]);
      at += RECORD_HEADER_BYTES + length;
    }
    return joinBytes([headOf(HEADER_BYTES + records.byteLength, this.#extent), new Uint8Array(records.buffer)]);
  }

  /**
   * The record of a polygon in the `.shp`.
   *
   * @param i its number, from 0
   * @throws LayerChanged if it is not as it was measured
   */
  record(shape: Shape, i: number): Uint8Array {
    const rings = ringsOf(shape);
    const length = contentBytes(rings);
    if (this.#lengths[i] !== length) throw new LayerChanged('A Shapefile got another polygon than was measured');
    const view = new DataView(new ArrayBuffer(RECORD_HEADER_BYTES + length));
    view.setInt32(0, i + 1);
    setWords(view, 4, [length]);
    view.setInt32(8, POLYGON, true);
    setNumbers(view, 12, boxOf(shape) as Box);
    view.setInt32(44, rings.length, true);
    view.setInt32(48, positionsOf(rings), true);
    let position = 0;
    let at = 52 + 4 * rings.length;
    for (const [part, ring] of rings.entries()) {
      view.setInt32(52 + 4 * part, position, true);
      position += ring.length / 2;
      // Shells of a Shapefile are clockwise and holes counterclockwise, the other way round than those of GeoJSON.
      for (let from = ring.length - 2; from >= 0; from -= 2) {
        view.setFloat64(at, ring[from] as number, true);
        view.setFloat64(at + 8, ring[from + 1] as number, true);
        at += 16;
      }
    }
    return new Uint8Array(view.buffer);
  }
}

function ringsOf({ runs, parts }: Shape): readonly Float64Array[] {
  return [...runs, ...parts.flatMap(ringsOf)];
}

function positionsOf(rings: readonly Float64Array[]): number {
  return rings.reduce((sum, ring) => sum + ring.length / 2, 0);
}

function contentBytes(rings: readonly Float64Array[]): number {
  return 44 + 4 * rings.length + 16 * positionsOf(rings);
}

function headOf(bytes: number, extent: Box | undefined): Uint8Array {
  const view = new DataView(new ArrayBuffer(HEADER_BYTES));
  view.setInt32(0, 9994);
  setWords(view, 24, [bytes]);
  view.setInt32(28, 1000, true);
  view.setInt32(32, POLYGON, true);
  if (extent) setNumbers(view, 36, extent);
  return new Uint8Array(view.buffer);
}

/** Writes numbers of bytes as numbers of words of 16 bits, big-endian. */
function setWords(view: DataView, at: number, bytes: readonly number[]): void {
  for (const [i, count] of bytes.entries()) view.setInt32(at + 4 * i, count / 2);
}

function setNumbers(view: DataView, at: number, numbers: readonly number[]): void {
  for (const [i, value] of numbers.entries()) view.setFloat64(at + 8 * i, value, true);
}

/** Max bytes of a text. */
const MAX_TEXT = 254;
/** Digits of an integer with its sign, and of a number with its point. */
const INTEGER_WIDTH = 11;
const NUMBER_WIDTH = 20;
/** Decimals of a number: microdegrees, and square metres of a square kilometre. */
const DECIMALS = 6;

const encoder = new TextEncoder();

/**
 * The table of a Shapefile (`.dbf`), whose texts are UTF-8, as a `.cpg` says. A missing value is blank.
 *
 * @param columns with names of at most ten characters of ASCII; of the types text, integer and number
 * @param rows read twice: for the widths of texts, and to be written
 */
export function* dbaseChunks(
  columns: readonly Column[],
  rows: readonly (readonly Value[])[],
  changed: Date,
): Generator<Uint8Array> {
  const widths = columns.map(({ type }, i) => {
    if (type === 'integer') return INTEGER_WIDTH;
    if (type === 'number') return NUMBER_WIDTH;
    const longest = rows.reduce((most, row) => Math.max(most, encoder.encode(String(row[i] ?? '')).length), 1);
    return Math.min(longest, MAX_TEXT);
  });
  const rowBytes = widths.reduce((sum, width) => sum + width, 1);
  const head = new Uint8Array(32 * (columns.length + 1) + 1);
  const view = new DataView(head.buffer);
  head.set([3, changed.getUTCFullYear() - 1900, changed.getUTCMonth() + 1, changed.getUTCDate()]);
  view.setUint32(4, rows.length, true);
  view.setUint16(8, head.length, true);
  view.setUint16(10, rowBytes, true);
  for (const [i, { name, type }] of columns.entries()) {
    const at = 32 * (i + 1);
    encoder.encodeInto(name, head.subarray(at, at + 10));
    head[at + 11] = (type === 'text' ? 'C' : 'N').charCodeAt(0);
    head[at + 16] = widths[i] as number;
    head[at + 17] = type === 'number' ? DECIMALS : 0;
  }
  head[head.length - 1] = 0x0d;
  yield head;
  for (const row of rows) {
    const bytes = new Uint8Array(rowBytes).fill(0x20);
    let at = 1;
    for (const [i, { type }] of columns.entries()) {
      const width = widths[i] as number;
      const field = bytes.subarray(at, at + width);
      const value = row[i] ?? null;
      if (typeof value === 'number') {
        encoder.encodeInto((type === 'number' ? value.toFixed(DECIMALS) : String(value)).padStart(width), field);
      } else if (value !== null) encoder.encodeInto(String(value), field);
      at += width;
    }
    yield bytes;
  }
  yield Uint8Array.of(0x1a);
}
