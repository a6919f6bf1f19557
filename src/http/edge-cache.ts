import { buildId } from '../env.ts';
import type { AppContext } from './context.ts';

/** How long the edge may keep an answer that nobody asks for, seconds. It is never served without a look at its release. */
const KEPT_SECONDS = 86_400;

/** What an answer was made from: a release, for people, and the version that tells this load of it from others. */
interface Made {
  readonly release: string;
  readonly version: string;
}

/**
 * Answers that were made from an immutable release, kept at the edge by address and build. Whether a kept one is still
 * of the active release is for the caller to find out, so that nothing stale is ever served.
 */
export interface EdgeCache {
  /** The kept answer and the release it was made from. */
  find(): Promise<(Made & { response: Response }) | undefined>;
  /** Keeps a copy. Runs beside the answer and may fail without anybody noticing but the log. */
  keep(response: Response, made: Made): void;
}

export function edgeCacheOf(c: AppContext): EdgeCache {
  const { origin, pathname, search } = new URL(c.req.url);
  const key = new Request(`${origin}/.kept/${encodeURIComponent(buildId(c.var.config))}${pathname}${search}`);
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
      c.executionCtx.waitUntil(caches.default.put(key, new Response(response.clone().body, { headers })));
    },
  };
}
