import { sql } from 'drizzle-orm';
import type { Caller } from '../../datasets/owners.ts';
import { ownedBy } from '../../datasets/repo/conditions.ts';
import { type Quota, quotaExceeded, storedBytes } from '../../datasets/repo/quota.ts';
import type { Database } from '../../db/client.ts';
import { datasets, datasetVersions } from '../../db/schema/datasets.ts';
import { DomainError } from '../../errors.ts';

const MAX_CONCURRENT = 20;

/** Max stored versions of an account that no dataset shows. */
const MAX_UNUSED = 500;

/** Minutes after its last heartbeat until an upload no longer counts as running. It sends one every minute. */
const ALIVE_MINUTES = 5;

/** Retry-After of a refused upload, seconds. */
const RETRY_SECONDS = 60;

interface NewVersion {
  readonly versionId: string;
  readonly key: string;
  /** Lower bound of its file's size. */
  readonly bytes: number;
  /** Max size that any upload can count in the quota. */
  readonly maxCounted: number;
  readonly caller: Caller;
  readonly quota: Quota;
  /** Called with the account's id if it has stored versions that no dataset shows. */
  readonly onUnused?: (owner: string) => void;
}

/** Storage of an account besides what its datasets show. */
interface Unused {
  readonly uploads: number;
  readonly versions: number;
  /** Bytes of these versions, counted like the quota. */
  readonly unused: number;
  /** Size of the account's datasets, bytes, and the max that replacing one of them frees, if that matters. */
  readonly stored: number;
  readonly largest: number;
}

/** Max size of an upload, bytes, and the error for exceeding it. */
export interface Room {
  readonly bytes: number;
  exceeded(): DomainError;
}

/**
 * Inserts a staged version, which is not visible yet. Replaced versions and remains of aborted uploads stay stored for
 * a while, so an account with as much of these as its quota can't begin an upload.
 *
 * @returns its max size, whatever it replaces
 * @throws DomainError `quota_exceeded` if the file can't fit, whatever it replaces; `too_many_uploads`
 */
export async function insertStagedVersion(
  db: Database,
  { versionId, key, bytes, maxCounted, caller, quota, onUnused }: NewVersion,
): Promise<Room> {
  const owner = caller === 'master' ? null : caller.userId;
  const insert = sql`insert into ${datasetVersions} (id, state, storage_key, owner, file_bytes)
    select ${versionId}::uuid, 'staged'::version_state, ${key}, ${owner}::text, ${bytes}::bigint`;
  if (caller === 'master') {
    await db.atomic(insert);
    return { bytes: Number.POSITIVE_INFINITY, exceeded: () => quotaExceeded(0, quota.maxBytes) };
  }
  const { maxBytes } = quota;
  // The lock serializes uploads of one account that begin at the same time.
  const [, rows] = await db.atomic(
    sql`select pg_advisory_xact_lock(hashtextextended(${`uploads:${owner}`}, 0))`,
    sql`with hidden as materialized (
        select count(*) filter (where state = 'staged' and touched_at > now() - make_interval(mins => ${ALIVE_MINUTES}))::int as uploads,
          count(*)::int as versions,
          coalesce(sum(file_bytes + feature_bytes + 256 * feature_count::bigint), 0)::float8 as unused,
          ${storedBytes(caller)} as stored
        from ${datasetVersions} where owner = ${owner} and state <> 'current'
      ), facts as materialized (
        select *, case when stored + ${maxCounted}::float8 <= ${maxBytes}::float8 then 0 else coalesce((
          select max(stored_bytes(file_bytes, feature_bytes, feature_count, description, metadata))
          from ${datasets} d where ${ownedBy(caller)}), 0) end::float8 as largest
        from hidden
      ), made as (
        ${insert} from facts where uploads < ${MAX_CONCURRENT} and versions < ${MAX_UNUSED}
          and unused <= ${maxBytes}::float8 and stored + ${bytes}::float8 <= greatest(${maxBytes}::float8, stored) + largest
        returning 1
      )
      select facts.*, (select count(*)::int from made) as made from facts`,
  );
  const facts = rows?.[0] as unknown as Unused & { made: number };
  const { uploads, versions, unused, stored, largest } = facts;
  if (versions > 0) onUnused?.(caller.userId);
  const exceeded = () => quotaExceeded(stored, maxBytes);
  const room = { bytes: Math.max(maxBytes, stored) + largest - stored, exceeded };
  if (facts.made > 0) return room;
  if (bytes > room.bytes) throw exceeded();
  const what =
    uploads >= MAX_CONCURRENT
      ? `has ${uploads} uploads under way, of at most ${MAX_CONCURRENT}`
      : `has replaced or begun ${versions} uploads with ${unused} bytes that are still to be deleted, of at most ${MAX_UNUSED} with ${maxBytes} bytes`;
  throw new DomainError('too_many_uploads', `The account ${what}. Try again in ${RETRY_SECONDS} seconds.`, {
    retryAfter: RETRY_SECONDS,
  });
}
