import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { momentColumn } from '../columns.ts';

/**
 * When the stored state began, by the identity provider's clock, and when the provider reported it. Both are null until its
 * first event. Events may arrive in any order: the one with the greatest pair is the newest.
 */
export const timing = { stateAt: momentColumn('state_at'), stateToldAt: momentColumn('state_told_at') };

/** A person, as the identity provider reports them. */
export const profiles = pgTable(
  'profiles',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** The identity provider's subject, the `sub` of its sessions. */
    subject: text().notNull().unique('profiles_subject'),
    /** A verified address, with ASCII letters in lower case. */
    email: text(),
    /** Earlier addresses, the newest last, so that they can be erased too. A trigger keeps the last 50. */
    formerEmails: text('former_emails').array().notNull().default(sql`'{}'`),
    /** When the session was issued whose address was taken last. */
    claimedAt: momentColumn('claimed_at'),
    name: text(),
    isAdmin: boolean('is_admin').notNull().default(false),
    /** Requests per minute of all keys together; null: the setting ACCOUNT_RPM. */
    accountRpm: integer('account_rpm'),
    /** When a webhook endpoint of the account took long to answer last. */
    slowWebhookAt: momentColumn('slow_webhook_at'),
    /** Set for a deleted account: its keys are revoked and its sessions are refused. */
    deletedAt: momentColumn('deleted_at'),
    /**
     * Set when nothing of a deleted account is left. The row stays with another id, because it says that older events and
     * sessions of its subject count no more.
     */
    erasedAt: momentColumn('erased_at'),
    ...timing,
    createdAt: momentColumn('created_at').notNull().defaultNow(),
    updatedAt: momentColumn('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('profiles_email').on(t.email),
    index('profiles_created').on(t.createdAt, t.id),
    index('profiles_admins').on(t.createdAt, t.id).where(sql`${t.isAdmin}`),
    index('profiles_deleted').on(t.createdAt, t.id).where(sql`${t.deletedAt} is not null`),
    index('profiles_to_erase').on(t.deletedAt, t.id).where(sql`${t.deletedAt} is not null and ${t.erasedAt} is null`),
  ],
);

export const keyEnvironment = pgEnum('key_environment', ['live', 'test']);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    name: text().notNull(),
    description: text(),
    environment: keyEnvironment().notNull(),
    /** The part of the key that names it; not secret. */
    prefix: text().notNull().unique('api_keys_prefix'),
    /** SHA-256 of the whole key, 64 hex digits. The key itself is not stored. */
    hash: text().notNull(),
    /** Null: everything but `admin`. */
    scopes: text().array(),
    /** Requests per minute; null: the default of the service. */
    rateLimitRpm: integer('rate_limit_rpm'),
    rateLimitBurst: integer('rate_limit_burst'),
    expiresAt: momentColumn('expires_at'),
    revokedAt: momentColumn('revoked_at'),
    /** The key that took its place when it was rotated. The old key goes on working for the grace time at most. */
    replacedBy: uuid('replaced_by').references((): AnyPgColumn => apiKeys.id, { onDelete: 'set null' }),
    lastUsedAt: momentColumn('last_used_at'),
    /** When it was last checked that the counter of the key sends its usage to the database. */
    usageCheckedAt: momentColumn('usage_checked_at').notNull().defaultNow(),
    createdAt: momentColumn('created_at').notNull().defaultNow(),
    updatedAt: momentColumn('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('api_keys_user').on(t.userId, t.createdAt, t.id),
    index('api_keys_created').on(t.createdAt, t.id),
    index('api_keys_replaced_by').on(t.replacedBy).where(sql`${t.replacedBy} is not null`),
    index('api_keys_usage_checked').on(t.usageCheckedAt, t.id),
    check('api_keys_scopes', sql`${t.scopes} is null or cardinality(${t.scopes}) > 0`),
  ],
);

/** What a key was used for, by day (UTC), path template and status. */
export const apiKeyUsage = pgTable(
  'api_key_usage',
  {
    keyId: uuid('key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    day: date().notNull(),
    path: text().notNull(),
    status: smallint().notNull(),
    requests: bigint({ mode: 'number' }).notNull(),
    /** Sum over the requests. */
    durationMs: bigint('duration_ms', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ name: 'api_key_usage_pk', columns: [t.keyId, t.day, t.path, t.status] }),
    index('api_key_usage_day').on(t.day),
  ],
);

/** Why requests failed: the codes of their errors. The requests are counted in `api_key_usage` too. */
export const apiKeyFailures = pgTable(
  'api_key_failures',
  {
    keyId: uuid('key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    day: date().notNull(),
    path: text().notNull(),
    status: smallint().notNull(),
    code: text().notNull(),
    requests: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ name: 'api_key_failures_pk', columns: [t.keyId, t.day, t.path, t.status, t.code] }),
    index('api_key_failures_day').on(t.day),
  ],
);

/** Batches of usage that have been added. With them a batch that is sent twice counts once. */
export const usageBatches = pgTable(
  'usage_batches',
  {
    id: uuid().primaryKey(),
    addedAt: momentColumn('added_at').notNull().defaultNow(),
  },
  (t) => [index('usage_batches_added').on(t.addedAt)],
);
