import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgEnum, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { momentColumn } from '../columns.ts';

/** Who sends: the identity provider or the email provider. */
export const webhookSource = pgEnum('webhook_source', ['identity', 'email']);

/** Every delivery that was received, once. Rows are never deleted, so that no delivery takes effect twice; bodies are. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    source: webhookSource().notNull(),
    /** The sender's id of the delivery, the same when it is sent again. */
    deliveryId: text('delivery_id').notNull(),
    /** The type in the body; null where it has none. */
    type: text(),
    /** When what it reports happened, by the sender's clock. */
    eventAt: momentColumn('event_at'),
    receivedAt: momentColumn('received_at').notNull().defaultNow(),
    /** Why it had no effect although its type has one; null for all others. */
    note: text(),
    bytes: integer().notNull(),
    body: text(),
    /** Whom the body is about: ids of the provider, and addresses in lower case. Null: nobody has looked into the body. */
    people: text().array(),
  },
  (t) => [
    unique('webhook_events_delivery').on(t.deliveryId, t.source),
    index('webhook_events_received').on(t.receivedAt, t.id),
    index('webhook_events_type').on(t.type, t.receivedAt, t.id),
    index('webhook_events_people').using('gin', t.people).where(sql`${t.body} is not null`),
    index('webhook_events_unread').on(t.id).where(sql`${t.body} is not null and ${t.people} is null`),
    index('webhook_events_bodies').on(t.receivedAt).where(sql`${t.body} is not null`),
    index('webhook_events_notes').on(t.receivedAt, t.id).where(sql`${t.note} is not null`),
  ],
);

export const emailStatus = pgEnum('email_status', ['bounced', 'complained']);

/** Addresses that mail does not reach, or whose owners reported it as unwanted. They need not belong to a profile. */
export const emailFlags = pgTable('email_flags', {
  /** In lower case. */
  email: text().primaryKey(),
  status: emailStatus().notNull(),
  flaggedAt: momentColumn('flagged_at').notNull(),
});
