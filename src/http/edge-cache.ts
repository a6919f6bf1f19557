import type { AppContext } from '../context.ts';
import { buildId } from '../env.ts';

/** How long the edge may keep an answer that nobody asks for, seconds. It is never served without a look at its release. */
const KEPT_SECONDS = 86_400;

/** What an answer was made from: a release, for people, and the version that tells this load of it from others. */
interface Made {
  readonly release: string;
  readonly version: string;
}

/**
 * Answers that were made from an immutable release, kept at the edge by path, parameters and build. Whether a kept one
 * is still of the active release is for the caller to find out, so that nothing stale is ever served.
 */
export interface EdgeCache {
  /** The kept answer and the release it was made from. */
  find(): Promise<(Made & { response: Response }) | undefined>;
  /** Keeps a response, which it reads. Runs beside the answer and may fail without anybody noticing but the log. */
  keep(response: Response, made: Made): void;
}

/**
 * Undefined for a query with parameters that the operation doesn't know: links in the answer repeat them, so that each
 * would be an entry of its own, and nobody is to fill the edge with those. The same parameters in another order or
 * spelling are one entry.
 */
export function edgeCacheOf(c: AppContext): EdgeCache | undefined {
  const { origin, searchParams } = new URL(c.req.url);
  // What passed validation; that leaves out what the operation doesn't know.
  const known: object = c.req.valid('query' as never) ?? {};
  if ([...searchParams.keys()].some((name) => !Object.hasOwn(known, name))) return undefined;
  searchParams.sort();
  const key = new Request(`${origin}/.kept/${encodeURIComponent(buildId(c.var.config))}${c.req.path}?${searchParams}`);
  return {
    find: async () => {
      // A cache that fails has kept nothing: the answer is then made as if it were asked for the first time.
      const response = await caches.default.match(key).catch(() => undefined);
      const release = response?.headers.get('X-Data-Release');
      const version = response?.headers.get('X-Release-Version');
      return response && release && version ? { release, version, response } : undefined;
    },
    keep: (response, { release, version }) => {
      const headers = new Headers({
        'Cache-Control': `public, max-age=${KEPT_SECONDS}`,
        'X-Data-Release': release,
        'X-Release-Version': version,
      });
      for (const name of ['Content-Type', 'Content-Location']) {
        const value = response.headers.get(name);
        if (value !== null) headers.set(name, value);
      }
      c.executionCtx.waitUntil(caches.default.put(key, new Response(response.body, { headers })));
    },
  };
}
