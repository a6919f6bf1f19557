import { type SQL, sql } from 'drizzle-orm';
import { type Database, rowsOf } from '../db/client.ts';
import { areaChanges, areas, codeAliases, dataReleases, editionLinks, editionPairs } from '../db/schema/geography.ts';

interface Party {
  readonly code: string;
  readonly name: string;
  readonly share: number | null;
}

/** What happened to areas between two editions. */
export interface StoredChange {
  readonly kind: string;
  readonly level: string;
  readonly from: readonly Party[];
  readonly to: readonly Party[];
  readonly from_edition: string;
  readonly to_edition: string;
  readonly basis: string;
  readonly note: string | null;
}

const COLUMNS = sql`kind, level, from_areas as "from", to_areas as "to", from_edition, to_edition, basis, note`;

const IN_ORDER = sql`order by from_edition, position`;

interface ChangeFilter {
  /** Editions between which it happened. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly level: string | undefined;
  readonly kind: string | undefined;
  readonly code: string | undefined;
}

/** A page of changes, the oldest first, and how many there are. */
export async function findChanges(
  db: Database,
  { from, to, level, kind, code }: ChangeFilter,
  { page, limit }: { page: number; limit: number },
): Promise<{ total: number; changes: StoredChange[] }> {
  const conditions: SQL[] = [sql`true`];
  if (from !== undefined) conditions.push(sql`from_edition >= ${from}`);
  if (to !== undefined) conditions.push(sql`to_edition <= ${to}`);
  if (level !== undefined) conditions.push(sql`level = ${level}::area_level`);
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`);
  if (code !== undefined) conditions.push(sql`codes @> array[${code}]::text[]`);
  const where = sql.join(conditions, sql` and `);
  const rows = await rowsOf<StoredChange & { total: number }>(
    db,
    sql`with counted as (select count(*)::int as total from ${areaChanges} where ${where}), page as (
        select * from ${areaChanges} where ${where} ${IN_ORDER} limit ${limit} offset ${(page - 1) * limit}
      )
      select total, ${COLUMNS} from counted left join page on true ${IN_ORDER}`,
  );
  const total = rows[0]?.total ?? 0;
  return { total, changes: rows.filter(({ kind: found }) => found !== null).map(({ total: _, ...change }) => change) };
}

/** How often the codes of an area are followed from one change to the next. */
const STEPS = 8;

/**
 * Everything that happened to an area, the oldest first, under all codes that it had.
 *
 * @returns the changes; undefined where no edition has or had the code
 */
export async function findHistory(db: Database, code: string): Promise<StoredChange[] | undefined> {
  const known = await findCodes(db, code);
  if (known.length === 0) return undefined;
  const codes = new Set(known);
  let changes: StoredChange[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    changes = await rowsOf<StoredChange>(
      db,
      sql`select ${COLUMNS} from ${areaChanges} where codes && ${sql.param([...codes])}::text[] ${IN_ORDER}`,
    );
    const size = codes.size;
    // An area that got another code is the same area. What it was divided into is not.
    for (const { from, to } of changes) {
      if (from.length === 1 && to.length === 1) for (const party of [...from, ...to]) codes.add(party.code);
    }
    if (codes.size === size) break;
  }
  return changes;
}

/** The codes of ten digits that a code of any edition stands for. */
async function findCodes(db: Database, code: string): Promise<string[]> {
  const local = code.length === 10 ? code.slice(2) : code.length === 9 ? `0${code.slice(2)}` : '';
  const levels = sql`unnest(enum_range(null::area_level)) as each (level)`;
  const rows = await rowsOf<{ code: string }>(
    db,
    sql`select a.code from ${dataReleases} r cross join ${levels} join ${areas} a
        on a.release_id = r.id and a.level = each.level and right(a.code, 8) = ${local} and each.level <> 'region'
        where r.checked_at is not null
      union select a.code from ${dataReleases} r join ${areas} a on a.release_id = r.id and a.code = ${code}
        where r.checked_at is not null
      union select c.code from ${dataReleases} r cross join ${levels} join ${codeAliases} c
        on c.release_id = r.id and c.level = each.level and c.alias = ${code} where r.checked_at is not null
      union select ${code}::text from ${areaChanges} where codes @> array[${code}]::text[]`,
  );
  return rows.map(({ code: found }) => found);
}

/** What a code of an edition is in another one. */
export interface CrosswalkRow {
  readonly from_code: string;
  readonly from_name: string;
  readonly to_code: string | null;
  readonly to_name: string | null;
  readonly relation: string;
  readonly weight_area: number | null;
  readonly weight_population: number | null;
  readonly basis: string;
  readonly estimated: string | null;
}

/** The releases by which two editions were compared; undefined where they were not. */
export async function findPair(
  db: Database,
  { from, to }: { from: string; to: string },
): Promise<{ from_release: string; to_release: string } | undefined> {
  const [row] = await rowsOf<{ from_release: string; to_release: string }>(
    db,
    sql`select from_release, to_release from ${editionPairs} where from_edition = ${from} and to_edition = ${to}`,
  );
  return row;
}

/** Areas that one statement reads. */
const PAGE = 3000;

export interface CrosswalkInput {
  readonly from: string;
  readonly to: string;
  readonly fromRelease: string;
  readonly toRelease: string;
  readonly levels: readonly string[];
}

/** The rows of a crosswalk in pages, by level and code. */
export async function* crosswalkPages(
  db: Database,
  { from, to, fromRelease, toRelease, levels }: CrosswalkInput,
): AsyncGenerator<CrosswalkRow[]> {
  for (const level of levels) {
    for (let after = ''; ; ) {
      const rows = await rowsOf<CrosswalkRow>(
        db,
        sql`with page as (
            select code, name from ${areas}
            where release_id = ${fromRelease} and level = ${level}::area_level and code > ${after} order by code limit ${PAGE}
          )
          select page.code as from_code, page.name as from_name, nullif(coalesce(link.to_code, page.code), '') as to_code,
            other.name as to_name, coalesce(link.relation, 'same') as relation,
            case when link.from_code is null then 1 else link.weight_area end as weight_area,
            case when link.from_code is null then 1 else link.weight_population end as weight_population,
            coalesce(link.basis, 'code') as basis, link.estimated
          from page left join ${editionLinks} link
            on link.from_edition = ${from} and link.to_edition = ${to} and link.from_code = page.code
          left join ${areas} other on other.release_id = ${toRelease} and other.code = coalesce(link.to_code, page.code)
          order by page.code, link.weight_area desc, link.to_code`,
      );
      if (rows.length > 0) yield rows;
      const codes = new Set(rows.map(({ from_code }) => from_code));
      if (codes.size < PAGE) break;
      after = rows.at(-1)?.from_code ?? '';
    }
  }
}
