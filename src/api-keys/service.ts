import { createKeyToken, hashOf } from '../auth/key-token.ts';
import { holds, type Principal, type User } from '../auth/principal.ts';
import type { Scope } from '../auth/scopes.ts';
import type { Actor } from '../db/audit.ts';
import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import { DEFAULT_KEY_RPM } from '../rate-limits/limit.ts';
import type { ApiKey } from './key.ts';
import { createKey, findOwnKey, revokeKey, rotateKey } from './repo.ts';
import type { KeyWish } from './schemas.ts';

/** How many active keys one user may have. */
const MAX_ACTIVE_KEYS = 100;

/** A key with its token, which nobody can ask for again. */
export type CreatedKey = ApiKey & { readonly key: string };

export async function mintKey(
  db: Database,
  principal: Principal & User,
  wish: KeyWish,
  actor: Actor,
): Promise<CreatedKey> {
  requireOwn(principal, wish);
  const scopes: readonly Scope[] | null = wish.scopes?.length ? [...new Set(wish.scopes)] : null;
  requireHeld(principal, scopes);
  // The database would take neither every offset from UTC nor every number of decimals.
  const expiresAt = wish.expires_at ? new Date(wish.expires_at) : null;
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    throw new DomainError('expires_at_in_past', `expires_at: must be in the future (got ${wish.expires_at}).`);
  }
  const wished = { rate_limit_rpm: wish.rate_limit_rpm ?? null, expires_at: expiresAt?.toISOString() ?? null };
  const limits = within(await makerOf(db, principal), wished);
  const { token, prefix } = createKeyToken(wish.environment);
  const key = {
    name: wish.name.trim(),
    description: wish.description ?? null,
    environment: wish.environment,
    prefix,
    hash: await hashOf(token),
    scopes,
    rateLimitRpm: limits.rate_limit_rpm,
    rateLimitBurst: wish.rate_limit_burst ?? null,
    expiresAt: limits.expires_at,
  };
  const created = await createKey(db, principal.userId, key, MAX_ACTIVE_KEYS, actor);
  if (created === null) throw tooMany();
  if (created === undefined) throw new DomainError('account_deleted', 'The account has been deleted.');
  return { ...created, key: token };
}

/** @param owner id of the user whose key it must be; null for an administrator */
export async function retireKey(db: Database, owner: string | null, id: string, actor: Actor): Promise<ApiKey> {
  const key = await revokeKey(db, owner, id, actor);
  if (!key && owner === null) throw new DomainError('api_key_not_found', `There is no API key with the id ${id}.`);
  if (!key) throw notFound(id);
  return key;
}

export async function renewKey(
  db: Database,
  principal: Principal & User,
  id: string,
  graceSeconds: number,
  actor: Actor,
): Promise<CreatedKey> {
  const old = await findOwnKey(db, principal.userId, id);
  if (!old) throw notFound(id);
  requireHeld(principal, old.scopes);
  requireWithin(await makerOf(db, principal), old);
  const { token, prefix } = createKeyToken(old.environment);
  const successor = { id: crypto.randomUUID(), prefix, hash: await hashOf(token) };
  const created = await rotateKey(db, principal.userId, id, successor, graceSeconds, MAX_ACTIVE_KEYS, actor);
  if (created) return { ...created, key: token };
  // What the key is by now tells why, whoever has changed it meanwhile.
  const now = await findOwnKey(db, principal.userId, id);
  if (now?.status !== 'active') {
    throw new DomainError('api_key_not_active', `The API key ${id} is not active. Create a new one instead.`);
  }
  if (now.replaced_by === null) throw tooMany();
  throw new DomainError(
    'api_key_replaced',
    `The API key ${id} has been rotated already and lives on for its grace time. Rotate ${now.replaced_by} instead.`,
  );
}

/** What a key may do in a minute, null for the default, and until when, null for ever; RFC 3339. */
type KeyLimits = Pick<ApiKey, 'rate_limit_rpm' | 'expires_at'>;

/** The limits of the key that makes another; undefined where a session does, which has none. */
async function makerOf(db: Database, principal: Principal & User): Promise<KeyLimits | undefined> {
  if (principal.kind !== 'key') return undefined;
  const maker = await findOwnKey(db, principal.userId, principal.keyId);
  if (!maker) throw notFound(principal.keyId);
  return maker;
}

/** Limits as they are wished for, or those of the maker where nothing is said or the default would be more. */
function within(maker: KeyLimits | undefined, wished: KeyLimits): KeyLimits {
  if (!maker) return wished;
  const most = maker.rate_limit_rpm ?? DEFAULT_KEY_RPM;
  const limits = {
    rate_limit_rpm: wished.rate_limit_rpm ?? (most < DEFAULT_KEY_RPM ? most : null),
    expires_at: wished.expires_at ?? maker.expires_at,
  };
  requireWithin(maker, limits);
  return limits;
}

/** No key makes one, or takes over one, that outlives it or may make more requests: so that it can't escape its limits. */
function requireWithin(maker: KeyLimits | undefined, { rate_limit_rpm: rpm, expires_at: end }: KeyLimits): void {
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

/** Nobody makes a key, or takes over one, that may do what they may not. */
function requireHeld(principal: Principal, scopes: readonly Scope[] | null): void {
  const foreign = scopes?.find((scope) => !holds(principal, scope));
  if (foreign === undefined) return;
  throw new DomainError('scope_not_held', `scopes: "${foreign}" can not be given, because you don't hold it.`);
}

function tooMany(): DomainError {
  return new DomainError(
    'too_many_api_keys',
    `You have ${MAX_ACTIVE_KEYS} active keys, which is the most. Revoke one first.`,
  );
}

function notFound(id: string): DomainError {
  return new DomainError('api_key_not_found', `You have no API key with the id ${id}.`);
}

/** Owners are told by credentials. What a body says of them may only repeat it. */
function requireOwn(user: User, { user_id: id, user_email: email }: KeyWish): void {
  if (id && id.toLowerCase() !== user.userId) {
    throw new DomainError('owner_not_allowed', 'user_id: must be left out or be your own id.');
  }
  if (email && email.toLowerCase() !== user.email) {
    throw new DomainError('owner_not_allowed', 'user_email: must be left out or be your own address.');
  }
}
