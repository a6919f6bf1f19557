import { type SQL, sql } from 'drizzle-orm';
import type { StoredUser } from '../../auth/accounts.ts';
import { type Database, rowOf, rowsOf } from '../../db/client.ts';
import { profiles } from '../../db/schema/accounts.ts';

interface Row {
  readonly id: string;
  readonly email: string | null;
  readonly is_admin: boolean;
  readonly deleted: boolean;
  /** Whether it has to take the address that the session has. */
  readonly is_outdated: boolean;
}

interface Subject {
  readonly subject: string;
  /** The address that the session has, verified and in lower case, or null. */
  readonly email: string | null;
}

/**
 * The profile of a subject, made where there was none. A profile without an address takes that of the session. Another
 * address is replaced only until the identity provider's events first mention the profile.
 *
 * A profile that stays as it is is only read. So sessions are known while the database can't be written to.
 *
 * @throws DomainError as `rowsOf`: `database_unavailable` also where a new profile can't be written
 */
export async function findOrCreateProfile(db: Database, given: Subject): Promise<StoredUser> {
  const [found] = await rowsOf<Row>(
    db,
    sql`select id, email, is_admin, deleted_at is not null as deleted, ${isOutdated(given.email)} as is_outdated
      from ${profiles} where subject = ${given.subject}`,
  );
  const row = found && !found.is_outdated ? found : await writeProfile(db, given).catch(orElse(found));
  return { userId: row.id, email: row.email, isAdmin: row.is_admin, deleted: row.deleted };
}

/** What is known of a profile does where its address can't be written. */
function orElse(found: Row | undefined) {
  return (error: unknown): Row => {
    if (found) return found;
    throw error;
  };
}

function isOutdated(email: string | null): SQL {
  return sql`(deleted_at is null
    and ((email is null and ${email}::text is not null) or (state_at is null and email <> ${email})))`;
}

/**
 * Makes a profile, or gives it an address. Two first requests at once make one profile: the insert of the second conflicts
 * with that of the first. It then updates the subject to itself, because only an update returns the row.
 */
function writeProfile(db: Database, { subject, email }: Subject): Promise<Row> {
  return rowOf<Row>(
    db,
    sql`with made as (
        insert into ${profiles} as p (subject, email) select ${subject}, ${email}
        where not exists (select from ${profiles} where subject = ${subject})
        on conflict (subject) do update set subject = excluded.subject
        returning p.id, p.email, p.is_admin, p.deleted_at
      ), readdressed as (
        update ${profiles} set email = ${email}, updated_at = now()
        where subject = ${subject} and ${isOutdated(email)}
        returning id, email, is_admin, deleted_at
      )
      select p.id, p.email, p.is_admin, p.deleted_at is not null as deleted, false as is_outdated
      from (select * from made union all select * from readdressed
        union all select id, email, is_admin, deleted_at from ${profiles}
          where subject = ${subject} and not exists (select from readdressed) and not exists (select from made)) p`,
  );
}
