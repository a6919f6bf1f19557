import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { momentColumn } from '../columns.ts';
import { profiles } from './accounts.ts';

/** The webhook endpoints of accounts. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    url: text().notNull(),
    description: text(),
    /** The types of events that it receives. */
    events: text().array().notNull(),
    /** PSGC codes of the areas whose changes it receives. */
    areas: text().array().notNull().default(sql`'{}'`),
    enabled: boolean().notNull().default(true),
    /** Why the service has disabled it; null where it has not. */
    disabledReason: text('disabled_reason'),
    /** Since when no delivery has succeeded; null where the last one did. */
    failingSince: momentColumn('failing_since'),
    /** What deliveries are signed with, `whsec_` and base64. It is stored as it is, because every delivery needs it. */
    secret: text().notNull(),
    /** The secret before, with which deliveries are signed too until a moment. */
    previousSecret: text('previous_secret'),
    previousUntil: momentColumn('previous_until'),
    createdAt: momentColumn('created_at').notNull().defaultNow(),
    updatedAt: momentColumn('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('webhook_endpoints_user').on(t.userId, t.createdAt, t.id),
    check('webhook_endpoints_disabled', sql`${t.disabledReason} is null or not ${t.enabled}`),
  ],
);

/** Events to send to an endpoint: one row for each, whose id is the `webhook-id` of all attempts. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey().defaultRandom(),
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    type: text().notNull(),
    /** The member `data` of what is sent. That of `area.changed` has no `changes` until the first attempt. */
    data: jsonb().notNull(),
    createdAt: momentColumn('created_at').notNull().defaultNow(),
    /** How many attempts have begun, since it was sent again if it was. */
    attempts: integer().notNull().default(0),
    /** When the next attempt may begin; while one is under way, when it counts as lost. Null: there is none. */
    nextAttemptAt: momentColumn('next_attempt_at').defaultNow(),
    lastAttemptAt: momentColumn('last_attempt_at'),
    deliveredAt: momentColumn('delivered_at'),
    /** The status of the last answer; null where there was none. */
    lastStatus: smallint('last_status'),
    /** Why the last attempt failed. */
    lastError: text('last_error'),
    /** The beginning of the last answer's body. */
    responseExcerpt: text('response_excerpt'),
  },
  (t) => [
    index('webhook_deliveries_due').on(t.nextAttemptAt).where(sql`${t.nextAttemptAt} is not null`),
    index('webhook_deliveries_endpoint').on(t.endpointId, t.createdAt, t.id),
    index('webhook_deliveries_created').on(t.createdAt),
  ],
);
