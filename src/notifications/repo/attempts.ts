import { type SQL, sql } from 'drizzle-orm';
import { type Actor, audited } from '../../db/audit.ts';
import type { Database } from '../../db/client.ts';
import { iso } from '../../db/columns.ts';
import { profiles } from '../../db/schema/accounts.ts';
import { webhookDeliveries, webhookEndpoints } from '../../db/schema/notifications.ts';

/** The data of a delivery. Its members depend on the type of the delivery. */
export type Data = Readonly<Record<string, unknown>>;

/** A delivery of which an attempt has begun. */
export interface ClaimedDelivery {
  /** The id of the delivery, sent as `webhook-id` in every attempt. */
  readonly id: string;
  /** The account of the endpoint. */
  readonly user_id: string;
  /** Whether an endpoint of the account was slow lately. */
  readonly is_slow: boolean;
  readonly type: string;
  readonly data: Data;
  /** When the event happened, RFC 3339. */
  readonly created_at: string;
  /** The number of the attempt that has begun, from 1. */
  readonly attempts: number;
  /** The outcome of the previous attempt. */
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly url: string;
  /** The secret, and the previous one during its grace time. */
  readonly secrets: readonly string[];
  /** PSGC codes of the areas whose changes the endpoint receives. */
  readonly areas: readonly string[];
}

/** What follows `from`: deliveries `d` that may be sent, now or later, to their endpoints `e` of accounts `p`. */
const SENDABLE = sql`${webhookDeliveries} d join ${webhookEndpoints} e on e.id = d.endpoint_id join ${profiles} p on p.id = e.user_id
  where d.next_attempt_at is not null and e.enabled and p.deleted_at is null`;

interface Wanted {
  readonly limit: number;
  /** How many of them may be of slow accounts. */
  readonly slowLimit: number;
  /** How long an account counts as slow after an endpoint of it was, minutes. */
  readonly slowMinutes: number;
  /** Accounts of which an attempt is running. They are left out. */
  readonly busy: readonly string[];
  /** Accounts that had a turn, the latest last. */
  readonly served: readonly string[];
  /** An attempt without a recorded outcome counts as lost after this many seconds or later. */
  readonly leaseSeconds: number;
  /** Seconds between one attempt and the next. */
  readonly retries: readonly number[];
}

/**
 * Claims due deliveries, one for each account: accounts that waited longest first, endpoints that don't fail before failing ones,
 * and the longest due first. No other run claims them. A delivery whose outcome is never recorded is due again after its lease or
 * its retry wait, and ends as failed after the last attempt.
 */
export function claimAttempts(db: Database, wanted: Wanted): Promise<ClaimedDelivery[]> {
  const { limit, slowLimit, slowMinutes, busy, served, leaseSeconds, retries } = wanted;
  const inTurn = sql`next.turn nulls first, next.fails, next.next_attempt_at`;
  return db.rows(sql`with next as (
        select distinct on (e.user_id) d.id, d.next_attempt_at, e.failing_since is not null as fails,
          array_position(${sql.param(served)}::uuid[], e.user_id) as turn,
          coalesce(p.slow_webhook_at > now() - make_interval(mins => ${slowMinutes}), false) as is_slow
        from ${SENDABLE} and d.next_attempt_at <= now() and e.user_id <> all (${sql.param(busy)}::uuid[])
        order by e.user_id, fails, d.next_attempt_at
      ), due as (
        select d.id, d.attempts, next.is_slow from ${webhookDeliveries} d join (
          select *, row_number() over (partition by next.is_slow order by ${inTurn}) as position from next
        ) next on next.id = d.id
        where d.next_attempt_at <= now() and (not next.is_slow or next.position <= ${slowLimit})
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
        array[e.secret] || case when e.previous_until > now() then array[e.previous_secret] else '{}' end as secrets`);
}

/** Records that an endpoint of an account was slow. */
export async function updateSlowAccount(db: Database, { user_id: userId }: ClaimedDelivery): Promise<void> {
  await db.rows(sql`update ${profiles} p set slow_webhook_at = now() where p.id = ${userId}`);
}

/** Seconds until the next delivery is due, zero or less if one is due now; undefined if none is pending. */
export async function findNextWait(db: Database): Promise<number | undefined> {
  const { seconds } = await db.row<{ seconds: number | null }>(
    sql`select extract(epoch from min(d.next_attempt_at) - now())::float8 as seconds from ${SENDABLE}`,
  );
  return seconds ?? undefined;
}

/** Whether a row `d` is still in this attempt: no other one has begun since, and the delivery is neither stopped nor delivered. */
function isIn({ id, attempts }: ClaimedDelivery): SQL {
  return sql`d.id = ${id} and d.attempts = ${attempts} and d.next_attempt_at is not null`;
}

/**
 * Stores the data to send and returns it as jsonb orders it, so that every attempt sends the same bytes.
 *
 * @returns undefined if the attempt was stopped
 */
export async function updateData(db: Database, attempt: ClaimedDelivery, data: object): Promise<Data | undefined> {
  const [row] = await db.rows<{ data: Data }>(
    sql`update ${webhookDeliveries} d set data = ${JSON.stringify(data)}::jsonb where ${isIn(attempt)} returning d.data`,
  );
  return row?.data;
}

/** Deletes a delivery that has nothing to tell. */
export async function deleteClaimed(db: Database, attempt: ClaimedDelivery): Promise<void> {
  await db.rows(sql`delete from ${webhookDeliveries} d where ${isIn(attempt)}`);
}

/** The outcome of an attempt. */
export interface Outcome {
  /** The status of the answer; null if there was none. */
  readonly status: number | null;
  /** Why it failed; null if it succeeded. */
  readonly error: string | null;
  /** The beginning of the answer's body; null if there was none. */
  readonly excerpt: string | null;
}

/**
 * Locks the endpoint of an attempt. `has_same_url`: whether its URL is still the one that was called. Statements that write both
 * tables lock the endpoint first, which prevents deadlocks.
 */
function lockedEndpoint(attempt: ClaimedDelivery): SQL {
  return sql`select e.id, e.failing_since, e.url = ${attempt.url} as has_same_url
    from ${webhookDeliveries} d join ${webhookEndpoints} e on e.id = d.endpoint_id
    where ${isIn(attempt)} for no key update of e`;
}

/** Records an attempt that succeeded. */
export async function updateDelivered(
  db: Database,
  attempt: ClaimedDelivery,
  { status, excerpt }: Pick<Outcome, 'status' | 'excerpt'>,
): Promise<void> {
  await db.rows(sql`with endpoint as (${lockedEndpoint(attempt)}), delivered as (
        update ${webhookDeliveries} d set delivered_at = now(), next_attempt_at = null, last_status = ${status}::smallint,
          last_error = null, response_excerpt = ${excerpt} from endpoint where ${isIn(attempt)}
      )
      update ${webhookEndpoints} e set failing_since = null from endpoint
      where e.id = endpoint.id and e.failing_since is not null and endpoint.has_same_url`);
}

interface Failure extends Outcome {
  readonly actor: Actor;
  /** Seconds until the next attempt, if the endpoint stays enabled; null if there is none. */
  readonly retrySeconds: number | null;
  /** Whether the failure is the endpoint's own. */
  readonly countsAgainstEndpoint: boolean;
  /** Why the endpoint is disabled at once; null if it is not. */
  readonly disabledReason: string | null;
  /** After how many days of failures the endpoint is disabled, and the reason that its owner then reads. */
  readonly disableAfterDays: number;
  readonly failingReason: string;
}

/**
 * Records an attempt that failed. It disables the endpoint if there is a reason to do so at once, or if the endpoint has failed for
 * some days. Its pending deliveries are then stopped.
 */
export async function updateFailed(db: Database, attempt: ClaimedDelivery, failure: Failure): Promise<void> {
  const { status, error, excerpt, actor, retrySeconds } = failure;
  await db.rows(sql`with locked as (${lockedEndpoint(attempt)}), endpoint as (
        select id, counts_against_endpoint, case when counts_against_endpoint then coalesce(${failure.disabledReason}::text,
          case when failing_since <= now() - make_interval(days => ${failure.disableAfterDays}) then ${failure.failingReason}::text end)
          end as reason
        from (select *, has_same_url and ${failure.countsAgainstEndpoint}::boolean as counts_against_endpoint from locked) l
      ), failed as (
        update ${webhookDeliveries} d set last_status = ${status}::smallint, last_error = ${error}, response_excerpt = ${excerpt},
          next_attempt_at = case when endpoint.reason is null then now() + make_interval(secs => ${retrySeconds}::float8) end
        from endpoint where ${isIn(attempt)}
      ), changed as (
        update ${webhookEndpoints} e set enabled = endpoint.reason is null, disabled_reason = endpoint.reason,
          failing_since = case when endpoint.counts_against_endpoint then coalesce(e.failing_since, now()) else e.failing_since end
        from endpoint where e.id = endpoint.id and e.enabled returning e.id, e.disabled_reason
      ), stopped as (
        update ${webhookDeliveries} d set next_attempt_at = null, last_error = 'The endpoint was disabled.' from endpoint
        where d.endpoint_id = endpoint.id and endpoint.reason is not null and d.id <> ${attempt.id} and d.next_attempt_at is not null
      ), audit as (${audited(
        actor,
        sql`select 'webhook_endpoint.disabled' as action, 'webhook_endpoint' as subject_type, id::text as subject_id,
          jsonb_build_object('reason', disabled_reason) as details from changed where disabled_reason is not null`,
      )})
      select from endpoint`);
}
