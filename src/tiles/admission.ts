import type { Pass } from '../operation.ts';
import { MAX_SESSION_LENGTH, verifySession } from './sessions.ts';

/** Lets in whoever presents a session in the address, for maps that can't send headers with every tile. */
export const tileSession: Pass = {
  scheme: 'tile_session',
  admits: async (c) => {
    const session = c.req.query('session');
    if (session === undefined || session.length > MAX_SESSION_LENGTH) return false;
    // The segment may have an ending, which no slug has.
    const slug = c.req.param('slug')?.replace(/\..*$/, '') ?? '';
    await verifySession(c.var.config.TILE_SESSION_SECRET, session, slug);
    return true;
  },
};
