import { type SQL, sql } from 'drizzle-orm';
import { type Actor, audited } from '../../db/audit.ts';
import type { Database } from '../../db/client.ts';
import { moments } from '../../db/columns.ts';
import { type Claim, completed } from '../../db/idempotency.ts';
import { profiles } from '../../db/schema/accounts.ts';
import { webhookDeliveries, webhookEndpoints } from '../../db/schema/notifications.ts';
import type { Endpoint } from '../schemas.ts';

/** The fields of an endpoint that its owner sets. */
type EndpointFields = Pick<Endpoint, 'url' | 'description' | 'events' | 'areas' | 'enabled'>;

/** The members of an `Endpoint`, of a row `e`. */
const COLUMNS = sql`e.id, e.url, e.description, e.events, e.areas, e.enabled, e.disabled_reason,
  ${moments('e', ['failing_since', 'created_at', 'updated_at'])}`;

/** An endpoint by its owner and its id. */
export interface OwnEndpoint {
  readonly userId: string;
  readonly id: string;
}

/** An endpoint with its signing secret. */
export type EndpointWithSecret = Endpoint & { readonly secret: string };

/**
 * Writes an entry of the audit log for each of some endpoints. URLs may contain secrets, so they are left out.
 *
 * @param verb what was done, as a past participle
 * @param rows a table of endpoints
 */
function auditedEndpoints(actor: Actor, verb: string, rows: SQL): SQL {
  return audited(
    actor,
    sql`select ${`webhook_endpoint.${verb}`}::text as action, 'webhook_endpoint' as subject_type, e.id::text as subject_id,
      jsonb_build_object('events', e.events, 'enabled', e.enabled) as details from ${rows} e`,
  );
}

const textArray = (values: readonly string[]) => sql`${sql.param(values)}::text[]`;

/** The endpoints of a user, oldest first. */
export function listEndpointsOf(db: Database, userId: string): Promise<Endpoint[]> {
  return db.rows(
    sql`select ${COLUMNS} from ${webhookEndpoints} e where e.user_id = ${userId} order by e.created_at, e.id`,
  );
}

/**
 * An endpoint with its secret. `previous_until`: the end of the grace time of the secret before, RFC 3339, which may be past; null if
 * the secret was never replaced.
 *
 * @returns undefined if the user has no such endpoint
 */
export async function findEndpoint(
  db: Database,
  { userId, id }: OwnEndpoint,
): Promise<(EndpointWithSecret & { readonly previous_until: string | null }) | undefined> {
  const [row] = await db.rows<EndpointWithSecret & { previous_until: string | null }>(
    sql`select ${COLUMNS}, e.secret, ${moments('e', ['previous_until'])} from ${webhookEndpoints} e where e.id = ${id} and e.user_id = ${userId}`,
  );
  return row;
}

interface Insertion {
  readonly userId: string;
  readonly fields: EndpointFields;
  readonly secret: string;
  /** How many endpoints the user may have. */
  readonly max: number;
  readonly actor: Actor;
  readonly claim: Claim | undefined;
}

/**
 * Stores a new endpoint. Concurrent requests may together exceed the maximum, as with keys.
 *
 * @returns null if the user has the maximum; undefined if the account is deleted
 */
export async function insertEndpoint(
  db: Database,
  { userId, fields, secret, max, actor, claim }: Insertion,
): Promise<Endpoint | null | undefined> {
  const { url, description, events, areas, enabled } = fields;
  const [row] = await db.rows<Endpoint | { id: null }>(sql`with owner as (
        select id from ${profiles} where id = ${userId}::uuid and deleted_at is null for share
      ), e as (
        insert into ${webhookEndpoints} (user_id, url, description, events, areas, enabled, secret)
        select owner.id, ${url}, ${description}, ${textArray(events)}, ${textArray(areas)}, ${enabled}::boolean, ${secret}
        from owner where ${max} > (select count(*) from ${webhookEndpoints} e where e.user_id = ${userId})
        returning *
      ), audit as (${auditedEndpoints(actor, 'created', sql`e`)})${completed(claim, sql`e`)}
      select ${COLUMNS} from owner left join e on true`);
  return row?.id === null ? null : row;
}

/**
 * Changes the given fields of an endpoint. Enabling a disabled one or changing its URL forgets its failures; disabling it stops its
 * pending deliveries.
 *
 * @returns undefined if the user has no such endpoint
 */
export async function updateEndpoint(
  db: Database,
  { userId, id, fields, actor }: OwnEndpoint & { fields: Partial<EndpointFields>; actor: Actor },
): Promise<Endpoint | undefined> {
  const { url, description, events, areas, enabled } = fields;
  // A client may send back the record that it has read: a URL or `enabled` that stays as it is says nothing of the failures.
  const begins = [...(url === undefined ? [] : [sql`url <> ${url}`]), ...(enabled ? [sql`not enabled`] : [])];
  const set = [
    ...(url === undefined ? [] : [sql`url = ${url}`]),
    ...(description === undefined ? [] : [sql`description = ${description}`]),
    ...(events === undefined ? [] : [sql`events = ${textArray(events)}`]),
    ...(areas === undefined ? [] : [sql`areas = ${textArray(areas)}`]),
    ...(enabled === undefined ? [] : [sql`enabled = ${enabled}::boolean`]),
    ...(enabled ? [sql`disabled_reason = null`] : []),
    ...(begins.length > 0
      ? [sql`failing_since = case when ${sql.join(begins, sql` or `)} then null else failing_since end`]
      : []),
    sql`updated_at = now()`,
  ];
  const [row] = await db.rows<Endpoint>(sql`with e as (
        update ${webhookEndpoints} set ${sql.join(set, sql`, `)} where id = ${id} and user_id = ${userId} returning *
      ), stopped as (
        update ${webhookDeliveries} d set next_attempt_at = null, last_error = 'The endpoint was disabled.'
        from e where d.endpoint_id = e.id and not e.enabled and d.next_attempt_at is not null
      ), audit as (${auditedEndpoints(actor, 'updated', sql`e`)})
      select ${COLUMNS} from e`);
  return row;
}

/**
 * Replaces the secret of an endpoint. Deliveries are also signed with the previous secret during the grace time.
 *
 * @returns undefined if the user has no such endpoint
 */
export async function updateSecret(
  db: Database,
  {
    userId,
    id,
    secret,
    graceSeconds,
    actor,
    claim,
  }: OwnEndpoint & { secret: string; graceSeconds: number; actor: Actor; claim: Claim | undefined },
): Promise<Endpoint | undefined> {
  const [row] = await db.rows<Endpoint>(sql`with e as (
        update ${webhookEndpoints} set previous_secret = secret, secret = ${secret},
          previous_until = now() + make_interval(secs => ${graceSeconds}), updated_at = now()
        where id = ${id} and user_id = ${userId} returning *
      ), audit as (${auditedEndpoints(actor, 'secret_rotated', sql`e`)})${completed(claim, sql`e`)}
      select ${COLUMNS} from e`);
  return row;
}

/**
 * Deletes an endpoint, and with it the deliveries that are still in its log. Call `deleteSomeDeliveries` before, because one statement
 * can't delete a long log.
 *
 * @returns whether there was one
 */
export async function deleteEndpointRow(
  db: Database,
  { userId, id, actor }: OwnEndpoint & { actor: Actor },
): Promise<boolean> {
  const rows = await db.rows(sql`with e as (
        delete from ${webhookEndpoints} where id = ${id} and user_id = ${userId} returning *
      ), audit as (${auditedEndpoints(actor, 'deleted', sql`e`)})
      select 1 as deleted from e`);
  return rows.length > 0;
}
