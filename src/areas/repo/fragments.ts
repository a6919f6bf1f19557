import { type SQL, sql } from 'drizzle-orm';
import { areaNames, areas, boundaries, codeAliases } from '../../db/schema.ts';
import { nameKey } from '../names.ts';
import { localCode } from '../psgc.ts';
import type { AreaFilter, Level, Parent, Resolution } from '../store.ts';

/**
 * The first two tables of every statement: `release`, the active one and whether the caller holds its answer, and
 * `live`, the same release unless the caller does. What reads from `live` does nothing for a caller who holds it.
 */
export function releaseTables(held: string | undefined): SQL {
  return sql`release as (
    select release_id as id, release_id is not distinct from ${held ?? null}::text as held from active_release
  ), live as (select id from release where not held)`;
}

/**
 * The id of the release to read from, null where there is nothing to read. A scalar, and not a join with `live`, so
 * that the planner sees one value and takes the indexes that begin with it.
 */
export const liveId = sql`(select id from live)`;

/** The columns of `a` (areas) and `b` (boundaries, possibly none) that make an `AreaRow`. */
export const areaColumns = sql`a.id, a.level, a.code, a.name, a.type, a.city_class, a.r_code, a.p_code,
  a.host_province_code, a.m_code, a.urban_rural, a.population, a.lon, a.lat, a.bbox,
  a.province_count, a.municity_count, a.hosted_municity_count, a.barangay_count, b.geojson as boundary`;

/** Joins the boundary of `a` at a resolution as `b`; without one, a `b` that is always null and costs nothing. */
export function joinBoundary(resolution: Resolution | undefined): SQL {
  if (resolution === undefined) return sql`left join (select null::text as geojson) b on true`;
  return sql`left join ${boundaries} b on b.release_id = a.release_id and b.level = a.level
    and b.resolution = ${resolution} and b.code = a.code`;
}

/**
 * A lateral table with the current code of one that may be old: the code itself, the code it was renumbered to, or
 * the one that differs in nothing but its region.
 *
 * @param release expression for the release id
 * @param code expression for the code asked for
 * @param local expression for what `localCode` makes of it
 */
export function resolved(level: Level, release: SQL, code: SQL, local: SQL): SQL {
  return sql`lateral (
    select candidate.code from (
      select 1 as rank, a.code from ${areas} a
        where a.release_id = ${release} and a.code = ${code} and a.level = ${level}
      union all
      select 2, c.code from ${codeAliases} c
        where c.release_id = ${release} and c.level = ${level} and c.alias = ${code} and c.change = 'renumbered'
      union all
      select 3, a.code from ${areas} a
        where a.release_id = ${release} and a.level = ${level} and right(a.code, 8) = ${local}
    ) candidate order by candidate.rank limit 1
  )`;
}

/** An array of the codes of the areas that a filter's parent names in the live release. */
export function parentCodes(level: Level, parent: Parent): SQL {
  if ('code' in parent) {
    const code = sql`${parent.code}::text`;
    const local = sql`${localCode(level, parent.code)}::text`;
    return sql`array(select parent.code from ${resolved(level, liveId, code, local)} parent)`;
  }
  return sql`array(select n.code from ${areaNames} n
    where n.release_id = ${liveId} and n.level = ${level} and n.key = ${nameKey(parent.name)} and not n.former)`;
}

/** The condition on `a` that a level and a filter stand for, in the live release. */
export function matches(level: Level, filter: AreaFilter): SQL {
  const conditions = [sql`a.release_id = ${liveId} and a.level = ${level}`];
  if (filter.codes) {
    const locals = filter.codes.map((code) => localCode(level, code));
    conditions.push(sql`a.code = any(array(select found.code
      from unnest(${sql.param(filter.codes)}::text[], ${sql.param(locals)}::text[]) as asked (code, local)
      cross join ${resolved(level, liveId, sql`asked.code`, sql`asked.local`)} found))`);
  }
  if (filter.nameContains !== undefined) conditions.push(like(filter.nameContains, (key) => `%${key}%`));
  if (filter.nameStartsWith !== undefined) conditions.push(like(filter.nameStartsWith, (key) => `${key}%`));
  for (const region of filter.regions ?? []) conditions.push(sql`a.r_code = any(${parentCodes('region', region)})`);
  if (filter.province) {
    const { parent, scope } = filter.province;
    const codes = parentCodes('province', parent);
    conditions.push(
      scope === 'admin'
        ? sql`a.p_code = any(${codes})`
        : sql`(a.p_code = any(${codes}) or a.host_province_code = any(${codes}))`,
    );
  }
  if (filter.municity) conditions.push(sql`a.m_code = any(${parentCodes('municity', filter.municity)})`);
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
