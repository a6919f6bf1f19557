import { type SQL, sql } from 'drizzle-orm';
import { conditionOf } from '../../cql2/sql.ts';
import { RELEASE_VERSION } from '../../db/releases.ts';
import { activeRelease, areaNames, areas, boundaries, dataReleases } from '../../db/schema/geography.ts';
import { ISLAND_GROUPS } from '../identifiers.ts';
import { nameKey } from '../names.ts';
import { localCode } from '../psgc.ts';
import {
  type Area,
  type AreaFilter,
  BOUNDARY_BUDGET,
  type Level,
  namedLevels,
  type Order,
  type Parent,
  plainIncomeClass,
  type Resolution,
  SUB_MUNICIPALITY,
} from '../store.ts';
import { attributeColumns } from './attributes.ts';

/**
 * The first two tables of every statement: `release`, the active one and whether the caller has its answer, and `live`,
 * the same release unless the caller has its answer. So what reads from `live` reads nothing for such a caller. There is
 * one active release; the limit tells the planner, which expects a thousand rows of a table that was never analyzed.
 *
 * @param pinned the id of a release to read in place of the active one
 */
export function releaseTables(knownVersions: readonly string[] = [], pinned?: string): SQL {
  const chosen =
    pinned === undefined
      ? sql`${activeRelease} active join ${dataReleases} r on r.id = active.release_id`
      : sql`${dataReleases} r where r.id = ${pinned}`;
  return sql`release as (
    select id, version, version = any(${sql.param(knownVersions)}::text[]) as known from (
      select r.id, ${RELEASE_VERSION} as version from ${chosen} limit 1
    ) served
  ), live as (select id from release where not known limit 1)`;
}

/**
 * The id of the release to read from, null where there is nothing to read. A scalar, and not a join with `live`, so
 * that the planner sees one value and takes the indexes that begin with it.
 */
export const liveId = sql`(select id from live)`;

// biome-ignore format: a table of names
const COLUMNS = [
  'id', 'level', 'code', 'name', 'type', 'city_class', 'r_code', 'p_code', 'host_province_code', 'm_code', 'sm_code',
  'urban_rural', 'population', 'population_year', 'income_class', 'area_km2', 'density_km2', 'lon', 'lat', 'bbox',
  'province_count', 'municity_count', 'hosted_municity_count', 'barangay_count',
];

const columnsOf = (table: 'a' | 'shown') => sql.raw(COLUMNS.map((column) => `${table}.${column}`).join(', '));

/** The columns of `a` (areas) and `b` (boundaries, possibly none) that a table named `shown` has. */
export const shownColumns = sql`${columnsOf('a')}, coalesce(b.bytes, 0) as boundary_bytes, b.geojson`;

/** The columns of `shown` that make an `AreaRow`, with every boundary. */
export const wholeRow = sql`${columnsOf('shown')}, shown.boundary_bytes, shown.geojson as boundary`;

/**
 * The same with the boundaries only of the first rows, as many as the budget allows. PostgreSQL passes large texts
 * around by reference, so the others are never read.
 */
export function budgetedRow(order: SQL): SQL {
  return sql`${columnsOf('shown')}, shown.boundary_bytes, case when sum(shown.boundary_bytes)
    over (order by ${order} rows unbounded preceding) <= ${BOUNDARY_BUDGET}
    then shown.geojson end as boundary`;
}

/** Joins the boundary of `a` at a resolution as `b`; without one, a `b` that is always null and costs nothing. */
export function joinBoundary(resolution: Resolution | undefined): SQL {
  if (resolution === undefined) return sql`left join (select null::text as geojson, 0 as bytes) b on true`;
  return sql`left join ${boundaries} b on b.release_id = a.release_id and b.level = a.level
    and b.resolution = ${resolution} and b.code = a.code`;
}

/**
 * The current code of one that may be old, null where it names no area of the level. The function is in the migrations.
 *
 * @param given expressions for the id of the `release`, the requested `code`, and what `localCode` makes of it
 */
export function currentCodeSql(
  level: Area['level'],
  { release, code, local }: { release: SQL; code: SQL; local: SQL },
): SQL {
  const codes = namedLevels(level).map((named) => sql`current_code(${release}, ${named}, ${code}, ${local})`);
  return sql`coalesce(${sql.join(codes, sql`, `)})`;
}

/** An array of the codes of the areas that a filter's parent names in the live release. */
export function parentCodes(level: Level, parent: Parent): SQL {
  if ('code' in parent) {
    const code = currentCodeSql(level, {
      release: liveId,
      code: sql`${parent.code}`,
      local: sql`${localCode(level, parent.code)}`,
    });
    return sql`array(select ${code})`;
  }
  // A town is meant rather than a sub-municipality of its name.
  return sql`array(select n.code from ${areaNames} n
    where n.release_id = ${liveId} and n.level = any(${levelsSql(level)}) and n.key = ${nameKey(parent.name)}
      and not n.former
    order by n.level fetch first 1 rows with ties)`;
}

/** The order of rows of a table with the columns of areas. */
export function orderOf(table: 'a' | 'shown', { by, descending }: Order): SQL {
  // Keys of names are compared by their bytes, which is the same order in every database.
  const value = sql.raw(by === 'name' ? `${table}.name_key collate "C"` : `${table}.${by}`);
  const last = by === 'code' ? sql`` : sql`, ${sql.raw(table)}.code`;
  return sql`${value} ${sql.raw(descending ? 'desc' : 'asc')} nulls last${last}`;
}

/** The levels of what a code or a name may mean where an area of a level is requested, as an array. */
export function levelsSql(level: Area['level']): SQL {
  return sql`${sql.param(namedLevels(level))}::area_level[]`;
}

/** The condition on `a` that a level and a filter stand for, in the live release. */
export function matches(level: Area['level'], filter: AreaFilter): SQL {
  const conditions = [sql`a.level = ${level}`];
  if (filter.codes) {
    const locals = filter.codes.map((code) => localCode(level, code));
    conditions.push(sql`a.code = any(array(
      select ${currentCodeSql(level, { release: liveId, code: sql`input.code`, local: sql`input.local` })}
      from unnest(${sql.param(filter.codes)}::text[], ${sql.param(locals)}::text[]) as input (code, local)))`);
  }
  if (filter.nameContains !== undefined) conditions.push(like(filter.nameContains, (key) => `%${key}%`));
  if (filter.nameStartsWith !== undefined) conditions.push(like(filter.nameStartsWith, (key) => `${key}%`));
  if (filter.type !== undefined && filter.type !== SUB_MUNICIPALITY) conditions.push(sql`a.type = ${filter.type}`);
  if (filter.cityClass !== undefined) conditions.push(sql`a.city_class = ${filter.cityClass}`);
  if (filter.incomeClass !== undefined) {
    conditions.push(
      sql`regexp_replace(lower(a.income_class), '[ *].*$', '') = ${plainIncomeClass(filter.incomeClass)}`,
    );
  }
  if (filter.islandGroup !== undefined) {
    conditions.push(sql`left(a.code, 2) = any(${sql.param(ISLAND_GROUPS[filter.islandGroup])}::text[])`);
  }
  if (filter.populationMin !== undefined) conditions.push(sql`a.population >= ${filter.populationMin}`);
  if (filter.populationMax !== undefined) conditions.push(sql`a.population <= ${filter.populationMax}`);
  if (filter.meets) {
    const [west, south, east, north] = filter.meets;
    conditions.push(sql`a.bbox[1] <= ${east}::float8 and a.bbox[2] <= ${north}::float8
      and a.bbox[3] >= ${west}::float8 and a.bbox[4] >= ${south}::float8`);
  }
  if (filter.municity) {
    const codes = parentCodes('municity', filter.municity);
    // The index is one of cities: in these, one looks at the sub-municipality.
    conditions.push(sql`a.m_code = any(array(
        select coalesce(parent.m_code, parent.code) from ${areas} parent
        where parent.release_id = ${liveId} and parent.code = any(${codes})))
      and (a.m_code = any(${codes}) or a.sm_code = any(${codes}))`);
  }
  if (filter.where) {
    const { expression, meeting } = filter.where;
    conditions.push(conditionOf(expression, attributeColumns(meeting)));
  }
  return sql.join([liesIn(filter), ...conditions], sql` and `);
}

/** The condition that `a` is of the live release, and lies in the regions and the province of a filter. */
export function liesIn({ regions = [], province }: AreaFilter): SQL {
  const conditions = [sql`a.release_id = ${liveId}`];
  for (const region of regions) conditions.push(sql`a.r_code = any(${parentCodes('region', region)})`);
  if (province) {
    const { parent, scope } = province;
    const codes = parentCodes('province', parent);
    conditions.push(
      scope === 'admin'
        ? sql`a.p_code = any(${codes})`
        : sql`(a.p_code = any(${codes}) or a.host_province_code = any(${codes}))`,
    );
  }
  return sql.join(conditions, sql` and `);
}

/** Text that is nothing but punctuation is in no name. */
function like(text: string, pattern: (key: string) => string): SQL {
  const key = nameKey(text);
  return key === '' ? sql`false` : sql`a.name_key like ${pattern(literal(key))}`;
}

/** Text in which LIKE sees no wildcard. */
export function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
