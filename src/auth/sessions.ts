import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Config } from '../env.ts';
import { DomainError } from '../errors.ts';
import type { Patience } from '../patience.ts';
import { SessionKeysUnavailable, sessionKeysOf } from './session-keys.ts';

/** The algorithms of sessions. None is symmetric: its key would be public. */
const SESSION_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

/** How far clocks may be apart, seconds. */
const CLOCK_TOLERANCE = 5;

/** OpenID Connect Core, 2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** The form of an email address, roughly: the provider has verified the address itself. */
const EMAIL = /^[^\s\p{Cc}\p{Cs}]{1,320}$/u;

/** What a session says about its holder. */
export interface SessionClaims {
  readonly subject: string;
  /** In lower case; null unless the provider has verified it. */
  readonly email: string | null;
}

/**
 * Verifies a session of the identity provider (RFC 7519; best current practice: RFC 8725).
 *
 * @param patience of the request, which may have to wait for the provider's keys
 * @throws DomainError `session_expired`, `invalid_token`, or `identity_provider_unavailable` where the provider's keys
 * can't be fetched
 */
export async function verifySession(token: string, config: Config, patience: Patience): Promise<SessionClaims> {
  try {
    const { payload } = await jwtVerify(token, sessionKeysOf(config)(patience), {
      algorithms: SESSION_ALGORITHMS,
      issuer: config.SESSION_ISSUER,
      requiredClaims: ['sub', 'exp'],
      clockTolerance: CLOCK_TOLERANCE,
    });
    const { sub, azp } = payload;
    const parties = config.SESSION_AUTHORIZED_PARTIES;
    if (parties.length > 0 && !(typeof azp === 'string' && parties.includes(azp))) throw invalid('azp');
    if (typeof sub !== 'string' || !SUBJECT.test(sub)) throw invalid('sub');
    return { subject: sub, email: verifiedEmail(payload) };
  } catch (error) {
    throw faultOf(error);
  }
}

function verifiedEmail({ email, email_verified: verified }: JWTPayload): string | null {
  return verified === true && typeof email === 'string' && EMAIL.test(email) ? email.toLowerCase() : null;
}

function faultOf(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) {
    return new DomainError('session_expired', 'The session in the Authorization header has expired. Sign in again.');
  }
  if (error instanceof errors.JWTClaimValidationFailed) return invalid(error.claim);
  if (error instanceof SessionKeysUnavailable) {
    return new DomainError(
      'identity_provider_unavailable',
      `Sessions can not be verified at the moment. Try again in ${error.retryAfter} seconds, or use an API key.`,
      {},
      { retryAfter: error.retryAfter },
    );
  }
  // The import of a malformed key throws one of these two.
  const unreadable = error instanceof TypeError || error instanceof DOMException;
  return error instanceof errors.JOSEError || unreadable ? invalid() : error;
}

/** @param claim the claim that is wrong. The caller may learn it, because they can read their own token */
function invalid(claim?: string): DomainError {
  return new DomainError(
    'invalid_token',
    claim === undefined
      ? 'The session in the Authorization header is not one of this service.'
      : `The session in the Authorization header is not one of this service: its claim "${claim}" is not right.`,
  );
}
