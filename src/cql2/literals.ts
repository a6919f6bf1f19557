import { checkGeometry, type Geometry, GeometryFault, pathText, withoutForeignMembers } from '../geojson/geometry.ts';
import { InvalidFilter, shown, type ToLonLat } from './expression.ts';

/** Any reference system whose bounds are not known: only the structure of a geometry is checked. */
const UNKNOWN = 0;

/** The first two numbers of a position: heights do not count. */
const asItIs: ToLonLat = ([x, y]) => [x as number, y as number];

/**
 * A geometry of RFC 7946 with longitudes and latitudes only, its parts and rings not empty.
 *
 * @throws InvalidFilter with the location of the first fault
 */
export function geometryLiteral(value: unknown, at: string, toLonLat: ToLonLat = asItIs): Geometry {
  try {
    const { type } = checkGeometry(value, [], { srid: UNKNOWN, isStrict: true });
    if (type === 0) throw new GeometryFault([], 'must have coordinates');
    const geometry = withPositions(withoutForeignMembers(value), toLonLat);
    checkGeometry(geometry, [], { isStrict: true });
    return geometry;
  } catch (error) {
    if (!(error instanceof GeometryFault)) throw error;
    const location = error.path.length > 0 ? `${pathText(error.path)} of the geometry` : 'the geometry';
    throw new InvalidFilter('have valid geometries', `a fault: ${location} ${error.message},`, at);
  }
}

function withPositions({ type, coordinates, geometries }: Geometry, toLonLat: ToLonLat): Geometry {
  if (geometries) return { type, geometries: geometries.map((part) => withPositions(part, toLonLat)) };
  return { type, coordinates: movedBy(coordinates as readonly unknown[], toLonLat) };
}

function movedBy(coordinates: readonly unknown[], toLonLat: ToLonLat): unknown[] {
  if (typeof coordinates[0] === 'number') return toLonLat(coordinates as readonly number[]);
  return coordinates.map((inner) => movedBy(inner as readonly unknown[], toLonLat));
}

/**
 * A box as a geometry. Where it crosses the antimeridian, its west is east of its east, and the geometry is a collection
 * of what lies on either side.
 *
 * @param numbers four, or six with heights, which do not count
 * @throws InvalidFilter if they are no box
 */
export function boxLiteral(numbers: readonly number[], at: string, toLonLat: ToLonLat = asItIs): Geometry {
  const axes = numbers.length / 2;
  if (axes !== 2 && axes !== 3) {
    throw new InvalidFilter('have four or six numbers in a box', String(numbers.length), at);
  }
  const [west, south] = toLonLat(numbers.slice(0, axes));
  const [east, north] = toLonLat(numbers.slice(axes));
  if (!(south <= north)) throw new InvalidFilter('have boxes whose south is not above north', `${south}, ${north}`, at);
  const parts = west <= east ? [[west, east] as const] : [[west, 180] as const, [-180, east] as const];
  const geometries = parts.map(([from, to]) => geometryLiteral(boxOf(from, south, to, north), at));
  return geometries.length === 1 ? (geometries[0] as Geometry) : { type: 'GeometryCollection', geometries };
}

/** A box that is as wide or as high as nothing is no area: it is a line or a point. */
function boxOf(west: number, south: number, east: number, north: number): Geometry {
  const [first, opposite] = [
    [west, south],
    [east, north],
  ];
  if (west === east && south === north) return { type: 'Point', coordinates: first };
  if (west === east || south === north) return { type: 'LineString', coordinates: [first, opposite] };
  return { type: 'Polygon', coordinates: [[first, [east, south], opposite, [west, north], first]] };
}

const FORMS = {
  date: { form: /^\d{4}-\d\d-\d\d$/, example: '2024-01-31' },
  timestamp: { form: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/, example: '2024-01-31T08:00:00Z' },
};

/**
 * A date, which is the moment at which it begins in UTC, or a timestamp in UTC (RFC 3339), in milliseconds since 1970.
 *
 * @throws InvalidFilter if there is no such day or time
 */
export function instantLiteral(kind: keyof typeof FORMS, text: unknown, at: string): number {
  const { form, example } = FORMS[kind];
  if (typeof text === 'string' && form.test(text)) {
    const time = Date.parse(text);
    // The 30th of February is read as a day of March.
    if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10))) return time;
  }
  const got = typeof text === 'string' ? shown(text) : 'no string';
  throw new InvalidFilter(`have a ${kind} such as '${example}'`, got, at);
}
