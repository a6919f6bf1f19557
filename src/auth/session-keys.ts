import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { CachedValue, type CachePolicy } from '../cached-value.ts';
import { steadyTime } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import { type Config, jwks } from '../env.ts';
import { CACHE_ANSWER_MS } from '../http/edge-cache.ts';

const FETCH_TIMEOUT_MS = 3000;
/**
 * Min time left of a request's deadline for a fetch, milliseconds. With less, a timeout would be the request's fault and must
 * not start the backoff.
 */
const FETCH_NEEDS_MS = FETCH_TIMEOUT_MS + 100;
/** How long keys are used while the provider can't be asked, milliseconds. */
const MAX_STALE_MS = 24 * 3_600_000;
/** The longest answer of the provider that is read, UTF-16 units. */
const MAX_LENGTH = 256 * 1024;

/** The provider's keys are not cached and can't be fetched, so no session can be verified. */
export class SessionKeysUnavailable extends Error {
  override readonly name = 'SessionKeysUnavailable';
  /** When they will be fetched again, whole seconds. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super(`Fetched again in ${retryAfter} s`);
    this.retryAfter = retryAfter;
  }
}

/** Returns jose's key lookup for one request. Waits for the keys count against its deadline. */
export type SessionKeys = (deadline: Deadline) => JWTVerifyGetKey;

const byConfig = new WeakMap<Config, SessionKeys>();

/** The identity provider's public keys. There is one set for the life of an instance, which caches what it fetched. */
export function sessionKeysOf(config: Config): SessionKeys {
  const found = byConfig.get(config);
  if (found) return found;
  const keys = config.SESSION_JWKS ? localKeys(config.SESSION_JWKS) : remoteKeys(config.SESSION_JWKS_URL as string);
  byConfig.set(config, keys);
  return keys;
}

function localKeys(set: JSONWebKeySet): SessionKeys {
  const keys = createLocalJWKSet(set);
  return () => keys;
}

// This stands in place of jose's createRemoteJWKSet (6.2.17), which lacks four things that are needed here: keys older than
// `cacheMaxAge` are refused also during an outage, and are not taken from `jwksCache` either; a failed fetch is followed by
// no pause, because `cooldownDuration` counts from a success; on Workers every request that needs newer keys fetches them
// itself and waits for that (https://github.com/panva/jose/issues/355); and an answer of any length is read.

/** A request has too little time left to fetch the keys. */
class TooLate extends Error {}

const POLICY: CachePolicy = {
  ttl: 10 * 60_000,
  maxStale: MAX_STALE_MS,
  backoff: 30_000,
  maxBackoff: 10 * 60_000,
  abandonAfter: FETCH_TIMEOUT_MS + 500,
  isRequestFault: (error) => error instanceof TooLate,
};

/**
 * Keys from a URL. Cached keys go on verifying for a day while the provider can't be asked, and what one instance
 * fetched is there for the next.
 */
function remoteKeys(url: string): SessionKeys {
  const cached = new CachedValue<ReturnType<typeof createLocalJWKSet>>(POLICY);

  async function load(deadline: Deadline): Promise<ReturnType<typeof createLocalJWKSet>> {
    if (deadline.left < FETCH_NEEDS_MS) throw new TooLate('There was no time left to fetch keys');
    try {
      const set = await deadline.within(FETCH_TIMEOUT_MS, () => fetchKeys(url));
      const keys = createLocalJWKSet(set);
      // Before the copy is stored: this load may be abandoned or cancelled while it waits for the cache.
      cached.put(keys);
      await storeCopy(url, { set, fetchedAt: Date.now() }, deadline);
      return keys;
    } catch (error) {
      if (!cached.value) await useCopy(deadline);
      throw error;
    }
  }

  /** Uses the keys that another instance has stored at the edge, if there are any. */
  async function useCopy(deadline: Deadline): Promise<void> {
    const copy = await findCopy(url, deadline);
    if (copy) cached.put(createLocalJWKSet(copy.set), Math.max(0, Date.now() - copy.fetchedAt));
  }

  return (deadline) => async (header, token) => {
    if (!cached.value) await useCopy(deadline);
    const loading = { deadline, load: () => load(deadline) };
    const keys = await cached.get(loading).catch(() => {
      throw new SessionKeysUnavailable(Math.max(1, Math.ceil((cached.nextLoadAt - steadyTime()) / 1000)));
    });
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return (await cached.reload(loading))(header, token);
    }
  };
}

/** @throws Error for an answer that is no set of keys, is too long or does not come in time */
async function fetchKeys(url: string): Promise<JSONWebKeySet> {
  const response = await fetch(url, {
    headers: { Accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw new Error(`The identity provider answered ${response.status}`);
  }
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.length > MAX_LENGTH) throw new Error('The answer of the identity provider is too long');
  }
  return jwks.parse(JSON.parse(text));
}

/** Keys as they are stored at the edge, and when they were fetched, milliseconds since the epoch. */
interface Copy {
  readonly set: JSONWebKeySet;
  readonly fetchedAt: number;
}

const copyAddress = (url: string) => `https://session-keys.invalid/${encodeURIComponent(url)}`;

async function storeCopy(url: string, { set, fetchedAt }: Copy, deadline: Deadline): Promise<void> {
  const headers = { 'Cache-Control': `max-age=${MAX_STALE_MS / 1000}`, 'X-Fetched-At': String(fetchedAt) };
  // Where this fails, other instances fetch the keys from the provider.
  const store = () => caches.default.put(copyAddress(url), Response.json(set, { headers }));
  await deadline.within(CACHE_ANSWER_MS, store).catch(() => undefined);
}

async function findCopy(url: string, deadline: Deadline): Promise<Copy | undefined> {
  const find = async () => {
    const response = await caches.default.match(copyAddress(url));
    const fetchedAt = Number(response?.headers.get('X-Fetched-At'));
    return response && { set: jwks.parse(await response.json()), fetchedAt };
  };
  // A cache that fails has no copy.
  return deadline.within(CACHE_ANSWER_MS, find).catch(() => undefined);
}
