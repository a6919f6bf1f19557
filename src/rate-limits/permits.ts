import { steadyTime } from '../clock.ts';
import { type Allowance, WINDOW_SECONDS } from './limit.ts';

/** Which permits of a key are meant. */
export interface Recall {
  /** What the key's object remembers since it began: another one after it has lost its memory. */
  readonly memory: string;
  /** Counts the requests for permits of one memory. */
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
}

type Asking = (request: Omit<PermitRequest, 'counter'>) => Promise<Lease>;

/**
 * How long the account is not asked after it did not answer, milliseconds. It is asked sooner where more than a second's
 * worth of its limit comes in.
 */
const PAUSE_MS = 5000;

interface Waiting {
  resolve(allowance: Allowance): void;
  reject(error: unknown): void;
}

/**
 * The permits of an account as the object of one key uses them. It asks the account for several requests at once, and for
 * none while it has permits to spare.
 */
export class AccountPermits {
  readonly #memory = crypto.randomUUID();
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
  /** What the account said last. */
  #remaining = 0;
  #resetAt = 0;
  #waiting: Waiting[] = [];
  #isAsking = false;
  /** By `steadyTime`. */
  #awayUntil = 0;
  /** How many more requests go through until then. */
  #unasked = 0;

  /**
   * Asks for one more request. Where it throws, the request goes through, and the account hears of it later.
   *
   * @param ask asks the account
   * @param perMinute the limit of the account
   * @throws what it throws, and Error for some seconds after that
   */
  take(ask: Asking, perMinute: number): Promise<Allowance> {
    const now = Date.now();
    const age = now - this.#spareSince;
    if (this.#spare > 0 && age >= 0 && age < this.#spareMs && perMinute === this.#spareOf) {
      this.#spare -= 1;
      this.#used.push(now);
      this.#remaining = Math.max(0, this.#remaining - 1);
      const resetMs = Math.max(0, this.#resetAt - now);
      return Promise.resolve({ allowed: true, remaining: this.#remaining, resetMs });
    }
    if (this.#unasked > 0 && steadyTime() < this.#awayUntil) {
      this.#unasked -= 1;
      this.#used.push(now);
      return Promise.reject(new Error('The account did not answer a moment ago'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (!this.#isAsking) void this.#askForAll(ask, perMinute);
    });
  }

  /**
   * Gives back what is to spare.
   *
   * @returns how long ago the rest was used, milliseconds; undefined where it is not known
   */
  giveBack({ memory, number }: Recall): number[] | undefined {
    if (memory !== this.#memory) return undefined;
    this.#recalled = Math.max(this.#recalled, number);
    this.#spare = 0;
    return this.#takeUsed();
  }

  #takeUsed(): number[] {
    const now = Date.now();
    return this.#used.splice(0).map((time) => Math.max(0, now - time));
  }

  /** Asks until nobody waits. What comes in while the account is asked waits for the next time. */
  async #askForAll(ask: Asking, perMinute: number): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      const asking = this.#waiting.splice(0);
      this.#number += 1;
      this.#spare = 0;
      const usedAgo = this.#takeUsed();
      const number = this.#number;
      try {
        const lease = await ask({ memory: this.#memory, number, wanted: asking.length, usedAgo });
        const now = Date.now();
        if (number > this.#recalled) this.#spare = lease.spare;
        this.#spareSince = now;
        this.#spareMs = lease.spareMs;
        this.#spareOf = perMinute;
        this.#remaining = lease.remaining;
        this.#resetAt = now + lease.resetMs;
        for (const [i, { resolve }] of asking.entries()) {
          const remaining = lease.remaining + Math.max(0, lease.granted - 1 - i);
          resolve({ allowed: i < lease.granted, remaining, resetMs: lease.resetMs });
        }
      } catch (error) {
        const now = Date.now();
        this.#awayUntil = steadyTime() + PAUSE_MS;
        this.#unasked = Math.max(1, Math.floor(perMinute / WINDOW_SECONDS));
        const through = [...asking, ...this.#waiting.splice(0)];
        const used = [...usedAgo.map((ago) => now - ago), ...this.#used, ...through.map(() => now)];
        this.#used = used.filter((time) => time > now - WINDOW_SECONDS * 1000);
        for (const { reject } of through) reject(error);
      }
    }
    this.#isAsking = false;
  }
}
