import { joinBytes } from '../bytes.ts';
import { LayerChanged } from './columns.ts';
import { type Box, boxOf, type Shape, unionOf } from './shapes.ts';

// The files of a Shapefile (ESRI Shapefile Technical Description, 1998). Its table is in dbase.ts.

const HEADER_BYTES = 100;
const RECORD_HEADER_BYTES = 8;

/** The numbers of the types of layers. Each has shapes of one of them. */
const LAYER_TYPES = { points: 1, lines: 3, polygons: 5, multipoints: 8 } as const;

export type LayerType = keyof typeof LAYER_TYPES;

/** The layer that shapes of a type are in. There is none for collections. */
export const LAYER_OF: Readonly<Record<Shape['type'], LayerType | undefined>> = {
  Point: 'points',
  MultiPoint: 'multipoints',
  LineString: 'lines',
  MultiLineString: 'lines',
  Polygon: 'polygons',
  MultiPolygon: 'polygons',
  GeometryCollection: undefined,
};

/** WGS 84 as readers of `.prj` expect it. */
export const SHAPEFILE_CRS =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

/**
 * The shapes of a Shapefile, without heights. Its first bytes have its length and extent, so all shapes are added before the
 * first one is written.
 */
export class ShapefileShapes {
  readonly #type: LayerType;
  /** Bytes of each record without its header. */
  readonly #lengths: number[] = [];
  #bytes = HEADER_BYTES;
  #extent: Box | undefined;

  constructor(type: LayerType) {
    this.#type = type;
  }

  /** @param shape of the layer's type, or null */
  add(shape: Shape | null): void {
    const box = shape && boxOf(shape);
    if (box) this.#extent = this.#extent ? unionOf([this.#extent, box]) : box;
    const length = this.#contentBytes(box && shape);
    this.#lengths.push(length);
    this.#bytes += RECORD_HEADER_BYTES + length;
  }

  get count(): number {
    return this.#lengths.length;
  }

  /** How long the `.shp` and the `.shx` are together. */
  get bytes(): number {
    return this.#bytes + HEADER_BYTES + RECORD_HEADER_BYTES * this.count;
  }

  /** The first bytes of the `.shp`. */
  head(): Uint8Array {
    return this.#head(this.#bytes);
  }

  /** The `.shx`: where each record of the `.shp` begins, and its length. */
  index(): Uint8Array {
    const records = new DataView(new ArrayBuffer(RECORD_HEADER_BYTES * this.#lengths.length));
    let at = HEADER_BYTES;
    for (const [i, length] of this.#lengths.entries()) {
      setWords(records, RECORD_HEADER_BYTES * i, [at, length]);
      at += RECORD_HEADER_BYTES + length;
    }
    return joinBytes([this.#head(HEADER_BYTES + records.byteLength), new Uint8Array(records.buffer)]);
  }

  /**
   * The record of a shape in the `.shp`.
   *
   * @param i its number, from 0
   * @throws LayerChanged if it is not as it was added
   */
  record(shape: Shape | null, i: number): Uint8Array {
    const box = shape && boxOf(shape);
    const length = this.#contentBytes(box && shape);
    if (this.#lengths[i] !== length) throw new LayerChanged('A Shapefile got another shape than was measured');
    const view = new DataView(new ArrayBuffer(RECORD_HEADER_BYTES + length));
    view.setInt32(0, i + 1);
    setWords(view, 4, [length]);
    // A feature without a geometry has the type 0 and nothing more.
    if (!shape || !box) return new Uint8Array(view.buffer);
    view.setInt32(8, LAYER_TYPES[this.#type], true);
    const runs = runsOf(shape);
    if (this.#type === 'points') setPositions(view, 12, runs[0] as Run);
    else {
      setNumbers(view, 12, box);
      if (this.#type === 'multipoints') {
        view.setInt32(44, positionsOf(runs), true);
        setPositions(view, 48, runs[0] as Run);
      } else setParts(view, 44, runs);
    }
    return new Uint8Array(view.buffer);
  }

  #contentBytes(shape: Shape | null): number {
    if (!shape) return 4;
    if (this.#type === 'points') return 20;
    const runs = runsOf(shape);
    const parts = this.#type === 'multipoints' ? 0 : 4 + 4 * runs.length;
    return 40 + parts + 16 * positionsOf(runs);
  }

  #head(bytes: number): Uint8Array {
    const view = new DataView(new ArrayBuffer(HEADER_BYTES));
    view.setInt32(0, 9994);
    setWords(view, 24, [bytes]);
    view.setInt32(28, 1000, true);
    view.setInt32(32, LAYER_TYPES[this.#type], true);
    if (this.#extent) setNumbers(view, 36, this.#extent);
    return new Uint8Array(view.buffer);
  }
}

/** Positions that belong together. */
interface Run {
  readonly numbers: Float64Array;
  readonly dimensions: number;
  /** Whether they are written from the last to the first. */
  readonly isReversed: boolean;
}

function runsOf({ type, runs, parts, dimensions }: Shape): readonly Run[] {
  if (parts.length > 0) return parts.flatMap(runsOf);
  return runs.map((numbers, i) => {
    // Shells of a Shapefile are clockwise and holes counterclockwise. Those of GeoJSON should be the other way round.
    const isReversed = type === 'Polygon' && isCounterclockwise(numbers, dimensions) === (i === 0);
    return { numbers, dimensions, isReversed };
  });
}

function isCounterclockwise(ring: Float64Array, dimensions: number): boolean {
  const [x0, y0] = [ring[0] as number, ring[1] as number];
  let doubled = 0;
  for (let i = dimensions; i < ring.length; i += dimensions) {
    const [ax, ay] = [(ring[i - dimensions] as number) - x0, (ring[i - dimensions + 1] as number) - y0];
    const [bx, by] = [(ring[i] as number) - x0, (ring[i + 1] as number) - y0];
    doubled += ax * by - bx * ay;
  }
  return doubled > 0;
}

function positionsOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { numbers, dimensions }) => sum + numbers.length / dimensions, 0);
}

/** Writes the numbers of parts and positions, where each part begins, and the positions. */
function setParts(view: DataView, start: number, runs: readonly Run[]): void {
  view.setInt32(start, runs.length, true);
  view.setInt32(start + 4, positionsOf(runs), true);
  const positions = start + 8 + 4 * runs.length;
  let position = 0;
  for (const [part, run] of runs.entries()) {
    view.setInt32(start + 8 + 4 * part, position, true);
    setPositions(view, positions + 16 * position, run);
    position += run.numbers.length / run.dimensions;
  }
}

function setPositions(view: DataView, start: number, { numbers, dimensions, isReversed }: Run): void {
  const count = numbers.length / dimensions;
  for (let i = 0; i < count; i += 1) {
    const from = dimensions * (isReversed ? count - 1 - i : i);
    setNumbers(view, start + 16 * i, [numbers[from] as number, numbers[from + 1] as number]);
  }
}

/** Writes numbers of bytes as numbers of words of 16 bits, big-endian. */
function setWords(view: DataView, at: number, bytes: readonly number[]): void {
  for (const [i, count] of bytes.entries()) view.setInt32(at + 4 * i, count / 2);
}

function setNumbers(view: DataView, at: number, numbers: readonly number[]): void {
  for (const [i, value] of numbers.entries()) view.setFloat64(at + 8 * i, value, true);
}
