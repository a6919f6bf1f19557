import { steadyTime } from '../clock.ts';
import { LEASE_MS } from './durable-window.ts';
import { type Allowance, type Granted, WINDOW_SECONDS } from './limit.ts';

/** Which permits of a key are meant. */
export interface Recall {
  /** Id of this object's incarnation; changes on eviction. */
  readonly memory: string;
  /** Counts the requests for permits of one incarnation. */
  readonly number: number;
}

/** What the object of a key asks that of its account. */
export interface PermitRequest extends Recall {
  /** The name of the key's object. */
  readonly counter: string;
  /** How many requests are to be let through now. */
  readonly wanted: number;
  /** How long ago what it had to spare was used, milliseconds. What was not used is given back. */
  readonly usedAgo: readonly number[];
  /** Whether the key is used so rarely that its object is evicted in between. */
  readonly isSlow?: boolean;
  /** How many more requests instances want to hold permits for. */
  readonly ahead?: number;
}

/** What the account gives. */
export interface Lease {
  /** How many of the requests are let through. */
  readonly granted: number;
  /** How many more may be made within `spareMs`. */
  readonly spare: number;
  readonly spareMs: number;
  /** How many requests are free after these. */
  readonly remaining: number;
  readonly resetMs: number;
  /** For how long the key may make one request in ten seconds without asking, milliseconds. */
  readonly shareMs?: number;
}

/** How far apart requests are that a key may make of its share, milliseconds: an object is evicted after that. */
const SHARE_INTERVAL_MS = 10_000;

/** How long a key has its share, milliseconds. */
export const SHARE_MS = 1_800_000;

/** How many requests a minute a share is. */
export const SHARE = (WINDOW_SECONDS * 1000) / SHARE_INTERVAL_MS;

/** Where the object of a key keeps until when it has a share, milliseconds since the epoch. */
export interface ShareStore {
  read(): number | undefined;
  write(until: number | undefined): void;
}

/** What of some requests is let through; undefined where the account was not asked, because the key has a share. */
type Permitted = Granted | undefined;

type Asking = (request: Omit<PermitRequest, 'counter'>) => Promise<Lease>;

/**
 * How long the account is not asked after it did not answer, milliseconds. It is asked sooner where more than a second's
 * worth of its limit comes in.
 */
const BACKOFF_MS = 5000;

interface Waiting {
  readonly wanted: number;
  resolve(granted: Granted): void;
  reject(error: unknown): void;
}

/**
 * The permits of an account as the object of one key uses them. It asks the account for several requests at once, and for
 * none while it has permits to spare, or a share: the right to make one request in ten seconds.
 */
export class AccountPermits {
  readonly #memory = crypto.randomUUID();
  readonly #shares: ShareStore | undefined;
  #number = 0;
  /** The requests for permits up to this number have nothing to spare: it was taken back. */
  #recalled = 0;
  #spare = 0;
  #spareSince = 0;
  #spareMs = 0;
  /** The limit of the account at which it was given. */
  #spareOf = 0;
  /** When what was to spare was used. */
  #used: number[] = [];
  /** When a request was made of the share, milliseconds since the epoch. */
  #sharedAt = Number.NEGATIVE_INFINITY;
  /** What the account said last. */
  #remaining = 0;
  #resetAt = 0;
  #waiting: Waiting[] = [];
  #isAsking = false;
  /** By `steadyTime`. */
  #awayUntil = 0;
  /** How many more requests go through until then. */
  #unasked = 0;

  /** @param shares where a share is kept; without it the key has none */
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

  /** Takes as many permits as there are to spare, without asking. They are used within `LEASE_MS`. */
  takeSpare(wanted: number, now: number): number {
    const taken = this.#hasSpare(now) ? Math.min(wanted, this.#spare) : 0;
    this.#useSpare(now + LEASE_MS, taken);
    return taken;
  }

  /** Gives back what `takeSpare` gave and nobody used. What the account has heard of already stays used. */
  returnSpare(count: number, takenAt: number): void {
    for (let i = 0; i < count; i += 1) {
      const place = this.#used.lastIndexOf(takenAt + LEASE_MS);
      if (place < 0) return;
      this.#used.splice(place, 1);
      this.#spare += 1;
      this.#remaining += 1;
    }
  }

  /**
   * Gives back what is to spare, and the share.
   *
   * @returns how long ago the rest was used, milliseconds; undefined where it is not known
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
    // What ends later than a share lasts was written by a clock that was ahead.
    if (until === undefined || now >= until || until - now > SHARE_MS) return false;
    if (elapsed >= 0 && elapsed < SHARE_INTERVAL_MS) return false;
    this.#sharedAt = now;
    // Where the account takes the share back, it counts this.
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
    if (this.#unasked >= wanted && steadyTime() < this.#awayUntil) {
      this.#unasked -= wanted;
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
    // A permit of a lease counts from the end of its lease on; later times are those of a clock that was set back.
    return this.#used.splice(0).map((time) => Math.max(-LEASE_MS, now - time));
  }

  /** Asks for those who wait, and then for those who came meanwhile. */
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
          if (lease.shareMs !== undefined) this.#keepShare(now, lease.shareMs);
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
        // Those who came meanwhile use what is to spare. To ask for them would give it back before anybody holds permits of it,
        // so that all would ask for each request from then on.
        this.#waiting = this.#waiting.filter(({ wanted, resolve }) => {
          const granted = this.#grantSpare(wanted, now);
          if (granted) resolve(granted);
          return !granted;
        });
      } catch (error) {
        const now = Date.now();
        this.#awayUntil = steadyTime() + BACKOFF_MS;
        this.#unasked = Math.max(1, Math.floor(perMinute / WINDOW_SECONDS));
        const through = [...asking, ...this.#waiting.splice(0)];
        const uncounted = through.flatMap((one) => Array<number>(one.wanted).fill(now));
        const used = [...usedAgo.map((ago) => now - ago), ...this.#used, ...uncounted];
        this.#used = used.filter((time) => time > now - WINDOW_SECONDS * 1000);
        for (const { reject } of through) reject(error);
      }
    }
    this.#isAsking = false;
  }

  /** The request that the share came with is the first of it. */
  #keepShare(now: number, shareMs: number): void {
    this.#sharedAt = now;
    this.#shares?.write(now + shareMs);
  }
}
