import { createHash, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';

const ALGORITHM = 'ES256';

/**
 * Loads the private key that replaces the identity provider's on this machine. Creates it where it doesn't exist. Commands
 * that begin at the same time have the same key.
 */
export async function loadSessionKey(path: string): Promise<JWK> {
  const existing = await readFile(path, 'utf8').catch(unless('ENOENT'));
  if (existing !== undefined) return JSON.parse(existing);
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const key = await exportJWK(privateKey);
  key.kid = await calculateJwkThumbprint(key);
  // It is complete when it has its name, and the first one keeps it.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(key)}\n`, { mode: 0o600 });
  await link(draft, path).catch(unless('EEXIST'));
  await rm(draft);
  return JSON.parse(await readFile(path, 'utf8'));
}

/** Handles an error of one code as no result, and throws any other. */
function unless(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}

/** The JWK set that verifies sessions which were signed with this private key. */
export function publicKeysOf({ d: _secret, ...key }: JWK): { keys: JWK[] } {
  return { keys: [{ ...key, alg: ALGORITHM, use: 'sig' }] };
}

/** The identity provider's id of a local user, which is made from the email address. */
export function subjectOf(email: string): string {
  return `user_${createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 16)}`;
}

export interface Session {
  issuer: string;
  subject: string;
  email: string;
  /** The client to which the session belongs, where the service asks for one. */
  party: string | undefined;
  /** A duration as jose reads it: `1h`, `30m`, `7 days`. */
  expires: string;
}

/** Signs a session as the identity provider would. */
export async function signSession(key: JWK, { issuer, subject, email, party, expires }: Session): Promise<string> {
  return new SignJWT({ email, email_verified: true, ...(party === undefined ? {} : { azp: party }) })
    .setProtectedHeader({ alg: ALGORITHM, kid: key.kid as string, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(await importJWK(key, ALGORITHM));
}
