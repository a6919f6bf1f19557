import type { Context } from 'hono';
import { crc32 } from '../crc32.ts';
import { buildId, type Config } from '../env.ts';
import { nameRelease } from './answers.ts';
import { preferredEncodings } from './encodings.ts';

const encoder = new TextEncoder();

/** max-age of an answer of geography in shared and private caches, seconds. */
const MAX_AGE_SECONDS = 300;

/**
 * The validator of an answer that only the data release and this build decide: `"<version>.<hash>"`. The version is that
 * of the release; the hash is of the build, the URL and, if the answer has an age, what that depends on. So a client that sends
 * the validator of the active release can be answered before anything else is read.
 *
 * A compressed answer is another representation with a tag of its own, `"<version>.<hash>.br"` (RFC 9110, 8.8.3.3). A client
 * that has one in an encoding that it accepts has the answer, even where another one would be sent now: 304 names the one
 * that it has.
 */
export interface Validator {
  /** The versions of releases of which the client has this answer. */
  readonly knownVersions: readonly string[];
  /** @param encoding that of the answer; without it, of the one that the client has, if any */
  etag(version: string, encoding?: string): string;
  /** Whether the client has the answer made from this version. */
  matches(version: string): boolean;
}

/**
 * @param ageKey what the age of the answer depends on besides the release, such as the day: `2026-12-31`. Default: no age
 * @throws nothing: an If-None-Match that can't be read names no version
 */
export function validatorOf(c: Context, config: Config, ageKey = ''): Validator {
  const hash = crc32(encoder.encode(`${buildId(config)} ${c.req.url}${ageKey}`))
    .toString(16)
    .padStart(8, '0');
  const ifNoneMatch = c.req.header('If-None-Match');
  const known = ifNoneMatch === undefined ? NONE : knownOf(c, ifNoneMatch, hash);
  return {
    knownVersions: [...known.keys()],
    etag: (version, encoding) =>
      `"${version}.${hash}${encoding === undefined ? (known.get(version) ?? '') : `.${encoding}`}"`,
    matches: (version) => ifNoneMatch?.trim() === '*' || known.has(version),
  };
}

const NONE: ReadonlyMap<string, string> = new Map();

const VALIDATOR = /"([A-Za-z0-9-]{1,64})\.([0-9a-f]{1,64})(\.br|\.gzip)?"/g;

/** The versions of which the client has the answer, with the ends of their validators, in an encoding that it takes. */
function knownOf(c: Context, ifNoneMatch: string, hash: string): Map<string, string> {
  const taken = preferredEncodings(c);
  const known = new Map<string, string>();
  // The comparison is weak (RFC 9110, 13.1.2): the prefix W/ does not count.
  for (const [, version = '', other, suffix = ''] of ifNoneMatch.matchAll(VALIDATOR)) {
    if (other !== hash) continue;
    if (suffix === '' || taken.some((encoding) => suffix === `.${encoding}`)) known.set(version, suffix);
  }
  return known;
}

interface Revalidation {
  /** The id of the release that the answer is made from; undefined where it is made from none. */
  readonly release: string | undefined;
  readonly version: string;
  readonly principal: { readonly kind: string };
  /** Whether the read has found out that the client has the answer. */
  readonly unchanged?: boolean;
}

/** Names the release of an answer and sets what caches need to know of it. Gives 304 where the client has the answer. */
export function revalidate(
  c: Context,
  validator: Validator,
  { release, version, principal, unchanged = false }: Revalidation,
): Response | undefined {
  if (release !== undefined) nameRelease(c, release);
  setCaching(c, validator.etag(version), principal);
  return unchanged || validator.matches(version) ? c.body(null, 304) : undefined;
}

/** Sets what caches need to know of an answer. Caches may give others what a caller without credentials got. */
export function setCaching(c: Context, etag: string, { kind }: { readonly kind: string }): void {
  const audience = kind === 'anonymous' ? 'public' : 'private';
  c.header('ETag', etag);
  c.header('Cache-Control', `${audience}, max-age=${MAX_AGE_SECONDS}`);
  c.header('Vary', 'Authorization', { append: true });
}
