import type { Allowance } from './limit.ts';
import { type Entry, SlidingWindow, timeOf, WINDOW_MS } from './sliding-window.ts';

/** How long permits that were written in advance may be used, milliseconds. */
const AHEAD_MS = 20_000;

/** How long an instance may use a permit of a key after its grant, milliseconds. */
export const LEASE_MS = 1000;

/** How long the object of a key may use a permit of its account after its grant, milliseconds. */
export const SPARE_MS = 10_000;

/** At most one part in so many of a limit is written in advance. */
const AHEAD_SHARE = 6;

/** From this limit on, permits are written in advance, and the first request of an incarnation is not written. */
const MIN_AHEAD_LIMIT = 30;

/** How many incarnations are stored as known. Each ends with ten seconds of sleep, so a minute has at most seven. */
const MAX_KNOWN = 8;

/** What is stored of a window. */
export interface StoredWindow {
  readonly entries: readonly Entry[];
  /** How many more requests may have been let through since it was written. */
  readonly ahead: number;
  /** Until when they may have been made, milliseconds since the epoch. */
  readonly until: number;
  /** The incarnations whose unwritten requests are among the entries. */
  readonly known: readonly string[];
}

/** Where a window is stored. A write is one row of the platform's bill. */
export interface WindowStore {
  read(): StoredWindow | undefined;
  write(stored: StoredWindow): void;
}

/** A request that was let through and not written. The instance that made it sends this to the next incarnation. */
export interface Receipt {
  readonly incarnation: string;
  /** Milliseconds since the epoch, by the clock of the object. */
  readonly at: number;
}

/**
 * The window of a counter that may be evicted between any two requests. An incarnation is the life of the object in memory from
 * one eviction to the next. A write covers the requests of the next twenty
 * seconds: half as many as the incarnation has let through, at most a sixth of the limit. After an eviction all covered
 * requests count as used. So no more is let through than the limit, and no caller is counted for more than one and a half
 * times its requests. The first request of an incarnation is not written where no stored request still counts, so that slow
 * callers cost no write. Its instance gets a receipt for it, and sends the receipt with its next request.
 */
export class DurableWindow {
  readonly #window = new SlidingWindow();
  readonly #store: WindowStore;
  readonly #incarnation: string;
  readonly #heldMs: number;
  /** Incarnations whose unwritten request is counted. */
  readonly #known = new Set<string>();
  /** Until when something that is stored counts. */
  #storedUntil = Number.NEGATIVE_INFINITY;
  #covered = 0;
  #coveredUntil = Number.NEGATIVE_INFINITY;
  /** How many requests this incarnation has let through. */
  #taken = 0;

  /** @param heldMs how long after it was let through a request may be made, milliseconds */
  constructor(
    store: WindowStore,
    { incarnation, now, heldMs = LEASE_MS }: { incarnation: string; now: number; heldMs?: number },
  ) {
    this.#store = store;
    this.#incarnation = incarnation;
    this.#heldMs = heldMs;
    this.#known.add(incarnation);
    const found = store.read();
    if (!found) return;
    const stored = found.until > now + AHEAD_MS ? setBackTo(now, found) : found;
    // A window that was written while the clock was ahead is written again, so that it expires.
    if (stored !== found) store.write(stored);
    for (const [time, count] of stored.entries) this.#window.add(time, count);
    const until = stored.until + heldMs;
    if (stored.ahead > 0) this.#window.add(until, stored.ahead);
    for (const earlier of stored.known) this.#known.add(earlier);
    this.#storedUntil = until + WINDOW_MS;
  }

  /** Counts what earlier incarnations have let through and not written. */
  accept(receipts: readonly Receipt[], now: number): void {
    for (const { incarnation, at } of receipts) {
      if (this.#known.has(incarnation) || at <= now - WINDOW_MS) continue;
      this.#known.add(incarnation);
      this.#window.add(Math.min(at, now));
    }
  }

  /** @param count how many requests are asked for: all of them are allowed, or none */
  take(limit: number, now: number, count = 1): Allowance {
    const allowance = this.#window.take(limit, now, count);
    if (allowance.allowed) this.#cover(limit, now, count);
    return allowance;
  }

  /** Lets as many of some requests through as are free. */
  takeUpTo(limit: number, now: number, wanted: number): ReturnType<SlidingWindow['takeUpTo']> {
    const taken = this.#window.takeUpTo(limit, now, wanted);
    if (taken.granted > 0) this.#cover(limit, now, taken.granted);
    return taken;
  }

  /**
   * Gives permits that may be used for a second. Each counts from the end of that second on, so that no minute has more
   * than the limit, whenever they are used.
   *
   * @returns how many, and the time that each counts with
   */
  lease(limit: number, now: number, wanted: number): { permits: number; at: number } {
    const at = timeOf(limit, now + LEASE_MS);
    const permits = Math.min(wanted, this.#window.free(limit, now));
    if (permits > 0) {
      this.#window.add(at, permits);
      this.#cover(limit, now, permits);
    }
    return { permits, at };
  }

  /** Counts requests that were made, or may be made, at a time, without asking whether they are free. */
  add(limit: number, { time, now, count = 1 }: { time: number; now: number; count?: number }): void {
    this.#window.add(time, count);
    this.#cover(limit, now, count);
  }

  /** Stores that requests may be made which do not count yet, so that they count after an eviction. */
  reserve(limit: number, now: number, count: number): void {
    this.#cover(limit, now, count, { isEntered: false });
  }

  /** What is left, without a request. */
  left(limit: number, now: number): { remaining: number; resetMs: number } {
    const { remaining, resetMs } = this.#window.takeUpTo(limit, now, 0);
    return { remaining, resetMs };
  }

  free(limit: number, now: number): number {
    return this.#window.free(limit, now);
  }

  /** Uncounts requests that were let through at a time. */
  giveBack(time: number, count = 1): void {
    this.#window.giveBack(time, count);
  }

  /** Uncounts some of the newest requests. */
  giveBackMade(now: number, count: number): void {
    this.#window.giveBackMade(now, count);
  }

  /** The receipt for a request that has just been let through; undefined where it is written. */
  receiptAt(now: number): Receipt | undefined {
    return this.#isUnwritten ? { incarnation: this.#incarnation, at: now } : undefined;
  }

  #isUnwritten = false;

  /** @param isEntered whether the requests are among the entries already. If not, the write adds them to `ahead` */
  #cover(limit: number, now: number, count: number, { isEntered = true } = {}): void {
    const isFirst = this.#taken === 0;
    this.#taken += count;
    this.#isUnwritten = isFirst && count === 1 && limit >= MIN_AHEAD_LIMIT && now >= this.#storedUntil;
    if (this.#isUnwritten) return;
    const untilEnd = this.#coveredUntil - now;
    if (this.#covered >= count && untilEnd > 0 && untilEnd <= AHEAD_MS) {
      this.#covered -= count;
      return;
    }
    const most = limit < MIN_AHEAD_LIMIT ? 0 : Math.min(Math.floor(limit / AHEAD_SHARE), Math.floor(this.#taken / 2));
    const ahead = Math.min(most, this.#window.free(limit, now)) + (isEntered ? 0 : count);
    const until = now + AHEAD_MS;
    const entries = this.#window.entries(now).map(([time, n]): Entry => [time, n]);
    this.#store.write({ entries, ahead, until, known: [...this.#known].slice(-MAX_KNOWN) });
    this.#covered = isEntered ? ahead : ahead - count;
    this.#coveredUntil = until;
    this.#storedUntil = until + this.#heldMs + WINDOW_MS;
  }
}

/** The stored window after the clock was set back: all of it counts for a minute from now. */
function setBackTo(now: number, stored: StoredWindow): StoredWindow {
  const entries = stored.entries.map(([time, count]): Entry => [Math.min(time, now), count]);
  return { ...stored, entries, until: Math.min(stored.until, now + AHEAD_MS) };
}
