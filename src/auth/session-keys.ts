import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { steadyTime } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import { type Config, jwks } from '../env.ts';
import { CACHE_ANSWER_MS } from '../http/edge-cache.ts';

/** How long keys are used before they are fetched again, milliseconds. */
const FRESH_MS = 10 * 60_000;
/** How long known keys are used while the provider can't be asked, milliseconds. */
const GRACE_MS = 24 * 3_600_000;
/** How long one instance waits before it fetches again, for an unknown key or after a failure, milliseconds. */
const BACKOFF_MS = 30_000;
/** The longest pause. After each failure in a row the pause is twice as long as the one before. */
const MAX_BACKOFF_MS = 10 * 60_000;
const FETCH_TIMEOUT_MS = 3000;
/** The time that a request must have left to fetch, milliseconds: its own lateness shows nothing about the provider. */
const FETCH_NEEDS_MS = FETCH_TIMEOUT_MS + 100;
/** When a fetch counts as over, milliseconds. The request that started it may have been cancelled before it could say so. */
const FETCH_OVER_MS = FETCH_TIMEOUT_MS + 500;
/** How often a request looks whether another request's fetch has ended, milliseconds. */
const POLL_INTERVAL_MS = 20;
/** The longest answer of the provider that is read, UTF-16 units. */
const MAX_LENGTH = 256 * 1024;

/** The provider's keys are not known and can't be fetched, so no session can be verified. */
export class SessionKeysUnavailable extends Error {
  override readonly name = 'SessionKeysUnavailable';
  /** When they will be fetched again, whole seconds. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super(`Fetched again in ${retryAfter} s`);
    this.retryAfter = retryAfter;
  }
}

/** Finds a signing key by the header of a token, with the time that a request has for what is outside. */
export type SessionKeys = (deadline: Deadline) => JWTVerifyGetKey;

const known = new WeakMap<Config, SessionKeys>();

/** The identity provider's public keys. There is one set for the life of an instance, which keeps what it fetched. */
export function sessionKeysOf(config: Config): SessionKeys {
  const found = known.get(config);
  if (found) return found;
  const keys = config.SESSION_JWKS ? localKeys(config.SESSION_JWKS) : remoteKeys(config.SESSION_JWKS_URL as string);
  known.set(config, keys);
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

/**
 * Keys from an address. Known keys go on verifying for a day while the provider can't be asked, failures are followed by
 * growing pauses, one request of an instance fetches for all, and what one instance fetched is there for the next.
 */
function remoteKeys(url: string): SessionKeys {
  let keys: ReturnType<typeof createLocalJWKSet> | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  /** When the last fetch began. */
  let askedAt = Number.NEGATIVE_INFINITY;
  /** How many fetches have failed in a row. */
  let failures = 0;
  /** When the current fetch began. It stays set where the request that fetches is cancelled. */
  let fetchingSince: number | undefined;

  const usable = () => keys !== undefined && steadyTime() - fetchedAt < GRACE_MS;
  const fetching = () => fetchingSince !== undefined && steadyTime() - fetchingSince < FETCH_OVER_MS;

  /** When the keys may be fetched again. */
  function nextFetchAt(): number {
    if (usable()) return askedAt + Math.min(BACKOFF_MS * 2 ** Math.max(0, failures - 1), MAX_BACKOFF_MS);
    // All sessions are refused until there are keys, so the pause does not grow. A fetch that was cancelled with its
    // request shows nothing about the provider, so another may follow it at once.
    return fetchingSince === undefined ? askedAt + BACKOFF_MS : fetchingSince + FETCH_OVER_MS;
  }

  /** Fetches the keys, unless it is too early for that. Where another request is fetching them, waits for it instead. */
  async function refresh(deadline: Deadline): Promise<void> {
    // The runtime forbids to await a promise of another request.
    for (
      let waited = 0;
      waited < FETCH_OVER_MS && fetching() && deadline.left > POLL_INTERVAL_MS;
      waited += POLL_INTERVAL_MS
    ) {
      await deadline.count(() => scheduler.wait(POLL_INTERVAL_MS));
    }
    if (fetching() || steadyTime() < nextFetchAt() || deadline.left < FETCH_NEEDS_MS) return;
    askedAt = steadyTime();
    fetchingSince = askedAt;
    try {
      const set = await deadline.within(FETCH_TIMEOUT_MS, () => fetchKeys(url));
      keys = createLocalJWKSet(set);
      fetchedAt = steadyTime();
      failures = 0;
      await storeCopy(url, { set, fetchedAt: Date.now() }, deadline);
    } catch {
      failures += 1;
      if (!usable()) await useCopy(deadline);
    } finally {
      fetchingSince = undefined;
    }
  }

  /** Uses the keys that another instance has stored at the edge, if there are any. */
  async function useCopy(deadline: Deadline): Promise<void> {
    const copy = await findCopy(url, deadline);
    if (!copy) return;
    keys = createLocalJWKSet(copy.set);
    fetchedAt = steadyTime() - Math.max(0, Date.now() - copy.fetchedAt);
  }

  return (deadline) => async (header, token) => {
    if (!keys) await useCopy(deadline);
    const stale = steadyTime() - fetchedAt > FRESH_MS;
    // While another request fetches newer keys, this one goes on with those that are known.
    if (stale && !(usable() && fetching())) await refresh(deadline);
    if (!keys || !usable())
      throw new SessionKeysUnavailable(Math.max(1, Math.ceil((nextFetchAt() - steadyTime()) / 1000)));
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh(deadline);
      return keys(header, token);
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
  const headers = { 'Cache-Control': `max-age=${GRACE_MS / 1000}`, 'X-Fetched-At': String(fetchedAt) };
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
