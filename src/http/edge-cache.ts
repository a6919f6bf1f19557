import type { Context } from 'hono';
import { buildId, type Config } from '../env.ts';
import { logFailure } from '../log.ts';
import { hasUnknownParameters } from './notices.ts';
import { steadyStream, timelyChunks } from './stream.ts';

/** How long the edge may keep an answer that nobody asks for, seconds. */
const KEPT_SECONDS = 86_400;

/** How long the cache may take to answer, milliseconds. */
export const CACHE_ANSWER_MS = 200;

/** What an answer was made from: the id of a release, for people, and the version that tells this load of it from others. */
interface Provenance {
  readonly release: string;
  readonly version: string;
}

/** A copy of an answer, with the headers of `COPIED_HEADERS`. */
export interface AnswerCopy extends Provenance {
  readonly headers: Pick<Headers, 'get'>;
  readonly body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null;
}

/**
 * Copies of the answer to a request that were made from an immutable release. The caller finds out whether a copy is of the
 * active release, so nothing stale is ever served.
 */
export interface AnswerCopies {
  /** The most bytes that a copy should have. */
  readonly mostBytes: number;
  find(): Promise<AnswerCopy | undefined>;
  /** Stores a copy while the answer is sent. A failure is logged by the platform and changes nothing else. */
  store(copy: Response, provenance: Provenance): void;
}

/** The largest answer of which the edge keeps a copy: every single area, and provinces at medium resolution. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The headers of an answer that its copy has too. The query of its Content-Location is that of the request. */
export const COPIED_HEADERS = ['Content-Type', 'Content-Location'];

/**
 * What names the answer to a request among copies: the same parameters in another order or spelling have one copy. An answer
 * with links repeats the address as it was asked for. It has a copy only where that is the one spelling with a copy.
 *
 * @returns path and query; undefined for a query with parameters that the operation doesn't know, and for an answer with
 * links that was asked for in another spelling. Each would need a copy of its own, and a client could fill the room for
 * copies with those.
 */
export function copyNameOf(c: Context, hasLinks: boolean): { origin: string; pathAndQuery: string } | undefined {
  const { origin, pathname, search, searchParams } = new URL(c.req.url);
  if (hasUnknownParameters(c)) return undefined;
  searchParams.sort();
  const query = searchParams.size === 0 ? '' : `?${searchParams}`;
  if (hasLinks && pathname + search !== c.req.path + query) return undefined;
  return { origin, pathAndQuery: c.req.path + query };
}

/** The edge's copies of the answer to a request by this build. */
export function copiesAtEdge(c: Context, config: Config, hasLinks: boolean): AnswerCopies | undefined {
  const name = copyNameOf(c, hasLinks);
  if (!name) return undefined;
  const key = new Request(`${name.origin}/.kept/${encodeURIComponent(buildId(config))}${name.pathAndQuery}`);
  return {
    mostBytes: MAX_BYTES,
    find: async () => {
      const deadline = c.get('deadline');
      const match = async () => {
        const response = await caches.default.match(key);
        const { headers, body } = response ?? {};
        const release = headers?.get('X-Data-Release');
        const version = headers?.get('X-Release-Version');
        if (!headers || !body || !release || !version) return undefined;
        const length = Number(headers.get('Content-Length')) || undefined;
        const failed = (error: unknown) => logFailure('copy_broke_off', error, { path: c.req.path });
        return {
          release,
          version,
          headers,
          body: await steadyStream(timelyChunks(body, deadline.unhurried), length, failed),
        };
      };
      const late = (copy?: { body: ReadableStream }) => copy?.body.cancel();
      // A cache that fails or is slow has no copy: the answer is then made as for a first request.
      return deadline.within(CACHE_ANSWER_MS, match, late).catch(() => undefined);
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
