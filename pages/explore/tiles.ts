import { askJson, Refusal } from '../shared/api.ts';
import { LEVEL_NAMES, LEVELS, type Level } from './places.ts';

interface SessionAnswer {
  data: { session: string; expires_at: string; layers: { slug: string }[] };
}

/** A session is renewed when this share of its time is left. */
const RENEWAL = 0.2;

const TTL_SECONDS = 3600;
const RETRY_MS = 30_000;

/** Tiles that a map may read without a token, for as long as the tab is open. */
export interface Tiles {
  /** Levels that have an archive. */
  readonly levels: ReadonlySet<Level>;
  /** The address that a request of the map is made to: the service's own tiles get the session of the moment. */
  addressed(url: string): string;
  /** Asks for a new session at once. */
  renew(): Promise<void>;
  close(): void;
}

/** The description of a level's archive. */
export function tileJsonOf(level: Level): string {
  return `${location.origin}/v1/tiles/${LEVELS[level].plural}.json`;
}

/**
 * Opens every archive there is.
 * @param onFailure told why a session could not be renewed
 * @throws Refusal where the tab's token is not accepted
 */
export async function openTiles(onFailure: (error: unknown) => void): Promise<Tiles> {
  let { session, expires, slugs } = await newSession();
  let timer: number | undefined;
  let renewing: Promise<void> | undefined;

  const plan = (milliseconds: number) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void renew().catch(onFailure), milliseconds);
  };
  const remaining = () => expires - Date.now();
  const renew = () => {
    renewing ??= newSession()
      .then((next) => {
        ({ session, expires } = next);
        plan(remaining() * (1 - RENEWAL));
      })
      .catch((error) => {
        // A bad token stays bad; anything else may pass.
        if (!(error instanceof Refusal && error.status === 401)) plan(RETRY_MS);
        throw error;
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  };
  // Timers stand still while a laptop sleeps.
  const awake = () => {
    if (!document.hidden && remaining() < TTL_SECONDS * 1000 * RENEWAL) void renew().catch(onFailure);
  };
  document.addEventListener('visibilitychange', awake);
  plan(remaining() * (1 - RENEWAL));

  return {
    levels: new Set(LEVEL_NAMES.filter((level) => slugs.has(LEVELS[level].plural))),
    addressed: (url) => {
      const address = new URL(url, location.href);
      if (address.origin !== location.origin || !address.pathname.startsWith('/v1/tiles/')) return url;
      address.searchParams.set('session', session);
      return address.href;
    },
    renew,
    close: () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', awake);
    },
  };
}

async function newSession(): Promise<{ session: string; expires: number; slugs: Set<string> }> {
  const question = { method: 'POST', body: { ttl_seconds: TTL_SECONDS } } as const;
  const { data } = await askJson<SessionAnswer>('/v1/tiles/sessions', question);
  const slugs = new Set(data.layers.map(({ slug }) => slug));
  return { session: data.session, expires: Date.parse(data.expires_at), slugs };
}
