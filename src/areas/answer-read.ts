import type { AppContext, ServiceContext } from '../context.ts';
import { nameLocation, nameRelease } from '../http/answers.ts';
import { revalidate, validatorOf } from '../http/conditional.ts';
import { edgeCache } from '../http/edge-cache.ts';
import { cacheText, documentCache } from './cached-answers.ts';
import { documentOf, type Frame } from './documents.ts';
import { cachingOf, type ReadSlices } from './portions.ts';
import type { Area, AreaStore, Level, Read, Resolution } from './store.ts';

/** One read of geography. The functions stand in the order in which they are called. */
interface AreaRead<T> {
  /** What the answer is read from. */
  readonly areas: AreaStore;
  /** The resolution of the boundaries of a document. Without one, no document is produced, and none is looked up. */
  readonly resolution?: Resolution | undefined;
  /** Whether the answer has links that repeat its URL. */
  readonly hasLinks?: boolean;
  /** Whether it may be cached: not where URLs are as many as callers like. Default: yes. */
  readonly isCached?: boolean;
  /**
   * What the age in the answer depends on besides the release: the day, and the newest edition. Part of the ETag. Without it the
   * answer has no age. An instance does not cache an answer with an age.
   */
  readonly ageKey?: string;
  /** @param knownVersions the versions of releases of which the caller has this answer */
  read(knownVersions: readonly string[]): Promise<Read<T>>;
  /** Gives the path by the current code, where the request has a former one. Throws where there is no area. */
  locate?(value: T): string | undefined;
  /** Throws what must fail even where the caller has this answer. */
  check?(value: T): void;
  /** Makes the answer: JSON text without boundaries, a document with boundaries, or a response that is not cached. */
  produce(value: T, release: string): Produced | Promise<Produced>;
}

type Produced = string | AreaDocument | Response;

interface AreaDocument {
  /** The level of the areas that the document shows. */
  readonly level: Level;
  readonly shown: readonly Area[];
  readonly frame: Frame;
}

/** Answers a read of geography: looks up a cached document, reads, revalidates, produces, and sends. */
export async function answerRead<T>(
  c: AppContext,
  { config, principal }: Pick<ServiceContext, 'config' | 'principal'>,
  { areas, resolution, hasLinks = false, isCached = true, ageKey, read, locate, check, produce }: AreaRead<T>,
): Promise<Response> {
  const validator = validatorOf(c, config, ageKey);

  // Look up. Which release is active is all that is read.
  const inEdge = areas.cachedIn === 'edge';
  const cache = isCached && resolution && (inEdge ? edgeCache(c, config, hasLinks) : documentCache(c, hasLinks));
  const cached = cache ? await cache.find() : undefined;
  const isCurrent = cached !== undefined && (await areas.activeVersion()) === cached.version;
  if (cache) c.set('cached', isCurrent);
  if (isCurrent) {
    c.header('Content-Type', cached.type);
    nameLocation(c, cached.location);
    return revalidate(c, validator, { ...cached, principal }) ?? c.body(cached.body);
  }

  const { value, ...made } = await read(validator.knownVersions);
  const { release, version } = made;
  // An error names the release too.
  nameRelease(c, release);
  const location = locate?.(value);
  nameLocation(c, location);
  check?.(value);

  const unchanged = revalidate(c, validator, { ...made, principal });
  if (unchanged) return unchanged;

  const produced = await produce(value, release);

  if (produced instanceof Response) return produced;
  if (typeof produced === 'string') {
    // An instance caches texts by their URL alone, so those with headers of their own are made each time.
    if (!inEdge && location === undefined && ageKey === undefined) cacheText(c, produced, { release, version });
    c.header('Content-Type', 'application/json');
    return c.body(produced);
  }
  if (!resolution) throw new Error('A document has boundaries of one resolution');
  const { level, shown, frame } = produced;
  const readSlices: ReadSlices = (slices) => areas.boundaries({ release, level, resolution }, slices);
  const make = () => documentOf(c, shown, { frame, read: readSlices });
  const response = make();
  const facts = { release, version, type: frame.type, location };
  const caching = cache && cachingOf(shown, cache.maxBytes);
  // A clone of a stream buffers what the client has not read yet, so what is cached is read by itself.
  if (caching) cache.store(caching === 'clone' ? response.clone() : make(), facts);
  return response;
}
