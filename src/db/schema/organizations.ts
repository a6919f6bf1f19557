import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { momentColumn } from '../columns.ts';
import { profiles, timing } from './accounts.ts';

/** An organisation, as the identity provider reports it. */
export const organizations = pgTable('organizations', {
  id: uuid().primaryKey().defaultRandom(),
  /** The identity provider's id. */
  externalId: text('external_id').notNull().unique('organizations_external_id'),
  name: text(),
  slug: text(),
  deletedAt: momentColumn('deleted_at'),
  ...timing,
  createdAt: momentColumn('created_at').notNull().defaultNow(),
  updatedAt: momentColumn('updated_at').notNull().defaultNow(),
});

/** Who belongs to an organisation, or did. Rows of removed members stay, so that an older event is recognised as older. */
export const organizationMembers = pgTable(
  'organization_members',
  {
    organizationId: uuid('organization_id')
      .notNull()
      .references(() => organizations.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    role: text(),
    removedAt: momentColumn('removed_at'),
    ...timing,
    createdAt: momentColumn('created_at').notNull().defaultNow(),
    updatedAt: momentColumn('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'organization_members_pk', columns: [t.organizationId, t.userId] }),
    index('organization_members_user').on(t.userId),
  ],
);
