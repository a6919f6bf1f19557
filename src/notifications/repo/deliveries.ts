import { type SQL, sql } from 'drizzle-orm';
import { type Actor, audited } from '../../db/audit.ts';
import { type Database, rowOf, rowsOf } from '../../db/client.ts';
import { iso, moments } from '../../db/columns.ts';
import { profiles } from '../../db/schema/accounts.ts';
import { webhookDeliveries, webhookEndpoints } from '../../db/schema/notifications.ts';
import { type Delivery, TEST_TYPE } from '../events.ts';
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

/** A page of the log of an endpoint, newest first; undefined where the user has no such endpoint. */
export async function listDeliveriesOf(
  db: Database,
  { page, limit, ...own }: OwnEndpoint & { page: number; limit: number },
): Promise<{ rows: Delivery[]; total: number } | undefined> {
  const { known, ...log } = await rowOf<{ rows: Delivery[]; total: number; known: boolean }>(
    db,
    sql`with e as (select e.id from ${webhookEndpoints} e where ${isOwn(own)})
      select exists (select from e) as known,
        (select count(*)::int from ${webhookDeliveries} d join e on e.id = d.endpoint_id) as total,
        (select coalesce(json_agg(r), '[]') from (
          select ${COLUMNS} from ${webhookDeliveries} d join e on e.id = d.endpoint_id
          order by d.created_at desc, d.id desc limit ${limit} offset ${(page - 1) * limit}::bigint) r) as rows`,
  );
  return known ? log : undefined;
}

/**
 * Writes what tries an endpoint. The one before is deleted, so that the log has one, unless it is younger than some seconds.
 *
 * @returns null where the endpoint is disabled, and after how many seconds it may be tried where it was just now; undefined where the
 * user has no such endpoint
 */
export async function insertTest(
  db: Database,
  { minSeconds, ...own }: OwnEndpoint & { minSeconds: number },
): Promise<Delivery | { readonly wait: number } | null | undefined> {
  const [row] = await rowsOf<(Delivery | { id: null }) & { wait: number }>(
    db,
    sql`with e as (
        select e.id, e.enabled, (select greatest(0, ceil(${minSeconds} - extract(epoch from now() - max(d.created_at))))::int
            from ${webhookDeliveries} d where d.endpoint_id = e.id and d.type = ${TEST_TYPE}) as wait
        from ${webhookEndpoints} e where ${isOwn(own)} for no key update
      ), old as (
        delete from ${webhookDeliveries} d using e where d.endpoint_id = e.id and d.type = ${TEST_TYPE} and e.enabled and e.wait = 0
      ), d as (
        insert into ${webhookDeliveries} (endpoint_id, type, data)
        select e.id, ${TEST_TYPE}, jsonb_build_object('endpoint_id', e.id) from e where e.enabled and e.wait = 0 returning *
      )
      select ${COLUMNS}, case when e.enabled then e.wait end as wait from e left join d on true`,
  );
  if (!row) return undefined;
  const { wait, ...delivery } = row;
  if (delivery.id !== null) return delivery;
  return wait ? { wait } : null;
}

/**
 * Lets a delivery be sent once more, with the same id. One that is still to be sent stays as it is.
 *
 * @returns undefined where there is no such delivery; `isEnabled`: whether the endpoint is, without which nothing changes
 */
export async function updateReplayed(
  db: Database,
  { deliveryId, ...own }: OwnEndpoint & { deliveryId: string },
): Promise<{ delivery: Delivery; isEnabled: boolean } | undefined> {
  const [row] = await rowsOf<Delivery & { enabled: boolean }>(
    db,
    sql`with known as (
        select d.*, e.enabled from ${webhookDeliveries} d join ${webhookEndpoints} e on e.id = d.endpoint_id
        where d.id = ${deliveryId} and ${isOwn(own)} for update of d
      ), changed as (
        update ${webhookDeliveries} d set attempts = 0, next_attempt_at = now(), delivered_at = null from known
        where d.id = known.id and known.enabled and known.next_attempt_at is null returning d.*
      )
      select ${COLUMNS}, (select enabled from known) as enabled from (
        select * from changed union all
        select d.* from ${webhookDeliveries} d join known on known.id = d.id where not exists (select from changed)) d`,
  );
  if (!row) return undefined;
  const { enabled, ...delivery } = row;
  return { delivery, isEnabled: enabled };
}

/** An attempt that has begun. */
export interface Attempt {
  readonly id: string;
  /** The account of the endpoint. */
  readonly user_id: string;
  /** Whether an endpoint of the account took long to answer lately. */
  readonly is_slow: boolean;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** When the event happened, RFC 3339. */
  readonly created_at: string;
  /** Its number, from 1. */
  readonly attempts: number;
  /** What came of the attempt before. */
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly url: string;
  /** What it is signed with: the secret, and the one before while that still counts. */
  readonly secrets: readonly string[];
  readonly areas: readonly string[];
}

/** Deliveries `d` that may be sent to their endpoints `e`, as it is written behind `from`. */
const OPEN = sql`${webhookDeliveries} d join ${webhookEndpoints} e on e.id = d.endpoint_id join ${profiles} p on p.id = e.user_id
  where d.next_attempt_at is not null and e.enabled and p.deleted_at is null`;

interface Wanted {
  readonly limit: number;
  /** How many of them may be of accounts that were slow. */
  readonly slowLimit: number;
  /** For how long an account counts as slow, minutes. */
  readonly slowMinutes: number;
  /** Accounts to which something is being sent: they get nothing more meanwhile. */
  readonly busy: readonly string[];
  /** Accounts that had a turn, the latest last. */
  readonly served: readonly string[];
  /** After how many seconds an attempt counts as lost, at the earliest. */
  readonly leaseSeconds: number;
  /** Seconds between one attempt and the next. */
  readonly retries: readonly number[];
}

/**
 * Begins attempts that are due, one of each account: first those of accounts whose turn was longest ago, of endpoints that do not fail,
 * and the longest due ones. Nobody else begins them meanwhile. One of which nobody notes what came of it is due again as if it had
 * failed, and ends after the last one.
 */
export function claimAttempts(db: Database, wanted: Wanted): Promise<Attempt[]> {
  const { limit, slowLimit, slowMinutes, busy, served, leaseSeconds, retries } = wanted;
  const inTurn = sql`next.turn nulls first, next.fails, next.next_attempt_at`;
  return rowsOf(
    db,
    sql`with next as (
        select distinct on (e.user_id) d.id, d.next_attempt_at, e.failing_since is not null as fails,
          array_position(${sql.param(served)}::uuid[], e.user_id) as turn,
          coalesce(p.slow_webhook_at > now() - make_interval(mins => ${slowMinutes}), false) as is_slow
        from ${OPEN} and d.next_attempt_at <= now() and e.user_id <> all (${sql.param(busy)}::uuid[])
        order by e.user_id, fails, d.next_attempt_at
      ), due as (
        select d.id, d.attempts, next.is_slow from ${webhookDeliveries} d join (
          select *, row_number() over (partition by next.is_slow order by ${inTurn}) as place from next
        ) next on next.id = d.id
        where d.next_attempt_at <= now() and (not next.is_slow or next.place <= ${slowLimit})
        order by ${inTurn} limit ${limit} for update of d skip locked
      ), lost as (
        update ${webhookDeliveries} d set next_attempt_at = null, last_error = 'It could not be sent.'
        from due where d.id = due.id and due.attempts > ${retries.length}
      )
      update ${webhookDeliveries} d set attempts = d.attempts + 1, last_attempt_at = now(), next_attempt_at = now()
        + make_interval(secs => greatest(${leaseSeconds}, (${sql.param(retries)}::int[])[d.attempts + 1]))
      from due, ${webhookEndpoints} e where d.id = due.id and due.attempts <= ${retries.length} and e.id = d.endpoint_id
      returning d.id, e.user_id, due.is_slow, d.type, d.data, ${iso(sql`d.created_at`)} as created_at, d.attempts, d.last_status,
        d.last_error, e.url, e.areas,
        array[e.secret] || case when e.previous_until > now() then array[e.previous_secret] else '{}' end as secrets`,
  );
}

/** Notes that an endpoint of an account took long to answer. */
export async function updateSlow(db: Database, { user_id: userId }: Attempt): Promise<void> {
  await rowsOf(db, sql`update ${profiles} p set slow_webhook_at = now() where p.id = ${userId}`);
}

/** In how many seconds the next attempt is due; undefined where there is none. */
export async function findNextWait(db: Database): Promise<number | undefined> {
  const { seconds } = await rowOf<{ seconds: number | null }>(
    db,
    sql`select extract(epoch from min(d.next_attempt_at) - now())::float8 as seconds from ${OPEN}`,
  );
  return seconds ?? undefined;
}

/** Whether a row `d` is still in this attempt: nobody has begun another one since, stopped it, or written what came of it. */
function isIn({ id, attempts }: Attempt): SQL {
  return sql`d.id = ${id} and d.attempts = ${attempts} and d.next_attempt_at is not null`;
}

/** Stores what is sent, and gives it as every attempt reads it: jsonb has an order of its own. Undefined where the attempt was stopped. */
export async function updateData(db: Database, attempt: Attempt, data: object): Promise<Attempt['data'] | undefined> {
  const [row] = await rowsOf<Pick<Attempt, 'data'>>(
    db,
    sql`update ${webhookDeliveries} d set data = ${JSON.stringify(data)}::jsonb where ${isIn(attempt)} returning d.data`,
  );
  return row?.data;
}

/** Deletes a delivery that has nothing to tell. */
export async function deleteAttempt(db: Database, attempt: Attempt): Promise<void> {
  await rowsOf(db, sql`delete from ${webhookDeliveries} d where ${isIn(attempt)}`);
}

/** What came of an attempt. */
export interface Outcome {
  /** The status of the answer; null where there was none. */
  readonly status: number | null;
  /** Why it failed; null where it succeeded. */
  readonly error: string | null;
  readonly excerpt: string | null;
}

/**
 * The endpoint of an attempt, with `was_asked`: whether it still has the address that was. Whoever writes both locks the endpoint
 * first, so that nobody waits for each other.
 */
function lockedEndpoint(attempt: Attempt): SQL {
  return sql`select e.id, e.failing_since, e.url = ${attempt.url} as was_asked
    from ${webhookDeliveries} d join ${webhookEndpoints} e on e.id = d.endpoint_id
    where ${isIn(attempt)} for no key update of e`;
}

/** Notes an attempt that succeeded. */
export async function updateDelivered(
  db: Database,
  attempt: Attempt,
  { status, excerpt }: Pick<Outcome, 'status' | 'excerpt'>,
): Promise<void> {
  await rowsOf(
    db,
    sql`with endpoint as (${lockedEndpoint(attempt)}), delivered as (
        update ${webhookDeliveries} d set delivered_at = now(), next_attempt_at = null, last_status = ${status}::smallint,
          last_error = null, response_excerpt = ${excerpt} from endpoint where ${isIn(attempt)}
      )
      update ${webhookEndpoints} e set failing_since = null from endpoint
      where e.id = endpoint.id and e.failing_since is not null and endpoint.was_asked`,
  );
}

interface Failure extends Outcome {
  readonly actor: Actor;
  /** In how many seconds the next attempt is due, where the endpoint stays enabled; null: there is none. */
  readonly retrySeconds: number | null;
  /** Whether it says something of the endpoint. */
  readonly isOfEndpoint: boolean;
  /** Why the endpoint is disabled at once, if it is. */
  readonly disabledReason: string | null;
  /** After how many days of failures it is disabled, and why then. */
  readonly maxDays: number;
  readonly lateReason: string;
}

/**
 * Notes an attempt that failed. It disables the endpoint where it is to be disabled at once, or has failed for some days. What was still
 * to be sent to it is then not sent.
 */
export async function updateFailed(db: Database, attempt: Attempt, failure: Failure): Promise<void> {
  const { status, error, excerpt, actor, retrySeconds, isOfEndpoint, disabledReason, maxDays, lateReason } = failure;
  await rowsOf(
    db,
    sql`with locked as (${lockedEndpoint(attempt)}), endpoint as (
        select id, is_of_it, case when is_of_it then coalesce(${disabledReason}::text,
          case when failing_since <= now() - make_interval(days => ${maxDays}) then ${lateReason}::text end) end as reason
        from (select *, was_asked and ${isOfEndpoint}::boolean as is_of_it from locked) l
      ), failed as (
        update ${webhookDeliveries} d set last_status = ${status}::smallint, last_error = ${error}, response_excerpt = ${excerpt},
          next_attempt_at = case when endpoint.reason is null then now() + make_interval(secs => ${retrySeconds}::float8) end
        from endpoint where ${isIn(attempt)}
      ), changed as (
        update ${webhookEndpoints} e set enabled = endpoint.reason is null, disabled_reason = endpoint.reason,
          failing_since = case when endpoint.is_of_it then coalesce(e.failing_since, now()) else e.failing_since end
        from endpoint where e.id = endpoint.id and e.enabled returning e.id, e.disabled_reason
      ), stopped as (
        update ${webhookDeliveries} d set next_attempt_at = null, last_error = 'The endpoint was disabled.' from endpoint
        where d.endpoint_id = endpoint.id and endpoint.reason is not null and d.id <> ${attempt.id} and d.next_attempt_at is not null
      ), audit as (${audited(
        actor,
        sql`select 'webhook_endpoint.disabled' as action, 'webhook_endpoint' as subject_type, id::text as subject_id,
          jsonb_build_object('reason', disabled_reason) as details from changed where disabled_reason is not null`,
      )})
      select from endpoint`,
  );
}

/** How many deliveries one statement deletes with their endpoint. */
const BATCH_DELETED = 5000;

/** Deletes some of the log of an endpoint, and tells whether there may be more. */
export async function deleteLog(db: Database, own: OwnEndpoint): Promise<boolean> {
  const { count } = await rowOf<{ count: number }>(
    db,
    sql`with gone as (
        delete from ${webhookDeliveries} where id in (
          select d.id from ${webhookDeliveries} d join ${webhookEndpoints} e on e.id = d.endpoint_id where ${isOwn(own)}
          limit ${BATCH_DELETED})
        returning 1
      ) select count(*)::int as count from gone`,
  );
  return count >= BATCH_DELETED;
}

/** How many old deliveries one run of the job deletes. */
const MAX_DELETED = 10_000;

/** Deletes deliveries that are older than some days, the oldest first. */
export async function deleteOldDeliveries(db: Database, days: number): Promise<void> {
  await rowsOf(
    db,
    sql`delete from ${webhookDeliveries} where id in (select id from ${webhookDeliveries}
      where created_at < now() - make_interval(days => ${days}) order by created_at limit ${MAX_DELETED} for update skip locked)`,
  );
}
