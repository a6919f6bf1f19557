import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { momentColumn } from '../columns.ts';

/** Requests with an Idempotency-Key, and what they made. A row is of no use after a day. */
export const idempotentRequests = pgTable(
  'idempotent_requests',
  {
    /** SHA-256 of who asks for what with which key, 64 hex digits. The key itself is not stored. */
    id: text().primaryKey(),
    /** The attempt that may complete the request. Another one can take its place after `leaseUntil`. */
    attempt: uuid().notNull(),
    /** SHA-256 of what was sent; null until something was made. */
    fingerprint: text(),
    /** What was made; null until then. It has no foreign key, so that it says what was made also where that is gone. */
    subjectId: uuid('subject_id'),
    leaseUntil: momentColumn('lease_until').notNull(),
    createdAt: momentColumn('created_at').notNull().defaultNow(),
  },
  (t) => [index('idempotent_requests_created').on(t.createdAt)],
);
