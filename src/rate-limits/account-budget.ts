import { type Allowance, WINDOW_SECONDS } from './limit.ts';
import type { Lease, PermitRequest, Recall } from './permits.ts';

const WINDOW_MS = WINDOW_SECONDS * 1000;

/** How long a key may use what it was given to spare, milliseconds. */
const LEASE_MS = 10_000;

/** How much an account gives to spare at most. */
const MOST_SPARE = 100;

/** How long a key's object may take to give back what it has to spare, milliseconds. */
const RECALL_TIMEOUT_MS = 200;

/**
 * Takes back what a key has to spare. Gives how long ago the rest was used, milliseconds; undefined where its object does
 * not know.
 */
type Recalling = (counter: string, which: Recall) => Promise<number[] | undefined>;

/** What a key was given to spare, and has not reported yet. */
interface Outstanding extends Recall {
  readonly spare: number;
  /** Until when it may be used, milliseconds since the epoch. */
  until: number;
  /** Whether all of it was counted, because nobody knew what was used. */
  isGuessed?: boolean;
}

/**
 * Counts the requests that all keys of an account make in the last minute, and never lets more through than its limit.
 * While at least half of the limit is free, a key is given a second's worth to spare, so that it does not ask for each
 * request. What is to spare counts as used. It is taken back before a request is refused.
 */
export class AccountBudget {
  /** When requests were made that count, milliseconds since the epoch, the oldest first. */
  #times: number[] = [];
  readonly #outstanding = new Map<string, Outstanding>();
  #recalling: Promise<void> | undefined;

  /** Lets as many requests of a key through as are free. */
  async lease(limit: number, request: PermitRequest, recall: Recalling): Promise<Lease> {
    this.#report(request);
    if (this.#free(limit) < request.wanted) await this.#takeBack(recall);
    const granted = Math.min(request.wanted, this.#free(limit));
    const now = Date.now();
    for (let i = 0; i < granted; i += 1) this.#add(now);
    const free = this.#free(limit);
    // A later request of the key may have come while others were asked for what they have to spare.
    const isLate = this.#isLate(request);
    const spare = !isLate && free * 2 > limit ? Math.min(Math.floor(limit / WINDOW_SECONDS), MOST_SPARE) : 0;
    if (spare > 0) {
      const { memory, number, counter } = request;
      this.#outstanding.set(counter, { memory, number, spare, until: now + LEASE_MS });
    }
    return { granted, spare, spareMs: LEASE_MS, remaining: free, resetMs: this.#resetMs(limit, now) };
  }

  /** Does not count the newest requests of a number, which were let through and then not made. */
  uncount(count: number): void {
    const now = Date.now();
    const made = this.#times.findLastIndex((time) => time <= now) + 1;
    const first = Math.max(0, made - count);
    this.#times.splice(first, made - first);
  }

  /** What is free now, without a request. */
  async look(limit: number, recall: Recalling): Promise<Allowance> {
    await this.#takeBack(recall);
    const remaining = this.#free(limit);
    return { allowed: remaining > 0, remaining, resetMs: this.#resetMs(limit, Date.now()) };
  }

  #free(limit: number): number {
    const now = Date.now();
    // Nothing is later, unless the clock was set back.
    const latest = now + LEASE_MS;
    if ((this.#times.at(-1) ?? now) > latest) this.#times = this.#times.map((time) => Math.min(time, latest));
    const current = this.#times.findIndex((time) => time > now - WINDOW_MS);
    this.#times.splice(0, current === -1 ? this.#times.length : current);
    let reserved = 0;
    for (const [counter, lease] of this.#outstanding) {
      lease.until = Math.min(lease.until, latest);
      if (lease.until + WINDOW_MS > now) reserved += lease.spare;
      else this.#outstanding.delete(counter);
    }
    return Math.max(0, limit - this.#times.length - reserved);
  }

  /** Milliseconds until one more request is free. */
  #resetMs(limit: number, now: number): number {
    const leaving = this.#times[Math.max(0, this.#times.length - limit)] ?? now;
    return Math.max(0, leaving + WINDOW_MS - now);
  }

  /** Counts a request that was made at a time. Most are newer than all others. */
  #add(time: number): void {
    let place = this.#times.length;
    while (place > 0 && (this.#times[place - 1] as number) > time) place -= 1;
    this.#times.splice(place, 0, time);
  }

  /** Counts what a key has used of what it had to spare. */
  #report(request: PermitRequest): void {
    this.#addUsed(request.usedAgo);
    const lease = this.#outstanding.get(request.counter);
    if (lease && !this.#isLate(request)) this.#end(request.counter, lease, lease.memory === request.memory);
  }

  /** Whether a later request of the key came before. */
  #isLate({ counter, memory, number }: PermitRequest): boolean {
    const lease = this.#outstanding.get(counter);
    return lease?.memory === memory && lease.number > number;
  }

  #addUsed(usedAgo: readonly number[]): void {
    const now = Date.now();
    for (const ago of usedAgo) this.#add(now - ago);
  }

  /** What was to spare and is not used is free again. Where nobody knows what was used, all counts as used at the last moment, which is a guess. */
  #end(counter: string, lease: Outstanding, isKnown: boolean): void {
    if (this.#outstanding.get(counter) !== lease) return;
    this.#outstanding.delete(counter);
    if (isKnown) return;
    lease.isGuessed = true;
    for (let i = 0; i < lease.spare; i += 1) this.#add(lease.until);
  }

  /** What was used takes the place of the guess. */
  #takeGuessOut(lease: Outstanding): void {
    if (!lease.isGuessed) return;
    lease.isGuessed = false;
    for (let i = 0; i < lease.spare; i += 1) {
      const place = this.#times.lastIndexOf(lease.until);
      if (place >= 0) this.#times.splice(place, 1);
    }
  }

  /** Takes back what keys have to spare, once for all who want it at the same time. */
  async #takeBack(recall: Recalling): Promise<void> {
    if (this.#outstanding.size === 0) return;
    this.#recalling ??= this.#recallAll(recall).finally(() => {
      this.#recalling = undefined;
    });
    await this.#recalling;
  }

  async #recallAll(recall: Recalling): Promise<void> {
    await Promise.all(
      [...this.#outstanding].map(async ([counter, lease]) => {
        // What is given back late is counted then, in place of what was guessed.
        const recalling = recall(counter, lease).then(
          (used) => {
            if (used === undefined) return;
            this.#addUsed(used);
            this.#end(counter, lease, true);
            this.#takeGuessOut(lease);
          },
          () => undefined,
        );
        const late = Promise.withResolvers<void>();
        const timer = setTimeout(late.resolve, RECALL_TIMEOUT_MS);
        await Promise.race([recalling, late.promise]);
        clearTimeout(timer);
        this.#end(counter, lease, false);
      }),
    );
  }
}
