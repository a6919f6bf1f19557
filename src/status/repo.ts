import { sql } from 'drizzle-orm';
import { STAGED_MINUTES } from '../datasets/sweep.ts';
import type { Database } from '../db/client.ts';
import { estimateOf, roughly } from '../db/roughly.ts';
import { apiKeys, profiles } from '../db/schema/accounts.ts';
import { accountStorage, datasets, datasetVersions, features } from '../db/schema/datasets.ts';
import { activeRelease } from '../db/schema/geography.ts';
import { webhookEvents } from '../db/schema/webhooks.ts';

/** The id of the release that is served, or undefined before the first load. */
export async function findActiveRelease(db: Database): Promise<string | undefined> {
  const [row] = await db.rows<{ id: string }>(sql`select release_id as id from ${activeRelease}`);
  return row?.id;
}

/** What the database reports of itself and of what is stored. Counts of large tables are estimates. */
export interface StoredNumbers {
  readonly accounts: number;
  readonly deleted_accounts: number;
  readonly api_keys: number;
  readonly datasets: number;
  readonly features: number;
  readonly stored_bytes: number;
  readonly database_bytes: number;
  readonly uploads_pending: number;
  readonly uploads_abandoned: number;
  readonly versions_unused: number;
  readonly events_without_effect: number;
  /** Seconds since the epoch; null: there was none. */
  readonly last_event: number | null;
  readonly may_alter_schema: boolean;
}

/** One statement, which reads indexes, small tables and estimates. */
export function countStored(db: Database): Promise<StoredNumbers> {
  const isAlive = sql`touched_at > now() - make_interval(mins => ${STAGED_MINUTES})`;
  return db.row<StoredNumbers>(
    sql`select ${roughly(profiles)}::float8 as accounts,
      (select count(*) from ${profiles} where deleted_at is not null)::float8 as deleted_accounts,
      ${roughly(apiKeys)}::float8 as api_keys,
      ${roughly(datasets)}::float8 as datasets,
      greatest(${estimateOf(features)}, 0)::float8 as features,
      (select coalesce(sum(bytes), 0) from ${accountStorage})::float8 as stored_bytes,
      pg_database_size(current_database())::float8 as database_bytes,
      unused.pending as uploads_pending, unused.abandoned as uploads_abandoned, unused.others as versions_unused,
      (select count(*) from ${webhookEvents} where note is not null
        and received_at > now() - interval '1 day')::float8 as events_without_effect,
      (select extract(epoch from max(received_at)) from ${webhookEvents})::float8 as last_event,
      pg_has_role(owner.id, 'usage') or has_schema_privilege('public', 'create') as may_alter_schema
      from (select count(*) filter (where state = 'staged' and ${isAlive})::float8 as pending,
          count(*) filter (where state = 'staged' and not ${isAlive})::float8 as abandoned,
          count(*) filter (where state <> 'staged')::float8 as others
          from ${datasetVersions} where state <> 'current') unused,
        (select relowner as id from pg_class where oid = 'features'::regclass) owner`,
    'accounts',
  );
}
