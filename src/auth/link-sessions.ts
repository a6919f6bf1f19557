import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { DomainError, type ErrorCode } from '../errors.ts';
import type { Principal } from './principal.ts';
import { isJws } from './sessions.ts';

/** Sessions that stand in URLs, for tools that can't send headers with every request. They open things by name. */
export interface LinkSessions {
  /** The audience of the tokens. No other token that is signed with the same secret can be used as a session. */
  readonly audience: string;
  /** The claim with the names of what a session opens. */
  readonly claim: 'slugs' | 'ids';
  /** What it opens, as people say it: `archives`. */
  readonly nouns: string;
  /** The operation that gives sessions: `POST /v1/tiles/sessions`. */
  readonly source: string;
  readonly codes: Readonly<Record<'invalid' | 'expired' | 'other', ErrorCode>>;
}

const ALGORITHM = 'HS256';

/** The name that stands for all. */
export const EVERYTHING = '*';

/** No session is longer than this, characters. */
export const MAX_SESSION_LENGTH = 8192;

/** How long a session is valid if the caller names no time, seconds. */
export const DEFAULT_SESSION_SECONDS = 3600;

/** When a session ends that is asked for now: with the key that it is asked for with, at the latest. */
export function sessionEnd(principal: Principal, ttlSeconds: number = DEFAULT_SESSION_SECONDS): Date {
  const end = ('expiresAt' in principal ? principal.expiresAt : null) ?? Number.POSITIVE_INFINITY;
  // A session holds its end in whole seconds.
  return new Date(Math.min(Math.floor(Date.now() / 1000) + ttlSeconds, Math.floor(end / 1000)) * 1000);
}

/**
 * Signs a session that opens what it names until it expires.
 *
 * @param given `subject`: the account that asked for it, where what it opens depends on that
 */
export function signLinkSession(
  secret: string,
  { audience, claim }: LinkSessions,
  { names, expiresAt, subject }: { names: readonly string[]; expiresAt: Date; subject?: string | undefined },
): Promise<string> {
  return new SignJWT({ [claim]: [...names], ...(subject === undefined ? {} : { sub: subject }) })
    .setProtectedHeader({ alg: ALGORITHM })
    .setAudience(audience)
    .setExpirationTime(expiresAt)
    .sign(keyOf(secret));
}

/**
 * Checks that a session is valid and opens what is asked for.
 *
 * @param secrets what it may be signed with
 * @param asked `name`: what is asked for; without one, any session will do
 * @returns what it opens, and the account that asked for it, where it names one
 * @throws DomainError with the codes of the kind of session
 */
export async function verifyLinkSession(
  secrets: readonly string[],
  { audience, claim, nouns, source, codes }: LinkSessions,
  { session, name }: { session: string; name?: string },
): Promise<{ names: string[]; subject: string | undefined }> {
  let payload: JWTPayload;
  try {
    if (!isJws(session)) throw new errors.JWSInvalid('It is not in the one form that it was signed in');
    const options = { algorithms: [ALGORITHM], audience, requiredClaims: ['exp'] };
    const verify = (secret: string) => jwtVerify(session, keyOf(secret), options);
    ({ payload } = await firstVerified(secrets, verify));
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      throw new DomainError(codes.expired, `The session has expired. Ask for another: ${source}.`);
    }
    if (!(error instanceof errors.JOSEError)) throw error;
    const message = `The parameter session is not a session of this service. Ask for one: ${source}.`;
    throw new DomainError(codes.invalid, message);
  }
  const names = payload[claim] as string[];
  if (name === undefined || names.includes(name) || names.includes(EVERYTHING)) return { names, subject: payload.sub };
  throw new DomainError(codes.other, `The session was asked for other ${nouns} than "${name}".`);
}

/** @throws what the last secret fails with, or an earlier one if that has made the signature */
async function firstVerified<T>(secrets: readonly string[], verify: (secret: string) => Promise<T>): Promise<T> {
  const [secret = '', ...others] = secrets;
  try {
    return await verify(secret);
  } catch (error) {
    if (others.length === 0 || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    return firstVerified(others, verify);
  }
}

function keyOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
