import { type SQL, sql } from 'drizzle-orm';
import { recentPrefixes } from '../../api-keys/repo/keys.ts';
import { type Actor, audited } from '../../db/audit.ts';
import type { Database } from '../../db/client.ts';
import { profiles } from '../../db/schema/accounts.ts';
import { closed } from '../../profiles/repo/states.ts';

/**
 * Deletes an account here: its keys are revoked and its sessions are refused. What the identity provider says of it counts no
 * more, until the account is restored. A deleted account stays as it is.
 *
 * @returns the subject of its sessions, and the prefixes of its keys that were active a day ago; undefined where there is no
 * such account
 */
export async function updateDeletedAccount(
  db: Database,
  { userId, actor }: { userId: string; actor: Actor },
): Promise<{ subject: string; prefixes: string[] } | undefined> {
  const { expressions, done } = closed(sql`gone`);
  const [row] = await db.rows<{ subject: string; prefixes: string[] }>(sql`with gone as (
        update ${profiles} set deleted_at = now(), is_admin = false, state_at = 'infinity', state_told_at = 'infinity',
          updated_at = now()
        where id = ${userId} and deleted_at is null returning id
      ), ${expressions}, audit as (${audited(
        actor,
        sql`select 'user.deleted' as action, 'user' as subject_type, id::text as subject_id, '{}'::jsonb as details
          from gone union all ${done}`,
      )})
      select p.subject, array(${recentPrefixes(sql`p.id = ${userId}`)}) as prefixes from ${profiles} p where p.id = ${userId}`);
  return row && { subject: row.subject, prefixes: row.prefixes };
}

/** Whether the time has ended in which a deleted account `p` can be restored. */
export function isDue(graceDays: number, ahead: SQL = sql`0`): SQL {
  return sql`p.deleted_at <= now() + make_interval(secs => ${ahead}) - make_interval(days => ${graceDays})`;
}

/**
 * Restores a deleted account. One whose erasure is due stays deleted. An erased one begins anew, with nothing.
 *
 * @returns the subject of its sessions, and whether the account is there now; undefined where there is no such account
 */
export async function updateRestoredAccount(
  db: Database,
  { userId, graceDays, actor }: { userId: string; graceDays: number; actor: Actor },
): Promise<{ subject: string; isThere: boolean } | undefined> {
  const [row] = await db.rows<{ subject: string; is_there: boolean }>(sql`with restored as (
        update ${profiles} p set deleted_at = null, erased_at = null, state_at = now(), state_told_at = now(),
          updated_at = now()
        where id = ${userId} and deleted_at is not null and (erased_at is not null or not ${isDue(graceDays)})
        returning id
      ), audit as (${audited(
        actor,
        sql`select 'user.restored' as action, 'user' as subject_type, id::text as subject_id, '{}'::jsonb as details
          from restored`,
      )})
      select subject, deleted_at is null or exists (select from restored) as is_there from ${profiles} where id = ${userId}`);
  return row && { subject: row.subject, isThere: row.is_there };
}
