import { DurableWindow, SPARE_MS, type WindowStore } from './durable-window.ts';
import { type Allowance, EXACT_LIMIT, isPlenty, WINDOW_SECONDS } from './limit.ts';
import { type Lease, type PermitRequest, type Recall, SHARE, SHARE_MS } from './permits.ts';
import { WINDOW_MS } from './sliding-window.ts';

/** Of how many leases of an instance a key is given the permits at once. */
const LEASES_SPARED = 4;

/** How long a key's object may take to give back what it has to spare, milliseconds. */
const RECALL_TIMEOUT_MS = 200;

/**
 * Takes back what a key has to spare. Gives how long ago the rest was used, milliseconds; undefined where its object does
 * not know.
 */
type Recalling = (counter: string, which: Recall) => Promise<number[] | undefined>;

/** What a key was given to spare and has not reported yet, or its share. */
interface Outstanding extends Recall {
  readonly spare: number;
  /** Until when it may be used, milliseconds since the epoch. */
  until: number;
  readonly isShare: boolean;
  /** Whether all of it was counted, because nobody knew what was used. */
  isGuessed?: boolean;
}

/** Where the object of an account keeps what must outlive it. */
export interface BudgetStore {
  readonly window: WindowStore;
  readShares(): readonly [counter: string, share: Outstanding][];
  writeShares(shares: readonly [counter: string, share: Outstanding][]): void;
}

/** For an object that is never evicted. */
const IN_MEMORY: BudgetStore = {
  window: { read: () => undefined, write: () => undefined },
  readShares: () => [],
  writeShares: () => undefined,
};

/**
 * Counts the requests that all keys of an account make in the last minute, and never lets more through than its limit.
 * While a quarter of the limit is free, or always where it is above 600, a key is given a second's worth to spare, so that it does not ask for each
 * request; one that is used rarely is given a share in its place: a request in ten seconds for half an hour. What is to
 * spare, or a share, counts as used. It is taken back before a request is refused.
 */
export class AccountBudget {
  readonly #window: DurableWindow;
  readonly #store: BudgetStore;
  readonly #outstanding: Map<string, Outstanding>;
  #recalling: Promise<void> | undefined;
  #lastNow = Number.NEGATIVE_INFINITY;

  constructor(store = IN_MEMORY, incarnation = '') {
    this.#store = store;
    this.#window = new DurableWindow(store.window, { incarnation, now: Date.now(), heldMs: SPARE_MS });
    this.#outstanding = new Map(store.readShares());
  }

  /** Lets as many requests of a key through as are free. */
  async lease(limit: number, request: PermitRequest, recall: Recalling): Promise<Lease> {
    this.#report(limit, request);
    if (this.#free(limit) < request.wanted) await this.#takeBack(limit, recall);
    const now = Date.now();
    const granted = Math.min(request.wanted, this.#free(limit));
    if (granted > 0) this.#window.add(limit, { time: now, now, count: granted });
    const free = this.#free(limit);
    // A later request of the key may have come while others were asked for what they have to spare.
    const isOnTime = !this.#isLate(request);
    const isShare = isOnTime && request.isSlow === true && isPlenty(limit, free) && free >= SHARE;
    const isLent = isOnTime && !isShare && (limit > EXACT_LIMIT || isPlenty(limit, free));
    const second = Math.floor(limit / WINDOW_SECONDS);
    const likely = second === 0 ? 0 : Math.max(second, LEASES_SPARED * (request.ahead ?? 0));
    // What others may want is left to them, as far as somebody else has wanted something.
    const isAlone = limit > EXACT_LIMIT && this.#outstanding.size === 0;
    const spare = isLent ? Math.min(likely, isAlone ? free : Math.floor(free / 4) || free) : 0;
    const { memory, number, counter } = request;
    if (isShare) {
      this.#outstanding.set(counter, { memory, number, spare: SHARE, until: now + SHARE_MS, isShare });
      this.#storeShares();
    } else if (spare > 0) {
      this.#outstanding.set(counter, { memory, number, spare, until: now + SPARE_MS, isShare });
      this.#window.reserve(limit, now, spare);
    }
    const { resetMs } = this.#window.left(limit, now);
    const lease = { granted, spare, spareMs: SPARE_MS, remaining: free, resetMs };
    return isShare ? { ...lease, shareMs: SHARE_MS } : lease;
  }

  /** Does not count the newest requests of a number, which were let through and then not made. */
  uncount(count: number): void {
    this.#window.giveBackMade(Date.now(), count);
  }

  /** What is free now, without a request. */
  async look(limit: number, recall: Recalling): Promise<Allowance> {
    await this.#takeBack(limit, recall);
    const remaining = this.#free(limit);
    return { allowed: remaining > 0, remaining, resetMs: this.#window.left(limit, Date.now()).resetMs };
  }

  #free(limit: number): number {
    const now = Date.now();
    // Where the clock was set back, what is outstanding ends as if it was given now.
    const isSetBack = now < this.#lastNow;
    this.#lastNow = now;
    let reserved = 0;
    for (const [counter, lease] of this.#outstanding) {
      if (isSetBack) lease.until = Math.min(lease.until, now + (lease.isShare ? SHARE_MS : SPARE_MS));
      if (lease.until + WINDOW_MS > now) reserved += lease.spare;
      else this.#outstanding.delete(counter);
    }
    return Math.max(0, this.#window.free(limit, now) - reserved);
  }

  /** Counts what a key has used of what it had to spare. */
  #report(limit: number, request: PermitRequest): void {
    this.#addUsed(limit, request.usedAgo);
    const lease = this.#outstanding.get(request.counter);
    if (lease && !this.#isLate(request))
      this.#end(limit, { counter: request.counter, lease, isKnown: lease.memory === request.memory });
  }

  /** Whether a later request of the key came before. */
  #isLate({ counter, memory, number }: PermitRequest): boolean {
    const lease = this.#outstanding.get(counter);
    return lease?.memory === memory && lease.number > number;
  }

  #addUsed(limit: number, usedAgo: readonly number[]): void {
    const now = Date.now();
    for (const ago of usedAgo) this.#window.add(limit, { time: now - ago, now });
  }

  /**
   * What was to spare and is not used is free again. Where nobody knows what was used, all counts as used at the last moment,
   * which is a guess.
   */
  #end(limit: number, { counter, lease, isKnown }: { counter: string; lease: Outstanding; isKnown: boolean }): void {
    if (this.#outstanding.get(counter) !== lease) return;
    this.#outstanding.delete(counter);
    if (lease.isShare) this.#storeShares();
    if (isKnown) return;
    lease.isGuessed = true;
    const now = Date.now();
    lease.until = lease.isShare ? now : lease.until;
    this.#window.add(limit, { time: lease.until, now, count: lease.spare });
  }

  /** What was used takes the place of the guess. */
  #takeGuessOut(lease: Outstanding): void {
    if (!lease.isGuessed) return;
    lease.isGuessed = false;
    this.#window.giveBack(lease.until, lease.spare);
  }

  /** Takes back what keys have to spare, once for all who want it at the same time. */
  async #takeBack(limit: number, recall: Recalling): Promise<void> {
    if (this.#outstanding.size === 0) return;
    this.#recalling ??= this.#recallAll(limit, recall).finally(() => {
      this.#recalling = undefined;
    });
    await this.#recalling;
  }

  async #recallAll(limit: number, recall: Recalling): Promise<void> {
    await Promise.all(
      [...this.#outstanding].map(async ([counter, lease]) => {
        let isAnswered = false;
        // What is given back late is counted then, in place of what was guessed.
        const recalling = recall(counter, lease).then(
          (used) => {
            isAnswered = true;
            if (used === undefined) return;
            this.#addUsed(limit, used);
            this.#end(limit, { counter, lease, isKnown: true });
            this.#takeGuessOut(lease);
          },
          () => undefined,
        );
        const late = Promise.withResolvers<void>();
        const timer = setTimeout(late.resolve, RECALL_TIMEOUT_MS);
        await Promise.race([recalling, late.promise]);
        clearTimeout(timer);
        // A share that was not given back may still be used, so it goes on counting.
        if (isAnswered || !lease.isShare) this.#end(limit, { counter, lease, isKnown: false });
      }),
    );
  }

  #storeShares(): void {
    this.#store.writeShares([...this.#outstanding].filter(([, { isShare }]) => isShare));
  }
}
