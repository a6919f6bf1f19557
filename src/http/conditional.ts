import type { AppContext } from '../context.ts';
import { buildId } from '../env.ts';

/** How long shared and private caches may serve an answer of geography without asking, seconds. */
const FRESH_SECONDS = 300;

/**
 * The validator of an answer that only the data release and this build decide: `"<version>.<hash>"`, with the version
 * of the release and a hash of the build and the address. A client that holds the validator of the active release can thus be told so before
 * anything else is read.
 */
export interface Validator {
  /** The versions of releases whose answers the client says it holds. */
  readonly held: readonly string[];
  etag(version: string): string;
  /** Whether the client holds the answer made from this version. */
  matches(version: string): boolean;
}

export async function validatorOf(c: AppContext): Promise<Validator> {
  const seed = new TextEncoder().encode(`${buildId(c.var.config)} ${c.req.url}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', seed));
  const hash = [...digest.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const asked = c.req.header('If-None-Match') ?? '';
  // Weak comparison (RFC 9110, 13.1.2): the prefix W/ is passed over.
  const held = [...asked.matchAll(new RegExp(`"([A-Za-z0-9-]{1,64})\\.${hash}"`, 'g'))].map(
    ([, version = '']) => version,
  );
  return {
    held,
    etag: (version) => `"${version}.${hash}"`,
    matches: (version) => asked.trim() === '*' || held.includes(version),
  };
}

/** Sets what caches need: validator, lifetime, and whom the answer may be given to. */
export function setCaching(c: AppContext, validator: Validator, version: string): void {
  const scope = c.var.principal.kind === 'anonymous' ? 'public' : 'private';
  c.header('ETag', validator.etag(version));
  c.header('Cache-Control', `${scope}, max-age=${FRESH_SECONDS}`);
  c.header('Vary', 'Authorization', { append: true });
}
