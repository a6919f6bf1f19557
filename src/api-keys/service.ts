import { createKeyToken, hashOf } from '../auth/key-token.ts';
import { holds, type Principal, type User } from '../auth/principal.ts';
import type { Scope } from '../auth/scopes.ts';
import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import type { ApiKey } from './key.ts';
import { createKey, findOwnKey, revokeKey, rotateKey } from './repo.ts';
import type { KeyWish } from './schemas.ts';

/** How many active keys one user may have. */
const MAX_ACTIVE_KEYS = 100;

/** A key with its token, which nobody can ask for again. */
export type CreatedKey = ApiKey & { readonly key: string };

export async function mintKey(db: Database, principal: Principal & User, wish: KeyWish): Promise<CreatedKey> {
  requireOwn(principal, wish);
  const scopes: readonly Scope[] | null = wish.scopes?.length ? [...new Set(wish.scopes)] : null;
  const foreign = scopes?.find((scope) => !holds(principal, scope));
  if (foreign !== undefined) {
    throw new DomainError('scope_not_held', `scopes: "${foreign}" can not be given, because you don't hold it.`);
  }
  if (wish.expires_at && Date.parse(wish.expires_at) <= Date.now()) {
    throw new DomainError('expires_at_in_past', `expires_at: must be in the future (got ${wish.expires_at}).`);
  }
  const { token, prefix } = createKeyToken(wish.environment);
  const key = {
    name: wish.name.trim(),
    description: wish.description ?? null,
    environment: wish.environment,
    prefix,
    hash: await hashOf(token),
    scopes,
    rateLimitRpm: wish.rate_limit_rpm ?? null,
    rateLimitBurst: wish.rate_limit_burst ?? null,
    expiresAt: wish.expires_at ?? null,
  };
  const created = await createKey(db, principal.userId, key, MAX_ACTIVE_KEYS);
  if (!created) {
    throw new DomainError(
      'too_many_api_keys',
      `You have ${MAX_ACTIVE_KEYS} active keys, which is the most. Revoke one first.`,
    );
  }
  return { ...created, key: token };
}

/** @param owner id of the user whose key it must be; null for an administrator */
export async function retireKey(db: Database, owner: string | null, id: string): Promise<ApiKey> {
  const key = await revokeKey(db, owner, id);
  if (!key) throw notFound(id);
  return key;
}

export async function renewKey(db: Database, userId: string, id: string, graceSeconds: number): Promise<CreatedKey> {
  const old = await findOwnKey(db, userId, id);
  if (!old) throw notFound(id);
  const { token, prefix } = createKeyToken(old.environment);
  const successor = await rotateKey(db, userId, id, { prefix, hash: await hashOf(token) }, graceSeconds);
  if (!successor) {
    throw new DomainError('api_key_not_active', `The API key ${id} is not active. Create a new one instead.`);
  }
  return { ...successor, key: token };
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
