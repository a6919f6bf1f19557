import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { iso } from '../../db/columns.ts';
import { auditLogs } from '../../db/schema/audit.ts';
import { webhookEvents } from '../../db/schema/webhooks.ts';
import type { AuditQuery, EventQuery } from '../queries.ts';
import type { AuditEntry, ListedEvent } from '../schemas.ts';
import { type Listed, pageOf } from './page.ts';

/** Conditions on when something happened: at `since` or later, and before `until`; RFC 3339. */
function spanOf(column: SQL) {
  return {
    since: (it: string) => sql`${column} >= ${it}::timestamptz`,
    until: (it: string) => sql`${column} < ${it}::timestamptz`,
  };
}

function byTime(column: SQL, order: 'asc' | 'desc'): SQL {
  return order === 'asc' ? sql`${column}, id` : sql`${column} desc, id desc`;
}

/** How many entries of a log one list has at most. Others are reached with `since` and `until`. */
export const MAX_LISTED = 10_000;

export function listAuditLogs(db: Database, query: AuditQuery): Promise<Listed<AuditEntry>> {
  return pageOf(db, query, {
    fields: sql`id, ${iso(sql`at`)} as at, request_id, json_build_object('kind', actor_kind, 'user_id', actor_user_id,
      'key_id', actor_key_id) as actor, action, json_build_object('type', subject_type, 'id', subject_id) as subject,
      details`,
    from: sql`${auditLogs} a`,
    where: {
      action: (it) => sql`action = ${it}`,
      user_id: (it) => sql`actor_user_id = ${it}`,
      subject_type: (it) => sql`subject_type = ${it}`,
      subject_id: (it) => sql`subject_id = ${it}`,
      request_id: (it) => sql`request_id = ${it}`,
      ...spanOf(sql`a.at`),
    },
    order: byTime(sql`a.at`, query.order),
    end: MAX_LISTED,
  });
}

export function listWebhookEvents(db: Database, query: EventQuery): Promise<Listed<ListedEvent>> {
  return pageOf(db, query, {
    fields: sql`id, source, delivery_id, type, ${iso(sql`event_at`)} as event_at,
      ${iso(sql`received_at`)} as received_at, note, bytes, body is not null as body_kept`,
    from: sql`${webhookEvents} e`,
    where: {
      source: (it) => sql`source = ${it}`,
      type: (it) => sql`type = ${it}`,
      delivery_id: (it) => sql`delivery_id = ${it}`,
      noted: (it) => (it ? sql`note is not null` : sql`note is null`),
      ...spanOf(sql`e.received_at`),
    },
    order: byTime(sql`e.received_at`, query.order),
    end: MAX_LISTED,
  });
}

/** How many rows one call deletes at most. */
const MAX_ROWS = 5000;

/** Deletes rows of the audit log that are older than some days, the oldest first. */
export async function deleteOldAuditLogs(db: Database, days: number): Promise<void> {
  await db.rows(sql`delete from ${auditLogs} where id in (
      select id from ${auditLogs} where at < now() - make_interval(days => ${days})
      order by at, id limit ${MAX_ROWS} for update skip locked)`);
}
