import type { z } from '@hono/zod-openapi';
import {
  type LinkSessions,
  MAX_SESSION_LENGTH,
  sessionEnd,
  signLinkSession,
  verifyLinkSession,
} from '../auth/link-sessions.ts';
import { holds, userOf } from '../auth/principal.ts';
import type { AppContext, ServiceContext } from '../context.ts';
import type { Reader } from '../datasets/owners.ts';
import { readerOf } from '../datasets/owners.ts';
import { DomainError } from '../errors.ts';
import type { QueryCredential } from '../operation.ts';
import { datasetOf, readDataset } from './dataset-items.ts';
import type { newSessionSchema } from './schemas.ts';

/** Sessions that open collections by their ids; `areas` stands for all areas. They name the account that asked for them. */
const OGC_SESSIONS: LinkSessions = {
  audience: 'ogc',
  claim: 'ids',
  nouns: 'collections',
  source: 'POST /v1/ogc/sessions',
  codes: {
    invalid: 'invalid_ogc_session',
    expired: 'ogc_session_expired',
    other: 'ogc_session_not_for_collection',
  },
};

const AREAS = 'areas';

/** Requests per minute and network of tools with a session. */
const SESSION_RPM = 600;

/**
 * Lets a tool with a session in its URL in. For areas the session must open them; what it opens of datasets is found out
 * where one is read.
 */
export function ogcSession(of: 'areas' | 'any'): QueryCredential {
  return {
    scheme: 'ogc_session',
    perMinute: SESSION_RPM,
    verify: (c) => sessionIn(c, of === 'areas' ? AREAS : undefined),
  };
}

/** Checks the session in a URL, where there is one. It must open what is named. */
export async function sessionIn(c: AppContext, name?: string) {
  const session = c.req.query('session');
  if (session === undefined || session.length > MAX_SESSION_LENGTH) return undefined;
  return verifyLinkSession(c.var.config.TILE_SESSION_SECRET, OGC_SESSIONS, { session, ...(name && { name }) });
}

/**
 * Creates a session. It opens the areas where its asker may read them, and the datasets that it names. What the account may
 * read is found out again with each request.
 *
 * @throws DomainError `collection_not_found` for a dataset that the caller may not read
 */
export async function createOgcSession(
  ctx: ServiceContext,
  { collections = [], ttl_seconds: ttlSeconds }: z.output<typeof newSessionSchema>,
): Promise<{ session: string; expiresAt: Date }> {
  const { principal } = ctx;
  for (const id of collections) {
    if (!holds(principal, 'read:datasets')) {
      const message = 'The API key lacks the scope "read:datasets", which a session for datasets needs.';
      throw new DomainError('missing_scope', message, { facts: { scope: 'read:datasets' } });
    }
    await readDataset(ctx, { reader: readerOf(principal), id: datasetOf(id) });
  }
  const names = [...(holds(principal, 'read:boundaries') ? [AREAS] : []), ...collections];
  const expiresAt = sessionEnd(principal, ttlSeconds);
  const secret = ctx.config.TILE_SESSION_SECRET[0];
  const subject = userOf(principal)?.userId;
  const session = await signLinkSession(secret, OGC_SESSIONS, { names, expiresAt, subject });
  return { session, expiresAt };
}

/** Who reads a dataset: the caller, or with a session the account that asked for it, where it opens the dataset. */
export async function readerOfDataset(c: AppContext, ctx: ServiceContext, id: string): Promise<Reader> {
  const opened = c.var.hasQueryCredential ? await openedBySession(c) : undefined;
  if (!opened) return readerOf(ctx.principal);
  return opened.ids.includes(id) ? opened.reader : 'everyone';
}

/** The ids of the datasets that the session in the URL opens, and the account that asked for it. */
export async function openedBySession(c: AppContext): Promise<{ ids: string[]; reader: Reader } | undefined> {
  const session = await sessionIn(c);
  if (!session) return undefined;
  const { names, subject } = session;
  const ids = names.filter((name) => name !== AREAS).map(datasetOf);
  return { ids, reader: subject === undefined ? 'master' : { account: subject } };
}
