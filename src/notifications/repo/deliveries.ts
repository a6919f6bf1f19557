import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { moments } from '../../db/columns.ts';
import { webhookDeliveries, webhookEndpoints } from '../../db/schema/notifications.ts';
import { TEST_TYPE } from '../events.ts';
import type { Delivery } from '../schemas.ts';
import type { OwnEndpoint } from './endpoints.ts';

/** The members of a `Delivery`, of a row `d`. */
const COLUMNS = sql`d.id, d.type, case when d.delivered_at is not null then 'delivered'
    when d.next_attempt_at is not null then 'pending' else 'failed' end as status, d.attempts,
  d.last_status, d.last_error, d.response_excerpt, d.data,
  ${moments('d', ['next_attempt_at', 'last_attempt_at', 'delivered_at', 'created_at'])}`;

/** Whether a row `e` is the endpoint of a user. */
function isOwn({ userId, id }: OwnEndpoint): SQL {
  return sql`e.id = ${id} and e.user_id = ${userId}`;
}

/** A page of the log of an endpoint, newest first; undefined if the user has no such endpoint. */
export async function listDeliveriesOf(
  db: Database,
  { page, limit, ...own }: OwnEndpoint & { page: number; limit: number },
): Promise<{ rows: Delivery[]; total: number } | undefined> {
  const { known, ...log } = await db.row<{
    rows: Delivery[];
    total: number;
    known: boolean;
  }>(sql`with e as (select e.id from ${webhookEndpoints} e where ${isOwn(own)})
      select exists (select from e) as known,
        (select count(*)::int from ${webhookDeliveries} d join e on e.id = d.endpoint_id) as total,
        (select coalesce(json_agg(r), '[]') from (
          select ${COLUMNS} from ${webhookDeliveries} d join e on e.id = d.endpoint_id
          order by d.created_at desc, d.id desc limit ${limit} offset ${(page - 1) * limit}::bigint) r) as rows`);
  return known ? log : undefined;
}

/**
 * Inserts a test delivery and deletes the previous one.
 *
 * @param minSeconds least time between two tests
 * @returns null if the endpoint is disabled; `wait`, seconds, if the last test is too recent; undefined if the user has no such
 * endpoint
 */
export async function insertTest(
  db: Database,
  { minSeconds, ...own }: OwnEndpoint & { minSeconds: number },
): Promise<Delivery | { readonly wait: number } | null | undefined> {
  const [row] = await db.rows<(Delivery | { id: null }) & { wait: number }>(sql`with e as (
        select e.id, e.enabled, (select greatest(0, ceil(${minSeconds} - extract(epoch from now() - max(d.created_at))))::int
            from ${webhookDeliveries} d where d.endpoint_id = e.id and d.type = ${TEST_TYPE}) as wait
        from ${webhookEndpoints} e where ${isOwn(own)} for no key update
      ), old as (
        delete from ${webhookDeliveries} d using e where d.endpoint_id = e.id and d.type = ${TEST_TYPE} and e.enabled and e.wait = 0
      ), d as (
        insert into ${webhookDeliveries} (endpoint_id, type, data)
        select e.id, ${TEST_TYPE}, jsonb_build_object('endpoint_id', e.id) from e where e.enabled and e.wait = 0 returning *
      )
      select ${COLUMNS}, case when e.enabled then e.wait end as wait from e left join d on true`);
  if (!row) return undefined;
  const { wait, ...delivery } = row;
  if (delivery.id !== null) return delivery;
  return wait ? { wait } : null;
}

/**
 * Makes a delivery due again, with the same id. A pending one stays as it is.
 *
 * @returns undefined if the user has no such delivery; `isEnabled`: whether the endpoint is, without which nothing changes
 */
export async function updateReplayed(
  db: Database,
  { deliveryId, ...own }: OwnEndpoint & { deliveryId: string },
): Promise<{ delivery: Delivery; isEnabled: boolean } | undefined> {
  const [row] = await db.rows<Delivery & { enabled: boolean }>(sql`with known as (
        select d.*, e.enabled from ${webhookDeliveries} d join ${webhookEndpoints} e on e.id = d.endpoint_id
        where d.id = ${deliveryId} and ${isOwn(own)} for update of d
      ), changed as (
        update ${webhookDeliveries} d set attempts = 0, next_attempt_at = now(), delivered_at = null from known
        where d.id = known.id and known.enabled and known.next_attempt_at is null returning d.*
      )
      select ${COLUMNS}, (select enabled from known) as enabled from (
        select * from changed union all
        select d.* from ${webhookDeliveries} d join known on known.id = d.id where not exists (select from changed)) d`);
  if (!row) return undefined;
  const { enabled, ...delivery } = row;
  return { delivery, isEnabled: enabled };
}

/** How many deliveries one statement deletes before their endpoint is deleted. */
const DELETE_BATCH = 5000;

/** Deletes some deliveries of an endpoint. @returns whether there may be more */
export async function deleteSomeDeliveries(db: Database, own: OwnEndpoint): Promise<boolean> {
  const { count } = await db.row<{ count: number }>(sql`with gone as (
        delete from ${webhookDeliveries} where id in (
          select d.id from ${webhookDeliveries} d join ${webhookEndpoints} e on e.id = d.endpoint_id where ${isOwn(own)}
          limit ${DELETE_BATCH})
        returning 1
      ) select count(*)::int as count from gone`);
  return count >= DELETE_BATCH;
}

/** How many old deliveries one run of the job deletes. */
const MAX_DELETED = 10_000;

/** Deletes deliveries that are older than some days, the oldest first. */
export async function deleteOldDeliveries(db: Database, days: number): Promise<void> {
  await db.rows(sql`delete from ${webhookDeliveries} where id in (select id from ${webhookDeliveries}
      where created_at < now() - make_interval(days => ${days}) order by created_at limit ${MAX_DELETED} for update skip locked)`);
}
