import type { AppContext, ServiceContext } from '../context.ts';
import { nameRelease } from '../http/answers.ts';
import type { Encoding } from '../http/codings.ts';
import { setCaching, validatorOf } from '../http/conditional.ts';
import { COPIED_HEADERS, copiesAtEdge } from '../http/edge-cache.ts';
import { rememberAnswer } from './known-answers.ts';
import { copyingOf } from './portions.ts';
import { answersInMemory } from './snapshot/answers.ts';
import type { Area, AreaStore, PackedCollection, Read } from './store.ts';

/** The reply to a request for geography before anything is read. */
export interface Reply {
  /** The versions of releases of which the caller has this answer. */
  readonly knownVersions: readonly string[];
  /**
   * The copy that is kept of this answer, or 304 where the caller has it. All that is read is which release is active.
   * Undefined where there is no copy of the active release.
   */
  keptCopy(): Promise<Response | undefined>;
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
   * An answer of JSON text without boundaries. The instance remembers it, unless it has headers of its own, such as
   * Content-Location.
   */
  answered(text: string, options?: { hasOwnHeaders?: boolean }): Response;
  /**
   * An answer of which a copy is kept, unless it is too large or has no boundary.
   *
   * @param shown the areas whose boundaries the answer has
   * @param make makes the answer, once or twice
   */
  copied(shown: readonly Area[], make: () => Response): Response;
}

interface ReplyOptions {
  /** What the answer is read from. */
  readonly areas: AreaStore;
  /** Whether the answer has links that repeat its address. */
  readonly hasLinks?: boolean;
}

export function replyTo(c: AppContext, ctx: ServiceContext, { areas, hasLinks = false }: ReplyOptions): Reply {
  const validator = validatorOf(c, ctx.config);
  const copiesOf = () =>
    areas.copiesIn === 'edge' ? copiesAtEdge(c, ctx.config, hasLinks) : answersInMemory(c, hasLinks);
  const setCachingOf = (version: string, encoding?: Encoding) =>
    setCaching(c, validator.etag(version, encoding), ctx.principal);
  return {
    knownVersions: validator.knownVersions,

    keptCopy: async () => {
      const copy = await copiesOf()?.find();
      if (!copy) return undefined;
      const { release, version } = copy;
      if ((await areas.activeVersion()) !== version) return undefined;
      nameRelease(c, release);
      setCachingOf(version);
      for (const name of COPIED_HEADERS) {
        const value = copy.headers.get(name);
        if (value === null) continue;
        // Who asked first may have written the query in another way.
        const [address = ''] = value.split('?');
        c.header(name, name === 'Content-Location' ? address + new URL(c.req.url).search : value);
      }
      return validator.matches(version) || !copy.body ? c.body(null, 304) : c.body(copy.body);
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
        answered: (text, { hasOwnHeaders = false } = {}) => {
          // Only what is of the release that is served is found again, and what says nothing of its own in headers.
          const isPlain = !hasOwnHeaders && c.req.query('output') === undefined && c.req.query('edition') === undefined;
          const isKept = isPlain && areas.copiesIn === 'instance';
          if (isKept) rememberAnswer(c, text, { release, version });
          c.header('Content-Type', 'application/json');
          return c.body(text);
        },
        copied: (shown, make) => {
          const response = make();
          const copies = copiesOf();
          const copying = copies && copyingOf(shown, copies.mostBytes);
          // The clone of a stream holds in memory what the client has not taken yet, so the copy gets a stream of its own.
          if (copying) copies.store(copying === 'clone' ? response.clone() : make(), { release, version });
          return response;
        },
      };
    },
  };
}
