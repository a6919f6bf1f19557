import { importJWK, type JWTPayload, SignJWT } from 'jose';
import { inject } from 'vitest';
import { type Body, post } from './api.ts';

const ISSUER = 'https://identity.example';

export type Headers = Record<string, string>;

export function bearer(token: string): Headers {
  return { Authorization: `Bearer ${token}` };
}

/** A session of the identity provider that the tested Worker trusts. */
export async function sessionToken(
  claims: JWTPayload,
  { expires = '1h', header = {} }: { expires?: string | number | Date; header?: object } = {},
): Promise<string> {
  const issued = { iat: Math.floor(Date.now() / 1000), ...claims };
  return new SignJWT({ iss: ISSUER, ...issued })
    .setProtectedHeader({ alg: 'ES256', kid: 'test', ...header })
    .setExpirationTime(expires)
    .sign(await importJWK(inject('sessionKey') as never, 'ES256'));
}

export interface Person {
  readonly subject: string;
  readonly email: string;
  /** Headers of the person's session. */
  readonly session: Headers;
}

/** Somebody whom no other test knows. */
export async function person(): Promise<Person> {
  const name = crypto.randomUUID().slice(0, 13);
  const [subject, email] = [`user_${name}`, `${name}@example.com`];
  return { subject, email, session: bearer(await sessionToken({ sub: subject, email, email_verified: true })) };
}

/** Creates a key; gives its record, with the token as `key`. */
export async function newKey(owner: Headers, input: object = {}, send = post): Promise<Body> {
  const { status, body, text } = await send('/v1/api-keys', { name: 'Test', ...input }, owner);
  if (status !== 200) throw new Error(`No key was made: ${text}`);
  return body.data;
}
