import { joinBytes } from '../bytes.ts';
import { LayerChanged } from './columns.ts';
import { type Box, boxOf, type Shape, unionOf } from './shapes.ts';

// The files of a Shapefile (ESRI Shapefile Technical Description, 1998). Its table is in dbase.ts.

const HEADER_BYTES = 100;
const RECORD_HEADER_BYTES = 8;

/** The numbers of the types of layers without heights. Each has shapes of one of them. */
const LAYER_TYPES = { points: 1, lines: 3, polygons: 5, multipoints: 8 } as const;
/** What is added to the number of a type for its layers with heights. */
const WITH_HEIGHTS = 10;
/** Numbers below -10^38 stand for measures that are not known. */
const NO_MEASURE = -1e39;

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
 * The shapes of a Shapefile. Its first bytes have its type, length and extent, so all shapes are added before the first one is
 * written. If one of them has heights, all have: the others are at 0.
 */
export class ShapefileShapes {
  readonly #type: LayerType;
  /** How many runs each record has, and how many positions: numbers alone, because there may be a million. */
  readonly #runs: number[] = [];
  readonly #positions: number[] = [];
  /** Bytes of all records with their headers, without heights. */
  #bytes = 0;
  #heightBytes = 0;
  #extent: Box | undefined;
  #hasHeights = false;
  /** The lowest and the highest. */
  #heights: Range | undefined;

  constructor(type: LayerType) {
    this.#type = type;
  }

  /** @param shape of the layer's type, or null */
  add(shape: Shape | null): void {
    const box = shape && boxOf(shape);
    if (box) this.#extent = this.#extent ? unionOf([this.#extent, box]) : box;
    const size = box ? sizeOf(shape as Shape) : NO_SIZE;
    this.#runs.push(size.runs);
    this.#positions.push(size.positions);
    this.#bytes += RECORD_HEADER_BYTES + this.#flatBytes(size);
    this.#heightBytes += this.#heightBytesOf(size);
    if (!box) return;
    this.#hasHeights ||= shape.dimensions === 3;
    this.#heights = rangeOf(shape.dimensions === 3 ? heightsOf(runsOf(shape)) : [0], this.#heights);
  }

  get count(): number {
    return this.#runs.length;
  }

  /** How long the `.shp` and the `.shx` are together. */
  get bytes(): number {
    return this.#shapeBytes + HEADER_BYTES + RECORD_HEADER_BYTES * this.count;
  }

  /** The first bytes of the `.shp`. */
  head(): Uint8Array {
    return this.#head(this.#shapeBytes);
  }

  /** The `.shx`: where each record of the `.shp` begins, and its length. */
  index(): Uint8Array {
    const records = new DataView(new ArrayBuffer(RECORD_HEADER_BYTES * this.count));
    let at = HEADER_BYTES;
    for (const [i, runs] of this.#runs.entries()) {
      const length = this.#contentBytes({ runs, positions: this.#positions[i] as number });
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
    const size = box ? sizeOf(shape as Shape) : NO_SIZE;
    if (this.#runs[i] !== size.runs || this.#positions[i] !== size.positions) {
      throw new LayerChanged('A Shapefile got another shape than was measured');
    }
    const length = this.#contentBytes(size);
    const view = new DataView(new ArrayBuffer(RECORD_HEADER_BYTES + length));
    view.setInt32(0, i + 1);
    setWords(view, 4, [length]);
    // A feature without a geometry has the type 0 and nothing more.
    if (!shape || !box) return new Uint8Array(view.buffer);
    view.setInt32(8, this.#typeNumber, true);
    const runs = runsOf(shape);
    const heightsAt = RECORD_HEADER_BYTES + this.#flatBytes(size);
    if (this.#type === 'points') {
      setPositions(view, 12, runs[0] as Run);
      if (this.#hasHeights) setNumbers(view, heightsAt, [heightOf(runs[0] as Run, 0), NO_MEASURE]);
    } else {
      setNumbers(view, 12, box);
      if (this.#type === 'multipoints') {
        view.setInt32(44, positionsOf(runs), true);
        setPositions(view, 48, runs[0] as Run);
      } else setParts(view, 44, runs);
      if (this.#hasHeights) setHeights(view, heightsAt, runs);
    }
    return new Uint8Array(view.buffer);
  }

  /** Bytes of the `.shp`. */
  get #shapeBytes(): number {
    return HEADER_BYTES + this.#bytes + (this.#hasHeights ? this.#heightBytes : 0);
  }

  get #typeNumber(): number {
    return LAYER_TYPES[this.#type] + (this.#hasHeights ? WITH_HEIGHTS : 0);
  }

  /** Bytes of a record without its header. */
  #contentBytes(size: Size): number {
    return this.#flatBytes(size) + (this.#hasHeights ? this.#heightBytesOf(size) : 0);
  }

  #flatBytes({ runs, positions }: Size): number {
    if (positions === 0) return 4;
    if (this.#type === 'points') return 20;
    const parts = this.#type === 'multipoints' ? 0 : 4 + 4 * runs;
    return 40 + parts + 16 * positions;
  }

  /** Of a point its height and measure; of others the range and the heights. */
  #heightBytesOf({ positions }: Size): number {
    if (positions === 0) return 0;
    return this.#type === 'points' ? 16 : 16 + 8 * positions;
  }

  #head(bytes: number): Uint8Array {
    const view = new DataView(new ArrayBuffer(HEADER_BYTES));
    view.setInt32(0, 9994);
    setWords(view, 24, [bytes]);
    view.setInt32(28, 1000, true);
    view.setInt32(32, this.#typeNumber, true);
    if (this.#extent) setNumbers(view, 36, this.#extent);
    if (this.#hasHeights && this.#heights) setNumbers(view, 68, this.#heights);
    return new Uint8Array(view.buffer);
  }
}

interface Size {
  readonly runs: number;
  readonly positions: number;
}

/** That of a feature without a position. */
const NO_SIZE: Size = { runs: 0, positions: 0 };

function sizeOf(shape: Shape): Size {
  const runs = runsOf(shape);
  return { runs: runs.length, positions: positionsOf(runs) };
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

/** The height of a position in the order in which positions are written. */
function heightOf({ numbers, dimensions, isReversed }: Run, i: number): number {
  if (dimensions === 2) return 0;
  const count = numbers.length / dimensions;
  return numbers[dimensions * (isReversed ? count - 1 - i : i) + 2] as number;
}

/** The heights of runs, in the order in which they are written. */
function heightsOf(runs: readonly Run[]): number[] {
  return runs.flatMap((run) => Array.from({ length: run.numbers.length / run.dimensions }, (_, i) => heightOf(run, i)));
}

type Range = readonly [lowest: number, highest: number];

/** The range of some heights, and of others before them. */
function rangeOf(heights: readonly number[], before: Range = [Infinity, -Infinity]): Range {
  let [lowest, highest] = before;
  for (const height of heights) {
    lowest = Math.min(lowest, height);
    highest = Math.max(highest, height);
  }
  return [lowest, highest];
}

/** Writes the range of the heights of a record, and the heights. */
function setHeights(view: DataView, start: number, runs: readonly Run[]): void {
  const heights = heightsOf(runs);
  setNumbers(view, start, [...rangeOf(heights), ...heights]);
}

/** Writes numbers of bytes as numbers of words of 16 bits, big-endian. */
function setWords(view: DataView, at: number, bytes: readonly number[]): void {
  for (const [i, count] of bytes.entries()) view.setInt32(at + 4 * i, count / 2);
}

function setNumbers(view: DataView, at: number, numbers: readonly number[]): void {
  for (const [i, value] of numbers.entries()) view.setFloat64(at + 8 * i, value, true);
}
