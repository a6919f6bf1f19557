import { type SQL, sql } from 'drizzle-orm';
import { type Actor, audited } from '../../db/audit.ts';
import { type Database, rowsOf } from '../../db/client.ts';
import { moments } from '../../db/columns.ts';
import { type Claim, completed } from '../../db/idempotency.ts';
import { profiles } from '../../db/schema/accounts.ts';
import { webhookDeliveries, webhookEndpoints } from '../../db/schema/notifications.ts';
import type { Endpoint, EndpointFields } from '../events.ts';

/** The members of an `Endpoint`, of a row `e`. */
const COLUMNS = sql`e.id, e.url, e.description, e.events, e.areas, e.enabled, e.disabled_reason,
  ${moments('e', ['failing_since', 'created_at', 'updated_at'])}`;

/** Whose endpoint it is, and its id. */
export interface OwnEndpoint {
  readonly userId: string;
  readonly id: string;
}

/** An endpoint and the secret of its signatures. */
export type KnownEndpoint = Endpoint & { readonly secret: string };

/** Rows of the audit log for endpoints. Addresses may have secrets, so they are left out. */
function event(actor: Actor, verb: string, rows: SQL): SQL {
  return audited(
    actor,
    sql`select ${`webhook_endpoint.${verb}`}::text as action, 'webhook_endpoint' as subject_type, e.id::text as subject_id,
      jsonb_build_object('events', e.events, 'enabled', e.enabled) as details from ${rows} e`,
  );
}

const textArray = (values: readonly string[]) => sql`${sql.param(values)}::text[]`;

/** The endpoints of a user, oldest first. */
export function listEndpointsOf(db: Database, userId: string): Promise<Endpoint[]> {
  return rowsOf(
    db,
    sql`select ${COLUMNS} from ${webhookEndpoints} e where e.user_id = ${userId} order by e.created_at, e.id`,
  );
}

/** An endpoint, and until when the secret before counts; null where there is none. */
export async function findEndpoint(
  db: Database,
  { userId, id }: OwnEndpoint,
): Promise<(KnownEndpoint & { readonly previous_until: string | null }) | undefined> {
  const [row] = await rowsOf<KnownEndpoint & { previous_until: string | null }>(
    db,
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
 * Stores a new endpoint. Requests at the same time may each store one more than is allowed, as with keys.
 *
 * @returns null where the user has as many as allowed; undefined where the account is deleted
 */
export async function insertEndpoint(
  db: Database,
  { userId, fields, secret, max, actor, claim }: Insertion,
): Promise<Endpoint | null | undefined> {
  const { url, description, events, areas, enabled } = fields;
  const [row] = await rowsOf<Endpoint | { id: null }>(
    db,
    sql`with owner as (
        select id from ${profiles} where id = ${userId}::uuid and deleted_at is null for share
      ), e as (
        insert into ${webhookEndpoints} (user_id, url, description, events, areas, enabled, secret)
        select owner.id, ${url}, ${description}, ${textArray(events)}, ${textArray(areas)}, ${enabled}::boolean, ${secret}
        from owner where ${max} > (select count(*) from ${webhookEndpoints} e where e.user_id = ${userId})
        returning *
      ), audit as (${event(actor, 'created', sql`e`)})${completed(claim, sql`e`)}
      select ${COLUMNS} from owner left join e on true`,
  );
  return row?.id === null ? null : row;
}

/**
 * Changes what is given of an endpoint. One that is enabled, or gets another address, begins without failures. What was still to be
 * sent to one that is disabled is not sent.
 */
export async function updateEndpoint(
  db: Database,
  { userId, id, fields, actor }: OwnEndpoint & { fields: Partial<EndpointFields>; actor: Actor },
): Promise<Endpoint | undefined> {
  const { url, description, events, areas, enabled } = fields;
  const set = [
    ...(url === undefined ? [] : [sql`url = ${url}`]),
    ...(description === undefined ? [] : [sql`description = ${description}`]),
    ...(events === undefined ? [] : [sql`events = ${textArray(events)}`]),
    ...(areas === undefined ? [] : [sql`areas = ${textArray(areas)}`]),
    ...(enabled === undefined ? [] : [sql`enabled = ${enabled}::boolean, disabled_reason = null`]),
    ...(url !== undefined || enabled ? [sql`failing_since = null`] : []),
    sql`updated_at = now()`,
  ];
  const [row] = await rowsOf<Endpoint>(
    db,
    sql`with e as (
        update ${webhookEndpoints} set ${sql.join(set, sql`, `)} where id = ${id} and user_id = ${userId} returning *
      ), stopped as (
        update ${webhookDeliveries} d set next_attempt_at = null, last_error = 'The endpoint was disabled.'
        from e where d.endpoint_id = e.id and not e.enabled and d.next_attempt_at is not null
      ), audit as (${event(actor, 'updated', sql`e`)})
      select ${COLUMNS} from e`,
  );
  return row;
}

/** Gives an endpoint a new secret. Deliveries are signed with the one before too, for some seconds. */
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
  const [row] = await rowsOf<Endpoint>(
    db,
    sql`with e as (
        update ${webhookEndpoints} set previous_secret = secret, secret = ${secret},
          previous_until = now() + make_interval(secs => ${graceSeconds}), updated_at = now()
        where id = ${id} and user_id = ${userId} returning *
      ), audit as (${event(actor, 'secret_rotated', sql`e`)})${completed(claim, sql`e`)}
      select ${COLUMNS} from e`,
  );
  return row;
}

/** Deletes an endpoint with what is left of its log, and tells whether there was one. */
export async function deleteEndpointRow(
  db: Database,
  { userId, id, actor }: OwnEndpoint & { actor: Actor },
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    sql`with e as (
        delete from ${webhookEndpoints} where id = ${id} and user_id = ${userId} returning *
      ), audit as (${event(actor, 'deleted', sql`e`)})
      select 1 as deleted from e`,
  );
  return rows.length > 0;
}
