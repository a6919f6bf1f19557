import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { iso } from '../../db/columns.ts';
import { auditLogs } from '../../db/schema/audit.ts';
import { webhookEvents } from '../../db/schema/webhooks.ts';
import type { WebhookSource } from '../../webhooks/events.ts';
import type { AuditEntry, ListedEvent } from '../schemas.ts';
import { type Listed, type Paging, pageOf, when } from './page.ts';

/** The time in which something happened: at `since` or later, and before `until`; RFC 3339. */
interface Span {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Which end of the list comes first: `desc` has the newest first. */
  readonly order: 'asc' | 'desc';
}

function betweenMoments(column: SQL, { since, until }: Span): (SQL | undefined)[] {
  return [
    when(since, (it) => sql`${column} >= ${it}::timestamptz`),
    when(until, (it) => sql`${column} < ${it}::timestamptz`),
  ];
}

function byTime(column: SQL, { order }: Span): SQL {
  return order === 'asc' ? sql`${column}, id` : sql`${column} desc, id desc`;
}

/** How many entries of a log one list has at most. Others are reached with `since` and `until`. */
export const MAX_LISTED = 10_000;

export interface AuditFilter extends Span {
  readonly action?: string | undefined;
  /** Who did it. */
  readonly userId?: string | undefined;
  readonly subjectType?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly requestId?: string | undefined;
}

export function listAuditLogs(db: Database, input: AuditFilter & Paging): Promise<Listed<AuditEntry>> {
  const { action, userId, subjectType, subjectId, requestId, page, limit } = input;
  return pageOf(
    db,
    {
      fields: sql`id, ${iso(sql`at`)} as at, request_id, json_build_object('kind', actor_kind, 'user_id', actor_user_id,
        'key_id', actor_key_id) as actor, action, json_build_object('type', subject_type, 'id', subject_id) as subject,
        details`,
      from: sql`${auditLogs} a`,
      where: [
        when(action, (it) => sql`action = ${it}`),
        when(userId, (it) => sql`actor_user_id = ${it}`),
        when(subjectType, (it) => sql`subject_type = ${it}`),
        when(subjectId, (it) => sql`subject_id = ${it}`),
        when(requestId, (it) => sql`request_id = ${it}`),
        ...betweenMoments(sql`a.at`, input),
      ],
      order: byTime(sql`a.at`, input),
      end: MAX_LISTED,
    },
    { page, limit },
  );
}

export interface WebhookEventFilter extends Span {
  readonly source?: WebhookSource | undefined;
  readonly type?: string | undefined;
  readonly deliveryId?: string | undefined;
  /** Whether to list only events that had no effect because of their content, or only the others. */
  readonly noted?: boolean | undefined;
}

export function listWebhookEvents(db: Database, input: WebhookEventFilter & Paging): Promise<Listed<ListedEvent>> {
  const { source, type, deliveryId, noted, page, limit } = input;
  return pageOf(
    db,
    {
      fields: sql`id, source, delivery_id, type, ${iso(sql`event_at`)} as event_at,
        ${iso(sql`received_at`)} as received_at, note, bytes, body is not null as body_kept`,
      from: sql`${webhookEvents} e`,
      where: [
        when(source, (it) => sql`source = ${it}`),
        when(type, (it) => sql`type = ${it}`),
        when(deliveryId, (it) => sql`delivery_id = ${it}`),
        when(noted, (it) => (it ? sql`note is not null` : sql`note is null`)),
        ...betweenMoments(sql`e.received_at`, input),
      ],
      order: byTime(sql`e.received_at`, input),
      end: MAX_LISTED,
    },
    { page, limit },
  );
}

/** How many rows one call deletes at most. */
const MAX_ROWS = 5000;

/** Deletes rows of the audit log that are older than some days, the oldest first. */
export async function deleteOldAuditLogs(db: Database, days: number): Promise<void> {
  await db.rows(sql`delete from ${auditLogs} where id in (
      select id from ${auditLogs} where at < now() - make_interval(days => ${days})
      order by at, id limit ${MAX_ROWS} for update skip locked)`);
}
