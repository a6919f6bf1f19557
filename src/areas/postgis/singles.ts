import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { areaNeighbors, areas, dataReleases, formerNames } from '../../db/schema/geography.ts';
import { localCode } from '../psgc.ts';
import type { Area, AreaStore, BoundarySet, Level, Lookup, Relation, Resolution } from '../store.ts';
import { budgetedRow, currentCodeSql, joinBoundary, releaseTables, shownColumns } from './fragments.ts';
import { type AreaRow, areasIn, type Maybe, type NonEmpty, read } from './rows.ts';

interface LookupRow {
  current: string | null;
  boundary_set: BoundarySet;
  former_names: string[] | null;
  details: { population_history: Lookup['populationHistory'] | null; notes: string[] | null } | null;
  successors: string[] | null;
  other_level: Area['level'] | null;
  other_name: string | null;
  other_parent: string | null;
}

/** Single areas by a current or former code. */
export function singleAreas(db: Database, pinned?: string): Pick<AreaStore, 'find'> {
  return {
    find: (level, code, { relation, resolution, knownVersions }) => {
      const current = currentCodeSql(level, {
        release: sql`release.id`,
        code: sql`${code}`,
        local: sql`${localCode(level, code)}`,
      });
      // `hit` reads `release`, not `live`: an unchanged answer still says what the code is now. It is materialized, so that
      // its function runs once.
      const statement = sql`with ${releaseTables(knownVersions, pinned)}, hit as materialized (
          select release.id, release.version, release.known, ${current} as code from release
        ), shown as (${relation ? withRelated(level, relation, resolution) : sql`select ${shownColumns} from ${FOUND} ${joinBoundary(resolution)}`})
        select hit.id as release, hit.version, hit.known, hit.code as current, ${budgetedRow(sql`shown.code`)},
          (select r.boundary_set from ${dataReleases} r where r.id = hit.id) as boundary_set,
          case when hit.code is not null then (
            select array_agg(f.name order by f.name) from ${formerNames} f
            where f.release_id = hit.id and f.code = hit.code
          ) end as former_names,
          (select row_to_json(details) from (
            select a.population_history, a.notes from ${areas} a where a.release_id = hit.id and a.code = hit.code
          ) details) as details,
          lost.successors, lost.other_level, lost.other_name, lost.other_parent
        from hit left join shown on true
        left join lateral lost_code(hit.id, ${level}, ${code}) lost on hit.code is null
        order by shown.code`;
      return read<Maybe<AreaRow> & LookupRow, Lookup>(db, statement, lookupOf);
    },
  };
}

/** A join that gives the area with the code of `hit` as `a`; no row for a caller who has the answer. */
const FOUND = sql`hit join ${areas} a on a.release_id = hit.id and a.code = hit.code and not hit.known`;

/** The area and its related areas. */
function withRelated(level: Level, relation: Relation, resolution: Resolution | undefined): SQL {
  return sql`with self as (select a.* from ${FOUND}
    ), family as (select self.id from self union all ${relatedIds(level, relation)}
    )
    select ${shownColumns} from family join ${areas} a on a.id = family.id ${joinBoundary(resolution)}`;
}

/** Ids of the areas that are related to `self`. */
function relatedIds(level: Level, relation: Relation): SQL {
  if (relation === 'neighbors') {
    return sql`select a.id from self
      join ${areaNeighbors} n on n.release_id = self.release_id and n.level = self.level and n.code = self.code
      join ${areas} a on a.release_id = self.release_id and a.code = n.neighbor`;
  }
  if (relation === 'ancestors') {
    return sql`select a.id from self join ${areas} a on a.release_id = self.release_id
      and a.code in (self.sm_code, self.m_code, self.p_code, self.host_province_code, self.r_code)`;
  }
  return level === 'province'
    ? sql`select a.id from self join ${areas} a on a.release_id = self.release_id and a.level = 'municity'
        and (a.p_code = self.code or a.host_province_code = self.code)`
    : sql`select a.id from self join ${areas} a on a.release_id = self.release_id and a.level = 'barangay'
        and a.m_code = coalesce(self.m_code, self.code) and self.code in (a.m_code, a.sm_code)`;
}

function lookupOf(rows: NonEmpty<Maybe<AreaRow> & LookupRow>): Lookup {
  const [row] = rows;
  const family = areasIn(rows);
  return {
    code: row.current,
    area: family.find((area) => area.code === row.current) ?? null,
    related: family.filter((area) => area.code !== row.current),
    boundarySet: row.boundary_set,
    formerNames: row.former_names ?? [],
    populationHistory: row.details?.population_history ?? [],
    notes: row.details?.notes ?? [],
    successors: row.successors,
    otherLevel: row.other_level
      ? { level: row.other_level, name: row.other_name ?? '', parent: row.other_parent }
      : null,
  };
}
