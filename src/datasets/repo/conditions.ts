import { type SQL, sql } from 'drizzle-orm';
import { profiles } from '../../db/schema/accounts.ts';
import type { Reader } from '../owners.ts';

/** Whether a row `d` of datasets belongs to the caller. */
export function ownedBy(caller: Reader): SQL {
  if (caller === 'everyone') return sql`false`;
  if (caller === 'master') return sql`true`;
  if ('account' in caller) {
    return sql`exists (select from ${profiles} p where p.id = ${caller.account} and p.deleted_at is null
      and (d.user_id = p.id or d.user_email = p.email))`;
  }
  const { userId, email } = caller;
  return email === null ? sql`d.user_id = ${userId}` : sql`(d.user_id = ${userId} or d.user_email = ${email})`;
}

/** Whether everyone may read a row `d` of datasets, as its owner has it. */
export const IS_OPEN = sql`(d.is_public and coalesce(d.open_to_everyone, false))`;

/** The visibility of a row `d` of datasets. */
export const VISIBILITY = sql`case when not d.is_public then 'private' when d.open_to_everyone then 'everyone' else 'accounts' end`;

/**
 * Whether whoever has an account may read a row `d` of datasets: it is public, and its owner still has an account. An owner
 * who is known by address only has left where a deleted account had the address and no account has it now.
 */
export const IN_CATALOGUE = sql`(d.is_public and coalesce(case
  when d.user_id is null then (select bool_or(p.deleted_at is null) from ${profiles} p where p.email = d.user_email)
  else (select p.deleted_at is null from ${profiles} p where p.id = d.user_id) end, true))`;

/** Whether the caller may read a row `d` of datasets. */
export function readableBy(caller: Reader): SQL {
  if (caller === 'everyone') return sql`(${IS_OPEN} and ${IN_CATALOGUE})`;
  return caller === 'master' ? sql`true` : sql`(${IN_CATALOGUE} or ${ownedBy(caller)})`;
}

/** Whether a row `d` of datasets has an owner of this address. */
export function hasAddress(email: string): SQL {
  return sql`(d.user_email = ${email} or d.user_id in (select id from ${profiles} where email = ${email}))`;
}
