import { sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { datasetVersions, features } from '../../db/schema/datasets.ts';

/** How many features one statement deletes. */
const BATCH_FEATURES = 5000;

/** Where the file of a version is stored in the bucket. */
interface StoredKeys {
  /** Its key in the bucket; null where nothing was stored. */
  readonly key: string | null;
  /** The bucket's id of an upload in parts that was begun. */
  readonly multipartId: string | null;
}

/**
 * Marks a version as being purged, so that its readers break off, unless a dataset shows it.
 *
 * @returns where its file is stored; undefined where there is no such version, or a dataset shows it
 */
export async function markVersionPurging(
  db: Database,
  { versionId }: { versionId: string },
): Promise<StoredKeys | undefined> {
  const [row] = await db.rows<StoredKeys>(sql`update ${datasetVersions} v set state = 'purging', touched_at = now()
      where id = ${versionId} and state <> 'current' returning storage_key as key, multipart_id as "multipartId"`);
  return row;
}

/** Deletes some thousands of the features of a version. @returns whether there may be more */
export async function deleteFeatureBatch(db: Database, { versionId }: { versionId: string }): Promise<boolean> {
  const [row] = await db.rows<{ count: number }>(sql`with gone as (
        delete from ${features} where id in (select id from ${features} where version_id = ${versionId} limit ${BATCH_FEATURES}) returning 1
      ) select count(*)::int as count from gone`);
  return (row?.count ?? 0) >= BATCH_FEATURES;
}

/** Deletes the row of a version that is being purged, where no features of it are left. */
export async function deletePurgedVersion(db: Database, { versionId }: { versionId: string }): Promise<void> {
  await db.rows(sql`delete from ${datasetVersions} v where id = ${versionId} and state = 'purging'
      and not exists (select from ${features} f where f.version_id = v.id)`);
}

interface UnusedVersionsInput {
  /** How long ago a version was replaced, or its purge was begun, at least. */
  readonly retiredMinutes: number;
  /** How long ago a staged version was last written to, at least. */
  readonly stagedMinutes: number;
  /** Seconds that are added to the age of every version. */
  readonly ahead: number;
  readonly limit: number;
  /** The id of the profile whose versions they are; undefined: everybody's. */
  readonly owner?: string | undefined;
}

/**
 * Ids of versions that can be purged: those that were replaced so long ago that nobody reads them any more, those whose
 * purge was begun and has not ended, and staged ones whose upload must be dead. The oldest of each owner come
 * first, so that nobody's versions wait for all those of another.
 */
export async function listUnusedVersions(
  db: Database,
  { retiredMinutes, stagedMinutes, ahead, limit, owner }: UnusedVersionsInput,
): Promise<string[]> {
  const age = sql`now() + make_interval(secs => ${ahead}) - touched_at`;
  const rows = await db.rows<{ id: string }>(sql`select id from ${datasetVersions}
      where ((state in ('retired', 'purging') and ${age} > make_interval(mins => ${retiredMinutes}))
          or (state = 'staged' and ${age} > make_interval(mins => ${stagedMinutes})))
        ${owner === undefined ? sql`` : sql`and owner = ${owner}`}
      order by row_number() over (partition by coalesce(owner, id::text) order by touched_at), touched_at
      limit ${limit}`);
  return rows.map(({ id }) => id);
}
