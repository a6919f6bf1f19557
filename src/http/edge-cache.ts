import type { Context } from 'hono';
import { buildId, type Config } from '../env.ts';

/** How long the edge may keep an answer that nobody asks for, seconds. */
const KEPT_SECONDS = 86_400;

/** What an answer was made from: the id of a release, for people, and the version that tells this load of it from others. */
interface Provenance {
  readonly release: string;
  readonly version: string;
}

/**
 * Copies at the edge of answers that were made from an immutable release, by path, parameters and build. The caller
 * finds out whether a copy is of the active release, so nothing stale is ever served.
 */
export interface EdgeCache {
  find(): Promise<(Provenance & { response: Response }) | undefined>;
  /** Stores a copy while the answer is sent. A failure is logged by the platform and changes nothing else. */
  store(copy: Response, provenance: Provenance): void;
}

/** The headers of an answer that its copy has too. */
export const COPIED_HEADERS = ['Content-Type', 'Content-Location'];

/**
 * The edge's copy of the answer to a request. The same parameters in another order or spelling have one copy.
 *
 * @returns undefined for a query with parameters that the operation doesn't know. The links in an answer repeat them, so
 * each would need a copy of its own, and a client could fill the edge with those.
 */
export function edgeCacheOf(c: Context, config: Config): EdgeCache | undefined {
  const { origin, searchParams } = new URL(c.req.url);
  // Validation drops the parameters that the operation doesn't know.
  const known: object = c.req.valid('query' as never) ?? {};
  if ([...searchParams.keys()].some((name) => !Object.hasOwn(known, name))) return undefined;
  searchParams.sort();
  const key = new Request(`${origin}/.kept/${encodeURIComponent(buildId(config))}${c.req.path}?${searchParams}`);
  return {
    find: async () => {
      // A cache that fails has no copy: the answer is then made as for a first request.
      const response = await caches.default.match(key).catch(() => undefined);
      const release = response?.headers.get('X-Data-Release');
      const version = response?.headers.get('X-Release-Version');
      return response && release && version ? { release, version, response } : undefined;
    },
    store: (copy, { release, version }) => {
      const headers = new Headers({
        'Cache-Control': `public, max-age=${KEPT_SECONDS}`,
        'X-Data-Release': release,
        'X-Release-Version': version,
      });
      for (const name of COPIED_HEADERS) {
        const value = copy.headers.get(name);
        if (value !== null) headers.set(name, value);
      }
      c.executionCtx.waitUntil(caches.default.put(key, new Response(copy.body, { headers })));
    },
  };
}
