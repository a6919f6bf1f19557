import { sql } from 'drizzle-orm';
import { connect, type Database, rowsOf } from '../db/client.ts';
import { apiKeys, apiKeyUsage, usageBatches } from '../db/schema/accounts.ts';
import type { UsageBatch } from './usage.ts';

/** How many batches that nobody will send again one call forgets. */
const MOST_FORGOTTEN = 20;

/**
 * Adds a batch to the usage of its key, once however often it is called within a month; nothing where the key is gone.
 * Takes ids of older batches away on the occasion, more than it adds, so that they don't pile up.
 */
export async function addUsage(databaseUrl: string, { id, keyId, lastUsedAt, rows }: UsageBatch): Promise<void> {
  const column = (name: keyof (typeof rows)[number]) => sql.param(rows.map((row) => row[name]));
  await rowsOf(
    connect(databaseUrl),
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

/** Keys that were used in the last week, or made in it and never used as far as is known: some of them, by chance. */
export async function someKeysInUse(db: Database, most: number): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    sql`select id from ${apiKeys} where revoked_at is null and coalesce(last_used_at, created_at) > now() - interval '1 week'
      order by random() limit ${most}`,
  );
  return rows.map(({ id }) => id);
}
