import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { areaNeighbors, areas, dataReleases, formerNames } from '../../db/schema/geography.ts';
import { localCode } from '../psgc.ts';
import type { Area, AreaStore, BoundarySet, Kin, Level, Lookup, Resolution } from '../store.ts';
import { budgetedRow, currentCode, joinBoundary, releaseTables, shownColumns } from './fragments.ts';
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
      const current = currentCode(level, sql`release.id`, sql`${code}`, sql`${localCode(level, code)}`);
      // `hit` reads `release`, not `live`: an answer that the caller holds still has to say what its code is now. It is
      // materialized for the functions to run once.
      const statement = sql`with ${releaseTables(held)}, hit as materialized (
          select release.id, release.version, release.held, ${current} as code from release
        ), shown as (${kin ? withKin(level, kin, detail) : sql`select ${shownColumns} from ${FOUND} ${joinBoundary(detail)}`})
        select hit.id as release, hit.version, hit.held, hit.code as current, ${budgetedRow(sql`shown.code`)},
          (select r.boundary_set from ${dataReleases} r where r.id = hit.id) as boundary_set,
          case when hit.code is not null then (
            select array_agg(f.name order by f.name) from ${formerNames} f
            where f.release_id = hit.id and f.code = hit.code
          ) end as former_names,
          lost.successors, lost.stray_level, lost.stray_name, lost.stray_parent
        from hit left join shown on true
        left join lateral lost_code(hit.id, ${level}, ${code}) lost on hit.code is null
        order by shown.code`;
      return read<Maybe<AreaRow> & LookupRow, Lookup>(db, statement, lookupOf);
    },
  };
}

/** The area that `hit` names, as `a`; nothing for a caller who holds the answer. */
const FOUND = sql`hit join ${areas} a on a.release_id = hit.id and a.code = hit.code and not hit.held`;

/** The area and those that go with it. */
function withKin(level: Level, kin: Kin, detail: Resolution | undefined): SQL {
  return sql`with self as (select a.* from ${FOUND}
    ), family as (select self.id from self union all ${kinIds(level, kin)}
    )
    select ${shownColumns} from family join ${areas} a on a.id = family.id ${joinBoundary(detail)}`;
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
