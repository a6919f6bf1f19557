import { requireUser, type ServiceContext } from '../context.ts';
import type { Claim } from '../db/idempotency.ts';
import { DomainError } from '../errors.ts';
import { sendNotifications } from '../notify.ts';
import { once } from '../once.ts';
import { faultOfAddress } from './address.ts';
import { requireAreas } from './changes.ts';
import { deleteSomeDeliveries, insertTest, listDeliveriesOf, updateReplayed } from './repo/deliveries.ts';
import {
  deleteEndpointRow,
  type EndpointWithSecret,
  findEndpoint,
  insertEndpoint,
  listEndpointsOf,
  updateEndpoint,
  updateSecret,
} from './repo/endpoints.ts';
import type { Delivery, Endpoint, EndpointPatch, NewEndpointInput } from './schemas.ts';

/** Max endpoints of an account. */
export const MAX_ENDPOINTS = 5;

/** How long a repeated request gets the secret that it has made again, minutes, as with API keys. */
const REPLAY_MINUTES = 10;
/** Least seconds between two tests of an endpoint. */
const TEST_SECONDS = 10;

/** Random bytes of a secret. The specification wants 24 to 64. */
const SECRET_BYTES = 32;

/** The endpoints of the caller, oldest first. */
export function listEndpoints(ctx: ServiceContext): Promise<Endpoint[]> {
  return listEndpointsOf(ctx.db, userIdOf(ctx));
}

/** @throws DomainError `webhook_endpoint_not_found` */
export async function getEndpoint(ctx: ServiceContext, { id }: { id: string }): Promise<Endpoint> {
  const { secret: _, previous_until: __, ...endpoint } = await getKnown(ctx, id);
  return endpoint;
}

/**
 * Creates an endpoint of the caller, with its secret.
 *
 * @throws DomainError `webhook_url_not_allowed`, `missing_areas`, `area_not_found`, `storage_unavailable`,
 * `too_many_webhook_endpoints`, `account_deleted`, and as `once`
 */
export function createEndpoint(ctx: ServiceContext, input: NewEndpointInput): Promise<EndpointWithSecret> {
  const madeAt = ({ created_at, previous_until }: Made) => (previous_until === null ? Date.parse(created_at) : 0);
  return once(ctx, { make: (claim) => makeEndpoint(ctx, input, claim), find: (id) => getMade(ctx, id, madeAt) });
}

async function makeEndpoint(
  ctx: ServiceContext,
  input: NewEndpointInput,
  claim: Claim | undefined,
): Promise<EndpointWithSecret> {
  const areas = [...new Set(input.areas)];
  const fields = {
    url: allowedUrl(ctx, input.url),
    description: input.description ?? null,
    events: [...new Set(input.events)],
    areas,
    enabled: input.enabled ?? true,
  };
  requireFollowed(fields);
  await requireAreas(ctx, areas);
  const secret = newSecret();
  const { db, actor } = ctx;
  const made = await insertEndpoint(db, { userId: userIdOf(ctx), fields, secret, max: MAX_ENDPOINTS, actor, claim });
  if (made === undefined) throw new DomainError('account_deleted', 'The account has been deleted.');
  if (made === null) {
    const message = `You have ${MAX_ENDPOINTS} webhook endpoints, which is the most. Delete one first.`;
    throw new DomainError('too_many_webhook_endpoints', message);
  }
  return { ...made, secret };
}

/**
 * @throws DomainError `webhook_endpoint_not_found`, `webhook_url_not_allowed`, `missing_areas`, `area_not_found`,
 * `storage_unavailable`
 */
export async function changeEndpoint(
  ctx: ServiceContext,
  { id, changes }: { id: string; changes: EndpointPatch },
): Promise<Endpoint> {
  const { url, description, events, areas, enabled } = changes;
  const fields = {
    ...(url === undefined ? {} : { url: allowedUrl(ctx, url) }),
    ...(description === undefined ? {} : { description }),
    ...(events === undefined ? {} : { events: [...new Set(events)] }),
    ...(areas === undefined ? {} : { areas: [...new Set(areas)] }),
    ...(enabled === undefined ? {} : { enabled }),
  };
  if (events || areas) requireFollowed({ ...(await getKnown(ctx, id)), ...fields });
  await requireAreas(ctx, areas ?? []);
  const changed = await updateEndpoint(ctx.db, { userId: userIdOf(ctx), id, fields, actor: ctx.actor });
  if (!changed) throw notFound(id);
  return changed;
}

/** @throws DomainError `webhook_endpoint_not_found` */
export async function deleteEndpoint(ctx: ServiceContext, { id }: { id: string }): Promise<void> {
  const own = { userId: userIdOf(ctx), id };
  // One statement can't delete a very long log within its deadline.
  while (await deleteSomeDeliveries(ctx.db, own));
  if (!(await deleteEndpointRow(ctx.db, { ...own, actor: ctx.actor }))) throw notFound(id);
}

/**
 * Replaces the secret of an endpoint. Deliveries are also signed with the previous secret during the grace time.
 *
 * @throws DomainError `webhook_endpoint_not_found`, and as `once`
 */
export function rotateSecret(
  ctx: ServiceContext,
  { id, graceSeconds }: { id: string; graceSeconds: number },
): Promise<EndpointWithSecret> {
  const { db, actor } = ctx;
  return once(ctx, {
    make: async (claim) => {
      const secret = newSecret();
      const changed = await updateSecret(db, { userId: userIdOf(ctx), id, secret, graceSeconds, actor, claim });
      if (!changed) throw notFound(id);
      return { ...changed, secret };
    },
    // The secret was replaced `graceSeconds` before the end of its grace time. A request with another grace time misses that moment.
    find: (made) =>
      getMade(ctx, made, ({ previous_until: until }) => (until === null ? 0 : Date.parse(until) - graceSeconds * 1000)),
  });
}

/**
 * Sends a test delivery to an endpoint.
 *
 * @throws DomainError `webhook_endpoint_not_found`, `webhook_endpoint_disabled`, `rate_limit_exceeded`
 */
export async function testEndpoint(ctx: ServiceContext, { id }: { id: string }): Promise<Delivery> {
  const delivery = await insertTest(ctx.db, { userId: userIdOf(ctx), id, minSeconds: TEST_SECONDS });
  if (delivery === undefined) throw notFound(id);
  if (delivery === null) throw disabled(id);
  if ('wait' in delivery) {
    const message = `The webhook endpoint ${id} can be tested once in ${TEST_SECONDS} seconds. Try again in ${delivery.wait} seconds.`;
    throw new DomainError('rate_limit_exceeded', message, { retryAfter: delivery.wait });
  }
  sendNotifications(ctx);
  return delivery;
}

/** @throws DomainError `webhook_endpoint_not_found` */
export async function listDeliveries(
  ctx: ServiceContext,
  { id, page, limit }: { id: string; page: number; limit: number },
): Promise<{ rows: Delivery[]; total: number }> {
  const log = await listDeliveriesOf(ctx.db, { userId: userIdOf(ctx), id, page, limit });
  if (!log) throw notFound(id);
  return log;
}

/**
 * Sends a delivery once more, with the same id.
 *
 * @throws DomainError `webhook_delivery_not_found`, `webhook_endpoint_disabled`
 */
export async function replayDelivery(
  ctx: ServiceContext,
  { id, deliveryId }: { id: string; deliveryId: string },
): Promise<Delivery> {
  const found = await updateReplayed(ctx.db, { userId: userIdOf(ctx), id, deliveryId });
  if (!found) {
    const message = `The webhook endpoint ${id} has no delivery with the id ${deliveryId}.`;
    throw new DomainError('webhook_delivery_not_found', message);
  }
  if (!found.isEnabled) throw disabled(id);
  sendNotifications(ctx);
  return found.delivery;
}

function userIdOf(ctx: ServiceContext): string {
  return requireUser(ctx).userId;
}

type Made = EndpointWithSecret & { readonly previous_until: string | null };

/**
 * An endpoint with the secret that an earlier try of the same request has made.
 *
 * @param madeAt gives the time of that try, milliseconds since the epoch
 * @throws DomainError `webhook_endpoint_not_found`, also if the secret may not be told again
 */
async function getMade(ctx: ServiceContext, id: string, madeAt: (made: Made) => number): Promise<EndpointWithSecret> {
  const made = await getKnown(ctx, id);
  const { previous_until: _, ...endpoint } = made;
  if (Math.abs(Date.now() - madeAt(made)) < REPLAY_MINUTES * 60_000) return endpoint;
  const message = `The secret of the webhook endpoint ${id} can not be told again, only for ${REPLAY_MINUTES} minutes and until it is replaced. Replace it if you don't have it.`;
  throw new DomainError('webhook_endpoint_not_found', message);
}

/** @throws DomainError `missing_areas` if the endpoint would never be told of an area */
function requireFollowed({ events, areas }: Pick<Endpoint, 'events' | 'areas'>): void {
  if (!events.includes('area.changed') || areas.length > 0) return;
  const message = 'areas: must have at least one PSGC code, because events has area.changed (got none).';
  throw new DomainError('missing_areas', message);
}

async function getKnown(ctx: ServiceContext, id: string): Promise<Made> {
  const found = await findEndpoint(ctx.db, { userId: userIdOf(ctx), id });
  if (!found) throw notFound(id);
  return found;
}

/** A URL as it is stored. @throws DomainError `webhook_url_not_allowed` */
function allowedUrl({ config }: ServiceContext, url: string): string {
  const fault = faultOfAddress(url, { allowsLoopback: config.ENVIRONMENT === 'development' });
  if (fault === undefined) return new URL(url).href;
  throw new DomainError('webhook_url_not_allowed', `url: ${fault} (got ${JSON.stringify(url.slice(0, 60))}).`);
}

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

function notFound(id: string): DomainError {
  return new DomainError('webhook_endpoint_not_found', `You have no webhook endpoint with the id ${id}.`);
}

function disabled(id: string): DomainError {
  const message = `The webhook endpoint ${id} is disabled. Enable it first: PATCH it with { "enabled": true }.`;
  return new DomainError('webhook_endpoint_disabled', message);
}
