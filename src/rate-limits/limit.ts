/** The window that requests are counted in, seconds. It slides. */
export const WINDOW_SECONDS = 60;

/** Requests per minute of a key that has no limit of its own. */
export const DEFAULT_KEY_RPM = 60;

/** How many requests a caller may make. */
export interface Limit {
  /**
   * Whose requests are counted: of a key, of an address without one, or of an address that presents keys which don't
   * exist. Names the policy in the headers.
   */
  readonly policy: 'key' | 'free-tier' | 'unknown-keys';
  /** Name of the counter: one per policy and key or address. */
  readonly counter: string;
  readonly perMinute: number;
}

/** The counter of a key, in whatever case its id is written. */
export function keyCounter(keyId: string): string {
  return `key:${keyId.toLowerCase()}`;
}

/** What is left of a limit. */
export interface Allowance {
  readonly allowed: boolean;
  /** Requests that may follow at once. */
  readonly remaining: number;
  /** Milliseconds until the oldest request that counts leaves the window, and one more may be made. */
  readonly resetMs: number;
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers-10. */
export function limitHeaders({ policy, perMinute }: Limit, { remaining, resetMs }: Allowance): Record<string, string> {
  return {
    'RateLimit-Policy': `"${policy}";q=${perMinute};w=${WINDOW_SECONDS}`,
    RateLimit: `"${policy}";r=${remaining};t=${secondsOf(resetMs)}`,
  };
}

/** Whole seconds after which something is surely so. */
export function secondsOf(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
