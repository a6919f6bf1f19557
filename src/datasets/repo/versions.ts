import { sql } from 'drizzle-orm';
import { type Database, rowsOf } from '../../db/client.ts';
import { datasetVersions, features } from '../../db/schema/datasets.ts';

/** How many features one statement deletes. */
const PORTION = 5000;

/** What is stored of a version besides its features. */
export interface Stored {
  readonly key: string | null;
  readonly multipartId: string | null;
}

/**
 * Marks a version as one of which not everything is there any more, unless a dataset shows it by now. Gives what is
 * stored of it; undefined where there is no such version, or it is in use.
 */
export async function condemnVersion(db: Database, id: string): Promise<Stored | undefined> {
  const [row] = await rowsOf<Stored>(
    db,
    sql`update ${datasetVersions} v set state = 'purging', touched_at = now()
      where id = ${id} and state <> 'current' returning storage_key as key, multipart_id as "multipartId"`,
  );
  return row;
}

/** Deletes features of a version, some thousands; tells whether there may be more. */
export async function deletePortion(db: Database, id: string): Promise<boolean> {
  const [row] = await rowsOf<{ count: number }>(
    db,
    sql`with gone as (
        delete from ${features} where id in (select id from ${features} where version_id = ${id} limit ${PORTION}) returning 1
      ) select count(*)::int as count from gone`,
  );
  return (row?.count ?? 0) >= PORTION;
}

/** Forgets a version that is being purged once nothing of it is left. */
export async function forgetVersion(db: Database, id: string): Promise<void> {
  await rowsOf(
    db,
    sql`delete from ${datasetVersions} v where id = ${id} and state = 'purging'
      and not exists (select from ${features} f where f.version_id = v.id)`,
  );
}

/**
 * Versions that nobody needs any more: those that were replaced so long ago that nobody reads them, or whose purge was
 * begun so long ago that it has not come to its end; and staged ones that nobody has written to for so long that their
 * upload must be dead. Those that have waited longest come first.
 *
 * @param ahead by how many seconds more they are taken to be old
 */
export async function unusedVersions(
  db: Database,
  {
    retiredMinutes,
    stagedMinutes,
    ahead,
    limit,
  }: { retiredMinutes: number; stagedMinutes: number; ahead: number; limit: number },
): Promise<string[]> {
  const age = sql`now() + make_interval(secs => ${ahead}) - touched_at`;
  const rows = await rowsOf<{ id: string }>(
    db,
    sql`select id from ${datasetVersions}
      where (state in ('retired', 'purging') and ${age} > make_interval(mins => ${retiredMinutes}))
        or (state = 'staged' and ${age} > make_interval(mins => ${stagedMinutes}))
      order by touched_at limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}
