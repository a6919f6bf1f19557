import { z } from '@hono/zod-openapi';
import {
  DEFAULT_SESSION_SECONDS,
  type LinkSessions,
  MAX_SESSION_LENGTH,
  verifyLinkSession,
} from './auth/link-sessions.ts';
import type { AppContext } from './context.ts';
import type { QueryCredential } from './operation.ts';

/**
 * Lets a caller in who sends a session in the URL.
 *
 * @param scheme its name among the document's security schemes
 * @param nameOf what is asked for
 */
export function sessionCredential(
  sessions: LinkSessions,
  { scheme, nameOf }: { scheme: string; nameOf: (c: AppContext) => string },
): QueryCredential {
  return {
    scheme,
    verify: async (c) => {
      const session = c.req.query('session');
      if (session === undefined || session.length > MAX_SESSION_LENGTH) return undefined;
      return verifyLinkSession(c.var.config.TILE_SESSION_SECRET, sessions, { session, name: nameOf(c) });
    },
  };
}

/** The parameter of the query that takes such a session. */
export function sessionParam({ source }: LinkSessions) {
  return z
    .string('must be given once')
    .max(MAX_SESSION_LENGTH, `must have at most ${MAX_SESSION_LENGTH} characters`)
    .optional()
    .openapi({
      description: `A session of ${source}, in place of a bearer token`,
      example: 'eyJhbGciOiJIUzI1NiJ9…',
    });
}

const [MIN_TTL, MAX_TTL] = [60, 86_400];
const TTL_RULE = `must be a whole number of seconds from ${MIN_TTL} to ${MAX_TTL}`;

/** The member of a body that says how long a session is good. */
export const ttlSeconds = z
  .number(TTL_RULE)
  .int(TTL_RULE)
  .min(MIN_TTL, TTL_RULE)
  .max(MAX_TTL, TTL_RULE)
  .optional()
  .openapi({ description: 'Lifetime of the session, seconds', default: DEFAULT_SESSION_SECONDS });
