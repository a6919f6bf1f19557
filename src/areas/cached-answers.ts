import type { AppContext, ServiceContext } from '../context.ts';
import { revalidate, validatorOf } from '../http/conditional.ts';
import { type AnswerCache, type AnswerFacts, cacheNameOf } from '../http/edge-cache.ts';
import { hasUnknownParameters } from '../http/notices.ts';
import { byteCache } from './snapshot/objects.ts';
import { snapshotsIn } from './snapshot/snapshots.ts';

// What an instance caches of answers: JSON texts without boundaries by their URL, and documents with boundaries by the
// one spelling of their URL. Both share the budget of what was read of snapshots.

/** The longest text, and the longest URL of one, characters. */
const MAX_TEXT = 64 * 1024;
const MAX_ADDRESS = 1024;

/** The largest document, bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

interface InMemory extends AnswerFacts {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly byteLength: number;
}

/**
 * The cached text at the URL of a request, or 304 where the caller has it. Undefined where it is not of the release
 * that is served. Nothing of the request but its URL and its caller is read.
 */
export function cachedText(c: AppContext, ctx: ServiceContext): Promise<Response | undefined> {
  return send(c, ctx, at(textKey(c)));
}

/** The same for an operation whose documents are never stored compressed. */
export function cachedTextOrDocument(c: AppContext, ctx: ServiceContext): Promise<Response | undefined> {
  return send(c, ctx, at(textKey(c)) ?? documentAt(c, ctx));
}

async function send(c: AppContext, ctx: ServiceContext, cached: InMemory | undefined): Promise<Response | undefined> {
  if (cached === undefined || !(await snapshotsIn(ctx.bucket).serves(ctx, cached.version))) return undefined;
  ctx.noteAreas('snapshot');
  const unchanged = revalidate(c, validatorOf(c, ctx.config), { ...cached, principal: ctx.principal });
  if (unchanged) return unchanged;
  c.header('Content-Type', cached.type);
  return c.body(cached.body);
}

function at(key: string): InMemory | undefined {
  return byteCache.get(key) as InMemory | undefined;
}

function textKey(c: AppContext): string {
  return `json ${c.req.url}`;
}

/** A document for callers with credentials. Its headers are those that its URL alone decides. */
function documentAt(c: AppContext, { principal }: ServiceContext): InMemory | undefined {
  if (principal.kind === 'anonymous') return undefined;
  const cached = at(c.req.url);
  return cached && cached.location === undefined && c.req.query('output') === undefined ? cached : undefined;
}

/** Caches a JSON text, unless its URL is of another release than the one that is served, or adds headers. */
export function cacheText(c: AppContext, text: string, made: Pick<AnswerFacts, 'release' | 'version'>): void {
  const key = textKey(c);
  if (text.length > MAX_TEXT || key.length > MAX_ADDRESS || hasUnknownParameters(c)) return;
  if (c.req.query('output') !== undefined || c.req.query('edition') !== undefined) return;
  const byteLength = 2 * (text.length + key.length);
  const cached: InMemory = { ...made, type: 'application/json', body: text, byteLength };
  byteCache.set(key, cached);
}

/** The cache of the document that a request is for; undefined where its URL is not the one spelling. */
export function documentCache(c: AppContext, hasLinks: boolean): AnswerCache | undefined {
  const name = cacheNameOf(c, hasLinks);
  if (!name) return undefined;
  const key = name.origin + name.pathAndQuery;
  return {
    maxBytes: MAX_BYTES,
    find: async () => at(key),
    store: (answer, facts) => {
      const store = async () => {
        const body = new Uint8Array(await answer.arrayBuffer());
        const { byteLength } = body;
        const cached: InMemory = { ...facts, body, byteLength };
        if (byteLength <= MAX_BYTES) byteCache.set(key, cached);
      };
      // What can't be read is not cached.
      c.executionCtx.waitUntil(store().catch(() => undefined));
    },
  };
}
