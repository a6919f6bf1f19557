import { sql } from 'drizzle-orm';
import type { User } from '../../auth/principal.ts';
import type { Database } from '../../db/client.ts';
import { apiKeyFailures, apiKeys, apiKeyUsage } from '../../db/schema/accounts.ts';
import { accountStorage } from '../../db/schema/datasets.ts';
import type { AccountStats } from '../schemas.ts';

/** How many days a summary of usage goes back, today included. */
const STATS_DAYS = 30;
const TOP_ENDPOINTS = 10;
/** How many reasons why requests failed a summary has at most. */
const MAX_FAILURES = 50;

type Asker = Pick<User, 'userId' | 'email'> & {
  /** The key that the summary is about; undefined: all keys of the user. */
  readonly keyId: string | undefined;
};

/** A summary, and how many bytes the user stores. `found` is false where the user has no key with the id. */
type Summary = Omit<AccountStats, 'limits'> & { readonly stored: number; readonly found: boolean };

/** What a user's keys were used for in the last thirty days (UTC), and how many bytes the user stores. */
export async function sumUsage(db: Database, { userId, email, keyId }: Asker): Promise<Summary> {
  const firstDay = sql`(now() at time zone 'UTC')::date - ${STATS_DAYS - 1}::int`;
  return db.row<Summary>(
    sql`with keys as (select id, name from ${apiKeys} where user_id = ${userId}),
      asked as (select id from keys where ${keyId ?? null}::uuid is null or id = ${keyId ?? null}::uuid),
      all_used as (
        select u.*, keys.name from ${apiKeyUsage} u join keys on keys.id = u.key_id where u.day >= ${firstDay}
      ),
      used as (select u.* from all_used u join asked on asked.id = u.key_id),
      sums as (
        select coalesce(sum(requests), 0)::float8 as requests, coalesce(sum(duration_ms), 0)::float8 as duration,
          coalesce(sum(requests) filter (where status < 400), 0)::float8 as good from used
      )
      select (select count(*)::int from keys) as total_keys, requests as total_requests,
        ${keyId ?? null}::uuid is null or exists (select from asked) as found,
        coalesce(round((duration / nullif(requests, 0))::numeric, 1)::float8, 0) as avg_response_time,
        coalesce(round((100 * good / nullif(requests, 0))::numeric, 2)::float8, 0) as success_rate,
        coalesce(round((100 * (requests - good) / nullif(requests, 0))::numeric, 2)::float8, 0) as error_rate,
        coalesce((select json_agg(d order by d.date) from (
          select day::text as date, sum(count)::float8 as count,
            json_agg(json_build_object('status', status, 'count', count) order by status) as statuses
          from (select day, status, sum(requests)::float8 as count from used group by day, status) s
          group by day) d), '[]') as requests_by_day,
        coalesce((select json_agg(k order by k.count desc, k.key_id) from (
          select key_id, name, sum(requests)::float8 as count,
            coalesce(sum(requests) filter (where status >= 400), 0)::float8 as failed
          from all_used group by key_id, name) k), '[]') as requests_by_key,
        coalesce((select json_agg(t order by t.count desc, t.path) from (
          select path, sum(requests)::float8 as count from used group by path order by count desc, path
          limit ${TOP_ENDPOINTS}) t), '[]') as top_endpoints,
        coalesce((select json_agg(f order by f.date desc, f.count desc, f.path, f.code) from (
          select day::text as date, key_id, path, status, code, requests::float8 as count
          from ${apiKeyFailures} join asked on asked.id = key_id where day >= ${firstDay}
          order by day desc, requests desc, path, code limit ${MAX_FAILURES}) f), '[]') as failures,
        coalesce((select sum(bytes) from ${accountStorage} where owner in (${userId}, ${email})), 0)::float8 as stored
      from sums`,
    'total_keys',
  );
}
