import type { JsonOf } from '../../clients/typescript/src/types.ts';
import { PsgcError, requestJson } from '../shared/api.ts';
import { LEVEL_NAMES, LEVELS, type Level } from '../shared/levels.ts';

/** A session is renewed when this share of its time is left. */
const RENEWAL_SHARE = 0.2;

const TTL_SECONDS = 3600;
const RETRY_MS = 30_000;

/** A session that is refused within this time after it was replaced has not expired, so it is not replaced again. */
const REPLACED_MS = 60_000;

/** Lets the map read tiles without a token as long as the page is open. */
export interface TileSession {
  /** The levels that have an archive. */
  readonly levels: ReadonlySet<Level>;
  /** The URL for a request of the map. URLs of the service's tiles get the current session. */
  withSession(url: string): string;
  /** Whether this is a URL of tiles with a session. */
  hasSession(url: string): boolean;
  /**
   * Replaces a session that was refused, so that the next request has another one. One new session is requested, however
   * many URLs were refused.
   *
   * @param url the URL that was refused
   * @throws PsgcError if the new session is refused, or can't be had
   */
  replace(url: string): Promise<void>;
  close(): void;
}

/** The URL of the TileJSON of a level's archive. */
export function tileJsonOf(level: Level): string {
  return `${location.origin}/v1/tiles/${LEVELS[level].plural}.json`;
}

/**
 * Opens all archives.
 *
 * @param onTokenRefused called when the service does not accept the tab's token any more
 * @throws PsgcError if the service does not accept the tab's token
 */
export async function openTileSession(onTokenRefused: (error: unknown) => void): Promise<TileSession> {
  let { session, expiresAt, slugs } = await requestSession();
  let timer: number | undefined;
  let renewing: Promise<void> | undefined;
  let replacedAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  const renewAfter = (milliseconds: number) => {
    clearTimeout(timer);
    if (closed) return;
    timer = window.setTimeout(renewInBackground, milliseconds);
  };
  const remainingMs = () => expiresAt - Date.now();
  const renew = () => {
    renewing ??= requestSession()
      .then((next) => {
        ({ session, expiresAt } = next);
        renewAfter(remainingMs() * (1 - RENEWAL_SHARE));
      })
      .catch((error) => {
        // A token that was refused stays refused. Any other failure may be over at the next try.
        if (!isTokenRefused(error)) renewAfter(RETRY_MS);
        throw error;
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  };
  const renewInBackground = () => {
    renew().catch((error) => {
      // Any other failure is tried again. It matters only when a tile is refused.
      if (!closed && isTokenRefused(error)) onTokenRefused(error);
    });
  };
  // Timers stop while the computer sleeps, so the time that is left is checked when the page is seen again.
  const renewIfVisible = () => {
    if (!document.hidden && remainingMs() < TTL_SECONDS * 1000 * RENEWAL_SHARE) renewInBackground();
  };
  document.addEventListener('visibilitychange', renewIfVisible);
  renewAfter(remainingMs() * (1 - RENEWAL_SHARE));

  return {
    levels: new Set(LEVEL_NAMES.filter((level) => slugs.has(LEVELS[level].plural))),
    withSession: (url) => {
      const address = tileAddressOf(url);
      if (!address) return url;
      address.searchParams.set('session', session);
      return address.href;
    },
    hasSession: (url) => tileAddressOf(url)?.searchParams.has('session') ?? false,
    replace: async (url) => {
      if (tileAddressOf(url)?.searchParams.get('session') !== session) return;
      if (!renewing && Date.now() - replacedAt < REPLACED_MS) {
        const message = 'The service refuses the key to its tiles that it gave.';
        throw new PsgcError({ code: 'unexpected_answer', message, status: 500 });
      }
      if (!renewing) replacedAt = Date.now();
      await renew();
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', renewIfVisible);
    },
  };
}

function isTokenRefused(error: unknown): boolean {
  return error instanceof PsgcError && error.status === 401;
}

/** A URL of the service's tiles; undefined for any other. */
function tileAddressOf(url: string): URL | undefined {
  const address = new URL(url, location.href);
  return address.origin === location.origin && address.pathname.startsWith('/v1/tiles/') ? address : undefined;
}

async function requestSession(): Promise<{ session: string; expiresAt: number; slugs: Set<string> }> {
  const options = { method: 'POST', body: { ttl_seconds: TTL_SECONDS } } as const;
  const { data } = await requestJson<JsonOf<'create_tile_session'>>('/v1/tiles/sessions', options);
  const slugs = new Set(data.layers.map(({ slug }) => slug));
  return { session: data.session, expiresAt: Date.parse(data.expires_at), slugs };
}
