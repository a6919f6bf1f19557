import { type SQL, sql } from 'drizzle-orm';

/** A moment as RFC 3339 text in UTC, to the millisecond. */
export function iso(moment: SQL): SQL {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
