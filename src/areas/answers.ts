import type { z } from '@hono/zod-openapi';
import { requireIdentity } from '../auth/authenticate.ts';
import { setCaching, validatorOf } from '../http/conditional.ts';
import type { AppContext } from '../http/context.ts';
import type { representationParams } from './params.ts';
import type { Read, Resolution } from './store.ts';

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
 * @param query what to read, given the release whose answer the caller holds
 * @param check called with everything that was read, for what must fail even where the answer is unchanged
 */
export async function answer<T>(
  c: AppContext,
  query: (held: string | undefined) => Promise<Read<T>>,
  make: (value: T) => Response,
  check?: (value: T) => void,
): Promise<Response> {
  const validator = await validatorOf(c);
  const { release, unchanged, value } = await query(validator.held);
  c.set('release', release);
  check?.(value);
  setCaching(c, validator, release);
  return unchanged || validator.matches(release) ? c.body(null, 304) : make(value);
}

export function json(c: AppContext, text: string): Response {
  return c.body(text, 200, { 'Content-Type': 'application/json' });
}

export function geojson(c: AppContext, text: string): Response {
  return c.body(text, 200, { 'Content-Type': 'application/geo+json' });
}
