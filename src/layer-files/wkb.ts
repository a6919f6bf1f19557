import { SHAPE_TYPES, type Shape } from './shapes.ts';

/** Offset of the type number for positions with heights (ISO 13249-3). */
const WITH_HEIGHT = 1000;

/** Each point or line of these types is a geometry of its own. */
const MEMBERS = { MultiPoint: 'Point', MultiLineString: 'LineString' } as const;

/** The shape as well-known binary of ISO 13249-3, little-endian. All positions have the same number of dimensions. */
export function wkbOf(shape: Shape): Uint8Array {
  const writer = new WkbWriter(bytesOf(shape), shape.dimensions);
  writer.shape(shape);
  return writer.bytes;
}

const HEAD_BYTES = 5;
const COUNT_BYTES = 4;

function bytesOf({ type, runs, parts, dimensions }: Shape): number {
  const positions = runs.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const all = positions + HEAD_BYTES + (type === 'Point' ? 0 : COUNT_BYTES);
  if (type === 'MultiPoint') return all + (positions / 8 / dimensions) * HEAD_BYTES;
  if (type === 'MultiLineString') return all + runs.length * (HEAD_BYTES + COUNT_BYTES);
  if (type === 'Polygon') return all + runs.length * COUNT_BYTES;
  return parts.reduce((sum, part) => sum + bytesOf(part), all);
}

class WkbWriter {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  readonly #dimensions: 2 | 3;
  #at = 0;

  constructor(length: number, dimensions: 2 | 3) {
    this.bytes = new Uint8Array(length);
    this.#view = new DataView(this.bytes.buffer);
    this.#dimensions = dimensions;
  }

  shape({ type, runs, parts, dimensions }: Shape): void {
    this.#head(type);
    if (type === 'GeometryCollection' || type === 'MultiPolygon') {
      this.#count(parts.length);
      for (const part of parts) this.shape(part);
    } else if (type === 'Point') {
      this.#positions(runs[0] as Float64Array);
    } else if (type === 'MultiPoint') {
      const all = runs[0] as Float64Array;
      this.#count(all.length / dimensions);
      for (let i = 0; i < all.length; i += dimensions) {
        this.#head(MEMBERS[type]);
        this.#positions(all.subarray(i, i + dimensions));
      }
    } else {
      if (type !== 'LineString') this.#count(runs.length);
      for (const run of runs) {
        if (type === 'MultiLineString') this.#head(MEMBERS[type]);
        this.#count(run.length / dimensions);
        this.#positions(run);
      }
    }
  }

  #head(type: Shape['type']): void {
    this.bytes[this.#at] = 1;
    this.#at += 1;
    this.#count(SHAPE_TYPES[type] + (this.#dimensions === 3 ? WITH_HEIGHT : 0));
  }

  #count(value: number): void {
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  #positions(run: Float64Array): void {
    for (const value of run) {
      this.#view.setFloat64(this.#at, value, true);
      this.#at += 8;
    }
  }
}
