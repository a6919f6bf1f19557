import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgEnum, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { momentColumn } from '../columns.ts';

// Incoming webhooks, which providers send. Outgoing ones, to endpoints of accounts, are in notifications.ts.

/** Who sends: the identity provider or the email provider. */
export const webhookSource = pgEnum('webhook_source', ['identity', 'email']);

/**
 * Every delivery that was received. A delivery that is sent again adds no row. Rows are never deleted, so that no delivery takes
 * effect twice.
 */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    source: webhookSource().notNull(),
    /** The sender's id of the delivery, the same when it is sent again. */
    deliveryId: text('delivery_id').notNull(),
    /** The type of the event in the body, such as `user.deleted`; null where the body has none. */
    type: text(),
    /** When the event happened, by the sender's clock; null where the body doesn't say. */
    eventAt: momentColumn('event_at'),
    receivedAt: momentColumn('received_at').notNull().defaultNow(),
    /** Why the event had no effect although events of its type have one; null for all others. */
    note: text(),
    /** The length of the body as it came. */
    bytes: integer().notNull(),
    /** Null where it is not stored (see `insertDelivery`), and after its retention or the erasure of a person in it. */
    body: text(),
    /**
     * The persons that the body mentions: ids of the provider, and addresses in lower case. Null without a body, and where the body
     * was stored before this column existed and has not been searched yet.
     */
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

/** Email addresses that mail bounces from, or whose owners complained about it. They need not belong to a profile. */
export const emailFlags = pgTable('email_flags', {
  /** In lower case. */
  email: text().primaryKey(),
  status: emailStatus().notNull(),
  flaggedAt: momentColumn('flagged_at').notNull(),
});
