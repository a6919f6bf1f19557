import { sql } from 'drizzle-orm';
import type { StoredUser } from '../auth/accounts.ts';
import { type Database, rowsOf } from '../db/client.ts';
import { activeVersion } from '../db/release.ts';
import { profiles } from '../db/schema/accounts.ts';

/**
 * The profile of a subject, made where there was none. Two first requests at once make one profile: the second finds
 * that of the first through the conflict, which is why it is updated with what it has.
 */
export async function profileOf(db: Database, subject: string, email: string | null): Promise<StoredUser> {
  const [row] = await rowsOf<{
    id: string;
    email: string | null;
    is_admin: boolean;
    deleted: boolean;
    active_version: string | null;
  }>(
    db,
    sql`with found as (
        select id, email, is_admin, deleted_at from ${profiles} where subject = ${subject}
      ), made as (
        insert into ${profiles} as p (subject, email) select ${subject}, ${email} where not exists (select from found)
        on conflict (subject) do update set subject = excluded.subject
        returning p.id, p.email, p.is_admin, p.deleted_at
      )
      select p.id, p.email, p.is_admin, p.deleted_at is not null as deleted,
        ${activeVersion} as active_version
      from (select * from found union all select * from made) p`,
  );
  if (!row) throw new Error('A profile was neither found nor made');
  return {
    userId: row.id,
    email: row.email,
    isAdmin: row.is_admin,
    deleted: row.deleted,
    activeVersion: row.active_version,
  };
}
