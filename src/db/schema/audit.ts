import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { momentColumn } from '../columns.ts';

/** `webhook`: the identity or the email provider. `command`: somebody who runs commands on the database. */
export const actorKind = pgEnum('actor_kind', ['master', 'session', 'key', 'webhook', 'command']);

/** The addresses in the details of a dataset that got another owner, by which they are found to be erased. */
export const OWNER_FROM = sql`(details #>> '{owner,from,user_email}')`;
export const OWNER_TO = sql`(details #>> '{owner,to,user_email}')`;

/** What was done, by whom and when. It has no foreign keys, so that rows stay when their subjects are deleted. */
export const auditLogs = pgTable(
  'audit_logs',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: momentColumn('at').notNull().defaultNow(),
    requestId: text('request_id'),
    actorKind: actorKind('actor_kind').notNull(),
    actorUserId: uuid('actor_user_id'),
    actorKeyId: uuid('actor_key_id'),
    /** `<subject type>.<past participle>`: `api_key.revoked`. */
    action: text().notNull(),
    subjectType: text('subject_type').notNull(),
    subjectId: text('subject_id').notNull(),
    details: jsonb().$type<Record<string, unknown>>().notNull().default(sql`'{}'`),
  },
  (t) => [
    index('audit_logs_at').on(t.at, t.id),
    index('audit_logs_action').on(t.action, t.at, t.id),
    index('audit_logs_actor').on(t.actorUserId, t.at, t.id),
    index('audit_logs_subject').on(t.subjectId, t.at, t.id),
    index('audit_logs_subject_type').on(t.subjectType, t.at, t.id),
    index('audit_logs_request').on(t.requestId),
    index('audit_logs_owner_from').on(OWNER_FROM).where(sql`${OWNER_FROM} is not null`),
    index('audit_logs_owner_to').on(OWNER_TO).where(sql`${OWNER_TO} is not null`),
  ],
);
