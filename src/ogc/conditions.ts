import { type CountAreas, coveredAreas, MEASURING } from '../analysis/covered.ts';
import { parsePolygon, polygonOf } from '../analysis/polygon-body.ts';
import type { Area, AreaStore, Where } from '../areas/store.ts';
import { BoundedMap } from '../bounded-map.ts';
import type { ServiceContext } from '../context.ts';
import {
  type Expression,
  exactNumber,
  geometriesOf,
  InvalidFilter,
  type Queryables,
  type ScalarType,
} from '../cql2/expression.ts';
import { parseCql2Json } from '../cql2/json.ts';
import { parseCql2Text } from '../cql2/text.ts';
import { DomainError } from '../errors.ts';
import { type Geometry, GeometryFault } from '../geojson/geometry.ts';
import { DECIMAL } from '../http/params.ts';
import { Turns } from '../turn.ts';
import { crsOf, quoted } from './crs.ts';
import type { ItemQuery } from './parameters.ts';

/** Max areas of a level that a point can be in: more than have ever shared a border's end. */
const MAX_AT_POINT = 100;

/** Max points of a filter, each of which is looked up by itself. */
const MAX_POINTS = 20;

/** Max lines, polygons and boxes of a filter, each of which is measured, or compared with geometries. */
const MAX_SHAPES = 3;

/** More areas than any level has: the limit is how many boundaries lie at the edge of a polygon. */
const MAX_AREAS = 60_000;

/** Less than of a polygon that is the whole request: a filter has few positions, and others wait. */
const LIMITS = { maxAreas: MAX_AREAS, maxVisited: 400_000, maxSides: 1_000_000, maxBytes: 8 * 1024 * 1024 };

/**
 * What geometries meet, by level and version of the release: the pages of a list ask for the same. All barangays are 4 MB, so
 * they are few.
 */
const meetings = new BoundedMap<string, ReadonlySet<string>>(4);

/** Geometries whose areas an instance lists at once: the records of all barangays are some 20 MB. */
const LISTING = new Turns({ max: 1, maxMs: 10_000 });

/**
 * The condition of the parameters of a list: its filter, and the properties that are named as parameters.
 *
 * @throws DomainError `invalid_parameter`
 */
export function conditionOf(
  query: Pick<ItemQuery, 'filter' | 'filter-lang' | 'filter-crs'>,
  properties: readonly (readonly [name: string, value: string])[],
  queryables: Queryables,
): Expression | undefined {
  const { filter, 'filter-lang': language, 'filter-crs': system } = query;
  const crs = crsOf('filter-crs', system);
  const toLonLat = ([first = 0, second = 0]: readonly number[]): [number, number] => [...crs.toLonLat(first, second)];
  const isJson = language === 'cql2-json' || (language === undefined && filter?.trimStart().startsWith('{'));
  const parse = isJson ? parseCql2Json : parseCql2Text;
  const parts = properties.map(([name, value]) => equal(name, value, queryables));
  try {
    if (filter !== undefined) parts.push(parse(filter, queryables, toLonLat));
  } catch (error) {
    if (!(error instanceof InvalidFilter)) throw error;
    throw new DomainError('invalid_parameter', `filter: ${error.message}.`);
  }
  const [first, ...others] = parts;
  if (first === undefined) return undefined;
  const expression: Expression = others.length === 0 ? first : { op: 'and', args: parts };
  requireFew(geometriesOf(expression));
  return expression;
}

/** A property that has a value, as the text of a parameter says it. One of any type has it as text, number or boolean. */
function equal(name: string, text: string, queryables: Queryables): Expression {
  const type = queryables.get(name);
  const number = DECIMAL.test(text) ? exactNumber(text) : Number.NaN;
  const isNumber = Number.isFinite(Number(number));
  if (type === 'number' && !isNumber) {
    throw new DomainError('invalid_parameter', `${name}: must be a number (got ${quoted(text)}).`);
  }
  const is = (as: ScalarType, value: string | number | bigint | boolean): Expression => ({
    op: '=',
    args: [{ property: name, type: as }, value],
  });
  if (type === 'number') return is('number', number);
  if (type !== 'any') return is('string', text);
  const readings = [
    is('string', text),
    ...(isNumber ? [is('number', number)] : []),
    ...(text === 'true' || text === 'false' ? [is('boolean', text === 'true')] : []),
  ];
  return readings.length === 1 ? (readings[0] as Expression) : { op: 'or', args: readings };
}

/**
 * Refuses geometries that would take long to compare with.
 *
 * @throws DomainError `invalid_parameter`
 */
function requireFew(geometries: readonly Geometry[]): void {
  const points = geometries.flatMap((geometry) => pointsOf(geometry) ?? []).length;
  if (points > MAX_POINTS) throw invalid(`must have at most ${MAX_POINTS} points (got ${points})`);
  const others = geometries.filter((geometry) => !pointsOf(geometry)).length;
  if (others > MAX_SHAPES) throw invalid(`must have at most ${MAX_SHAPES} lines, polygons and boxes (got ${others})`);
}

interface ConditionOptions {
  readonly level: Area['level'];
  readonly ctx: ServiceContext;
  readonly countAreas: CountAreas;
}

/**
 * A condition on areas, with the areas that its geometries meet: by detailed boundaries, whatever is drawn.
 *
 * @throws DomainError `invalid_parameter` for lines; `too_many_areas`
 */
export async function whereOf(
  areas: AreaStore,
  { expression, ...rest }: { expression: Expression } & ConditionOptions,
): Promise<Where> {
  const geometries = geometriesOf(expression);
  const meeting = new Map<Geometry, ReadonlySet<string>>();
  const version = geometries.length === 0 ? '' : await areas.activeVersion();
  for (const geometry of geometries) {
    const key = `${version} ${rest.level} ${JSON.stringify(geometry)}`;
    const find = async () => meetings.get(key) ?? codesMeeting(areas, geometry, rest);
    // Another request may have found them while this one waited.
    const codes = meetings.get(key) ?? (await LISTING.take(find));
    meetings.set(key, codes);
    meeting.set(geometry, codes);
  }
  return { expression, meeting };
}

async function codesMeeting(
  areas: AreaStore,
  geometry: Geometry,
  { level, ctx, countAreas }: ConditionOptions,
): Promise<ReadonlySet<string>> {
  const points = pointsOf(geometry);
  if (points) {
    const page = { page: 1, limit: MAX_AT_POINT };
    const reads = points.map(([lon = 0, lat = 0]) => areas.within({ lon, lat }, { level, metres: 0, page }));
    return new Set((await Promise.all(reads)).flatMap(({ value }) => value.found.map(({ area }) => area.code)));
  }
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') {
    throw invalid(`must have points, polygons, or boxes with an area, for S_INTERSECTS (got ${geometry.type})`);
  }
  try {
    const polygon = await MEASURING.take(async () => polygonOf(await parsePolygon(geometry)));
    const covered = await coveredAreas(areas, { ...LIMITS, polygon, level, deadline: ctx.deadline, countAreas });
    return new Set(covered.map(({ area }) => area.code));
  } catch (error) {
    if (error instanceof GeometryFault) throw invalid(`a geometry ${error.message}`);
    if (!(error instanceof DomainError && error.code === 'too_many_areas')) throw error;
    throw new DomainError('invalid_parameter', `filter: a ${error.message.replace(':', '')}`);
  }
}

/** The positions of points; undefined for other geometries. */
function pointsOf({ type, coordinates }: Geometry): readonly (readonly number[])[] | undefined {
  if (type === 'Point') return [coordinates as number[]];
  return type === 'MultiPoint' ? (coordinates as number[][]) : undefined;
}

function invalid(rule: string): DomainError {
  return new DomainError('invalid_parameter', `filter: ${rule}.`);
}
