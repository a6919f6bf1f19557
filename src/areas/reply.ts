import type { AppContext, ServiceContext } from '../context.ts';
import { nameRelease } from '../http/answers.ts';
import type { Encoding } from '../http/codings.ts';
import { setCaching, validatorOf } from '../http/conditional.ts';
import { COPIED_HEADERS, copiesAtEdge } from '../http/edge-cache.ts';
import { asPacked } from '../http/encodings.ts';
import { hasUnknownParameters } from '../http/notices.ts';
import { rangeOf } from '../http/preconditions.ts';
import { rangedAnswer } from '../http/ranges.ts';
import { rememberAnswer } from './known-answers.ts';
import { copyingOf } from './portions.ts';
import { answersInMemory } from './snapshot/answers.ts';
import type { Area, AreaStore, PackedCollection, Read, ReadyCollection } from './store.ts';

/** The reply to a request for geography before anything is read. */
export interface Reply {
  /** The versions of releases of which the caller has this answer. */
  readonly knownVersions: readonly string[];
  /**
   * The copy that is kept of this answer, or 304 where the caller has it. All that is read is which release is active.
   * Undefined where there is no copy of the active release.
   */
  keptCopy(): Promise<Response | undefined>;
  /** The answer with a packed collection as it is stored, or 304. Undefined where it can't be read. */
  packed(collection: PackedCollection): Promise<Response | undefined>;
  /**
   * The answer with a range of a collection. The range is one of the plain bytes, so that nobody gets packed ones who asks
   * for a range of a file; a caller who names the tag of a packed answer in If-Range goes on with that. HEAD gets the
   * length of what is not packed. Undefined where all bytes are to be sent, or none, or they can't be read.
   */
  ranged(plain: ReadyCollection, packed: readonly PackedCollection[]): Promise<Response | undefined>;
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
  /** The day, where the answer tells an age. An instance does not remember such an answer. */
  readonly day?: string;
}

const COLLECTION_TYPE = { 'Content-Type': 'application/geo+json' };

export function replyTo(c: AppContext, ctx: ServiceContext, { areas, hasLinks = false, day }: ReplyOptions): Reply {
  const validator = validatorOf(c, ctx.config, day);
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
      return isHeld ? c.body(null, 304) : asPacked(c.body(body as ReadableStream, 200, COLLECTION_TYPE), encoding);
    },

    ranged: async (plain, packed) => {
      const { release, version } = plain;
      const isHead = c.req.method === 'HEAD';
      const isWhole = isHead ? packed.length > 0 : c.req.header('Range') === undefined;
      if (isWhole || validator.matches(version)) return undefined;
      const ifRange = c.req.header('If-Range')?.trim();
      const tagOf = ({ encoding }: ReadyCollection) => validator.etag(version, encoding);
      const chosen = packed.find((one) => tagOf(one) === ifRange) ?? plain;
      const { encoding, size } = chosen;
      const etag = tagOf(chosen);
      const range = isHead ? undefined : rangeOf(c, { etag, size });
      if (!isHead && range === undefined) return undefined;
      const body = typeof range === 'object' ? await chosen.read(range) : null;
      if (body === undefined) return undefined;
      nameRelease(c, release);
      setCachingOf(version, encoding);
      // The edge would pack a range of plain bytes.
      c.header('Cache-Control', 'no-transform', { append: true });
      const read = async () => body as ReadableStream;
      const answer = await rangedAnswer(c, { etag, size, headers: COLLECTION_TYPE, read });
      return encoding === undefined || answer.status !== 206 ? answer : asPacked(answer, encoding);
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
          const isPlain =
            !hasOwnHeaders &&
            !hasUnknownParameters(c) &&
            c.req.query('output') === undefined &&
            c.req.query('edition') === undefined;
          const isKept = isPlain && day === undefined && areas.copiesIn === 'instance';
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
