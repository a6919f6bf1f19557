import { sql } from 'drizzle-orm';
import { type Database, rowsOf } from '../db/client.ts';
import { apiKeys, apiKeyUsage, usageBatches } from '../db/schema/accounts.ts';
import type { UsageBatch } from './usage.ts';

/** How many batches that nobody will send again one call forgets. */
const MOST_FORGOTTEN = 20;

/**
 * Adds a batch to the usage of its key, once however often it is called within a month; nothing where the key is gone.
 * Takes ids of older batches away on the occasion, more than it adds, so that they don't pile up.
 */
export async function addUsage(db: Database, { id, keyId, lastUsedAt, rows }: UsageBatch): Promise<void> {
  const column = (name: keyof (typeof rows)[number]) => sql.param(rows.map((row) => row[name]));
  await rowsOf(
    db,
    sql`with batch as (
        insert into ${usageBatches} (id) values (${id}) on conflict do nothing returning id
      ), used as (
        update ${apiKeys} set last_used_at = greatest(last_used_at, ${new Date(lastUsedAt).toISOString()}::timestamptz)
        from batch where api_keys.id = ${keyId} returning api_keys.id
      ), forgotten as (
        delete from ${usageBatches} where id in (select id from ${usageBatches}
          where added_at < now() - interval '1 month' limit ${MOST_FORGOTTEN} for update skip locked)
      )
      insert into ${apiKeyUsage} as u (key_id, day, path, status, requests, duration_ms)
      select used.id, added.* from used, unnest(${column('day')}::date[], ${column('path')}::text[],
        ${column('status')}::int[], ${column('requests')}::bigint[], ${column('duration_ms')}::bigint[]) as added
      on conflict (key_id, day, path, status) do update
        set requests = u.requests + excluded.requests, duration_ms = u.duration_ms + excluded.duration_ms`,
  );
}

/**
 * Keys whose usage may wait to be written down, those first that were looked after longest ago. All but those that were
 * looked after a day after their end, when nothing could come any more: whatever is known of their use, which is only
 * what has been written down.
 */
export async function keysToLookAfter(db: Database, most: number): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    sql`select id from ${apiKeys}
      where (usage_checked_at > least(revoked_at, expires_at) + interval '1 day') is not true
      order by usage_checked_at, id limit ${most}`,
  );
  return rows.map(({ id }) => id);
}

/** Remembers of keys that their usage is on its way. */
export async function markLookedAfter(db: Database, ids: readonly string[]): Promise<void> {
  await rowsOf(db, sql`update ${apiKeys} set usage_checked_at = now() where id = any(${sql.param(ids)}::uuid[])`);
}

/** How many days usage is kept for, today included: three times what a summary goes back. */
const USAGE_DAYS = 90;
/** How many rows of usage one call forgets. */
const MOST_ROWS = 5000;

/** Takes away what keys were used for before the last days, the oldest first. */
export async function forgetUsage(db: Database): Promise<void> {
  await rowsOf(
    db,
    sql`delete from ${apiKeyUsage} where (key_id, day, path, status) in (
      select key_id, day, path, status from ${apiKeyUsage} where day <= (now() at time zone 'UTC')::date - ${USAGE_DAYS}::int
      order by day limit ${MOST_ROWS} for update skip locked)`,
  );
}
