import { type SQL, sql } from 'drizzle-orm';
import { KEY_COLUMNS } from '../../api-keys/repo/keys.ts';
import { ownedBy } from '../../datasets/repo/conditions.ts';
import { storedBytes } from '../../datasets/repo/quota.ts';
import type { Database } from '../../db/client.ts';
import { iso, moments } from '../../db/columns.ts';
import { apiKeyFailures, apiKeys, apiKeyUsage, profiles } from '../../db/schema/accounts.ts';
import { auditLogs } from '../../db/schema/audit.ts';
import { datasets } from '../../db/schema/datasets.ts';
import { webhookDeliveries, webhookEndpoints } from '../../db/schema/notifications.ts';
import { organizationMembers, organizations } from '../../db/schema/organizations.ts';
import { emailFlags, webhookEvents } from '../../db/schema/webhooks.ts';
import { unclaimed } from '../../profiles/repo/states.ts';

/** Whose account it is. */
export interface Owner {
  readonly userId: string;
  readonly email: string | null;
}

/** An account as its owner sees it. Moments are RFC 3339 texts in UTC. */
export interface Account {
  readonly id: string;
  readonly subject: string;
  readonly email: string | null;
  readonly former_emails: readonly string[];
  readonly name: string | null;
  readonly is_admin: boolean;
  readonly account_rpm: number | null;
  readonly api_keys: number;
  readonly datasets: number;
  readonly stored_bytes: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export async function findAccount(db: Database, { userId, email }: Owner): Promise<Account | undefined> {
  const [row] =
    await db.rows<Account>(sql`select p.id, p.subject, p.email, p.former_emails, p.name, p.is_admin, p.account_rpm,
        (select count(*)::int from ${apiKeys} k where k.user_id = p.id) as api_keys,
        (select count(*)::int from ${datasets} d where ${ownedBy({ userId, email })}) as datasets,
        ${storedBytes({ userId, email })} as stored_bytes,
        ${iso(sql`p.created_at`)} as created_at, ${iso(sql`p.updated_at`)} as updated_at
      from ${profiles} p where p.id = ${userId}`);
  return row;
}

/** How many rows one statement of an export reads. */
const PAGE_ROWS = 500;

/** A list of an export, of which one statement reads a page. */
interface ExportedList {
  /** The columns of a row. */
  readonly fields: SQL;
  readonly from: SQL;
  readonly where: SQL;
  /** The columns that the list is ordered by, with their types. Together they are unique. */
  readonly order: Readonly<Record<string, string>>;
}

/**
 * The rows of lists, one list after another, as JSON texts, in pages with commas between the rows. Memory does not grow with a
 * list, and each page is read with the index of its order.
 */
export async function* pagesOf(db: Database, lists: readonly ExportedList[]): AsyncGenerator<string> {
  for (const { fields, from, where, order } of lists) {
    const names = Object.keys(order);
    const columns = sql.raw(names.join(', '));
    const position = sql.raw(names.map((name) => `${name}::text`).join(', '));
    for (let last: readonly string[] | undefined, more = true; more; ) {
      const values = Object.values(order).map((type, i) => sql`${last?.[i] ?? null}::text::${sql.raw(type)}`);
      const behind = last ? sql`and (${columns}) > (${sql.join(values, sql`, `)})` : sql``;
      const rows = await db.rows<{
        text: string;
        position: readonly string[];
      }>(sql`select (select row_to_json(r) from (select ${fields}) r)::text as text, array[${position}] as position
          from ${from} where ${where} ${behind} order by ${columns} limit ${PAGE_ROWS}`);
      if (rows.length > 0) yield rows.map(({ text }) => text).join(',\n');
      last = rows.at(-1)?.position;
      more = rows.length === PAGE_ROWS;
    }
  }
}

/** Ids of the keys of an account: as many as an account has, and each is short. */
export async function listKeyIds(db: Database, { userId }: Owner): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`select id from ${apiKeys} where user_id = ${userId}`);
  return rows.map(({ id }) => id);
}

/** What the service has of an account, by the members of its export. The datasets are not among it. */
export function listsOf(
  { userId }: Owner,
  keyIds: readonly string[],
): Readonly<Record<string, readonly ExportedList[]>> {
  // The addresses of the account, also earlier ones, but none that another account has now.
  const addresses = sql`array(select a.email from ${profiles} p, unnest(array_append(p.former_emails, p.email)) as a (email)
    where p.id = ${userId} and ${unclaimed(sql`a.email`, sql`p.id`)})`;
  const ofKey = (column: SQL, keyId: string) =>
    sql`${column} = ${keyId} and exists (select from ${apiKeys} k where k.id = ${keyId} and k.user_id = ${userId})`;
  const audit = {
    fields: sql`a.id, ${iso(sql`a.at`)} as at, a.request_id, a.action, a.subject_type, a.subject_id, a.details,
      a.actor_kind, a.actor_user_id is not distinct from ${userId}::uuid as by_you`,
    from: sql`${auditLogs} a`,
    order: { 'a.at': 'timestamptz', 'a.id': 'bigint' },
  };
  return {
    email_statuses: [
      {
        fields: sql`f.email, f.status, ${iso(sql`f.flagged_at`)} as flagged_at`,
        from: sql`${emailFlags} f`,
        where: sql`f.email = any (${addresses})`,
        order: { 'f.email': 'text' },
      },
    ],
    organizations: [
      {
        fields: sql`o.id, o.external_id, o.name, o.slug, m.role, ${iso(sql`m.removed_at`)} as removed_at`,
        from: sql`${organizationMembers} m join ${organizations} o on o.id = m.organization_id`,
        where: sql`m.user_id = ${userId}`,
        order: { 'o.id': 'uuid' },
      },
    ],
    // Without their secrets.
    api_keys: [
      {
        fields: KEY_COLUMNS,
        from: sql`${apiKeys} k join ${profiles} p on p.id = k.user_id`,
        where: sql`k.user_id = ${userId}`,
        order: { 'k.created_at': 'timestamptz', 'k.id': 'uuid' },
      },
    ],
    usage: keyIds.map((keyId) => ({
      fields: sql`u.key_id, u.day, u.path, u.status, u.requests, u.duration_ms`,
      from: sql`${apiKeyUsage} u`,
      where: ofKey(sql`u.key_id`, keyId),
      order: { 'u.day': 'date', 'u.path': 'text', 'u.status': 'smallint' },
    })),
    failures: keyIds.map((keyId) => ({
      fields: sql`f.key_id, f.day, f.path, f.status, f.code, f.requests`,
      from: sql`${apiKeyFailures} f`,
      where: ofKey(sql`f.key_id`, keyId),
      order: { 'f.day': 'date', 'f.path': 'text', 'f.status': 'smallint', 'f.code': 'text' },
    })),
    // What the person did, and then what others did to the account. Others are not named.
    audit_logs: [
      { ...audit, where: sql`a.actor_user_id = ${userId}` },
      { ...audit, where: sql`a.subject_id = ${userId} and a.actor_user_id is distinct from ${userId}::uuid` },
    ],
    // The events of providers that mention the person. Their bodies can mention others, so they are left out.
    webhook_events: [
      {
        fields: sql`e.source, e.type, ${iso(sql`e.received_at`)} as received_at`,
        from: sql`${webhookEvents} e`,
        where: sql`e.body is not null and e.people && (
          ${addresses} || (select p.subject from ${profiles} p where p.id = ${userId}))`,
        order: { 'e.id': 'bigint' },
      },
    ],
    // Without their secrets.
    webhook_endpoints: [
      {
        fields: sql`e.id, e.url, e.description, e.events, e.areas, e.enabled, e.disabled_reason,
          ${moments('e', ['failing_since', 'created_at', 'updated_at'])}`,
        from: sql`${webhookEndpoints} e`,
        where: sql`e.user_id = ${userId}`,
        order: { 'e.id': 'uuid' },
      },
    ],
    webhook_deliveries: [
      {
        fields: sql`d.id, d.endpoint_id, d.type, d.data, d.attempts, d.last_status, d.last_error, d.response_excerpt,
          ${moments('d', ['last_attempt_at', 'delivered_at', 'created_at'])}`,
        from: sql`${webhookDeliveries} d join ${webhookEndpoints} e on e.id = d.endpoint_id`,
        where: sql`e.user_id = ${userId}`,
        order: { 'd.id': 'uuid' },
      },
    ],
  };
}

/** Ids of some datasets of the account behind an id. */
export async function listDatasetIds(
  db: Database,
  { owner, after }: { owner: Owner; after: string | undefined },
): Promise<string[]> {
  const rows = await db.rows<{
    id: string;
  }>(sql`select d.id from ${datasets} d where ${ownedBy(owner)} ${after === undefined ? sql`` : sql`and d.id > ${after}::uuid`}
      order by d.id limit ${PAGE_ROWS}`);
  return rows.map(({ id }) => id);
}
