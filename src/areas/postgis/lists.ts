import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { areaNames, areas, boundaries, dataReleases } from '../../db/schema/geography.ts';
import { nameKey, spelledOut } from '../names.ts';
import { nearRows } from '../near-names.ts';
import { localCode } from '../psgc.ts';
import {
  type Area,
  type AreaFilter,
  type AreaList,
  type AreaStore,
  type BoundarySet,
  type FoundAreas,
  type Level,
  listedLevel,
  type Order,
  type Page,
  type Read,
  type Slice,
} from '../store.ts';
import {
  budgetedRow,
  currentCodeSql,
  joinBoundary,
  levelsSql,
  liesIn,
  literal,
  liveId,
  matches,
  orderOf,
  parentCodes,
  releaseTables,
  shownColumns,
  wholeRow,
} from './fragments.ts';
import { namesOfVersion } from './names.ts';
import { type AreaRow, areasIn, type Maybe, read } from './rows.ts';

/** The order of a list that asks for none. */
const BY_CODE: Order = { by: 'code', descending: false };

/** Lists of areas: by filter, by codes, by name. */
export function areaLists(
  db: Database,
  pinned?: string,
): Pick<AreaStore, 'list' | 'findMany' | 'boundaries' | 'search'> {
  return {
    list: (level, filter, { page, resolution, order = BY_CODE, knownVersions }) => {
      const window = page ? windowOf(page, order) : sql``;
      // Names repeat among cities and municipalities, so the caller is told which ones a name could mean.
      const named = filter.municity && 'name' in filter.municity ? parentCodes('municity', filter.municity) : undefined;
      const statement = sql`with ${releaseTables(knownVersions, pinned)}, matched as (
          select a.id, a.code, a.name_key, a.population, a.area_km2 from ${areas} a
          where ${matches(listedLevel(level, filter), filter)}
        ), page as (select a.id from matched a ${window}
        ), shown as (
          select ${shownColumns}, a.name_key from page join ${areas} a on a.id = page.id ${joinBoundary(resolution)}
        )
        select release.id as release, release.version, release.known, ${budgetedRow(orderOf('shown', order))},
          ${page ? sql`(select count(*)::int from matched)` : sql`0`} as total,
          ${
            named
              ? sql`(select json_agg(json_build_object('code', m.code, 'name', m.name) order by m.code)
                  from (select a.code, a.name from ${areas} a where a.code = any(${named}) and ${liesIn(filter)}) m)`
              : sql`null`
          } as candidates,
          (select r.boundary_set from ${dataReleases} r where r.id = release.id) as boundary_set
        from release left join shown on true order by ${orderOf('shown', order)}`;
      return read<
        Maybe<AreaRow> & { total: number; candidates: AreaList['candidates'] | null; boundary_set: BoundarySet },
        AreaList
      >(db, statement, (rows) => ({
        total: rows[0].total,
        areas: areasIn(rows),
        candidates: rows[0].candidates ?? [],
        boundarySet: rows[0].boundary_set,
      }));
    },

    findMany: (level, codes, { resolution, knownVersions }) => {
      const locals = codes.map((code) => localCode(level, code));
      const statement = sql`with ${releaseTables(knownVersions, pinned)}, input as (
          select input.code, input.ord, ${currentCodeSql(level, { release: liveId, code: sql`input.code`, local: sql`input.local` })} as current
          from unnest(${sql.param(codes)}::text[], ${sql.param(locals)}::text[])
            with ordinality as input (code, local, ord)
        ), once as (
          select current, min(ord) as ord, array_agg(code order by ord) as requested
          from input where current is not null group by current
        ), shown as (
          select ${shownColumns}, once.ord, once.requested from once
          join ${areas} a on a.code = once.current ${amongCodes(sql`select current from once`)} ${joinBoundary(resolution)}
        )
        select release.id as release, release.version, release.known, shown.requested, ${budgetedRow(sql`shown.ord`)},
          (select json_agg(json_build_object('code', gone.code, 'successors', lost.successors) order by gone.ord)
            from (select code, min(ord) as ord from input where current is null group by code) gone
            cross join lateral lost_code(${liveId}, ${level}, gone.code) lost
            where lost.successors is not null) as abolished,
          (select array_agg(lost.code order by lost.ord) from
            (select code, min(ord) as ord from input where current is null group by code) lost) as missing
        from release left join shown on true order by shown.ord`;
      return read<Maybe<AreaRow> & FoundRow, FoundAreas>(db, statement, (rows) => ({
        areas: areasIn(rows),
        requested: rows.flatMap(({ id, requested }) => (id === null ? [] : [[...new Set(requested)]])),
        missing: rows[0].missing ?? [],
        abolished: rows[0].abolished ?? [],
      }));
    },

    boundaries: async ({ release, level, resolution }, slices) => {
      const column = (name: keyof Slice) => sql.param(slices.map((slice) => slice[name]));
      const rows = await db.rows<{ text: string }>(sql`select case when slice.length = b.bytes then b.geojson
            else substr(b.geojson, slice.start + 1, slice.length) end as text
          from unnest(${column('code')}::text[], ${column('start')}::int[], ${column('length')}::int[])
            with ordinality as slice (code, start, length, ord)
          join ${boundaries} b on b.release_id = ${release} and b.level = any(${levelsSql(level)}) and b.resolution = ${resolution}
            and b.code = slice.code
          order by slice.ord`);
      return rows.map(({ text }) => text);
    },

    search: async (level, text, options) => {
      const { filter, limit } = options;
      const found = await searchKeys(db, { level, text, pinned, ...options });
      if (found.unchanged || found.value.length >= limit) return found;
      const names = await namesOfVersion(db, found.version);
      const known = new Set(found.value.map(({ code }) => code));
      const codes = nearRows(names, { level, text, filter, limit }).map((row) => names.index.codeOf(row));
      const others = codes.filter((code) => !known.has(code));
      if (others.length === 0) return found;
      const near = await areasOf(db, { level, filter, codes: others, limit: limit - known.size, pinned });
      // Another release may have become active meanwhile.
      return near.version === found.version ? { ...found, value: [...found.value, ...near.value] } : found;
    },
  };
}

/** The rows of a page, of a table `a` with the columns of areas. */
function windowOf(page: Page, order: Order): SQL {
  return 'page' in page
    ? sql`order by ${orderOf('a', order)} limit ${page.limit} offset ${(page.page - 1) * page.limit}`
    : sql`where a.code > ${page.after} order by a.code limit ${page.limit}`;
}

/** What a row of many codes has besides its area. */
interface FoundRow {
  readonly requested: string[] | null;
  readonly missing: string[] | null;
  readonly abolished: FoundAreas['abolished'] | null;
}

interface SearchInput {
  readonly level: Level;
  readonly text: string;
  readonly filter: AreaFilter;
  readonly limit: number;
  readonly knownVersions?: readonly string[] | undefined;
  readonly pinned: string | undefined;
}

/** Areas with a key that contains a text. A key's rank is twice how well it matches, and one more where it is former. */
function searchKeys(
  db: Database,
  { level, text, filter, limit, knownVersions, pinned }: SearchInput,
): Promise<Read<Area[]>> {
  const key = spelledOut(nameKey(text));
  const pattern = literal(key);
  const statement = sql`with ${releaseTables(knownVersions, pinned)}, named as (
      select n.code, min(2 * case when n.key = ${key} then 0 when n.key like ${`${pattern}%`} then 1
        when n.key like ${`% ${pattern}%`} then 2 else 3 end + n.former::int) as rank
      from ${areaNames} n where n.release_id = ${liveId} and n.level = ${level} and ${key === '' ? sql`false` : sql`n.key like ${`%${pattern}%`}`}
      group by n.code
    ), shown as (
      select ${shownColumns}, named.rank from named
      join ${areas} a on a.code = named.code ${amongCodes(sql`select code from named`)} ${joinBoundary(undefined)}
      where ${matches(level, filter)}
      order by named.rank, a.population desc nulls last, a.type, a.code limit ${limit}
    )
    select release.id as release, release.version, release.known, ${wholeRow}
    from release left join shown on true
    order by shown.rank, shown.population desc nulls last, shown.type, shown.code`;
  return read<Maybe<AreaRow>, Area[]>(db, statement, (rows) => areasIn(rows));
}

/** Of some areas, in their order, the first that a filter lets through. */
function areasOf(
  db: Database,
  {
    level,
    filter,
    codes,
    limit,
    pinned,
  }: {
    level: Level;
    filter: AreaFilter;
    codes: readonly string[];
    limit: number;
    pinned: string | undefined;
  },
): Promise<Read<Area[]>> {
  const statement = sql`with ${releaseTables([], pinned)}, input as (
      select code, ord from unnest(${sql.param(codes)}::text[]) with ordinality as input (code, ord)
    ), shown as (
      select ${shownColumns}, input.ord from input
      join ${areas} a on a.code = input.code ${amongCodes(sql`select code from input`)} ${joinBoundary(undefined)}
      where ${matches(level, filter)} order by input.ord limit ${limit}
    )
    select release.id as release, release.version, release.known, ${wholeRow}
    from release left join shown on true order by shown.ord`;
  return read<Maybe<AreaRow>, Area[]>(db, statement, (rows) => areasIn(rows));
}

/** The condition that `a` is one of some hundred codes, in a form that the planner answers from the index of codes. */
function amongCodes(codes: SQL): SQL {
  return sql`and a.release_id = ${liveId} and a.code = any(array(${codes}))`;
}
