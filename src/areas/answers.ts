import type { z } from '@hono/zod-openapi';
import { requireIdentity } from '../auth/authenticate.ts';
import type { AppContext } from '../context.ts';
import { setCaching, validatorOf } from '../http/conditional.ts';
import { edgeCacheOf } from '../http/edge-cache.ts';
import { header } from '../http/error-responses.ts';
import { bodyOf } from '../http/stream.ts';
import { logBrokenOff } from '../log.ts';
import type { representationParams } from './params.ts';
import { isLeftOut, type Keeping, type ReadSlices, slicesOf } from './portions.ts';
import { type Item, textOf } from './records.ts';
import type { Area, AreaStore, Read, Resolution } from './store.ts';

/** Gives a request its areas. */
export type StoreOf = (c: AppContext) => AreaStore;

/** Headers of answers that were made from a data release. */
export const RELEASE_HEADER = {
  'X-Data-Release': header('The data release that the answer was made from'),
};

const CACHING_HEADERS = {
  ETag: header('Strong validator, made from the data release; send it in If-None-Match'),
  'Cache-Control': header('public for callers without credentials, private otherwise'),
  'Content-Location': header('The address by the current code, where the one asked for was another'),
  Deprecation: header('Since when the parameter output, which was used, is deprecated (RFC 9745)'),
};

/** A response body in JSON, in GeoJSON, or either. */
export function success(description: string, schema: z.ZodType, geo?: z.ZodType) {
  const content = {
    'application/json': { schema },
    ...(geo ? { 'application/geo+json': { schema: geo } } : {}),
  };
  return {
    200: { description, content, headers: { ...CACHING_HEADERS, ...RELEASE_HEADER } },
    304: { description: 'The caller holds the answer of the active data release', headers: CACHING_HEADERS },
  };
}

type Asked = { [Name in keyof typeof representationParams]?: z.output<(typeof representationParams)[Name]> | 'true' };

export interface Representation {
  readonly geojson: boolean;
  readonly resolution: Resolution | undefined;
}

/** When `output` was deprecated in favour of `format`, in the form of RFC 9745. */
const OUTPUT_DEPRECATED = '@1767225600';

/**
 * How an answer is wanted. Marks the use of the deprecated `output`.
 *
 * @throws DomainError `authentication_required` when an anonymous caller wants more than metadata
 */
export function representationOf(c: AppContext, { format, output, geometry }: Asked): Representation {
  if (output !== undefined) c.header('Deprecation', OUTPUT_DEPRECATED);
  const geojson = (format ?? output) === 'geojson';
  if (geojson) requireIdentity(c.var.principal, 'GeoJSON');
  if (geometry !== undefined) requireIdentity(c.var.principal, 'The parameter geometry');
  const chosen = geometry === 'true' ? undefined : geometry;
  return { geojson, resolution: chosen ?? (geojson ? 'simple' : undefined) };
}

interface Answering<T> {
  /** What to read, given the versions of releases whose answers the caller holds. */
  read: (held: readonly string[]) => Promise<Read<T>>;
  make: (value: T, release: string) => Response;
  /** Called with everything that was read, for what must fail even where the answer is unchanged. */
  check?: (value: T) => void;
  /** How the edge comes by what is worth keeping there: answers with boundaries. Undefined where it does not. */
  keep?: ((value: T) => Keeping | undefined) | undefined;
}

/**
 * Reads and answers, or says 304 when the caller already holds the answer of the active release. Where the edge has
 * kept an answer, all that is read is which release is active.
 */
export async function answer<T>(
  c: AppContext,
  areas: AreaStore,
  { read, make, check, keep }: Answering<T>,
): Promise<Response> {
  const validator = await validatorOf(c);
  const edge = keep && edgeCacheOf(c);
  const kept = await edge?.find();
  if (kept && (c.var.activeVersion ?? (await areas.activeVersion())) === kept.version) {
    c.set('release', kept.release);
    setCaching(c, validator, kept.version);
    for (const name of ['Content-Type', 'Content-Location']) {
      const value = kept.response.headers.get(name);
      if (value !== null) c.header(name, value);
    }
    return validator.matches(kept.version) || !kept.response.body ? c.body(null, 304) : c.body(kept.response.body);
  }
  const { release, version, unchanged, value } = await read(validator.held);
  c.set('release', release);
  check?.(value);
  setCaching(c, validator, version);
  if (unchanged || validator.matches(version)) return c.body(null, 304);
  const response = make(value, release);
  const keeping = keep?.(value);
  // A copy of a stream would hold in memory what the client has not taken yet: the edge reads at a pace of its own.
  if (keeping) edge?.keep(keeping === 'copy' ? response.clone() : make(value, release), { release, version });
  return response;
}

/** Texts around and between the items of a document that shows the boundaries of areas: many, or one. */
export interface Frame {
  readonly type: 'application/json' | 'application/geo+json';
  readonly head: string;
  readonly item: (area: Area) => Item;
  readonly tail: string;
}

/**
 * A document that shows the boundaries of areas: in one piece where all are at hand, else as a stream that reads the
 * others on the way, always from the same release. Large texts are passed on as they are; putting them together would
 * copy them.
 */
export function listing(
  c: AppContext,
  areas: readonly Area[],
  { type, head, item, tail }: Frame,
  read: ReadSlices,
): Response {
  const headers = { 'Content-Type': type };
  if (!areas.some(isLeftOut)) {
    return c.body(head + areas.map((area) => textOf(item(area), area)).join(',') + tail, 200, headers);
  }
  async function* texts() {
    const slices = slicesOf(areas, read);
    let separator = head;
    for (const area of areas) {
      const { before, after } = item(area);
      yield separator + before;
      if (!isLeftOut(area)) yield area.boundary ?? 'null';
      else {
        for (let rest = area.boundaryBytes; rest > 0; ) {
          const { value, done } = await slices.next();
          if (done) throw new Error(`The boundary of ${area.code} ended early`);
          yield value;
          rest -= value.length;
        }
      }
      separator = `${after},`;
    }
    yield separator.slice(0, -1) + tail;
  }
  return c.body(
    bodyOf(texts(), (error) => logBrokenOff(c, error)),
    200,
    headers,
  );
}

export function json(c: AppContext, text: string): Response {
  return c.body(text, 200, { 'Content-Type': 'application/json' });
}

export function geojson(c: AppContext, text: string): Response {
  return c.body(text, 200, { 'Content-Type': 'application/geo+json' });
}
