import type { Context } from 'hono';
import { buildId, type Config } from '../env.ts';
import { logFailure } from '../log.ts';
import { hasUnknownParameters } from './notices.ts';
import { steadyStream, timelyChunks } from './stream.ts';

/** The TTL of an answer at the edge, seconds. The edge deletes sooner what nobody asks for. */
const TTL_SECONDS = 86_400;

/** How long the cache may take to answer, milliseconds. */
export const CACHE_ANSWER_MS = 200;

/** The largest answer that is cached at the edge, bytes: every single area, and provinces at medium resolution. */
const MAX_BYTES = 8 * 1024 * 1024;

/** What is cached of an answer besides its body. */
export interface AnswerFacts {
  /** The id of the release that it was made from, for people. */
  readonly release: string;
  /** Tells this load of the release from others. */
  readonly version: string;
  /** The media type. */
  readonly type: string;
  /** The path in Content-Location. Its query is that of each request. */
  readonly location?: string | undefined;
}

interface CachedAnswer extends AnswerFacts {
  readonly body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string;
}

/**
 * The cache of the answer to a request. What is cached was made from an immutable release. The caller finds out whether
 * that is the active one, so nothing stale is ever served.
 */
export interface AnswerCache {
  /** Max size of an answer, bytes. */
  readonly maxBytes: number;
  find(): Promise<CachedAnswer | undefined>;
  /** Caches an answer in the background. Failures never affect the response. */
  store(answer: Response, facts: AnswerFacts): void;
}

/**
 * The key of the answer to a request in a cache: its canonical URL, with sorted parameters. An answer with links repeats the
 * URL as it was requested, so it is cached only if that was canonical.
 *
 * @returns undefined for a query with parameters that the operation doesn't know, and for an answer with links whose URL is
 * not canonical. Each would need an entry of its own, and a client could fill the cache with those.
 */
export function cacheKeyOf(c: Context, hasLinks: boolean): { origin: string; pathAndQuery: string } | undefined {
  const { origin, pathname, search, searchParams } = new URL(c.req.url);
  if (hasUnknownParameters(c)) return undefined;
  searchParams.sort();
  const query = searchParams.size === 0 ? '' : `?${searchParams}`;
  if (hasLinks && pathname + search !== c.req.path + query) return undefined;
  return { origin, pathAndQuery: c.req.path + query };
}

/** The edge's cache of the answer to a request by this build. */
export function edgeCache(c: Context, config: Config, hasLinks: boolean): AnswerCache | undefined {
  const canonical = cacheKeyOf(c, hasLinks);
  if (!canonical) return undefined;
  const { origin, pathAndQuery } = canonical;
  const key = new Request(`${origin}/.cached/${encodeURIComponent(buildId(config))}${pathAndQuery}`);
  return {
    maxBytes: MAX_BYTES,
    find: async () => {
      const deadline = c.get('deadline');
      const match = async () => {
        const { headers, body } = (await caches.default.match(key)) ?? {};
        const [release, version, type, location] = HEADERS.map((header) => headers?.get(header) ?? undefined);
        if (!headers || !body || !release || !version || !type) return undefined;
        const length = Number(headers.get('Content-Length')) || undefined;
        const failed = (error: unknown) => logFailure('copy_broke_off', error, { path: c.req.path });
        const steady = await steadyStream(timelyChunks(body, deadline.unhurried), length, failed);
        return { release, version, type, location, body: steady };
      };
      const late = (cached?: { body: ReadableStream }) => cached?.body.cancel();
      // Where the cache fails or is slow, the answer is made as for a first request.
      return deadline.within(CACHE_ANSWER_MS, match, late).catch(() => undefined);
    },
    store: ({ body }, { release, version, type, location }) => {
      const headers = new Headers({ 'Cache-Control': `public, max-age=${TTL_SECONDS}` });
      for (const [i, value] of [release, version, type, location].entries())
        if (value !== undefined) headers.set(HEADERS[i] as string, value);
      c.executionCtx.waitUntil(caches.default.put(key, new Response(body, { headers })));
    },
  };
}

/** The headers of a cached answer that have its release, version, media type and location. */
const HEADERS = ['X-Data-Release', 'X-Release-Version', 'Content-Type', 'Content-Location'] as const;
