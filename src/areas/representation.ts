import type { z } from '@hono/zod-openapi';
import { requireIdentity } from '../auth/authenticate.ts';
import type { AppContext, ServiceContext } from '../context.ts';
import { header } from '../http/error-schemas.ts';
import { deprecation, noteDeprecated } from '../http/notices.ts';
import type { representationParams } from './params.ts';
import type { Resolution } from './store.ts';

/** Who may read geography: with a key, one of this scope. Nothing is known of an account but its credential. */
export const GEOGRAPHY = { identity: 'credential', scope: 'read:boundaries' } as const;

/** Headers of answers that were made from a data release. */
export const RELEASE_HEADER = {
  'X-Data-Release': header('Data release of the answer'),
};

export const LOCATION_HEADER = {
  'Content-Location': header('URL by the current code, if another one was requested'),
};

const CACHING_HEADERS = {
  ETag: header('Strong validator, made from the data release; send it in If-None-Match'),
  'Cache-Control': header('public for callers without credentials, private otherwise'),
  ...LOCATION_HEADER,
  ...deprecation('the parameter output'),
};

/** The declared 200 and 304 of an operation that reads geography, in JSON, in GeoJSON, or either. */
export function geographyResponses(description: string, schema: z.ZodType, geo?: z.ZodType) {
  const content = {
    'application/json': { schema },
    ...(geo ? { 'application/geo+json': { schema: geo } } : {}),
  };
  return {
    200: { description, content, headers: { ...CACHING_HEADERS, ...RELEASE_HEADER } },
    304: { description: "The caller's copy is current", headers: CACHING_HEADERS },
  };
}

type RepresentationQuery = {
  [Name in keyof typeof representationParams]?: z.output<(typeof representationParams)[Name]> | 'true';
};

export interface Representation {
  readonly geojson: boolean;
  /** Undefined where no boundary is requested. */
  readonly resolution: Resolution | undefined;
}

/**
 * The representation that the parameters ask for. Marks the use of the deprecated `output`.
 *
 * @throws DomainError `authentication_required` when an anonymous caller asks for more than metadata
 */
export function representationOf(
  c: AppContext,
  { principal }: Pick<ServiceContext, 'principal'>,
  { format, output, geometry }: RepresentationQuery,
): Representation {
  if (output !== undefined) noteDeprecated(c);
  const geojson = (format ?? output) === 'geojson';
  if (geojson) requireIdentity(principal, 'GeoJSON');
  if (geometry !== undefined) requireIdentity(principal, 'The parameter geometry');
  const chosen = geometry === 'true' ? undefined : geometry;
  return { geojson, resolution: chosen ?? (geojson ? 'simple' : undefined) };
}
