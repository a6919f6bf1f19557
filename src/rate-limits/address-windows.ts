import { BoundedMap } from '../bounded-map.ts';
import { DurableWindow, type Receipt, type StoredWindow } from './durable-window.ts';
import type { Allowance } from './limit.ts';
import { WINDOW_MS } from './sliding-window.ts';

/** How many windows one object stores. */
const MAX_WINDOWS = 10_000;

/** How many of them are stored. */
const MAX_STORED = 3000;

/** Where the storage has the windows. */
const STORED = 'windows';

/** A network and how many requests a minute it may make. */
interface NetworkLimit {
  readonly network: string;
  readonly perMinute: number;
}

/** What a request without credentials asks. */
export interface AddressRequest {
  /** The networks that it counts for, the narrowest first. */
  readonly limits: readonly NetworkLimit[];
  /** How many requests it counts as. Default: one. */
  readonly count?: number;
  readonly receipts: readonly Receipt[];
}

export interface AddressTaken {
  /** For each of the networks. Those behind one that refuses are left out: the request does not count there. */
  readonly allowances: readonly Allowance[];
  readonly receipt: Receipt | undefined;
}

/**
 * Counts the requests of many networks. All windows are one value of the storage, so that what is written for one caller is
 * one row, and what is over leaves by itself with the next write.
 */
export class AddressWindows {
  readonly #kv: DurableObjectStorage['kv'];
  readonly #incarnation: string;
  readonly #windows = new BoundedMap<string, DurableWindow>(MAX_WINDOWS);
  readonly #stored: Map<string, StoredWindow>;
  #isChanged = false;

  constructor(kv: DurableObjectStorage['kv'], incarnation: string) {
    this.#kv = kv;
    this.#incarnation = incarnation;
    this.#stored = new Map(kv.get<[string, StoredWindow][]>(STORED));
  }

  /**
   * Lets a request through where one is free. One that counts as several then counts in full, so that what is beyond the limit
   * is paid by waiting: nobody has to be idle for a minute before a large answer.
   */
  take({ limits, count = 1, receipts }: AddressRequest, now: number): AddressTaken {
    const allowances: Allowance[] = [];
    let receipt: Receipt | undefined;
    for (const { network, perMinute } of limits) {
      const window = this.#windowOf(network, now);
      // A receipt is for the narrowest network.
      if (allowances.length === 0) window.accept(receipts, now);
      const { allowed, ...left } = window.take(perMinute, now);
      if (allowed && count > 1) window.add(perMinute, { time: now, now, count: count - 1 });
      allowances.push({ allowed, ...(allowed && count > 1 ? window.left(perMinute, now) : left) });
      if (!allowed) {
        // What a wider network refuses does not count for the narrower one.
        for (const { network: before } of limits.slice(0, allowances.length - 1)) {
          this.#windowOf(before, now).giveBackMade(now, count);
        }
        break;
      }
      if (allowances.length === 1) receipt = window.receiptAt(now);
    }
    if (this.#isChanged) this.#store(now);
    return { allowances, receipt };
  }

  #windowOf(network: string, now: number): DurableWindow {
    let window = this.#windows.get(network);
    if (!window) {
      const store = {
        read: () => this.#stored.get(network),
        write: (stored: StoredWindow) => {
          this.#stored.delete(network);
          this.#stored.set(network, stored);
          this.#isChanged = true;
        },
      };
      window = new DurableWindow(store, { incarnation: this.#incarnation, now });
    }
    // The network becomes the newest, so that the map evicts the one that asked longest ago.
    this.#windows.set(network, window);
    return window;
  }

  #store(now: number): void {
    this.#isChanged = false;
    for (const [network, { until }] of this.#stored) {
      if (until + 2 * WINDOW_MS < now) this.#stored.delete(network);
    }
    // The platform takes two megabytes in one value. What is left out is what was written longest ago.
    for (const network of this.#stored.keys()) {
      if (this.#stored.size <= MAX_STORED) break;
      this.#stored.delete(network);
    }
    this.#kv.put(STORED, [...this.#stored]);
  }
}
