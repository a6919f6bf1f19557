import type { MiddlewareHandler } from 'hono';
import { DomainError } from '../errors.ts';
import type { AppEnv } from '../http/context.ts';
import type { Access, Principal } from './principal.ts';

/** A bearer token is never longer; anything that is was not issued here. */
const MAX_CREDENTIALS = 8192;

/** Resolves the principal for a route and refuses whom its access does not admit. Runs before anything is parsed. */
export function authenticate(access: Access): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const principal: Principal =
      access === 'public'
        ? { kind: 'anonymous' }
        : await principalOf(c.req.header('Authorization'), c.var.config.MASTER_TOKEN);
    if (access === 'authenticated') requireIdentity(principal, 'This operation');
    c.set('principal', principal);
    await next();
  };
}

/**
 * @param what the thing that needs credentials, as the subject of a sentence
 * @throws DomainError `authentication_required` for an anonymous caller
 */
export function requireIdentity(principal: Principal, what: string): void {
  if (principal.kind !== 'anonymous') return;
  throw new DomainError(
    'authentication_required',
    `${what} needs authentication. Send the header "Authorization: Bearer <token>".`,
  );
}

async function principalOf(header: string | undefined, masterToken: string): Promise<Principal> {
  if (header === undefined) return { kind: 'anonymous' };
  const token = header.length > MAX_CREDENTIALS ? undefined : /^Bearer +([\x21-\x7e]+)$/i.exec(header)?.[1];
  if (token === undefined) {
    throw new DomainError('invalid_token', 'The Authorization header must be "Bearer <token>", with one token.');
  }
  if (!(await sameSecret(token, masterToken))) {
    throw new DomainError('invalid_token', 'The bearer token in the Authorization header is not valid.');
  }
  return { kind: 'master' };
}

/** Compares digests, so that neither content nor length shows in the time it takes. */
async function sameSecret(given: string, expected: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [given, expected].map((text) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))),
  );
  return crypto.subtle.timingSafeEqual(a as ArrayBuffer, b as ArrayBuffer);
}
