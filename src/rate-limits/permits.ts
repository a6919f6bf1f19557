import { steadyTime } from '../clock.ts';
import { LEASE_MS } from './durable-window.ts';
import { type Allowance, type Granted, WINDOW_SECONDS } from './limit.ts';

/** Names the permits of one request for permits. */
export interface Recall {
  /** Id of this object's incarnation; changes on eviction. */
  readonly memory: string;
  /** Counts the requests for permits of one incarnation. */
  readonly number: number;
}

/** What the object of a key sends to that of its account. */
export interface PermitRequest extends Recall {
  /** The name of the key's object. */
  readonly counter: string;
  /** How many requests are to be let through now. */
  readonly wanted: number;
  /** How long ago each used spare permit was used, milliseconds. The others are returned by this. */
  readonly usedAgo: readonly number[];
  /** Whether the key is used so rarely that its object is evicted in between. */
  readonly isSlow?: boolean;
  /** How many permits instances want to hold in advance. */
  readonly ahead?: number;
}

/** What the account answers. */
export interface Lease {
  /** How many of the requests are let through. */
  readonly granted: number;
  /** How many spare permits the key gets. They expire after `spareMs`. */
  readonly spare: number;
  readonly spareMs: number;
  /** How many requests are free after these. */
  readonly remaining: number;
  readonly resetMs: number;
  /** For how long the key may make one request in ten seconds without asking, milliseconds. */
  readonly shareMs?: number;
}

/** The time between two requests of a share, milliseconds. An object is evicted after that. */
const SHARE_INTERVAL_MS = 10_000;

/** The TTL of a share, milliseconds. */
export const SHARE_MS = 1_800_000;

/** How many requests a minute a share allows. */
export const SHARE = (WINDOW_SECONDS * 1000) / SHARE_INTERVAL_MS;

/** Where the object of a key stores when its share expires, milliseconds since the epoch. */
export interface ShareStore {
  read(): number | undefined;
  write(until: number | undefined): void;
}

/** How many requests are let through; undefined where the account was not asked, because the key has a share. */
type Permitted = Granted | undefined;

type Asking = (request: Omit<PermitRequest, 'counter'>) => Promise<Lease>;

/**
 * The backoff after the account did not answer, milliseconds. It ends sooner where more requests come than the limit allows in
 * a second.
 */
const BACKOFF_MS = 5000;

interface Waiting {
  readonly wanted: number;
  resolve(granted: Granted): void;
  reject(error: unknown): void;
}

/**
 * The permits of an account as the object of one key uses them. It asks the account for several requests at once. It does not
 * ask while it has spare permits, or a share, which allows one request in ten seconds.
 */
export class AccountPermits {
  readonly #memory = crypto.randomUUID();
  readonly #shares: ShareStore | undefined;
  #number = 0;
  /** The spare permits of the requests up to this number were taken back. */
  #recalled = 0;
  #spare = 0;
  #spareSince = 0;
  #spareMs = 0;
  /** The limit of the account when they were given. */
  #spareOf = 0;
  /** When each used spare permit was used. */
  #used: number[] = [];
  /** When the share was used last, milliseconds since the epoch. */
  #sharedAt = Number.NEGATIVE_INFINITY;
  /** The last answer of the account. */
  #remaining = 0;
  #resetAt = 0;
  #waiting: Waiting[] = [];
  #isAsking = false;
  /** When the backoff ends, by `steadyTime`. */
  #retryAt = 0;
  /** How many more requests go through uncounted until then. */
  #allowedUncounted = 0;

  /** @param shares where a share is stored; without it the key has none */
  constructor(shares?: ShareStore) {
    this.#shares = shares;
  }

  /**
   * Asks for one more request. Where it throws, the request goes through, and the account hears of it later.
   *
   * @param ask asks the account
   * @param perMinute the limit of the account
   * @throws what it throws, and Error for some seconds after that
   */
  async take(ask: Asking, perMinute: number): Promise<Allowance> {
    const { granted, ...left } = await this.#takeAsking(ask, perMinute, 1);
    return { allowed: granted === 1, ...left };
  }

  /** The same for as many of some requests as the account lets through. @param isSlow see `PermitRequest` */
  async takeUpTo(
    ask: Asking,
    perMinute: number,
    { wanted, isSlow, ahead = 0 }: { wanted: number; isSlow: boolean; ahead?: number },
  ): Promise<Permitted> {
    if (wanted === 1 && this.#takeOfShare()) return undefined;
    return this.#takeAsking(
      (request) => ask({ ...request, ahead, isSlow: isSlow && this.#number === 1 }),
      perMinute,
      wanted,
    );
  }

  /** Takes spare permits, without asking the account. They are used within `LEASE_MS`. */
  takeSpare(wanted: number, now: number): number {
    const taken = this.#hasSpare(now) ? Math.min(wanted, this.#spare) : 0;
    this.#useSpare(now + LEASE_MS, taken);
    return taken;
  }

  /** Returns permits of `takeSpare` that nobody used. Those that the account has already counted stay used. */
  returnSpare(count: number, takenAt: number): void {
    for (let i = 0; i < count; i += 1) {
      const index = this.#used.lastIndexOf(takenAt + LEASE_MS);
      if (index < 0) return;
      this.#used.splice(index, 1);
      this.#spare += 1;
      this.#remaining += 1;
    }
  }

  /**
   * Returns the spare permits and the share to the account.
   *
   * @returns how long ago each used permit was used, milliseconds; undefined where that is unknown
   */
  giveBack({ memory, number }: Recall): number[] | undefined {
    this.forgetShare();
    if (memory !== this.#memory) return undefined;
    this.#recalled = Math.max(this.#recalled, number);
    this.#spare = 0;
    return this.#takeUsed();
  }

  /** Call this when the account may have another limit: the key asks again. */
  forgetShare(): void {
    if (this.#shares?.read() !== undefined) this.#shares.write(undefined);
  }

  #takeOfShare(): boolean {
    const now = Date.now();
    const until = this.#shares?.read();
    const elapsed = now - this.#sharedAt;
    // A time below zero shows that the clock was set back.
    // A share that expires later than its TTL was written by a clock that was ahead.
    if (until === undefined || now >= until || until - now > SHARE_MS) return false;
    if (elapsed >= 0 && elapsed < SHARE_INTERVAL_MS) return false;
    this.#sharedAt = now;
    // The account counts this use when it takes the share back.
    this.#used = [...this.#used.filter((time) => time > now - WINDOW_SECONDS * 1000), now];
    return true;
  }

  #hasSpare(now: number): boolean {
    const age = now - this.#spareSince;
    return age >= 0 && age < this.#spareMs;
  }

  #useSpare(time: number, count: number): void {
    this.#spare -= count;
    for (let i = 0; i < count; i += 1) this.#used.push(time);
    this.#remaining = Math.max(0, this.#remaining - count);
  }

  #grantSpare(wanted: number, now: number): Granted | undefined {
    if (this.#spare < wanted) return undefined;
    this.#useSpare(now, wanted);
    return { granted: wanted, remaining: this.#remaining, resetMs: Math.max(0, this.#resetAt - now) };
  }

  #takeAsking(ask: Asking, perMinute: number, wanted: number): Promise<Granted> {
    const now = Date.now();
    if (this.#hasSpare(now) && perMinute === this.#spareOf) {
      const granted = this.#grantSpare(wanted, now);
      if (granted) return Promise.resolve(granted);
    }
    if (this.#allowedUncounted >= wanted && steadyTime() < this.#retryAt) {
      this.#allowedUncounted -= wanted;
      for (let i = 0; i < wanted; i += 1) this.#used.push(now);
      return Promise.reject(new Error('The account did not answer a moment ago'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ wanted, resolve, reject });
      if (!this.#isAsking) void this.#askForAll(ask, perMinute);
    });
  }

  #takeUsed(): number[] {
    const now = Date.now();
    // A permit of a lease counts from the end of its lease on. Later times come from a clock that was set back.
    return this.#used.splice(0).map((time) => Math.max(-LEASE_MS, now - time));
  }

  /** Asks for the requests that wait, and then for those that came meanwhile. */
  async #askForAll(ask: Asking, perMinute: number): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      const asking = this.#waiting.splice(0);
      const wanted = asking.reduce((sum, one) => sum + one.wanted, 0);
      this.#number += 1;
      this.#spare = 0;
      const usedAgo = this.#takeUsed();
      // The account ends a share with the next request of its key.
      this.forgetShare();
      const number = this.#number;
      try {
        const lease = await ask({ memory: this.#memory, number, wanted, usedAgo });
        const now = Date.now();
        if (number > this.#recalled) {
          this.#spare = lease.spare;
          if (lease.shareMs !== undefined) this.#storeShare(now, lease.shareMs);
        }
        this.#spareSince = now;
        this.#spareMs = lease.spareMs;
        this.#spareOf = perMinute;
        this.#remaining = lease.remaining;
        this.#resetAt = now + lease.resetMs;
        let left = lease.granted;
        for (const one of asking) {
          const granted = Math.min(one.wanted, left);
          left -= granted;
          one.resolve({ granted, remaining: lease.remaining + left, resetMs: lease.resetMs });
        }
        // The requests that came meanwhile use the spare permits. To ask for them would return these permits before any were
        // used, and from then on each request would ask.
        this.#waiting = this.#waiting.filter(({ wanted, resolve }) => {
          const granted = this.#grantSpare(wanted, now);
          if (granted) resolve(granted);
          return !granted;
        });
      } catch (error) {
        const now = Date.now();
        this.#retryAt = steadyTime() + BACKOFF_MS;
        this.#allowedUncounted = Math.max(1, Math.floor(perMinute / WINDOW_SECONDS));
        const through = [...asking, ...this.#waiting.splice(0)];
        const uncounted = through.flatMap((one) => Array<number>(one.wanted).fill(now));
        const used = [...usedAgo.map((ago) => now - ago), ...this.#used, ...uncounted];
        this.#used = used.filter((time) => time > now - WINDOW_SECONDS * 1000);
        for (const { reject } of through) reject(error);
      }
    }
    this.#isAsking = false;
  }

  /** Stores a share. The request with which it came is its first use. */
  #storeShare(now: number, shareMs: number): void {
    this.#sharedAt = now;
    this.#shares?.write(now + shareMs);
  }
}
