import { coveredAreas, MEASURING } from '../analysis/covered.ts';
import { polygonOf } from '../analysis/polygon-body.ts';
import type { Area, AreaStore, Where } from '../areas/store.ts';
import type { ServiceContext } from '../context.ts';
import { type Expression, InvalidFilter, type Queryables } from '../cql2/expression.ts';
import { parseCql2Json } from '../cql2/json.ts';
import { parseCql2Text } from '../cql2/text.ts';
import { DomainError } from '../errors.ts';
import type { Geometry } from '../geojson/geometry.ts';
import { crsOf } from './crs.ts';
import type { ItemQuery } from './parameters.ts';

/** Max areas of a level that a point can be in: more than have ever shared a border's end. */
const MAX_AT_POINT = 100;

/** Max points of a filter on areas, each of which is looked up by itself. */
const MAX_POINTS = 20;

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
  return parts.length > 1 ? { op: 'and', args: parts } : parts[0];
}

function equal(name: string, text: string, queryables: Queryables): Expression {
  const isNumber = queryables.get(name) === 'number';
  const value = isNumber ? Number(text) : text;
  if (isNumber && (text.trim() === '' || !Number.isFinite(value))) {
    throw new DomainError('invalid_parameter', `${name}: must be a number (got ${JSON.stringify(text.slice(0, 60))}).`);
  }
  return { op: '=', args: [{ property: name, type: isNumber ? 'number' : 'string' }, value] };
}

/** The geometries that an expression compares with. */
function geometriesOf(expression: Expression): Geometry[] {
  if (typeof expression === 'boolean' || 'type' in expression) return [];
  if (expression.op === 's_intersects') return [expression.geometry];
  const isLogical = expression.op === 'and' || expression.op === 'or' || expression.op === 'not';
  return isLogical ? expression.args.flatMap(geometriesOf) : [];
}

/**
 * A condition on areas, with the areas that its geometries meet: by detailed boundaries, whatever is drawn.
 *
 * @throws DomainError `invalid_parameter` for lines; `too_many_areas`
 */
export async function whereOf(
  areas: AreaStore,
  { expression, level, ctx }: { expression: Expression; level: Area['level']; ctx: ServiceContext },
): Promise<Where> {
  const meeting = new Map<Geometry, ReadonlySet<string>>();
  let points = 0;
  for (const geometry of geometriesOf(expression)) {
    points += pointsOf(geometry)?.length ?? 0;
    if (points > MAX_POINTS) throw invalid(`must have at most ${MAX_POINTS} points`);
    meeting.set(geometry, await codesMeeting(areas, { geometry, level, ctx }));
  }
  return { expression, meeting };
}

async function codesMeeting(
  areas: AreaStore,
  { geometry, level, ctx }: { geometry: Geometry; level: Area['level']; ctx: ServiceContext },
): Promise<ReadonlySet<string>> {
  const points = pointsOf(geometry);
  if (points) {
    const page = { page: 1, limit: MAX_AT_POINT };
    const reads = points.map(([lon = 0, lat = 0]) => areas.within({ lon, lat }, { level, metres: 0, page }));
    return new Set((await Promise.all(reads)).flatMap(({ value }) => value.found.map(({ area }) => area.code)));
  }
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') {
    throw invalid(`S_INTERSECTS of areas takes points, polygons and boxes (got ${geometry.type})`);
  }
  const polygon = await MEASURING.take(() => polygonOf(geometry));
  const fail = (error: unknown): never => {
    throw error;
  };
  const { deadline } = ctx;
  const covered = await coveredAreas(areas, { polygon, level, deadline, countAreas: async () => fail });
  return new Set(covered.map(({ area }) => area.code));
}

/** The positions of points; undefined for other geometries. */
function pointsOf({ type, coordinates }: Geometry): readonly (readonly number[])[] | undefined {
  if (type === 'Point') return [coordinates as number[]];
  return type === 'MultiPoint' ? (coordinates as number[][]) : undefined;
}

function invalid(rule: string): DomainError {
  return new DomainError('invalid_parameter', `filter: ${rule}.`);
}
