import { GEOMETRY_TYPES, type Geometry, GeometryFault, MAX_ARRAYS, MAX_POSITIONS } from './geometry.ts';

/** Names that columns of WKT have, in lower case. */
export const WKT_COLUMNS: ReadonlySet<string> = new Set([
  'wkt',
  'geom',
  'geometry',
  'the_geom',
  'wkt_geom',
  'geometry_wkt',
]);

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

const TOKEN = /\s*(?:([A-Za-z]+)|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([(),]))/y;
const MAX_NESTING = 16;

/**
 * Reads well-known text as a GeoJSON geometry. Only the way it is written is checked, not the coordinates: that is left
 * to `checkGeometry`. A leading `SRID=4326;` is skipped, and M values are left out.
 *
 * @returns null where the text says EMPTY, undefined where it is not WKT
 * @throws GeometryFault as soon as the text has more than a geometry may have, before the rest is read
 */
export function geometryOfWkt(text: string): Geometry | null | undefined {
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
  const tagged = (depth: number): Geometry | null | undefined => {
    const word = next()?.toUpperCase() ?? '';
    const [, name = '', glued = ''] = /^([A-Z]+?)(ZM|Z|M)?$/.exec(word) ?? [];
    const type = TYPES.get(name);
    if (!type || depth > MAX_NESTING) return undefined;
    count();
    const marked = /^(ZM|Z|M)$/i.test(peek() ?? '') ? (next() as string).toUpperCase() : glued;
    if (peek()?.toUpperCase() === 'EMPTY') {
      next();
      return null;
    }
    if (type === 'GeometryCollection') {
      const geometries: Geometry[] = [];
      if (next() !== '(') return undefined;
      do {
        const inner = tagged(depth + 1);
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
  /**
   * @param keep how many numbers of a position are kept
   * @param unwrap whether brackets around single positions are skipped: the positions of a MultiPoint may have them
   */
  const items = (keep: number, depth: number, unwrap = false): unknown[] | undefined => {
    if (depth > MAX_NESTING || next() !== '(') return undefined;
    const list: unknown[] = [];
    do {
      if (peek() === '(') {
        const inner = items(keep, depth + 1);
        if (!inner || (unwrap && inner.length > 1)) return undefined;
        if (!unwrap) count();
        list.push(unwrap && Array.isArray(inner[0]) ? inner[0] : inner);
      } else {
        const position: number[] = [];
        for (let token = peek(); token && /^[-.\d]/.test(token); token = peek()) position.push(Number(next()));
        if (position.length < 2 || position.length > 4) return undefined;
        count();
        list.push(position.slice(0, keep));
      }
    } while (peek() === ',' && next());
    // A copied array has no spare capacity. Many short lists would otherwise take much memory.
    return next() === ')' ? list.slice() : undefined;
  };
  const geometry = tagged(0);
  return source.slice(at).trim() === '' ? geometry : undefined;
}
