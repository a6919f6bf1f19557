import { WGS84 } from './domains.ts';
import { GEOMETRY_TYPES, type Geometry, GeometryFault, MAX_ARRAYS, MAX_POSITIONS } from './geometry.ts';

/** A checked geometry as well-known text (OGC 06-103r4). */
export function wktOf(geometry: Geometry): string {
  const name = geometry.type.toUpperCase();
  if (geometry.geometries) {
    return geometry.geometries.length === 0
      ? `${name} EMPTY`
      : `${name} (${geometry.geometries.map(wktOf).join(', ')})`;
  }
  const coordinates = geometry.coordinates as unknown[];
  if (coordinates.length === 0) return `${name} EMPTY`;
  const tag = dimensionsOf(coordinates) === 3 ? `${name} Z` : name;
  return `${tag} ${geometry.type === 'Point' ? `(${coordinates.join(' ')})` : listText(coordinates)}`;
}

function listText(items: readonly unknown[]): string {
  const texts = items.map((item) => {
    const inner = item as unknown[];
    return typeof inner[0] === 'number' ? inner.join(' ') : listText(inner);
  });
  return `(${texts.join(', ')})`;
}

function dimensionsOf(coordinates: readonly unknown[]): number {
  const [first] = coordinates;
  return Array.isArray(first) ? dimensionsOf(first) : coordinates.length;
}

/** Types by their names in WKT, which are in upper case. */
const TYPES: ReadonlyMap<string, string> = new Map(GEOMETRY_TYPES.slice(1).map((type) => [type.toUpperCase(), type]));

const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z]+/y;
const SRID = /^\s*SRID\s*=\s*(\d{1,6})\s*;/i;
const MAX_NESTING = 16;

/** Nesting of brackets around the lists of positions, by type. Other types: 0. */
const LEVELS: Readonly<Record<string, number>> = { MultiLineString: 1, Polygon: 1, MultiPolygon: 2 };

/** How the content of a geometry is read. */
interface Reading {
  /** Numbers of a position that are returned; the rest is left out. */
  readonly keep: number;
  /** Whether the positions are those of a MultiPoint: they may have brackets, or be empty. */
  readonly isMultiPoint: boolean;
  /** Whether the lists of positions are rings, of which the first is the shell of the others. */
  readonly isPolygon: boolean;
}

/** Thrown for text that is not well-known text. Never leaves this file. */
const NOT_WKT = Symbol('not WKT');

/**
 * Reads well-known text as a GeoJSON geometry. Only the way it is written is checked, not the coordinates: that is left
 * to `checkGeometry`. Empty parts and M values are left out; a polygon without a shell is empty. A leading `SRID=…;`
 * (EWKT) must be what is expected.
 *
 * @param srid the reference system that the coordinates are taken to be in
 * @returns null where the geometry is empty, undefined where the text is not WKT
 * @throws GeometryFault if the text names another reference system; also as soon as it has more than a geometry may
 * have, before the rest is read
 */
export function geometryOfWkt(text: string, srid: number = WGS84): Geometry | null | undefined {
  const prefix = SRID.exec(text);
  const named = Number(prefix?.[1] ?? 0);
  // PostGIS writes 0 where it does not know the system.
  if (named !== 0 && named !== srid) {
    const message = `must be in the reference system ${srid} (got SRID=${named}): send srid=${named} with a file that is in it`;
    throw new GeometryFault([], message);
  }
  const reader = new WktReader(text, prefix?.[0].length ?? 0);
  try {
    const geometry = reader.tagged(0);
    return reader.atEnd() ? geometry : undefined;
  } catch (error) {
    if (error === NOT_WKT) return undefined;
    throw error;
  }
}

/** Reads a text from left to right. Its methods throw `NOT_WKT` where the text has something else than they read. */
class WktReader {
  readonly #text: string;
  #at: number;
  #parts = 0;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  atEnd(): boolean {
    this.#skipSpace();
    return this.#at === this.#text.length;
  }

  /** A geometry that begins with its type; null where it is empty. */
  tagged(depth: number): Geometry | null {
    const [, name = '', glued = ''] = /^([A-Z]+?)(ZM|Z|M)?$/.exec(this.#word()) ?? [];
    const type = TYPES.get(name);
    if (!type || depth > MAX_NESTING) throw NOT_WKT;
    this.#count();
    let next = this.#word();
    const isMark = /^(ZM|Z|M)$/.test(next);
    const mark = isMark ? next : glued;
    if (isMark) next = this.#word();
    // A collection may be empty, as in GeoJSON (RFC 7946, 3.1.8).
    if (next === 'EMPTY') return type === 'GeometryCollection' ? { type, geometries: [] } : null;
    if (next !== '' || !this.#take('(')) throw NOT_WKT;
    if (type === 'GeometryCollection') {
      const geometries: Geometry[] = [];
      do {
        const inner = this.tagged(depth + 1);
        if (inner) geometries.push(inner);
      } while (this.#take(','));
      this.#close();
      return { type, geometries };
    }
    const reading = {
      keep: mark.startsWith('M') ? 2 : 3,
      isMultiPoint: type === 'MultiPoint',
      isPolygon: type.endsWith('Polygon'),
    };
    const list = this.#items(reading, LEVELS[type] ?? 0);
    if (list.length === 0) return null;
    if (type !== 'Point') return { type, coordinates: list };
    if (list.length > 1) throw NOT_WKT;
    return { type, coordinates: list[0] };
  }

  /**
   * The items between an opening bracket, already read, and its closing one, without empty parts.
   *
   * @param level number of further nested brackets; negative if there are too many
   */
  #items(reading: Reading, level: number): unknown[] {
    if (level < -MAX_NESTING) throw NOT_WKT;
    const { keep, isMultiPoint } = reading;
    const list: unknown[] = [];
    let hasShell = true;
    do {
      let item: unknown[] | undefined;
      if (this.#take('(')) {
        const inner = this.#items({ ...reading, isMultiPoint: false }, level - 1);
        if (isMultiPoint && inner.length > 1) throw NOT_WKT;
        if (!isMultiPoint) this.#count();
        item = isMultiPoint && Array.isArray(inner[0]) ? inner[0] : inner;
      } else {
        item = this.#position(keep);
        if (!item && level <= 0 && !isMultiPoint) throw NOT_WKT;
      }
      if (item && item.length > 0) list.push(item);
      else if (list.length === 0 && reading.isPolygon && level === 1) hasShell = false;
    } while (this.#take(','));
    if (!hasShell) list.length = 0;
    this.#close();
    // The copy has no spare capacity, which would take much memory in many short lists.
    return list.slice();
  }

  #position(keep: number): number[] | undefined {
    const first = this.#number();
    if (first === undefined) {
      if (this.#word() === 'EMPTY') return undefined;
      throw NOT_WKT;
    }
    const second = this.#number();
    if (second === undefined) throw NOT_WKT;
    this.#count();
    const third = this.#number();
    if (third === undefined) return [first, second];
    if (this.#number() !== undefined && this.#number() !== undefined) throw NOT_WKT;
    return keep === 2 ? [first, second] : [first, second, third];
  }

  #number(): number | undefined {
    this.#skipSpace();
    // These are the most frequent characters other than numbers, and faster to compare than to match.
    const char = this.#text[this.#at];
    if (char === ',' || char === ')') return undefined;
    NUMBER.lastIndex = this.#at;
    if (!NUMBER.test(this.#text)) return undefined;
    const number = Number(this.#text.slice(this.#at, NUMBER.lastIndex));
    this.#at = NUMBER.lastIndex;
    return number;
  }

  /** The next word in upper case; empty where something else follows. */
  #word(): string {
    this.#skipSpace();
    WORD.lastIndex = this.#at;
    if (!WORD.test(this.#text)) return '';
    const word = this.#text.slice(this.#at, WORD.lastIndex);
    this.#at = WORD.lastIndex;
    return word.toUpperCase();
  }

  #take(char: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #close(): void {
    if (!this.#take(')')) throw NOT_WKT;
  }

  #skipSpace(): void {
    for (let code = this.#text.charCodeAt(this.#at); code === 32 || (code >= 9 && code <= 13); ) {
      this.#at += 1;
      code = this.#text.charCodeAt(this.#at);
    }
  }

  #count(): void {
    this.#parts += 1;
    if (this.#parts > MAX_ARRAYS) throw new GeometryFault([], `must not have more than ${MAX_POSITIONS} positions`);
  }
}
