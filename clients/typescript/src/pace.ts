import type { PsgcError } from './errors.ts';

/** The first wait before a request is sent again, where the service names none; each further one is twice as long. */
const FIRST_WAIT_MS = 500;

/** Requests that were told the same moment are spread over this time after it. */
const SPREAD_MS = 250;

/** Statuses after which the same request may well succeed. */
const PASSING = [429, 502, 503, 504];

/** Codes of 503 that no waiting mends: somebody has to load data, or to set what is missing. */
const LASTING = ['boundaries_not_loaded', 'data_not_loaded', 'setting_missing'];

/** What decides how long to wait. */
interface Waiting {
  /** How often it was sent again already. */
  readonly attempt: number;
  /** Whether sending it twice does no more than sending it once. */
  readonly repeatable: boolean;
}

/**
 * The time until a failed request is sent again, in milliseconds; undefined where that would not help, or might do a thing
 * twice. It is random within bounds, so that clients which failed together do not come back together.
 */
export function waitAfter(
  { code, status, retryAfter }: PsgcError,
  { attempt, repeatable }: Waiting,
): number | undefined {
  const passes =
    status === undefined
      ? code === 'network_error' || code === 'timeout'
      : (PASSING.includes(status) && !LASTING.includes(code)) || code === 'idempotency_key_in_use';
  // What was refused by a limit was not begun.
  if (!passes || !(repeatable || status === 429)) return undefined;
  if (retryAfter !== undefined) return retryAfter * 1000 + Math.random() * SPREAD_MS;
  return FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2);
}

/**
 * Keeps requests within the limit that the service tells of in `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): where
 * none is left, the next one waits until one comes free, in place of being refused.
 */
export class Pace {
  #freeAt = 0;

  note(headers: Headers): void {
    const items = (headers.get('RateLimit') ?? '').matchAll(/"[^"]*"\s*;\s*r=(\d+)\s*;\s*t=(\d+)/g);
    for (const [, left, seconds] of items) {
      if (Number(left) === 0) this.#freeAt = Math.max(this.#freeAt, Date.now() + Number(seconds) * 1000);
    }
  }

  /** Milliseconds until a request is free. */
  get wait(): number {
    const wait = this.#freeAt - Date.now();
    return wait > 0 ? wait + Math.random() * SPREAD_MS : 0;
  }
}

/** Waits. @throws the reason of the signal, where that is aborted meanwhile */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const aborted = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    signal?.addEventListener('abort', aborted, { once: true });
  });
}
