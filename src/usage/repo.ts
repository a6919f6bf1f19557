import { sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { apiKeyFailures, apiKeys, apiKeyUsage, usageBatches } from '../db/schema/accounts.ts';
import type { UsageBatch } from './usage.ts';

/** How many ids of old batches one call deletes at most. */
const MAX_OLD_BATCHES = 20;

/**
 * Adds a batch to the usage of its key. The same batch is added once, however often it is sent within a month. Nothing
 * is added where the key is gone. Each call also deletes ids of batches that are older than a month, more of them than
 * it adds, so that they don't pile up.
 */
export async function addUsage(db: Database, { id, keyId, lastUsedAt, rows, failures }: UsageBatch): Promise<void> {
  const column = (name: keyof (typeof rows)[number]) => sql.param(rows.map((row) => row[name]));
  const failed = (name: keyof (typeof failures)[number]) => sql.param(failures.map((row) => row[name]));
  await db.rows(sql`with batch as (
        insert into ${usageBatches} (id) values (${id}) on conflict do nothing returning id
      ), used as (
        update ${apiKeys} set last_used_at = greatest(last_used_at, ${new Date(lastUsedAt).toISOString()}::timestamptz)
        from batch where api_keys.id = ${keyId} returning api_keys.id
      ), deleted as (
        delete from ${usageBatches} where id in (select id from ${usageBatches}
          where added_at < now() - interval '1 month' limit ${MAX_OLD_BATCHES} for update skip locked)
      ), failed as (
        insert into ${apiKeyFailures} as f (key_id, day, path, status, code, requests)
        select used.id, added.* from used, unnest(${failed('day')}::date[], ${failed('path')}::text[],
          ${failed('status')}::int[], ${failed('code')}::text[], ${failed('requests')}::bigint[]) as added
        on conflict (key_id, day, path, status, code) do update set requests = f.requests + excluded.requests
      )
      insert into ${apiKeyUsage} as u (key_id, day, path, status, requests, duration_ms)
      select used.id, added.* from used, unnest(${column('day')}::date[], ${column('path')}::text[],
        ${column('status')}::int[], ${column('requests')}::bigint[], ${column('duration_ms')}::bigint[]) as added
      on conflict (key_id, day, path, status) do update
        set requests = u.requests + excluded.requests, duration_ms = u.duration_ms + excluded.duration_ms`);
}

/** A key whose counter is checked. */
export interface CheckedKey {
  readonly id: string;
  readonly prefix: string;
}

/**
 * The keys whose counters may hold usage that the database does not have, those first that were checked longest
 * ago. A key is left out once it was checked a day after its end, when no usage can be waiting any more. Whether a key
 * has usage in the database does not matter: the usage that is stuck is not there.
 */
export function listKeysToCheck(db: Database, most: number): Promise<CheckedKey[]> {
  return db.rows(sql`select id, prefix from ${apiKeys}
      where (usage_checked_at > least(revoked_at, expires_at) + interval '1 day') is not true
      order by usage_checked_at, id limit ${most}`);
}

/** Notes of keys that their counters were checked now. */
export async function updateChecked(db: Database, ids: readonly string[]): Promise<void> {
  await db.rows(sql`update ${apiKeys} set usage_checked_at = now() where id = any(${sql.param(ids)}::uuid[])`);
}

/** How many days usage is kept for, today included: three times as many as a summary has. */
const USAGE_DAYS = 90;
/** How many rows of usage one call deletes at most. */
const MAX_ROWS = 5000;

/** Deletes usage of days before those that are kept, the oldest first, and why it failed. */
export async function deleteOldUsage(db: Database): Promise<void> {
  const lastDeleted = sql`(now() at time zone 'UTC')::date - ${USAGE_DAYS}::int`;
  await db.rows(sql`with failures as (
      delete from ${apiKeyFailures} where (key_id, day, path, status, code) in (
        select key_id, day, path, status, code from ${apiKeyFailures} where day <= ${lastDeleted}
        order by day limit ${MAX_ROWS} for update skip locked)
    ) delete from ${apiKeyUsage} where (key_id, day, path, status) in (
      select key_id, day, path, status from ${apiKeyUsage} where day <= ${lastDeleted}
      order by day limit ${MAX_ROWS} for update skip locked)`);
}
