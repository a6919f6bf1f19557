import { type SQL, sql } from 'drizzle-orm';
import { type Database, sqlErrorOf } from './client.ts';
import { idempotentRequests } from './schema/idempotency.ts';

/** One attempt of a request with an Idempotency-Key. */
export interface Attempt {
  /** What the request is known by: SHA-256 of who asks for what with which key, 64 hex digits. */
  readonly id: string;
  /** UUID of the attempt. */
  readonly attempt: string;
}

/** The attempt that may do the work. */
export interface Claim extends Attempt {
  /** SHA-256 of what was sent, 64 hex digits; null where it is not known yet. */
  readonly fingerprint: string | null;
}

/** What is known of a request: the attempt that has claimed it, and what it sent and made once it has made something. */
export interface KnownRequest extends Omit<Claim, 'id'> {
  readonly subjectId: string | null;
  /** After how many seconds another attempt can claim it at the latest, where it has made nothing. At least 1. */
  readonly secondsLeft: number;
}

/** The TTL of a request with a key, hours. */
const TTL_HOURS = 24;
/** How many old requests one run of the job deletes. */
const MAX_DELETED = 10_000;

/**
 * Claims a request for an attempt, unless another one has completed it or may still be at work.
 *
 * @param seconds how long no other attempt can claim it
 * @returns what is known of the request: the claim was made where `attempt` is that of the caller
 */
export async function claimRequest(db: Database, { id, attempt }: Attempt, seconds: number): Promise<KnownRequest> {
  const [, [row] = []] = await db.atomic(
    sql`insert into ${idempotentRequests} as r (id, attempt, lease_until)
      values (${id}, ${attempt}, now() + make_interval(secs => ${seconds}))
      on conflict (id) do update set attempt = excluded.attempt, lease_until = excluded.lease_until,
        created_at = excluded.created_at, subject_id = null, fingerprint = null
      where r.created_at < now() - make_interval(hours => ${TTL_HOURS})
        or (r.subject_id is null and r.lease_until < now())`,
    sql`select attempt, fingerprint, subject_id as "subjectId",
        greatest(1, ceil(extract(epoch from lease_until - now())))::int as "secondsLeft" from ${idempotentRequests} where id = ${id}`,
  );
  return row as unknown as KnownRequest;
}

/**
 * Notes what a request has made, in the statement that makes it: neither happens without the other. The statement fails
 * where another attempt has taken its place. It is a common table expression behind others, with a comma before it, and
 * nothing where the request has no Idempotency-Key.
 *
 * @param made a table of what was made, with one row or none and its `id`
 */
export function completed(claim: Claim | undefined, made: SQL): SQL {
  if (!claim) return sql``;
  // A moment that is null violates its constraint, which rolls back the whole statement.
  return sql`, completed as (
    insert into ${idempotentRequests} as r (id, attempt, fingerprint, subject_id, lease_until)
    select ${claim.id}::text, ${claim.attempt}::uuid, ${claim.fingerprint}::text, made.id, now() from ${made} made
    on conflict (id) do update set fingerprint = excluded.fingerprint, subject_id = excluded.subject_id,
      lease_until = case when r.attempt = excluded.attempt and r.subject_id is null then now() end
  )`;
}

/** Whether a statement failed because another attempt has taken the place of the one that it belongs to. */
export function isOvertaken(error: unknown): boolean {
  const refusal = sqlErrorOf(error);
  return refusal?.sqlState === '23502' && refusal.message.includes('lease_until');
}

/** Lets other attempts claim a request that has made nothing. */
export async function releaseRequest(db: Database, { id, attempt }: Attempt): Promise<void> {
  await db.rows(
    sql`delete from ${idempotentRequests} where id = ${id} and attempt = ${attempt} and subject_id is null`,
  );
}

/** Keeps other attempts from claiming a request for some seconds more. */
export async function renewRequest(db: Database, { id, attempt }: Attempt, seconds: number): Promise<void> {
  await db.rows(sql`update ${idempotentRequests} set lease_until = now() + make_interval(secs => ${seconds})
      where id = ${id} and attempt = ${attempt}`);
}

/** Deletes some thousands of the requests whose TTL has ended. */
export async function deleteOldRequests(db: Database): Promise<void> {
  await db.rows(sql`delete from ${idempotentRequests} where id in (select id from ${idempotentRequests}
      where created_at < now() - make_interval(hours => ${TTL_HOURS}) order by created_at limit ${MAX_DELETED})`);
}
