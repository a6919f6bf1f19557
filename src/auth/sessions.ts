import { errors, type JWTPayload, jwtVerify } from 'jose';
import { lowerAscii } from '../ascii.ts';
import type { Deadline } from '../deadline.ts';
import type { Config } from '../env.ts';
import { DomainError } from '../errors.ts';
import type { Claims } from './accounts.ts';
import { SessionKeysUnavailable, sessionKeysOf } from './session-keys.ts';

/** The algorithms of sessions. None is symmetric: its key would be public. */
const SESSION_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

/** How far clocks may be apart, seconds. */
const CLOCK_TOLERANCE = 5;

/** OpenID Connect Core, 2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** The form of an email address, roughly: the provider has verified the address itself. */
const EMAIL = /^[^\s\p{Cc}\p{Cs}]{1,320}$/u;

/**
 * Base64url without padding, in its one form: the bits that the last letter has too many are zero (RFC 4648, 3.5 and 5).
 * The library takes other forms too, so that one token could be written in many ways.
 */
const PART = '(?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?';

/** Three such parts (RFC 7515, 7.1). */
const JWS = new RegExp(`^${PART}\\.${PART}\\.${PART}$`);

/**
 * Verifies a session of the identity provider (RFC 7519; best current practice: RFC 8725).
 *
 * @param deadline of the request, which may have to wait for the provider's keys
 * @throws DomainError `session_expired`, `invalid_token`, or `identity_provider_unavailable` where the provider's keys
 * can't be fetched
 */
export async function verifySession(token: string, config: Config, deadline: Deadline): Promise<Claims> {
  if (!isJws(token)) throw invalid();
  try {
    const { payload } = await jwtVerify(token, sessionKeysOf(config)(deadline), {
      algorithms: SESSION_ALGORITHMS,
      issuer: config.SESSION_ISSUER,
      requiredClaims: ['sub', 'exp'],
      clockTolerance: CLOCK_TOLERANCE,
    });
    const { sub, azp } = payload;
    const parties = config.SESSION_AUTHORIZED_PARTIES;
    if (parties.length > 0 && !(typeof azp === 'string' && parties.includes(azp))) throw invalid('azp');
    if (typeof sub !== 'string' || !SUBJECT.test(sub)) throw invalid('sub');
    return { subject: sub, email: verifiedEmail(payload), issuedAt: payload.iat ?? null };
  } catch (error) {
    throw faultOf(error);
  }
}

/** Whether a text has the form of a signed token, in the one way that it can be written. */
export function isJws(text: string): boolean {
  return JWS.test(text);
}

function verifiedEmail({ email, email_verified: verified }: JWTPayload): string | null {
  return verified === true && typeof email === 'string' && EMAIL.test(email) ? lowerAscii(email) : null;
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
