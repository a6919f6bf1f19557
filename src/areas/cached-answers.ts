import type { AppContext, ServiceContext } from '../context.ts';
import { revalidate, validatorOf } from '../http/conditional.ts';
import { type AnswerCache, type AnswerFacts, cacheKeyOf } from '../http/edge-cache.ts';
import { hasUnknownParameters } from '../http/notices.ts';
import { byteCache } from './snapshot/objects.ts';
import { snapshotsIn } from './snapshot/snapshots.ts';

// What an instance caches of answers: JSON texts without boundaries by their URL, and documents with boundaries by their
// canonical URL, in which parameters are sorted. Both share the budget of what was read of snapshots.

/** Max length of a text, characters. */
const MAX_TEXT_LENGTH = 64 * 1024;

/** Max length of the key of a text, which has its URL, characters. */
const MAX_KEY_LENGTH = 1024;

/** Max size of a document, bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

interface CachedResponse extends AnswerFacts {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly byteLength: number;
}

/**
 * Looks up the cached JSON text of the request's URL. Returns 304 if `If-None-Match` has its ETag, and undefined if nothing is
 * cached or the cached version is no longer active. Parameters are not validated first.
 */
export function cachedText(c: AppContext, ctx: ServiceContext): Promise<Response | undefined> {
  return send(c, ctx, cachedAt(textKey(c)));
}

/** As `cachedText`, and also looks up cached GeoJSON documents. For operations whose documents are never stored compressed. */
export function cachedTextOrDocument(c: AppContext, ctx: ServiceContext): Promise<Response | undefined> {
  return send(c, ctx, cachedAt(textKey(c)) ?? documentAt(c, ctx));
}

async function send(
  c: AppContext,
  ctx: ServiceContext,
  cached: CachedResponse | undefined,
): Promise<Response | undefined> {
  if (cached === undefined || !(await snapshotsIn(ctx.bucket).serves(ctx, cached.version))) return undefined;
  ctx.noteAreas('snapshot');
  const unchanged = revalidate(c, validatorOf(c, ctx.config), { ...cached, principal: ctx.principal });
  if (unchanged) return unchanged;
  c.header('Content-Type', cached.type);
  return c.body(cached.body);
}

function cachedAt(key: string): CachedResponse | undefined {
  return byteCache.get(key) as CachedResponse | undefined;
}

function textKey(c: AppContext): string {
  return `json ${c.req.url}`;
}

/** A document for callers with credentials. Its headers are those that its URL alone decides. */
function documentAt(c: AppContext, { principal }: ServiceContext): CachedResponse | undefined {
  if (principal.kind === 'anonymous') return undefined;
  const cached = cachedAt(c.req.url);
  return cached && cached.location === undefined && c.req.query('output') === undefined ? cached : undefined;
}

/** Caches a JSON text, unless its URL is of another edition than the active one. */
export function cacheText(c: AppContext, text: string, made: Pick<AnswerFacts, 'release' | 'version'>): void {
  const key = textKey(c);
  if (text.length > MAX_TEXT_LENGTH || key.length > MAX_KEY_LENGTH || hasUnknownParameters(c)) return;
  // An answer to `output`, which is deprecated, has headers that are not cached.
  if (c.req.query('output') !== undefined || c.req.query('edition') !== undefined) return;
  const byteLength = 2 * (text.length + key.length);
  const cached: CachedResponse = { ...made, type: 'application/json', body: text, byteLength };
  byteCache.set(key, cached);
}

/** The cache of the document that a request is for; undefined if the answer is not to be cached. */
export function documentCache(c: AppContext, hasLinks: boolean): AnswerCache | undefined {
  const canonical = cacheKeyOf(c, hasLinks);
  if (!canonical) return undefined;
  const key = canonical.origin + canonical.pathAndQuery;
  return {
    maxBytes: MAX_BYTES,
    find: async () => cachedAt(key),
    store: (answer, facts) => {
      const store = async () => {
        const body = new Uint8Array(await answer.arrayBuffer());
        const cached: CachedResponse = { ...facts, body, byteLength: body.byteLength };
        if (body.byteLength <= MAX_BYTES) byteCache.set(key, cached);
      };
      // What can't be read is not cached.
      c.executionCtx.waitUntil(store().catch(() => undefined));
    },
  };
}
