import { GeometryFault, MAX_ARRAYS, MAX_POSITIONS } from './geometry.ts';

/** The names of columns that hold WKT, in lower case. */
export const WKT_COLUMNS: ReadonlySet<string> = new Set([
  'wkt',
  'geom',
  'geometry',
  'the_geom',
  'wkt_geom',
  'geometry_wkt',
]);

interface Shape {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly Shape[];
}

/** A checked geometry as well-known text (OGC 06-103r4). */
export function wktOf(geometry: Shape): string {
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

const TYPES: Readonly<Record<string, string>> = {
  POINT: 'Point',
  LINESTRING: 'LineString',
  POLYGON: 'Polygon',
  MULTIPOINT: 'MultiPoint',
  MULTILINESTRING: 'MultiLineString',
  MULTIPOLYGON: 'MultiPolygon',
  GEOMETRYCOLLECTION: 'GeometryCollection',
};

const TOKEN = /\s*(?:([A-Za-z]+)|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([(),]))/y;
const MAX_NESTING = 16;
/**
 * A GeoJSON geometry of well-known text; a leading `SRID=4326;` is passed over. What it says is not checked, only how
 * it is written. M values are left out. Undefined where the text is no WKT; null where it says EMPTY.
 *
 * @throws GeometryFault where there is more in it than a geometry may have, before the rest is read
 */
export function geometryOfWkt(text: string): Shape | null | undefined {
  const source = text.replace(/^\s*SRID=4326;/i, '');
  let at = 0;
  let parts = 0;
  const count = () => {
    parts += 1;
    if (parts > MAX_ARRAYS) throw new GeometryFault([], `must not have more than ${MAX_POSITIONS} positions`);
  };
  const next = (): string | undefined => {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(source);
    if (!match) return undefined;
    at = TOKEN.lastIndex;
    return match[0].trim();
  };
  const peek = (): string | undefined => {
    const before = at;
    const token = next();
    at = before;
    return token;
  };
  const shape = (depth: number): Shape | null | undefined => {
    const word = next()?.toUpperCase() ?? '';
    const [, name = '', glued = ''] = /^([A-Z]+?)(ZM|Z|M)?$/.exec(word) ?? [];
    const type = TYPES[name];
    if (!type || depth > MAX_NESTING) return undefined;
    count();
    const marked = /^(ZM|Z|M)$/i.test(peek() ?? '') ? (next() as string).toUpperCase() : glued;
    if (peek()?.toUpperCase() === 'EMPTY') {
      next();
      return null;
    }
    if (type === 'GeometryCollection') {
      const geometries: Shape[] = [];
      if (next() !== '(') return undefined;
      do {
        const inner = shape(depth + 1);
        if (inner === undefined) return undefined;
        if (inner) geometries.push(inner);
      } while (peek() === ',' && next());
      return next() === ')' ? { type, geometries } : undefined;
    }
    const list = items(marked.startsWith('M') ? 2 : 3, depth, type === 'MultiPoint');
    if (!list) return undefined;
    if (type === 'Point') return list.length === 1 ? { type, coordinates: list[0] } : undefined;
    return { type, coordinates: list };
  };
  /** @param bare whether brackets around what stands in these are passed over: a MultiPoint may have them or not */
  const items = (keep: number, depth: number, bare = false): unknown[] | undefined => {
    if (depth > MAX_NESTING || next() !== '(') return undefined;
    const list: unknown[] = [];
    do {
      if (peek() === '(') {
        const inner = items(keep, depth + 1);
        if (!inner || (bare && inner.length > 1)) return undefined;
        if (!bare) count();
        list.push(bare && Array.isArray(inner[0]) ? inner[0] : inner);
      } else {
        const position: number[] = [];
        for (let token = peek(); token && /^[-.\d]/.test(token); token = peek()) position.push(Number(next()));
        if (position.length < 2 || position.length > 4) return undefined;
        count();
        list.push(position.slice(0, keep));
      }
    } while (peek() === ',' && next());
    // A copy has no room to grow, of which there would be a lot in many short lists.
    return next() === ')' ? list.slice() : undefined;
  };
  const found = shape(0);
  return source.slice(at).trim() === '' ? found : undefined;
}
