import { type Edges, edgesOf, WGS84 } from './domains.ts';

/** The types of RFC 7946. The database stores a type as its index in this list; 0 stands for no geometry. */
export const GEOMETRY_TYPES = [
  'none',
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
] as const;

type GeometryType = Exclude<(typeof GEOMETRY_TYPES)[number], 'none'>;

/** A geometry object of RFC 7946, checked or not. */
export interface Geometry {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly Geometry[];
}

/** A location within a JSON document: the names of members and the indices of items that lead to it. */
export type Path = readonly (string | number)[];

interface FaultFacts {
  /** Whether a number is too large to be a mistyped degree, so that the reference system may be another one. */
  readonly isProjected?: boolean | undefined;
  /** What is there instead, as text, where that is short. */
  readonly value?: string | undefined;
  /** Where it is in a document that is not JSON: `line 7`. */
  readonly location?: string | undefined;
  /** The column of a table that it is about. Its reason then names the column in place of the path. */
  readonly column?: string | undefined;
}

/** Something in a geometry that RFC 7946 or this service does not allow, with its location. */
export class GeometryFault extends Error {
  override readonly name = 'GeometryFault';
  readonly path: Path;
  /** Its message without the location. */
  readonly reason: string;
  readonly facts: FaultFacts;

  constructor(path: Path, reason: string, facts: FaultFacts = {}) {
    super(facts.location === undefined ? reason : `${reason} (${facts.location})`);
    this.path = path;
    this.reason = reason;
    this.facts = facts;
  }

  /** Returns the same fault with a location in a document that is not JSON. One that it has lies within this. */
  at(location: string): GeometryFault {
    const { location: within } = this.facts;
    const whole = within === undefined ? location : `${location}, ${within}`;
    return new GeometryFault(this.path, this.reason, { ...this.facts, location: whole });
  }

  /** Returns the same fault as one of a cell of a table. */
  inCell(column: string, value: string, reason: string): GeometryFault {
    return new GeometryFault(this.path, reason, { ...this.facts, column, value });
  }

  /** Where it is and what is wrong, in a clause. */
  get text(): string {
    const isNamed = this.path.length === 0 || this.facts.column !== undefined;
    return isNamed ? this.message : `${pathText(this.path)}: ${this.message}`;
  }
}

/** What `checkGeometry` found out about a geometry. */
export interface CheckedGeometry {
  /** Index into `GEOMETRY_TYPES`: 0 where the geometry is empty, which is the same as none (RFC 7946, 3.1). */
  readonly type: number;
  /** Whether the geometry can be stored as it is written: no position was moved, and nothing is to be left out. */
  readonly plain: boolean;
}

/** How deep collections may be nested, counting the geometries in the innermost one. */
const MAX_NESTING = 8;

/** A number above this is not a mistyped degree: the coordinates are probably in another reference system. */
const MAX_MISTYPED_DEGREES = 1000;

/** How many positions a geometry may have. */
export const MAX_POSITIONS = 500_000;
/**
 * How many arrays so many positions need at most: one for each position, half as many again for the shortest lines (two
 * positions) or rings (four) with their polygons, and a few around them.
 */
export const MAX_ARRAYS = MAX_POSITIONS * 1.5 + 16;

/** State of the check of one geometry. */
interface Walk {
  /** Whether positions are longitude and latitude, so that their range is checked. */
  readonly degrees: boolean;
  readonly edges: Edges;
  /** Whether a point or a line without coordinates is a fault. */
  readonly isStrict: boolean;
  positions: number;
  /** Numbers per position: 2 or 3; 0 before the first position. */
  dimensions: number;
  plain: boolean;
}

/** Nesting of arrays around the positions of each type. Collections have no positions of their own. */
const LEVELS: Readonly<Record<Exclude<GeometryType, 'GeometryCollection'>, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

/**
 * Checks that a JSON value is an RFC 7946 geometry: its structure, finite numbers, longitude and latitude in range,
 * closed rings, and the same number of dimensions everywhere. Positions have two or three numbers. Coordinates and parts
 * may be empty: they are left out, and so is a polygon whose shell is. Files have such points and lines too, for which
 * RFC 7946 has no other meaning (3.1); elsewhere they are faults. Positions that rounding has led beyond the edge of the world are moved onto it.
 *
 * @param path where the value stands in its document
 * @param srid the reference system of the coordinates; other ones than WGS 84 only have to be finite
 * @param isStrict a point or a line without coordinates is a fault
 * @throws GeometryFault with the location of the first fault
 */
export function checkGeometry(
  value: unknown,
  path: Path,
  { srid = WGS84, isStrict = false }: { srid?: number; isStrict?: boolean } = {},
): CheckedGeometry {
  const degrees = srid === WGS84;
  const walk: Walk = { degrees, edges: edgesOf(srid), isStrict, positions: 0, dimensions: 0, plain: true };
  const type = check(value, path, walk, 1);
  const isNone = !walk.plain && isEmpty(value as Geometry);
  return { type: isNone ? 0 : GEOMETRY_TYPES.indexOf(type), plain: walk.plain };
}

function check(value: unknown, path: Path, walk: Walk, depth: number): GeometryType {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new GeometryFault(path, `must be a GeoJSON geometry object (got ${kindOf(value)})`);
  }
  const { type, coordinates, geometries, crs, bbox, ...rest } = value as Record<string, unknown>;
  if (typeof type !== 'string' || !isType(type)) throw new GeometryFault([...path, 'type'], typeRule(type));
  if (crs !== undefined && crs !== null) {
    throw new GeometryFault([...path, 'crs'], 'must be left out: GeoJSON is in WGS 84 (RFC 7946, 4)');
  }
  checkBbox(bbox, path, walk.degrees ? WGS84 : undefined);
  if (Object.keys(rest).length > 0 || crs === null || bbox !== undefined) walk.plain = false;
  if (type === 'GeometryCollection') {
    if (coordinates !== undefined) throw new GeometryFault([...path, 'coordinates'], 'must not be in a collection');
    if (depth >= MAX_NESTING) throw new GeometryFault(path, `must not be nested deeper than ${MAX_NESTING} levels`);
    listOf(geometries, [...path, 'geometries'], 'geometries').forEach((geometry, i) => {
      check(geometry, [...path, 'geometries', i], walk, depth + 1);
    });
    return type;
  }
  if (geometries !== undefined) throw new GeometryFault([...path, 'geometries'], `must not be in a ${type}`);
  const mayBeEmpty = !walk.isStrict || (type !== 'Point' && type !== 'LineString');
  if (mayBeEmpty && isEmptyList(coordinates)) walk.plain = false;
  else checkLevel(coordinates, [...path, 'coordinates'], walk, type, LEVELS[type]);
  return type;
}

/**
 * Checks the member `bbox` of a GeoJSON object, if it has one (RFC 7946, 5). West is east of east where a box crosses
 * the antimeridian. In WGS 84 it must lie in the world, as positions must.
 *
 * @param path where the object stands in its document
 * @param srid the reference system of the object; undefined for any but WGS 84
 * @throws GeometryFault if it is no box
 */
export function checkBbox(bbox: unknown, path: Path, srid: number | undefined): void {
  if (bbox === undefined || bbox === null) return;
  const box = Array.isArray(bbox) && bbox.every(Number.isFinite) ? (bbox as number[]) : [];
  const axes = box.length / 2;
  const isBox =
    (axes === 2 || axes === 3) && box.slice(1, axes).every((low, i) => low <= (box[axes + 1 + i] as number));
  if (isBox) {
    if (srid === WGS84) checkRange(box, axes, [...path, 'bbox']);
    return;
  }
  const rule = 'must be a box: west, south, east and north, or with heights six numbers, south not above north';
  throw new GeometryFault([...path, 'bbox'], `${rule} (got ${kindOf(bbox)})`);
}

function checkRange(box: readonly number[], axes: number, path: Path): void {
  const { x, y, slack } = edgesOf(WGS84);
  for (const [i, number] of box.entries()) {
    const axis = i % axes;
    if (axis > 1 || Math.abs(number) <= (axis === 0 ? x : y) + slack) continue;
    const rule = axis === 0 ? 'longitude from -180 to 180' : 'latitude from -90 to 90';
    throw new GeometryFault([...path, i], `must be a ${rule} (got ${number})`);
  }
}

/** Whether a checked geometry has coordinates without anything in them. */
export function isEmpty({ type, coordinates }: Geometry): boolean {
  return Array.isArray(coordinates) && withoutEmptyParts(type, coordinates).length === 0;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Checked coordinates without empty parts. A polygon without a shell is empty, whatever holes it has. */
function withoutEmptyParts(type: string, coordinates: unknown[]): unknown[] {
  if (type === 'Point' || type === 'LineString') return coordinates;
  if (type === 'Polygon' && isEmptyList(coordinates[0])) return [];
  const parts =
    type === 'MultiPolygon'
      ? coordinates.map((polygon) => withoutEmptyParts('Polygon', polygon as unknown[]))
      : coordinates;
  return parts.filter((part) => !isEmptyList(part));
}

/** A copy of a checked geometry without foreign members (RFC 7946, 6.1) and without empty parts. */
export function withoutForeignMembers(geometry: unknown): Geometry {
  const { type, coordinates, geometries } = geometry as Geometry;
  return type === 'GeometryCollection'
    ? { type, geometries: geometries?.filter((part) => !isEmpty(part)).map(withoutForeignMembers) ?? [] }
    : { type, coordinates: withoutEmptyParts(type, coordinates as unknown[]) };
}

function isType(type: string): type is GeometryType {
  return type !== 'none' && (GEOMETRY_TYPES as readonly string[]).includes(type);
}

function typeRule(type: unknown): string {
  const got =
    typeof type === 'string' ? JSON.stringify(type.length > 40 ? `${type.slice(0, 40)}…` : type) : kindOf(type);
  return `must be one of ${GEOMETRY_TYPES.slice(1).join(', ')} (got ${got})`;
}

function checkLevel(value: unknown, path: Path, walk: Walk, type: GeometryType, levels: number): void {
  if (levels === 0) {
    checkPosition(value, path, walk);
    return;
  }
  if (levels === 1 && type !== 'MultiPoint') {
    checkLine(value, path, walk, type.endsWith('Polygon'));
    return;
  }
  const items = listOf(value, path, levels === 1 ? 'positions' : 'arrays');
  for (let i = 0; i < items.length; i += 1) {
    if (isEmptyList(items[i])) walk.plain = false;
    else checkLevel(items[i], [...path, i], walk, type, levels - 1);
  }
}

function checkLine(value: unknown, path: Path, walk: Walk, ring: boolean): void {
  const positions = listOf(value, path, 'positions');
  const least = ring ? 4 : 2;
  if (positions.length < least) {
    const what = ring ? 'a ring' : 'a line';
    throw new GeometryFault(path, `must have ${least} positions or more, being ${what} (got ${positions.length})`);
  }
  for (let i = 0; i < positions.length; i += 1) {
    // Most positions are valid, so a path is built only for an invalid one.
    if (!isPosition(positions[i], walk)) checkPosition(positions[i], [...path, i], walk);
  }
  if (!ring) return;
  const first = positions[0] as number[];
  const last = positions[positions.length - 1] as number[];
  if (first.some((number, i) => number !== last[i])) {
    throw new GeometryFault(path, 'must be closed: the last position of a ring must be the same as the first');
  }
}

/** Whether a value is a valid position; counts it if so. Fast path, because most positions are valid. */
function isPosition(value: unknown, walk: Walk): boolean {
  if (!Array.isArray(value) || value.length !== walk.dimensions || walk.positions >= MAX_POSITIONS) return false;
  const [x, y] = value;
  if (typeof x !== 'number' || typeof y !== 'number') return false;
  if (!(Math.abs(x) <= walk.edges.x && Math.abs(y) <= walk.edges.y)) return false;
  if (walk.dimensions === 3 && !(typeof value[2] === 'number' && Number.isFinite(value[2]))) return false;
  walk.positions += 1;
  return true;
}

function checkPosition(value: unknown, path: Path, walk: Walk): void {
  const numbers = listOf(value, path, 'two or three numbers');
  if (numbers.length < 2 || numbers.length > 3) {
    throw new GeometryFault(path, `must have two or three numbers (got ${numbers.length})`);
  }
  numbers.forEach((number, i) => {
    if (typeof number !== 'number') throw new GeometryFault([...path, i], `must be a number (got ${kindOf(number)})`);
    if (!Number.isFinite(number)) throw new GeometryFault([...path, i], 'must be a finite number');
  });
  const [x, y] = [withinEdge(numbers, 0, walk), withinEdge(numbers, 1, walk)];
  const isProjected = Math.max(Math.abs(x), Math.abs(y)) > MAX_MISTYPED_DEGREES;
  if (walk.degrees && Math.abs(x) > 180) {
    throw new GeometryFault([...path, 0], `must be a longitude from -180 to 180 (got ${x})`, {
      isProjected,
      value: String(x),
    });
  }
  if (walk.degrees && Math.abs(y) > 90) {
    const swapped = Math.abs(x) <= 90 && Math.abs(y) <= 180;
    const hint = swapped ? ', as if longitude and latitude were swapped' : '';
    throw new GeometryFault([...path, 1], `must be a latitude from -90 to 90 (got ${y}${hint})`, {
      ...{ isProjected, value: String(y) },
    });
  }
  if (walk.dimensions !== 0 && walk.dimensions !== numbers.length) {
    throw new GeometryFault(path, `must have ${walk.dimensions} numbers as those before it (got ${numbers.length})`);
  }
  if (walk.positions >= MAX_POSITIONS) {
    throw new GeometryFault(path, `must not be there: a geometry may have at most ${MAX_POSITIONS} positions`);
  }
  walk.dimensions = numbers.length;
  walk.positions += 1;
}

/** A number of a position, moved onto the edge of the world where rounding has led it beyond. */
function withinEdge(position: unknown[], axis: 0 | 1, walk: Walk): number {
  const number = position[axis] as number;
  const edge = axis === 0 ? walk.edges.x : walk.edges.y;
  const beyond = Math.abs(number) - edge;
  if (beyond <= 0 || beyond > walk.edges.slack) return number;
  walk.plain = false;
  position[axis] = Math.sign(number) * edge;
  return position[axis] as number;
}

function listOf(value: unknown, path: Path, what: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new GeometryFault(path, `must be an array of ${what} (got ${kindOf(value)})`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'a string' : String(value);
}

/** A path as text, such as `features[3].geometry.coordinates[0][2]`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}
