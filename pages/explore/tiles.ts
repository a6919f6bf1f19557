import { askJson, Refusal } from '../shared/api.ts';
import { LEVEL_NAMES, LEVELS, type Level } from './places.ts';

interface SessionAnswer {
  data: { session: string; expires_at: string; layers: { slug: string }[] };
}

/** A session is renewed when this share of its time is left. */
const RENEWAL = 0.2;

const TTL_SECONDS = 3600;
const RETRY_MS = 30_000;

/** A session that is refused sooner after it was given is not what is wrong. */
const REPLACED_MS = 60_000;

/** Tiles that a map may read without a token, for as long as the tab is open. */
export interface Tiles {
  /** Levels that have an archive. */
  readonly levels: ReadonlySet<Level>;
  /** The address that a request of the map is made to: the service's own tiles get the session of the moment. */
  addressed(url: string): string;
  /** Whether an address is of tiles, with a session in it. */
  has(url: string): boolean;
  /**
   * Sees to it that the next request has another session than one that was refused. However many were refused, one is
   * asked for.
   * @param url that was refused
   * @throws Refusal of the question for another session, and where one that was just given is refused
   */
  replace(url: string): Promise<void>;
  close(): void;
}

/** The description of a level's archive. */
export function tileJsonOf(level: Level): string {
  return `${location.origin}/v1/tiles/${LEVELS[level].plural}.json`;
}

/**
 * Opens every archive there is.
 * @param onFailure told when the tab's token is accepted no more
 * @throws Refusal where the tab's token is not accepted
 */
export async function openTiles(onFailure: (error: unknown) => void): Promise<Tiles> {
  let { session, expires, slugs } = await newSession();
  let timer: number | undefined;
  let renewing: Promise<void> | undefined;
  let replaced = Number.NEGATIVE_INFINITY;
  let closed = false;

  const plan = (milliseconds: number) => {
    clearTimeout(timer);
    if (closed) return;
    timer = window.setTimeout(renewUnasked, milliseconds);
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
        if (!isBadToken(error)) plan(RETRY_MS);
        throw error;
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  };
  const renewUnasked = () => {
    renew().catch((error) => {
      // Anything else is tried again, and is of no concern until a tile is refused.
      if (!closed && isBadToken(error)) onFailure(error);
    });
  };
  // Timers stand still while a laptop sleeps.
  const awake = () => {
    if (!document.hidden && remaining() < TTL_SECONDS * 1000 * RENEWAL) renewUnasked();
  };
  document.addEventListener('visibilitychange', awake);
  plan(remaining() * (1 - RENEWAL));

  return {
    levels: new Set(LEVEL_NAMES.filter((level) => slugs.has(LEVELS[level].plural))),
    addressed: (url) => {
      const address = addressOf(url);
      if (!address) return url;
      address.searchParams.set('session', session);
      return address.href;
    },
    has: (url) => addressOf(url)?.searchParams.has('session') ?? false,
    replace: async (url) => {
      if (addressOf(url)?.searchParams.get('session') !== session) return;
      if (!renewing && Date.now() - replaced < REPLACED_MS) {
        throw new Refusal(500, { message: 'The service refuses the key to its tiles that it gave.' });
      }
      if (!renewing) replaced = Date.now();
      await renew();
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', awake);
    },
  };
}

function isBadToken(error: unknown): boolean {
  return error instanceof Refusal && error.status === 401;
}

/** An address of the service's tiles; undefined for any other. */
function addressOf(url: string): URL | undefined {
  const address = new URL(url, location.href);
  return address.origin === location.origin && address.pathname.startsWith('/v1/tiles/') ? address : undefined;
}

async function newSession(): Promise<{ session: string; expires: number; slugs: Set<string> }> {
  const question = { method: 'POST', body: { ttl_seconds: TTL_SECONDS } } as const;
  const { data } = await askJson<SessionAnswer>('/v1/tiles/sessions', question);
  const slugs = new Set(data.layers.map(({ slug }) => slug));
  return { session: data.session, expires: Date.parse(data.expires_at), slugs };
}
