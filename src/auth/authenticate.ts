import type { MiddlewareHandler } from 'hono';
import { BEARER_TOKEN } from '../env.ts';
import { DomainError } from '../errors.ts';
import { continentOf, networkOf } from '../rate-limits/client-address.ts';
import { refuse } from '../rate-limits/enforce.ts';
import { cachedExhaustion, cacheExhaustion } from '../rate-limits/exhausted.ts';
import { accountLimit, addressLimit, type Count, DEFAULT_KEY_RPM, keyLimit, workLimit } from '../rate-limits/limit.ts';
import { guardLookUp } from '../rate-limits/unknown-keys.ts';
import { isDeleted } from './deleted-accounts.ts';
import { cacheInactive, inactiveStatus } from './inactive-keys.ts';
import { lookUpKey, lookUpUncounted } from './key-lookup.ts';
import { hashOf, KEY_SCHEME, prefixOf } from './key-token.ts';
import { type Access, holds, type Identity, type Principal } from './principal.ts';
import { sameText } from './same-text.ts';
import type { Scope } from './scopes.ts';
import { verifySession } from './sessions.ts';
import type { AuthContext, AuthEnv } from './variables.ts';

/** The greatest length of an Authorization header. No credentials that are issued here are longer. */
const MAX_CREDENTIALS = 8192;

/**
 * Finds out who asks and what their limit is. Refuses callers without credentials where the access needs some. It runs
 * before any part of the request is parsed.
 *
 * @throws DomainError of status 401, `identity_provider_unavailable`, or `rate_limit_exceeded` where the limit is known
 * to be used up
 */
export function authenticate(access: Access, identity: Identity = 'account'): MiddlewareHandler<AuthEnv> {
  return async (c, next) => {
    const principal = access === 'public' ? ANONYMOUS : await principalOf(c, identity);
    c.set('principal', principal);
    if (access !== 'public' && access !== 'free-tier') requireIdentity(principal, 'This operation');
    await next();
  };
}

/**
 * Refuses principals that may not use the operation.
 *
 * @throws DomainError `admin_only`, `user_required`, `session_required`, `unscoped_key_required`, `missing_scope`
 */
export function admit(access: Access, scope: Scope | undefined): MiddlewareHandler<AuthEnv> {
  return (c, next) => {
    const principal = c.get('principal');
    if (access === 'admin' && !holds(principal, 'admin')) {
      throw new DomainError('admin_only', 'Only administrators may do this; a key needs the scope "admin" as well.');
    }
    if ((access === 'user' || access === 'session') && principal.kind === 'master') {
      throw new DomainError(
        'user_required',
        'The master token stands for no user. Use a session, or an API key without scopes.',
      );
    }
    if (access === 'session' && principal.kind === 'key') {
      throw new DomainError('session_required', 'This takes a session, not an API key. Sign in to the dashboard.');
    }
    if ((access === 'user' || access === 'owner') && principal.kind === 'key' && principal.scopes !== null) {
      throw new DomainError(
        'unscoped_key_required',
        'A key that is limited to scopes can not do this. Use a session, or an API key without scopes.',
      );
    }
    if (scope !== undefined && principal.kind !== 'anonymous') requireScope(principal, scope, 'this operation');
    return next();
  };
}

/**
 * @param what what needs the scope, as the subject of a clause
 * @throws DomainError `missing_scope`
 */
export function requireScope(principal: Principal, scope: Scope, what: string): void {
  if (holds(principal, scope)) return;
  throw new DomainError('missing_scope', `The API key lacks the scope "${scope}", which ${what} needs.`, {
    facts: { scope },
  });
}

/**
 * @param what what needs credentials, as the subject of a sentence
 * @throws DomainError `authentication_required` for an anonymous caller
 */
export function requireIdentity(principal: Principal, what: string): void {
  if (principal.kind !== 'anonymous') return;
  throw new DomainError(
    'authentication_required',
    `${what} needs authentication. Send the header "Authorization: Bearer <token>".`,
  );
}

const ANONYMOUS: Principal = { kind: 'anonymous' };

async function principalOf(c: AuthContext, identity: Identity): Promise<Principal> {
  const header = c.req.header('Authorization');
  if (header === undefined) {
    c.set('limit', addressLimit(networkOf(c), continentOf(c), c.get('config').FREE_TIER_RPM));
    return ANONYMOUS;
  }
  const token = bearerOf(header);
  if (c.get('config').MASTER_TOKEN.some((master) => sameText(token, master))) return { kind: 'master' };
  if (token.startsWith(KEY_SCHEME)) return keyPrincipal(c, token, identity);
  if (token.split('.').length === 3) return sessionPrincipal(c, token, identity);
  throw new DomainError('invalid_token', 'The bearer token in the Authorization header is not valid.');
}

/** The token of an Authorization header (RFC 6750). Several headers arrive as one, with a comma between them, and are refused. */
function bearerOf(header: string): string {
  if (header.length > MAX_CREDENTIALS) {
    throw new DomainError(
      'invalid_authorization_header',
      `The Authorization header must have at most ${MAX_CREDENTIALS} characters (got ${header.length}).`,
    );
  }
  const [, scheme, credentials = ''] = /^([A-Za-z][\w-]*)(?: +(.*))?$/.exec(header) ?? [];
  if (scheme !== undefined && scheme.toLowerCase() !== 'bearer') {
    throw new DomainError(
      'unsupported_auth_scheme',
      'The Authorization header must be of the scheme Bearer: "Bearer <token>".',
    );
  }
  if (!BEARER_TOKEN.test(credentials)) {
    throw new DomainError(
      'invalid_authorization_header',
      'The Authorization header must be given once, as "Bearer <token>", with one token.',
    );
  }
  return credentials;
}

async function keyPrincipal(c: AuthContext, token: string, identity: Identity): Promise<Principal> {
  const prefix = prefixOf(token);
  if (prefix === undefined) throw invalidKey();
  const credential = { prefix, hash: await hashOf(token) };
  const { hash } = credential;
  const inactive = inactiveStatus(hash);
  if (inactive) throw inactiveKey(inactive);
  const exhausted = cachedExhaustion(hash);
  // A request with a tile session is not counted.
  const isUncounted = c.get('hasQueryCredential') === true;
  if (exhausted && !isUncounted) refuse(c, [exhausted]);
  const key = await guardLookUp(c, hash, () =>
    isUncounted ? lookUpUncounted(c, credential) : lookUpKey(c, credential, identity),
  );
  if (!key) throw invalidKey();
  if (key.status !== 'active') {
    cacheInactive(credential, key.status);
    throw inactiveKey(key.status);
  }
  const { keyId, scopes, expiresAt, rateLimitRpm, allowance, account } = key;
  const accountPerMinute = key.accountRpm ?? c.get('config').ACCOUNT_RPM;
  const limit = keyLimit({ ...credential, keyId, perMinute: rateLimitRpm ?? DEFAULT_KEY_RPM, accountPerMinute });
  c.set('limit', limit);
  if (allowance) {
    const counts: Count[] = [{ limit, allowance }];
    if (account) counts.push({ limit: accountLimit(limit, accountPerMinute), allowance: account });
    const last = counts.at(-1) as Count;
    if (!last.allowance.allowed) {
      cacheExhaustion(last.limit, last.allowance);
      refuse(c, counts);
    }
    c.set('counts', counts);
  }
  return key.user
    ? { kind: 'key', keyId, scopes, expiresAt, ...key.user }
    : { kind: 'bearer', credential: 'key', scopes, expiresAt };
}

function inactiveKey(status: 'revoked' | 'expired'): DomainError {
  return status === 'revoked'
    ? new DomainError('api_key_revoked', 'The API key has been revoked.')
    : new DomainError('api_key_expired', 'The API key has expired.');
}

/**
 * Asks the database whether the key of a request that takes long is still active. Where it does not answer, the request
 * goes on.
 *
 * @throws DomainError `api_key_revoked`, `api_key_expired`
 */
export async function requireActiveKey(c: Pick<AuthContext, 'req' | 'var'>): Promise<void> {
  const prefix = prefixOf(bearerOf(c.req.header('Authorization') ?? ''));
  if (prefix === undefined) return;
  const key = await c.var.accounts.findKey(prefix).catch(() => undefined);
  if (!key || key.status === 'active') return;
  cacheInactive({ prefix, hash: key.hash }, key.status);
  throw inactiveKey(key.status);
}

function invalidKey(): DomainError {
  return new DomainError('invalid_api_key', 'The API key is not one of this service. Was it copied whole?');
}

async function sessionPrincipal(c: AuthContext, token: string, identity: Identity): Promise<Principal> {
  const deadline = c.get('deadline');
  const claims = await verifySession(token, c.get('config'), deadline);
  c.set('weighedLimit', workLimit(claims.subject, c.get('config').ACCOUNT_RPM));
  if (identity === 'credential') {
    if (await isDeleted({ meters: c.env.METER, deadline }, claims.subject)) throw accountDeleted();
    return { kind: 'bearer', credential: 'session', scopes: null, expiresAt: null };
  }
  const user = await c.var.accounts.findOrCreateProfile(claims);
  if (user.deleted) throw accountDeleted();
  // The address is that of the profile: the provider may have taken away the one that the session claims.
  const { userId, email, isAdmin, accountRpm } = user;
  return { kind: 'session', userId, email, isAdmin, accountRpm };
}

function accountDeleted(): DomainError {
  return new DomainError('account_deleted', 'The account of this session has been deleted.');
}
