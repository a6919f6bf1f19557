import { errors, jwtVerify, SignJWT } from 'jose';
import { DomainError } from '../errors.ts';

/** Whom the tokens are for, so that nothing else that is ever signed with the secret can pass for one. */
const AUDIENCE = 'tiles';

const ALGORITHM = 'HS256';

/** A token is never longer, whatever the slugs. */
export const MAX_SESSION_LENGTH = 8192;

/** Signs a session that opens some archives until it expires. It says nothing of who asked for it. */
export function mintSession(secret: string, slugs: readonly string[], expires: Date): Promise<string> {
  return new SignJWT({ slugs: [...slugs] })
    .setProtectedHeader({ alg: ALGORITHM })
    .setAudience(AUDIENCE)
    .setExpirationTime(expires)
    .sign(keyOf(secret));
}

/**
 * Whether a session opens an archive.
 *
 * @throws DomainError `invalid_tile_session`, `tile_session_expired`, or `tile_session_not_for_slug`
 */
export async function verifySession(secret: string, token: string, slug: string): Promise<void> {
  let slugs: unknown;
  try {
    const options = { algorithms: [ALGORITHM], audience: AUDIENCE, requiredClaims: ['exp'] };
    ({ slugs } = (await jwtVerify<{ slugs: unknown }>(token, keyOf(secret), options)).payload);
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
