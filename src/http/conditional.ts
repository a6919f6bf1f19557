import type { Context } from 'hono';
import { buildId, type Config } from '../env.ts';
import { preferredEncodings } from './encodings.ts';

/** How long shared and private caches may serve an answer of geography without asking, seconds. */
const FRESH_SECONDS = 300;

/**
 * The validator of an answer that only the data release and this build decide: `"<version>.<hash>"`. The version is that
 * of the release, the hash is of the build and the address. So a client that sends the validator of the active release
 * can be answered before anything else is read.
 *
 * A packed answer is another representation with a tag of its own, `"<version>.<hash>.br"` (RFC 9110, 8.8.3.3). Whoever
 * holds one that they take has the answer, whichever would be sent now: 304 names the one that they hold.
 */
export interface Validator {
  /** The versions of releases of which the client has this answer. */
  readonly knownVersions: readonly string[];
  /** @param encoding that of the answer; without it, of the one that the client has, if any */
  etag(version: string, encoding?: string): string;
  /** Whether the client has the answer made from this version. */
  matches(version: string): boolean;
}

/** @throws nothing: an If-None-Match that can't be read names no version */
export async function validatorOf(c: Context, config: Config): Promise<Validator> {
  const seed = new TextEncoder().encode(`${buildId(config)} ${c.req.url}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', seed));
  const hash = [...digest.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const ifNoneMatch = c.req.header('If-None-Match') ?? '';
  // The comparison is weak (RFC 9110, 13.1.2): the prefix W/ does not count.
  const named = ifNoneMatch.matchAll(new RegExp(`"([A-Za-z0-9-]{1,64})\\.${hash}(\\.br|\\.gzip)?"`, 'g'));
  const taken = preferredEncodings(c);
  const held = new Map<string, string>();
  for (const [, version = '', suffix = ''] of named) {
    if (suffix === '' || taken.some((encoding) => suffix === `.${encoding}`)) held.set(version, suffix);
  }
  return {
    knownVersions: [...held.keys()],
    etag: (version, encoding) =>
      `"${version}.${hash}${encoding === undefined ? (held.get(version) ?? '') : `.${encoding}`}"`,
    matches: (version) => ifNoneMatch.trim() === '*' || held.has(version),
  };
}

/**
 * Sets what caches need to know of an answer.
 *
 * @param audience whom a cache may give the answer to: `public` where no credentials were needed for it
 */
export function setCaching(c: Context, etag: string, audience: 'public' | 'private'): void {
  c.header('ETag', etag);
  c.header('Cache-Control', `${audience}, max-age=${FRESH_SECONDS}`);
  c.header('Vary', 'Authorization', { append: true });
}
