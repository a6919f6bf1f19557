import { sql } from 'drizzle-orm';
import type { StoredUser } from '../../auth/accounts.ts';
import { type Database, rowsOf } from '../../db/client.ts';
import { profiles } from '../../db/schema/accounts.ts';

/**
 * The profile of a subject, made where there was none. Two first requests at once make one profile: the insert of the
 * second conflicts with that of the first. It then updates the subject to itself, because only an update returns the row.
 *
 * @param input `email`: the address that the session has, verified and in lower case, or null. A profile without an
 * address takes it. Another address is replaced only until the identity provider's events first mention the profile.
 */
export async function findOrCreateProfile(
  db: Database,
  { subject, email }: { subject: string; email: string | null },
): Promise<StoredUser> {
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
        insert into ${profiles} as p (subject, email) select ${subject}, ${email} where not exists (select from found)
        on conflict (subject) do update set subject = excluded.subject
        returning p.id, p.email, p.is_admin, p.deleted_at
      ), readdressed as (
        update ${profiles} set email = ${email}, updated_at = now()
        where subject = ${subject} and deleted_at is null
          and ((email is null and ${email}::text is not null) or (state_at is null and email <> ${email}))
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
