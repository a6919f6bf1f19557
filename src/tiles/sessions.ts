import type { LinkSessions } from '../auth/link-sessions.ts';
import { sessionCredential } from '../session-parameter.ts';

/** Sessions that open archives by their slugs. */
export const TILE_SESSIONS: LinkSessions = {
  audience: 'tiles',
  claim: 'slugs',
  nouns: 'archives',
  source: 'POST /v1/tiles/sessions',
  codes: { invalid: 'invalid_tile_session', expired: 'tile_session_expired', other: 'tile_session_not_for_slug' },
};

/** Authenticates by a session in the URL, for maps, which can't send headers with every tile. */
export const tileSession = sessionCredential(TILE_SESSIONS, {
  scheme: 'tile_session',
  // The segment of the URL may end in .json, which is no part of the slug.
  nameOf: (c) => c.req.param('slug')?.replace(/\..*/s, '') ?? '',
});
