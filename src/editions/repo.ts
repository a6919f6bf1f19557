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
  /** Any code that an area has or had. */
  readonly code: string | undefined;
}

/** A page of changes, the oldest first, how many there are, and how many of each kind whatever kind is asked for. */
export async function findChanges(
  db: Database,
  { from, to, level, kind, code }: ChangeFilter,
  { page, limit }: { page: number; limit: number },
): Promise<{ total: number; kinds: Record<string, number>; changes: StoredChange[] }> {
  const conditions: SQL[] = [sql`true`];
  if (from !== undefined) conditions.push(sql`from_edition >= ${from}`);
  if (to !== undefined) conditions.push(sql`to_edition <= ${to}`);
  if (level !== undefined) conditions.push(sql`level = ${level}::area_level`);
  if (code !== undefined) conditions.push(sql`codes && ${sql.param(await findCodes(db, code))}::text[]`);
  const ofKind = kind === undefined ? sql`true` : sql`kind = ${kind}`;
  const rows = await rowsOf<StoredChange & { kinds: Record<string, number> }>(
    db,
    sql`with matching as (select * from ${areaChanges} where ${sql.join(conditions, sql` and `)}),
      counted as (
        select coalesce(jsonb_object_agg(kind, changes), '{}') as kinds
        from (select kind, count(*) as changes from matching group by kind) each_kind
      ), page as (
        select * from matching where ${ofKind} ${IN_ORDER} limit ${limit} offset ${(page - 1) * limit}
      )
      select kinds, ${COLUMNS} from counted left join page on true ${IN_ORDER}`,
  );
  const kinds = rows[0]?.kinds ?? {};
  const total = kind === undefined ? Object.values(kinds).reduce((sum, n) => sum + n, 0) : (kinds[kind] ?? 0);
  return { total, kinds, changes: rows.filter((row) => row.kind !== null).map(({ kinds: _, ...change }) => change) };
}

/** How often the codes of an area are followed from one change to the next. */
const STEPS = 8;

/** The editions from `since` to `until` in which the followed area has a code: another area can have it in others. */
interface Life {
  readonly code: string;
  readonly since: string;
  readonly until: string;
}

/** Before and after every edition, in the order of their ids. */
const EARLIEST = '';
const LATEST = '~';

/** A life that ends where the area leaves its code and begins where it arrives, as far as changes in their order tell. */
function bounded({ code, since, until }: Life, changes: readonly StoredChange[]): Life {
  const names = (parties: readonly Party[]) => parties.some((party) => party.code === code);
  const leaving = changes.find((one) => names(one.from) && !names(one.to) && one.from_edition >= since);
  const arriving = changes.findLast((one) => names(one.to) && !names(one.from) && one.to_edition <= until);
  return {
    code,
    since: since === EARLIEST ? (arriving?.to_edition ?? since) : since,
    until: until === LATEST ? (leaving?.from_edition ?? until) : until,
  };
}

/**
 * Everything that happened to an area, the oldest first, under all codes that it had. Where two areas had the code that is
 * asked for, it is what happened to both.
 *
 * @returns the changes; undefined where no edition has or had the code
 */
export async function findHistory(db: Database, code: string): Promise<StoredChange[] | undefined> {
  const asked = new Set(await findCodes(db, code));
  if (asked.size === 0) return undefined;
  let lives: Life[] = [];
  const isFollowed = (party: Party, edition: string) =>
    asked.has(party.code) ||
    lives.some((life) => life.code === party.code && life.since <= edition && edition <= life.until);
  for (let step = 1; ; step += 1) {
    const codes = sql.param([...new Set([...asked, ...lives.map((life) => life.code)])]);
    const touching = await rowsOf<StoredChange>(
      db,
      sql`select ${COLUMNS} from ${areaChanges} where codes && ${codes}::text[] ${IN_ORDER}`,
    );
    lives = lives.map((life) => bounded(life, touching));
    const changes = touching.filter(
      ({ from, to, from_edition, to_edition }) =>
        from.some((party) => isFollowed(party, from_edition)) || to.some((party) => isFollowed(party, to_edition)),
    );
    const followed = lives.length;
    // An area that got another code is the same area. What it was divided into is not.
    for (const { from, to, from_edition, to_edition } of changes) {
      const [before, after] = [from[0], to[0]];
      if (!before || !after || from.length > 1 || to.length > 1) continue;
      if (!isFollowed(after, to_edition)) lives.push({ code: after.code, since: to_edition, until: LATEST });
      if (!isFollowed(before, from_edition)) lives.push({ code: before.code, since: EARLIEST, until: from_edition });
    }
    if (lives.length === followed || step === STEPS) return changes;
  }
}

/** The codes of ten digits that a code of any edition stands for. */
async function findCodes(db: Database, code: string): Promise<string[]> {
  const local = code.length === 10 ? code.slice(2) : code.length === 9 ? `0${code.slice(2)}` : '';
  const levels = sql`unnest(enum_range(null::area_level)) as each (level)`;
  const rows = await rowsOf<{ code: string }>(
    db,
    sql`select a.code from ${dataReleases} r cross join ${levels} join ${areas} a
        on a.release_id = r.id and a.level = each.level and right(a.code, 8) = ${local} and each.level <> 'region'
        where r.checked_at is not null and exists (select from ${areas} g
          where g.release_id = r.id and g.level = 'region' and g.code = left(${code}, 2) || '00000000')
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
