import type { AppContext, ServiceContext } from '../context.ts';
import type { Encoding } from '../http/codings.ts';
import { setCaching, validatorOf } from '../http/conditional.ts';
import { COPIED_HEADERS, edgeCacheOf } from '../http/edge-cache.ts';
import { edgeCopyOf } from './portions.ts';
import type { Area, AreaStore, PackedCollection, Read } from './store.ts';

/** The reply to a request for geography before anything is read. */
export interface Reply {
  /** The versions of releases of which the caller has this answer. */
  readonly knownVersions: readonly string[];
  /**
   * The copy that the edge has of this answer, or 304 where the caller has it. All that is read is which release is
   * active. Undefined where there is no copy of the active release, or areas are read so fast that none is kept.
   */
  edgeCopy(): Promise<Response | undefined>;
  /** The answer with a collection as it is stored, or 304. Undefined where it can't be read. */
  packed(collection: PackedCollection): Promise<Response | undefined>;
  /** The reply once something is read, with the release that it was read from. */
  from<T>(read: Read<T>): ReadReply<T>;
}

/** The reply when it is known what was read. The handler refuses what must fail even where nothing changed, and answers. */
interface ReadReply<T> {
  /** What was read. It has no areas where the caller has this answer. */
  readonly value: T;
  /** The id of the release that was read. */
  readonly release: string;
  /** Sets the headers that caches need. Gives 304 where the caller has this answer. */
  unchanged(): Response | undefined;
  /**
   * An answer of which the edge gets a copy, unless it is too large or has no boundary.
   *
   * @param shown the areas whose boundaries the answer has
   * @param make makes the answer, once or twice
   */
  copied(shown: readonly Area[], make: () => Response): Response;
}

/** @param areas what the answer is read from */
export function replyTo(c: AppContext, ctx: ServiceContext, areas: AreaStore): Reply {
  const validator = validatorOf(c, ctx.config);
  const edge = areas.isDear ? edgeCacheOf(c, ctx.config) : undefined;
  const setCachingOf = (version: string, encoding?: Encoding) => {
    const audience = ctx.principal.kind === 'anonymous' ? 'public' : 'private';
    setCaching(c, validator.etag(version, encoding), audience);
  };
  return {
    knownVersions: validator.knownVersions,

    edgeCopy: async () => {
      const copy = await edge?.find();
      if (!copy) return undefined;
      const active = await areas.activeVersion();
      if (active !== copy.version) return undefined;
      nameRelease(c, copy.release);
      setCachingOf(copy.version);
      for (const name of COPIED_HEADERS) {
        const value = copy.response.headers.get(name);
        if (value !== null) c.header(name, value);
      }
      const { body } = copy.response;
      return validator.matches(copy.version) || !body ? c.body(null, 304) : c.body(body);
    },

    packed: async ({ encoding, read, release, version }) => {
      const isHeld = validator.matches(version);
      const hasBody = !isHeld && c.req.method !== 'HEAD';
      const body = hasBody ? await read() : null;
      if (body === undefined) return undefined;
      nameRelease(c, release);
      setCachingOf(version, isHeld ? undefined : encoding);
      if (isHeld) return c.body(null, 304);
      c.header('Content-Type', 'application/geo+json');
      c.header('Content-Encoding', encoding);
      // Without `manual` the runtime would pack the body a second time.
      return new Response(body, { headers: c.res.headers, encodeBody: 'manual' });
    },

    from: ({ value, release, version, unchanged }) => {
      nameRelease(c, release);
      return {
        value,
        release,
        unchanged: () => {
          setCachingOf(version);
          return unchanged || validator.matches(version) ? c.body(null, 304) : undefined;
        },
        copied: (shown, make) => {
          const response = make();
          const kind = edgeCopyOf(shown);
          // The clone of a stream holds in memory what the client has not taken yet, so the edge gets a stream of its own.
          if (kind) edge?.store(kind === 'clone' ? response.clone() : make(), { release, version });
          return response;
        },
      };
    },
  };
}

/** Says which release the answer is made from, in its header and in the log. */
function nameRelease(c: AppContext, release: string): void {
  c.set('release', release);
  c.header('X-Data-Release', release);
}
