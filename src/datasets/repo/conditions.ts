import { type SQL, sql } from 'drizzle-orm';
import { profiles } from '../../db/schema/accounts.ts';
import type { Caller } from '../access.ts';

/** Whether a row `d` of datasets belongs to the caller. */
export function ownedBy(caller: Caller): SQL {
  if (caller === 'master') return sql`true`;
  const { userId, email } = caller;
  return email === null ? sql`d.user_id = ${userId}` : sql`(d.user_id = ${userId} or d.user_email = ${email})`;
}

/** Whether the caller may read a row `d` of datasets. */
export function readableBy(caller: Caller): SQL {
  return caller === 'master' ? sql`true` : sql`(d.is_public or ${ownedBy(caller)})`;
}

/** Whether a row `d` of datasets has an owner of this address. */
export function hasAddress(email: string): SQL {
  return sql`(d.user_email = ${email} or d.user_id in (select id from ${profiles} where email = ${email}))`;
}

/** A moment as RFC 3339 text in UTC, to the millisecond. */
export function iso(moment: SQL): SQL {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
