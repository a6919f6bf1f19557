import type { LinkSessions } from '../auth/link-sessions.ts';
import { sessionCredential } from '../session-parameter.ts';

/** Sessions that open files by their ids. */
export const DOWNLOAD_SESSIONS: LinkSessions = {
  audience: 'downloads',
  claim: 'ids',
  nouns: 'files',
  source: 'POST /v1/downloads/sessions',
  codes: {
    invalid: 'invalid_download_session',
    expired: 'download_session_expired',
    other: 'download_session_not_for_file',
  },
};

/** Authenticates by a session in the URL, for desktop GIS, which sends no headers. */
export const downloadSession = sessionCredential(DOWNLOAD_SESSIONS, {
  scheme: 'download_session',
  nameOf: (c) => c.req.param('id') ?? '',
});

/**
 * The same for files that are made when they are asked for: a session for all files opens them. Each costs what it costs to
 * make it, so it counts.
 */
export const extractSession = {
  ...sessionCredential(DOWNLOAD_SESSIONS, {
    scheme: 'download_session',
    nameOf: (c) => `areas/${c.req.param('code')}`,
  }),
  isCounted: true,
} as const;
