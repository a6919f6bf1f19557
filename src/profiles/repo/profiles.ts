import { type SQL, sql } from 'drizzle-orm';
import type { Claims, StoredUser } from '../../auth/accounts.ts';
import type { Database } from '../../db/client.ts';
import { profiles } from '../../db/schema/accounts.ts';

/** How long a request waits until the new address of a known profile is written, milliseconds. */
const WRITE_TIMEOUT_MS = 500;

interface Row {
  readonly id: string;
  readonly email: string | null;
  readonly is_admin: boolean;
  readonly account_rpm: number | null;
  readonly deleted: boolean;
  /** Whether it has to take the address that the session has. */
  readonly is_outdated: boolean;
}

/**
 * The profile of a subject, made where there was none.
 *
 * The address that a session claims becomes that of the profile where the session is newer than all that is known: than
 * the newest event of the provider about the user, and than the session whose address the profile took last. A session
 * without the time of its issue counts only until the first event about the user. So no session brings back an address that
 * was taken away.
 *
 * A profile that stays as it is is only read. So sessions are known while the database can't be written to.
 *
 * @param unhurried the same database, for what is not waited for to its end
 * @throws DomainError as `Database.rows`: `database_unavailable` also where a new profile can't be written
 */
export async function findOrCreateProfile(db: Database, claims: Claims, unhurried: Database): Promise<StoredUser> {
  const [found] =
    await db.rows<Row>(sql`select id, email, is_admin, account_rpm, deleted_at is not null as deleted, ${isOutdated(claims)} as is_outdated
      from ${profiles} where subject = ${claims.subject}`);
  let row = found ?? (await writeProfile(db, claims));
  // What is known of a profile does where its address can't be written soon.
  if (row.is_outdated) {
    row = await db.deadline.within(WRITE_TIMEOUT_MS, () => writeProfile(unhurried, claims)).catch(() => row);
  }
  const { id: userId, email, is_admin: isAdmin, account_rpm: accountRpm, deleted } = row;
  return { userId, email, isAdmin, accountRpm, deleted };
}

/** When a session was issued. A moment in the future would keep newer sessions out. */
function issuedOf({ issuedAt }: Claims): SQL {
  const at = issuedAt === null ? null : new Date(Math.min(Math.max(0, issuedAt * 1000), Date.now())).toISOString();
  return sql`${at}::timestamptz`;
}

function isOutdated(claims: Claims): SQL {
  const issued = issuedOf(claims);
  return sql`(deleted_at is null and ${claims.email}::text is not null and email is distinct from ${claims.email}
    and (state_at is null or coalesce(${issued} > greatest(state_at, state_told_at), false))
    and (claimed_at is null or coalesce(${issued} >= claimed_at, false)))`;
}

/**
 * Makes a profile, or gives it an address. Two first requests at once make one profile: the insert of the second conflicts
 * with that of the first. It then updates the subject to itself, because only an update returns the row.
 */
function writeProfile(db: Database, claims: Claims): Promise<Row> {
  const { subject, email } = claims;
  const issued = issuedOf(claims);
  return db.row<Row>(sql`with made as (
        insert into ${profiles} as p (subject, email, claimed_at)
        select ${subject}, ${email}, case when ${email}::text is not null then ${issued} end
        where not exists (select from ${profiles} where subject = ${subject})
        on conflict (subject) do update set subject = excluded.subject
        returning p.id, p.email, p.is_admin, p.account_rpm, p.deleted_at
      ), readdressed as (
        update ${profiles} set email = ${email}, claimed_at = ${issued}, updated_at = now()
        where subject = ${subject} and ${isOutdated(claims)}
        returning id, email, is_admin, account_rpm, deleted_at
      )
      select p.id, p.email, p.is_admin, p.account_rpm, p.deleted_at is not null as deleted, false as is_outdated
      from (select * from made union all select * from readdressed
        union all select id, email, is_admin, account_rpm, deleted_at from ${profiles}
          where subject = ${subject} and not exists (select from readdressed) and not exists (select from made)) p`);
}
