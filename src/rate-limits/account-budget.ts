import { DurableWindow, SPARE_MS, type WindowStore } from './durable-window.ts';
import { type Allowance, EXACT_LIMIT, isPlenty, WINDOW_SECONDS } from './limit.ts';
import { type Lease, type PermitRequest, type Recall, SHARE, SHARE_MS } from './permits.ts';
import { timeOf, WINDOW_MS } from './sliding-window.ts';

/** A key gets spare permits for this many leases of an instance. */
const SPARE_LEASES = 4;

/** How long the object of a key may take to return its spare permits, milliseconds. */
const RECALL_TIMEOUT_MS = 200;

/**
 * Takes back the spare permits of a key. Gives how long ago each used one was used, milliseconds; undefined where the object
 * of the key does not know.
 */
type RecallPermits = (counter: string, which: Recall) => Promise<number[] | undefined>;

/** Spare permits of a key whose use it has not reported yet, or its share. */
interface Outstanding extends Recall {
  readonly spare: number;
  /** When they expire, milliseconds since the epoch. */
  until: number;
  readonly isShare: boolean;
  /** Whether all of them were counted, because it was unknown which were used. */
  isGuessed?: boolean;
}

/** What the object of an account stores, because it is needed after an eviction. */
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
 * A key gets spare permits for about a second, so that it does not ask for each request: always where the limit is above 600,
 * else while a quarter of it is free. A key that is used rarely gets a share instead: one request in ten seconds for half an
 * hour. Spare permits and shares count as used. They are taken back before a request is refused.
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
  async lease(limit: number, request: PermitRequest, recall: RecallPermits): Promise<Lease> {
    this.#report(limit, request);
    if (this.#free(limit) < request.wanted) await this.#takeBack(limit, recall);
    const now = Date.now();
    const granted = Math.min(request.wanted, this.#free(limit));
    if (granted > 0) this.#window.add(limit, { time: timeOf(limit, now), now, count: granted });
    const free = this.#free(limit);
    // A later request of the key may have come while others were asked for their spare permits.
    const isOnTime = !this.#isLate(request);
    const isShare = isOnTime && request.isSlow === true && isPlenty(limit, free) && free >= SHARE;
    const hasSpare = isOnTime && !isShare && (limit > EXACT_LIMIT || isPlenty(limit, free));
    const second = Math.floor(limit / WINDOW_SECONDS);
    const likely = second === 0 ? 0 : Math.max(second, SPARE_LEASES * (request.ahead ?? 0));
    // A part is left for other keys, unless this is the only one.
    const isAlone = limit > EXACT_LIMIT && this.#outstanding.size === 0;
    const spare = hasSpare ? Math.min(likely, isAlone ? free : Math.floor(free / 4) || free) : 0;
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

  /** Uncounts the newest requests, which were let through and then not made. */
  uncount(count: number): void {
    this.#window.giveBackMade(Date.now(), count);
  }

  /** What is free now, without a request. */
  async look(limit: number, recall: RecallPermits): Promise<Allowance> {
    await this.#takeBack(limit, recall);
    const remaining = this.#free(limit);
    return { allowed: remaining > 0, remaining, resetMs: this.#window.left(limit, Date.now()).resetMs };
  }

  #free(limit: number): number {
    const now = Date.now();
    // After the clock was set back, outstanding permits expire as if they were given now.
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

  /** Counts the spare permits that a key has used. */
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
    for (const ago of usedAgo) this.#window.add(limit, { time: timeOf(limit, now - ago), now });
  }

  /**
   * Frees the spare permits that were not used. Where it is unknown which were used, all count as used when they expire. This
   * is a guess.
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

  /** Removes the guess, because the used permits are known now. */
  #takeGuessOut(lease: Outstanding): void {
    if (!lease.isGuessed) return;
    lease.isGuessed = false;
    this.#window.giveBack(lease.until, lease.spare);
  }

  /** Takes back the spare permits of all keys. Requests at the same time wait for one recall. */
  async #takeBack(limit: number, recall: RecallPermits): Promise<void> {
    if (this.#outstanding.size === 0) return;
    this.#recalling ??= this.#recallAll(limit, recall).finally(() => {
      this.#recalling = undefined;
    });
    await this.#recalling;
  }

  async #recallAll(limit: number, recall: RecallPermits): Promise<void> {
    await Promise.all(
      [...this.#outstanding].map(async ([counter, lease]) => {
        let isAnswered = false;
        // A late answer replaces the guess.
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
        // A share that was not returned may still be used, so it continues to count.
        if (isAnswered || !lease.isShare) this.#end(limit, { counter, lease, isKnown: false });
      }),
    );
  }

  #storeShares(): void {
    this.#store.writeShares([...this.#outstanding].filter(([, { isShare }]) => isShare));
  }
}
