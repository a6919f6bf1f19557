import { errors, jwtVerify, SignJWT } from 'jose';
import { isJws } from '../auth/sessions.ts';
import { DomainError } from '../errors.ts';
import type { QueryCredential } from '../operation.ts';

/** The audience of the tokens. No other token that is signed with the same secret can be used as a session. */
const AUDIENCE = 'tiles';

const ALGORITHM = 'HS256';

/** No session is longer than this, characters. */
export const MAX_SESSION_LENGTH = 8192;

/** How long a session is valid if the caller names no time, seconds. */
export const DEFAULT_SESSION_SECONDS = 3600;

/** Lets a caller in who sends a session in the address. Maps need it, because they can't send headers with every tile. */
export const tileSession: QueryCredential = {
  scheme: 'tile_session',
  verify: async (c) => {
    const session = c.req.query('session');
    if (session === undefined || session.length > MAX_SESSION_LENGTH) return false;
    // The segment of the address may end in .json, which is no part of the slug.
    const slug = c.req.param('slug')?.replace(/\..*$/, '') ?? '';
    await verifyTileSession(c.var.config.TILE_SESSION_SECRET, { session, slug });
    return true;
  },
};

/** Signs a session that opens archives until it expires. The session does not say who asked for it. */
export function signTileSession(
  secret: string,
  { slugs, expiresAt }: { slugs: readonly string[]; expiresAt: Date },
): Promise<string> {
  return new SignJWT({ slugs: [...slugs] })
    .setProtectedHeader({ alg: ALGORITHM })
    .setAudience(AUDIENCE)
    .setExpirationTime(expiresAt)
    .sign(keyOf(secret));
}

/**
 * Checks that a session is valid and opens an archive.
 *
 * @throws DomainError `invalid_tile_session`, `tile_session_expired`, or `tile_session_not_for_slug`
 */
async function verifyTileSession(secret: string, { session, slug }: { session: string; slug: string }): Promise<void> {
  let slugs: unknown;
  try {
    if (!isJws(session)) throw new errors.JWSInvalid('It is not in the one form that it was signed in');
    const options = { algorithms: [ALGORITHM], audience: AUDIENCE, requiredClaims: ['exp'] };
    ({ slugs } = (await jwtVerify<{ slugs: unknown }>(session, keyOf(secret), options)).payload);
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      throw new DomainError(
        'tile_session_expired',
        'The session has expired. Ask for another: POST /v1/tiles/sessions.',
      );
    }
    if (!(error instanceof errors.JOSEError)) throw error;
    throw new DomainError(
      'invalid_tile_session',
      'The parameter session is not a session of this service. Ask for one: POST /v1/tiles/sessions.',
    );
  }
  if (Array.isArray(slugs) && slugs.includes(slug)) return;
  throw new DomainError('tile_session_not_for_slug', `The session was asked for other archives than "${slug}".`);
}

function keyOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
