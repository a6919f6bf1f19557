import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { type Config, jwks } from '../env.ts';

/** How long keys are used without asking whether they changed, milliseconds. */
const FRESH_MS = 10 * 60_000;
/** How long known keys go on verifying while the provider can't be asked, milliseconds. */
const KEPT_MS = 24 * 3_600_000;
/** How long one instance waits before it asks again, for a key it doesn't know or after a failure, milliseconds. */
const PAUSE_MS = 30_000;
/** The longest of the pauses, each twice the one before, after several failures. */
const LONGEST_PAUSE_MS = 10 * 60_000;
const FETCH_TIMEOUT_MS = 3000;
/** After this much a fetch is over, also where its request was broken off and could not say so, milliseconds. */
const FETCH_OVER_MS = FETCH_TIMEOUT_MS + 500;
const GLANCE_MS = 20;
const MAX_BYTES = 256 * 1024;

/** The keys could not be had, so that nothing can be said about a session. */
export class SessionKeysUnavailable extends Error {
  override readonly name = 'SessionKeysUnavailable';
  /** When they will be asked for again, whole seconds. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super(`Asked for again in ${retryAfter} s`);
    this.retryAfter = retryAfter;
  }
}

/** How a signing key is found by the header of a token. */
export type SessionKeys = JWTVerifyGetKey;

const known = new WeakMap<Config, SessionKeys>();

/** The identity provider's public keys. One for the life of an instance, which remembers what it fetched. */
export function sessionKeysOf(config: Config): SessionKeys {
  const found = known.get(config);
  if (found) return found;
  const keys = config.SESSION_JWKS
    ? createLocalJWKSet(config.SESSION_JWKS)
    : remoteKeys(config.SESSION_JWKS_URL as string);
  known.set(config, keys);
  return keys;
}

/**
 * Keys from an address. Unlike jose's own remote set, known keys outlive a provider that doesn't answer, failures are
 * followed by growing pauses, and what one instance fetched is there for the next.
 */
function remoteKeys(url: string): SessionKeys {
  let keys: ReturnType<typeof createLocalJWKSet> | undefined;
  let fetchedAt = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  /** When the fetch that is under way, or was broken off, began. */
  let fetching: number | undefined;

  const usable = () => keys !== undefined && Date.now() - fetchedAt < KEPT_MS;
  // Pauses grow only while there are keys to go on with: without any all sessions are refused until it is asked again.
  const pause = () => (usable() ? Math.min(PAUSE_MS * 2 ** Math.max(0, failures - 1), LONGEST_PAUSE_MS) : PAUSE_MS);
  // One that was broken off with its request said nothing of the provider: without keys another may follow at once.
  const nextAt = () => (fetching !== undefined && !usable() ? fetching + FETCH_OVER_MS : askedAt + pause());
  const pauseLeft = () => Math.max(1, Math.ceil((nextAt() - Date.now()) / 1000));
  const underWay = () => fetching !== undefined && Date.now() - fetching < FETCH_OVER_MS;

  /** Fetches, unless that was tried too lately; waits for what another request of the instance is fetching. */
  async function refresh(): Promise<void> {
    if (underWay()) await waitUntil(() => !underWay());
    if (underWay() || Date.now() < nextAt()) return;
    fetching = Date.now();
    askedAt = fetching;
    try {
      const set = await fetchKeys(url);
      keys = createLocalJWKSet(set);
      fetchedAt = Date.now();
      failures = 0;
      await keep(url, set, fetchedAt);
    } catch {
      failures += 1;
      if (!usable()) await recall();
    } finally {
      fetching = undefined;
    }
  }

  /** Takes what another instance kept. */
  async function recall(): Promise<void> {
    const kept = await keptKeys(url);
    if (!kept) return;
    keys = createLocalJWKSet(kept.set);
    fetchedAt = kept.fetchedAt;
  }

  return async (header, token) => {
    if (!keys) await recall();
    // While another request fetches newer keys those at hand will do.
    if (Date.now() - fetchedAt > FRESH_MS && !(usable() && underWay())) await refresh();
    if (!keys || !usable()) throw new SessionKeysUnavailable(pauseLeft());
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh();
      return keys(header, token);
    }
  };
}

/** Waits for what another request of the instance is doing: its promise can't be awaited here. */
async function waitUntil(done: () => boolean): Promise<void> {
  for (let waited = 0; waited < FETCH_OVER_MS && !done(); waited += GLANCE_MS) await scheduler.wait(GLANCE_MS);
}

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
    if (text.length > MAX_BYTES) throw new Error('The identity provider answered too much');
  }
  return jwks.parse(JSON.parse(text));
}

const addressOf = (url: string) => `https://session-keys.invalid/${encodeURIComponent(url)}`;

async function keep(url: string, set: JSONWebKeySet, fetchedAt: number): Promise<void> {
  const headers = { 'Cache-Control': `max-age=${KEPT_MS / 1000}`, 'X-Fetched-At': String(fetchedAt) };
  // Keys that no other instance will find are found where they come from.
  await caches.default.put(addressOf(url), Response.json(set, { headers })).catch(() => undefined);
}

async function keptKeys(url: string): Promise<{ set: JSONWebKeySet; fetchedAt: number } | undefined> {
  const response = await caches.default.match(addressOf(url)).catch(() => undefined);
  if (!response) return undefined;
  return { set: await response.json(), fetchedAt: Number(response.headers.get('X-Fetched-At')) };
}
