import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { areaNeighbors, areas, codeAliases, dataReleases, formerNames } from '../../db/schema/geography.ts';
import { localCode } from '../psgc.ts';
import type { Area, AreaStore, BoundarySet, Kin, Level, Lookup } from '../store.ts';
import { joinBoundary, liveId, releaseTables, resolved, shownColumns, wholeRow } from './fragments.ts';
import { type AreaRow, areasOf, type Maybe, read } from './rows.ts';

interface LookupRow {
  current: string | null;
  boundary_set: BoundarySet;
  former_names: string[] | null;
  successors: string[] | null;
  stray_level: Area['level'] | null;
  stray_name: string | null;
  stray_parent: string | null;
}

/** Single areas by a current or former code. */
export function singleAreas(db: Database): Pick<AreaStore, 'find'> {
  return {
    find: (level, code, { kin, resolution: detail, held }) => {
      const current = resolved(level, sql`release.id`, sql`${code}::text`, sql`${localCode(level, code)}::text`);
      // `hit` reads `release`, not `live`: an answer that the caller holds still has to say what its code is now.
      const statement = sql`with ${releaseTables(held)}, hit as (
          select found.code from release left join ${current} found on true
        ), self as (
          select s.* from hit join ${areas} s on s.release_id = ${liveId} and s.code = hit.code
        ), family as (select self.id from self ${kin ? sql`union all ${kinIds(level, kin)}` : sql``}
        ), shown as (select ${shownColumns} from family join ${areas} a on a.id = family.id ${joinBoundary(detail)})
        select release.id as release, release.held, hit.code as current, ${wholeRow},
          (select r.boundary_set from ${dataReleases} r where r.id = release.id) as boundary_set,
          case when hit.code is not null then (
            select array_agg(f.name order by f.name) from ${formerNames} f
            where f.release_id = release.id and f.code = hit.code
          ) end as former_names,
          case when hit.code is null then (
            select array_agg(c.code order by c.code) from ${codeAliases} c
            where c.release_id = release.id and c.level = ${level} and c.alias = ${code} and c.change = 'abolished'
          ) end as successors,
          stray.level as stray_level, stray.name as stray_name, stray.m_code as stray_parent
        from release cross join hit
        left join shown on true
        left join ${areas} stray on hit.code is null and stray.release_id = release.id and stray.code = ${code}
        order by shown.code`;
      return read<Maybe<AreaRow> & LookupRow, Lookup>(db, statement, lookupOf);
    },
  };
}

/** Ids of the areas that go with `self`. */
function kinIds(level: Level, kin: Kin): SQL {
  if (kin === 'neighbors') {
    return sql`select a.id from self
      join ${areaNeighbors} n on n.release_id = self.release_id and n.level = self.level and n.code = self.code
      join ${areas} a on a.release_id = self.release_id and a.code = n.neighbor`;
  }
  if (kin === 'ancestors') {
    return sql`select a.id from self join ${areas} a on a.release_id = self.release_id
      and a.code in (self.sm_code, self.m_code, self.p_code, self.host_province_code, self.r_code)`;
  }
  return level === 'province'
    ? sql`select a.id from self join ${areas} a on a.release_id = self.release_id and a.level = 'municity'
        and (a.p_code = self.code or a.host_province_code = self.code)`
    : sql`select a.id from self join ${areas} a on a.release_id = self.release_id and a.level = 'barangay'
        and a.m_code = self.code`;
}

function lookupOf(rows: (Maybe<AreaRow> & LookupRow)[]): Lookup {
  const [row] = rows;
  const family = areasOf(rows);
  return {
    code: row?.current ?? null,
    area: family.find((area) => area.code === row?.current) ?? null,
    kin: family.filter((area) => area.code !== row?.current),
    boundarySet: row?.boundary_set ?? 'none',
    formerNames: row?.former_names ?? [],
    successors: row?.successors ?? [],
    stray: row?.stray_level ? { level: row.stray_level, name: row.stray_name ?? '', parent: row.stray_parent } : null,
  };
}
