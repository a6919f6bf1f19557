import type { Geometry } from '../../geojson/geometry.ts';
import { FileFault } from './format.ts';
import { Positions } from './positions.ts';

const MAX_NESTING = 16;

/** Types by number, with the required type of their parts. */
const TYPES: readonly (readonly [type: string, part?: number])[] = [
  ['Geometry'],
  ['Point'],
  ['LineString'],
  ['Polygon'],
  ['MultiPoint', 1],
  ['MultiLineString', 2],
  ['MultiPolygon', 3],
  ['GeometryCollection', 0],
];

/**
 * The GeoJSON geometry of well-known binary (ISO 13249-3, or EWKB), not checked yet. Measures are left out, and heights
 * unless all positions have one.
 *
 * @param start offset of its first byte
 * @throws FileFault for curves and surfaces and for more than a geometry may have; RangeError where it is damaged
 */
export function geometryOfWkb(bytes: Uint8Array, start: number): Geometry {
  const reader = new WkbReader(bytes, start);
  const geometry = reader.geometry(0, 0);
  reader.positions.dropPartialHeights();
  return geometry;
}

class WkbReader {
  readonly positions = new Positions();
  readonly #view: DataView;
  #at: number;

  constructor(bytes: Uint8Array, start: number) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = start;
  }

  /** @param wanted number of the required type; 0: any */
  geometry(wanted: number, depth: number): Geometry {
    if (depth > MAX_NESTING) throw new FileFault(`must not be nested deeper than ${MAX_NESTING} levels`);
    const little = this.#view.getUint8(this.#at) === 1;
    this.#at += 1;
    const code = this.#count(little);
    // Bits of an EWKB type mark an SRID, a height and a measure. The SRID is passed over.
    if (code & 0x2000_0000) this.#at += 4;
    const plain = code & 0x0fff_ffff;
    const [number, marks] = [plain % 1000, Math.floor(plain / 1000)];
    const hasHeight = (code & 0x8000_0000) !== 0 || marks === 1 || marks === 3;
    const hasMeasure = (code & 0x4000_0000) !== 0 || marks === 2 || marks === 3;
    const [type, part] = (marks <= 3 && TYPES[number]) || [];
    if (type === undefined || number === 0) {
      throw new FileFault(`a geometry of type ${plain} can not be read: curves and surfaces have no place in GeoJSON`);
    }
    if (wanted !== 0 && number !== wanted) throw new RangeError('A part is of another type than its whole');
    const form = { little, hasHeight, bytes: 16 + (hasHeight ? 8 : 0) + (hasMeasure ? 8 : 0) };
    if (number === 1) {
      const position = this.#position(form);
      return { type, coordinates: position.some(Number.isNaN) ? [] : position };
    }
    this.positions.countPart();
    if (number === 2) return { type, coordinates: this.#line(form) };
    const count = this.#count(little);
    if (number === 3) return { type, coordinates: this.#list(count, 4, () => this.#ring(form)) };
    const parts = this.#list(count, 9, () => this.geometry(part as number, depth + 1));
    if (number === 7) return { type, geometries: parts };
    return { type, coordinates: parts.map(({ coordinates }) => coordinates).filter(isThere) };
  }

  /** Reads `count` items of at least `least` bytes each. */
  #list<T>(count: number, least: number, item: () => T): T[] {
    if (count * least > this.#view.byteLength - this.#at) throw new RangeError('A list is cut off');
    const items: T[] = [];
    while (items.length < count) items.push(item());
    return items;
  }

  #ring(form: Form): number[][] {
    this.positions.countPart();
    return this.#line(form);
  }

  #line(form: Form): number[][] {
    const count = this.#count(form.little);
    this.positions.requireRoomFor(count);
    return this.#list(count, form.bytes, () => this.#position(form));
  }

  #position({ little, hasHeight, bytes }: Form): number[] {
    const at = this.#at;
    this.#at += bytes;
    this.positions.requireRoomFor(1);
    const number = (i: number) => this.#view.getFloat64(at + 8 * i, little);
    return this.positions.add(number(0), number(1), hasHeight ? number(2) : undefined);
  }

  #count(little: boolean): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, little);
  }
}

interface Form {
  readonly little: boolean;
  readonly hasHeight: boolean;
  readonly bytes: number;
}

function isThere(coordinates: unknown): boolean {
  return Array.isArray(coordinates) && coordinates.length > 0;
}
