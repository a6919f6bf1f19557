import type { z } from '@hono/zod-openapi';
import { requireIdentity } from '../auth/authenticate.ts';
import { setCaching, validatorOf } from '../http/conditional.ts';
import type { AppContext } from '../http/context.ts';
import { header } from '../http/error-responses.ts';
import { bodyOf } from '../http/stream.ts';
import type { representationParams } from './params.ts';
import { inPortions, isWhole, type ReadBoundaries } from './portions.ts';
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

/**
 * Reads and answers, or says 304 when the caller already holds the answer of the active release.
 *
 * @param query what to read, given the releases whose answers the caller holds
 * @param check called with everything that was read, for what must fail even where the answer is unchanged
 */
export async function answer<T>(
  c: AppContext,
  query: (held: readonly string[]) => Promise<Read<T>>,
  make: (value: T, release: string) => Response,
  check?: (value: T) => void,
): Promise<Response> {
  const validator = await validatorOf(c);
  const { release, unchanged, value } = await query(validator.held);
  c.set('release', release);
  check?.(value);
  setCaching(c, validator, release);
  return unchanged || validator.matches(release) ? c.body(null, 304) : make(value, release);
}

/** Texts around and between the items of a document that lists areas. */
export interface Frame {
  readonly type: 'application/json' | 'application/geo+json';
  readonly head: string;
  readonly item: (area: Area) => string;
  readonly tail: string;
}

/**
 * A document that lists areas: in one piece where all boundaries are at hand, else as a stream that reads the others
 * on the way, always from the same release.
 */
export function listing(
  c: AppContext,
  areas: readonly Area[],
  { type, head, item, tail }: Frame,
  read: ReadBoundaries,
): Response {
  const headers = { 'Content-Type': type };
  if (isWhole(areas)) return c.body(`${head}${areas.map(item).join(',')}${tail}`, 200, headers);
  async function* texts() {
    let separator = head;
    for await (const portion of inPortions(areas, read)) {
      if (portion.length > 0) yield separator + portion.map(item).join(',');
      separator = ',';
    }
    yield tail;
  }
  return c.body(bodyOf(texts()), 200, headers);
}

export function json(c: AppContext, text: string): Response {
  return c.body(text, 200, { 'Content-Type': 'application/json' });
}

export function geojson(c: AppContext, text: string): Response {
  return c.body(text, 200, { 'Content-Type': 'application/geo+json' });
}
