import { sql } from 'drizzle-orm';
import type { Claims, StoredUser } from '../../auth/accounts.ts';
import { type Database, rowsOf } from '../../db/client.ts';
import { profiles } from '../../db/schema/accounts.ts';

/**
 * The profile of a subject, made where there was none. Two first requests at once make one profile: the insert of the
 * second conflicts with that of the first. It then updates the subject to itself, because only an update returns the row.
 *
 * The address that a session claims becomes that of the profile where the session is newer than all that is known: than
 * the newest event of the provider about the user, and than the session whose address the profile took last. A session
 * that does not tell when it was issued counts only while no event has spoken. So no session brings back an address that
 * was taken away.
 */
export async function findOrCreateProfile(db: Database, { subject, email, issuedAt }: Claims): Promise<StoredUser> {
  // A moment in the future would keep newer sessions out.
  const at = issuedAt === null ? null : new Date(Math.min(Math.max(0, issuedAt * 1000), Date.now())).toISOString();
  const issued = sql`${at}::timestamptz`;
  const [row] = await rowsOf<{
    id: string;
    email: string | null;
    is_admin: boolean;
    deleted: boolean;
  }>(
    db,
    sql`with found as (
        select id, email, is_admin, deleted_at from ${profiles} where subject = ${subject}
      ), made as (
        insert into ${profiles} as p (subject, email, claimed_at)
        select ${subject}, ${email}, case when ${email}::text is not null then ${issued} end
        where not exists (select from found)
        on conflict (subject) do update set subject = excluded.subject
        returning p.id, p.email, p.is_admin, p.deleted_at
      ), readdressed as (
        update ${profiles} set email = ${email}, claimed_at = ${issued}, updated_at = now()
        where subject = ${subject} and deleted_at is null and ${email}::text is not null
          and email is distinct from ${email}
          and (state_at is null or coalesce(${issued} > greatest(state_at, state_told_at), false))
          and (claimed_at is null or coalesce(${issued} >= claimed_at, false))
        returning id, email, is_admin, deleted_at
      )
      select p.id, p.email, p.is_admin, p.deleted_at is not null as deleted
      from (select id, email, is_admin, deleted_at from found where not exists (select from readdressed)
        union all select * from made union all select * from readdressed) p`,
  );
  if (!row) throw new Error('A profile was neither found nor made');
  return {
    userId: row.id,
    email: row.email,
    isAdmin: row.is_admin,
    deleted: row.deleted,
  };
}
