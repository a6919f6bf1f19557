import { changeKey } from '../auth/changed-keys.ts';
import { createKeyToken, hashOf, SEED_BYTES } from '../auth/key-token.ts';
import { holds, type Principal, type User } from '../auth/principal.ts';
import type { Scope } from '../auth/scopes.ts';
import { requireUser, type ServiceContext } from '../context.ts';
import type { Claim } from '../db/idempotency.ts';
import { DomainError } from '../errors.ts';
import type { Notice } from '../http/notices.ts';
import { once } from '../once.ts';
import { requireOwnerFields } from '../owner-fields.ts';
import { callCounter } from '../rate-limits/counter.ts';
import { accountCounter, DEFAULT_KEY_RPM, keyCounter } from '../rate-limits/limit.ts';
import { findKey, findKeyPrefix, insertKey, insertRotatedKey, listKeysOf, updateRevokedKey } from './repo/keys.ts';
import { sumUsage } from './repo/usage.ts';
import type { AccountStats, ApiKey, NewKeyInput } from './schemas.ts';

/** How many active keys one user may have. */
const MAX_ACTIVE_KEYS = 100;

/** How many minutes after a key was made its token can be answered again. */
const REPLAY_MINUTES = 10;

/** A key, with notices about it, if any. */
export interface KeyWithNotices<Key extends ApiKey = ApiKey> {
  readonly key: Key;
  readonly meta: { readonly notices: readonly Notice[] } | undefined;
}

/** A key with its token. The token is not stored; see `findMadeKey` for when it can be answered again. */
export type CreatedKey = ApiKey & { readonly key: string };

/** The caller's active keys and the latest of the others, newest first. */
export function listKeys(ctx: ServiceContext): Promise<ApiKey[]> {
  return listKeysOf(ctx.db, requireUser(ctx).userId);
}

/**
 * What the caller's keys were used for in the last thirty days (UTC), and what is used of the limits of the account.
 *
 * @param input `keyId`: the key that it is about; undefined: all of them
 * @throws DomainError `api_key_not_found`
 */
export async function summarizeKeys(
  ctx: ServiceContext,
  { keyId }: { keyId: string | undefined },
): Promise<AccountStats> {
  const user = requireUser(ctx);
  const perMinute = user.accountRpm ?? ctx.config.ACCOUNT_RPM;
  const maxBytes = ctx.config.ACCOUNT_MAX_BYTES;
  const counting = callCounter(ctx, accountCounter(user.userId), async (counter) => counter.look(perMinute));
  const [{ stored, found, ...usage }, free] = await Promise.all([
    sumUsage(ctx.db, { ...user, keyId }),
    counting.catch(() => undefined),
  ]);
  if (!found) throw notFound(keyId ?? '');
  const limits = {
    requests_per_minute: { allowed: perMinute, used: free ? perMinute - free.remaining : null },
    stored_bytes: { allowed: maxBytes, used: stored },
  };
  return { ...usage, limits };
}

/**
 * Creates a key of the caller.
 *
 * @throws DomainError `owner_not_allowed`, `scope_not_held`, `expires_at_in_past`, `api_key_exceeds_maker`,
 * `too_many_api_keys`, `account_deleted`, and as `once`
 */
export async function createKey(ctx: ServiceContext, input: NewKeyInput): Promise<KeyWithNotices<CreatedKey>> {
  return createdOnce(ctx, (claim) => makeKey(ctx, input, claim));
}

async function createdOnce(ctx: ServiceContext, make: (claim: Claim | undefined) => Promise<CreatedKey>) {
  const key = await once(ctx, { make, find: (id, attempt) => findMadeKey(ctx, { id, attempt }) });
  return withLimitNotice(ctx, key, requireUser(ctx).accountRpm);
}

/**
 * A key, with a notice where its limit is above that of its account. It is no error: the limit of the account can be raised
 * and lowered later, and holds in any case.
 *
 * @param accountRpm that of the account, where it has one of its own
 */
export function withLimitNotice<Key extends ApiKey>(
  { config }: ServiceContext,
  key: Key,
  accountRpm: number | null,
): KeyWithNotices<Key> {
  const got = key.rate_limit_rpm ?? DEFAULT_KEY_RPM;
  const allowed = accountRpm ?? config.ACCOUNT_RPM;
  if (got <= allowed) return { key, meta: undefined };
  const message = `rate_limit_rpm: is ${got}, but all keys of the account together may make ${allowed} requests a minute, so this one can make no more.`;
  const parameter = 'rate_limit_rpm';
  return {
    key,
    meta: { notices: [{ code: 'rate_limit_above_account', parameter, message, successors: [], got, allowed }] },
  };
}

async function makeKey(ctx: ServiceContext, input: NewKeyInput, claim: Claim | undefined): Promise<CreatedKey> {
  const caller = requireUser(ctx);
  requireOwnerFields(caller, input);
  const scopes: readonly Scope[] | null = input.scopes?.length ? [...new Set(input.scopes)] : null;
  requireHeldScopes(caller, scopes);
  const expiresAt = input.expires_at ? requireFutureEnd(input.expires_at) : null;
  const given = { rate_limit_rpm: input.rate_limit_rpm ?? null, expires_at: expiresAt };
  const limits = inheritedLimits(await makerLimitsOf(ctx, caller), given);
  const { token, prefix } = createKeyToken(input.environment, await seedOf(ctx, claim?.attempt));
  const key = {
    name: input.name.trim(),
    description: input.description ?? null,
    environment: input.environment,
    prefix,
    hash: await hashOf(token),
    scopes,
    rateLimitRpm: limits.rate_limit_rpm,
    rateLimitBurst: input.rate_limit_burst ?? null,
    expiresAt: limits.expires_at,
  };
  const { userId } = caller;
  const created = await insertKey(ctx.db, { userId, key, maxActive: MAX_ACTIVE_KEYS, actor: ctx.actor, claim });
  if (created === null) throw tooMany();
  if (created === undefined) throw new DomainError('account_deleted', 'The account has been deleted.');
  return { ...created, key: token };
}

/**
 * What a token is made of: random bytes or, for a request with an Idempotency-Key, that key, the master token, and random bytes
 * that are stored for a day. So a retry after a lost answer gets the same token, which is stored nowhere.
 *
 * @returns undefined for random bytes
 */
async function seedOf(
  { config, requestKey }: ServiceContext,
  attempt = '',
  masterToken = config.MASTER_TOKEN[0],
): Promise<Uint8Array | undefined> {
  if (!requestKey) return undefined;
  const bytes = (text: string) => new TextEncoder().encode(text);
  const secret = bytes(`${masterToken}\n${requestKey.text}`);
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: bytes(attempt), info: bytes(requestKey.id) };
  return new Uint8Array(await crypto.subtle.deriveBits(derivation, material, 8 * SEED_BYTES));
}

/**
 * A key that an earlier attempt of the same request has made. Its token is answered again only for some minutes and until the
 * key is used, while nobody can have received it.
 *
 * @throws DomainError `api_key_not_found`, also where the key exists and its token can't be answered again
 */
async function findMadeKey(ctx: ServiceContext, made: { id: string; attempt: string }): Promise<CreatedKey> {
  const { id, attempt } = made;
  const found = await findKey(ctx.db, { userId: requireUser(ctx).userId, id });
  if (!found) throw notFound(id);
  const { replaced_by: successor, ...key } = found;
  const isNew = Date.now() - Date.parse(key.created_at) < REPLAY_MINUTES * 60_000;
  const mayReplay = isNew && key.status === 'active' && key.last_used_at === null && successor === null;
  // The counter knows of a use before the database does. Where it doesn't answer, the database decides.
  const asking = async () => callCounter(ctx, keyCounter(key.prefix), async (counter) => counter.isUsed());
  if (mayReplay && !(await asking().catch(() => false))) {
    // The master token may have been replaced since.
    for (const masterToken of ctx.config.MASTER_TOKEN) {
      const { token, prefix } = createKeyToken(key.environment, await seedOf(ctx, attempt, masterToken));
      if (prefix === key.prefix) return { ...key, key: token };
    }
  }
  throw new DomainError(
    'api_key_not_found',
    `The text of the API key ${id} can not be told again, only for ${REPLAY_MINUTES} minutes and until the key is used. Revoke the key if you don't have it.`,
  );
}

/**
 * The end of a key as the database takes it, which accepts neither every offset from UTC nor any number of decimals.
 *
 * @param given RFC 3339
 * @param remedy a sentence for whoever wants to end a key now
 * @throws DomainError `expires_at_in_past`
 */
export function requireFutureEnd(given: string, remedy = ''): string {
  const end = new Date(given);
  if (end.getTime() > Date.now()) return end.toISOString();
  throw new DomainError('expires_at_in_past', `expires_at: must be in the future (got ${given}).${remedy}`);
}

/**
 * Revokes a key of the caller; the holder of the master token may revoke any.
 *
 * @throws DomainError `api_key_not_found`, `counter_unavailable`
 */
export async function revokeKey(ctx: ServiceContext, { id }: { id: string }): Promise<ApiKey> {
  if (ctx.principal.kind === 'master') return revokeAnyKey(ctx, { id });
  const key = await revoke(ctx, { owner: requireUser(ctx).userId, id });
  if (!key) throw notFound(id);
  return key;
}

/**
 * Revokes a key of any user, for administrators. It is here, because `revokeKey` calls it for the holder of the master token.
 *
 * @throws DomainError `api_key_not_found`, `counter_unavailable`
 */
export async function revokeAnyKey(ctx: ServiceContext, { id }: { id: string }): Promise<ApiKey> {
  const key = await revoke(ctx, { owner: null, id });
  if (!key) throw noSuchKey(id);
  return key;
}

async function revoke(ctx: ServiceContext, which: { owner: string | null; id: string }): Promise<ApiKey | undefined> {
  const prefix = await findKeyPrefix(ctx.db, which);
  if (prefix === undefined) return undefined;
  return changeKey(ctx, prefix, () => updateRevokedKey(ctx.db, { ...which, actor: ctx.actor }));
}

/**
 * Replaces an active key of the caller by a new one. The old one goes on working for the grace time.
 *
 * @throws DomainError `api_key_not_found`, `scope_not_held`, `api_key_exceeds_maker`, `api_key_not_active`,
 * `api_key_replaced`, `too_many_api_keys`, `counter_unavailable`, and as `once`
 */
export async function rotateKey(
  ctx: ServiceContext,
  input: { id: string; graceSeconds: number },
): Promise<KeyWithNotices<CreatedKey>> {
  return createdOnce(ctx, (claim) => replaceKey(ctx, { ...input, claim }));
}

async function replaceKey(
  ctx: ServiceContext,
  { id, graceSeconds, claim }: { id: string; graceSeconds: number; claim: Claim | undefined },
): Promise<CreatedKey> {
  const caller = requireUser(ctx);
  const { userId } = caller;
  const old = await findKey(ctx.db, { userId, id });
  if (!old) throw notFound(id);
  requireHeldScopes(caller, old.scopes);
  requireLimitsOfMaker(await makerLimitsOf(ctx, caller), old);
  const { token, prefix } = createKeyToken(old.environment, await seedOf(ctx, claim?.attempt));
  const successor = { id: crypto.randomUUID(), prefix, hash: await hashOf(token) };
  const rotation = { userId, id, successor, graceSeconds, maxActive: MAX_ACTIVE_KEYS, actor: ctx.actor, claim };
  const created = await changeKey(ctx, old.prefix, () => insertRotatedKey(ctx.db, rotation));
  if (created) return { ...created, key: token };
  // The key as it is now shows why it was not rotated, also where another request has just changed it.
  const now = await findKey(ctx.db, { userId, id });
  if (now?.status !== 'active') {
    throw new DomainError('api_key_not_active', `The API key ${id} is not active. Create a new one instead.`);
  }
  if (now.replaced_by === null) throw tooMany();
  throw new DomainError(
    'api_key_replaced',
    `The API key ${id} has been rotated already and lives on for its grace time. Rotate ${now.replaced_by} instead.`,
  );
}

/** Requests per minute, null for the default, and the end, RFC 3339, null for none. */
type KeyLimits = Pick<ApiKey, 'rate_limit_rpm' | 'expires_at'>;

/** The limits of the key that the caller asks with; undefined for a session, which has none. */
async function makerLimitsOf({ db }: ServiceContext, caller: Principal & User): Promise<KeyLimits | undefined> {
  if (caller.kind !== 'key') return undefined;
  const maker = await findKey(db, { userId: caller.userId, id: caller.keyId });
  if (!maker) throw notFound(caller.keyId);
  return maker;
}

/**
 * The limits that were given, or the maker's where none was given or where the default would be more.
 *
 * @throws DomainError `api_key_exceeds_maker`
 */
function inheritedLimits(maker: KeyLimits | undefined, given: KeyLimits): KeyLimits {
  if (!maker) return given;
  const most = maker.rate_limit_rpm ?? DEFAULT_KEY_RPM;
  const limits = {
    rate_limit_rpm: given.rate_limit_rpm ?? (most < DEFAULT_KEY_RPM ? most : null),
    expires_at: given.expires_at ?? maker.expires_at,
  };
  requireLimitsOfMaker(maker, limits);
  return limits;
}

/**
 * A key can neither create nor rotate a key that outlives it or has a higher limit. Each counts by itself; what all of them
 * may do together is limited by the account.
 */
function requireLimitsOfMaker(maker: KeyLimits | undefined, { rate_limit_rpm: rpm, expires_at: end }: KeyLimits): void {
  if (!maker) return;
  const most = maker.rate_limit_rpm ?? DEFAULT_KEY_RPM;
  if ((rpm ?? DEFAULT_KEY_RPM) > most) {
    throw exceeds('rate_limit_rpm', `must be at most ${most}, as that of the key that asks`, rpm ?? DEFAULT_KEY_RPM);
  }
  if (maker.expires_at !== null && (end === null || Date.parse(end) > Date.parse(maker.expires_at))) {
    throw exceeds('expires_at', `must be at most ${maker.expires_at}, when the key that asks expires`, end);
  }
}

function exceeds(field: string, rule: string, got: unknown): DomainError {
  return new DomainError('api_key_exceeds_maker', `${field}: ${rule} (got ${got}). Use a session for more.`);
}

/** Nobody can create or rotate a key with a scope that they don't hold. */
function requireHeldScopes(caller: Principal, scopes: readonly Scope[] | null): void {
  const foreign = scopes?.find((scope) => !holds(caller, scope));
  if (foreign === undefined) return;
  throw new DomainError('scope_not_held', `scopes: "${foreign}" can not be given, because you don't hold it.`);
}

function tooMany(): DomainError {
  return new DomainError(
    'too_many_api_keys',
    `You have ${MAX_ACTIVE_KEYS} active keys, which is the most. Revoke one first.`,
  );
}

/** The error for a key that no user has. */
export function noSuchKey(id: string): DomainError {
  return new DomainError('api_key_not_found', `There is no API key with the id ${id}.`);
}

function notFound(id: string): DomainError {
  return new DomainError('api_key_not_found', `You have no API key with the id ${id}.`);
}
