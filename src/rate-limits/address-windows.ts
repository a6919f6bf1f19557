import { BoundedMap } from '../bounded-map.ts';
import { DurableWindow, type Receipt, type StoredWindow } from './durable-window.ts';
import type { Allowance } from './limit.ts';
import { timeOf, WINDOW_MS } from './sliding-window.ts';

/** Max windows in memory. */
const MAX_WINDOWS_IN_MEMORY = 10_000;

/** Max windows in storage. */
const MAX_STORED_WINDOWS = 3000;

/** Storage key of all windows. */
const STORAGE_KEY = 'windows';

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
  /** Whether it was let through before and turns out to count as more: these count whatever is left. */
  readonly isMore?: boolean;
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
  readonly #windows = new BoundedMap<string, DurableWindow>(MAX_WINDOWS_IN_MEMORY);
  readonly #stored: Map<string, StoredWindow>;
  #isChanged = false;

  constructor(kv: DurableObjectStorage['kv'], incarnation: string) {
    this.#kv = kv;
    this.#incarnation = incarnation;
    this.#stored = new Map(kv.get<[string, StoredWindow][]>(STORAGE_KEY));
  }

  /**
   * Lets a request through where one is free. One that counts as several then counts in full, so that what is beyond the limit
   * is paid by waiting: nobody has to be idle for a minute before a large answer.
   */
  take({ limits, count = 1, isMore = false, receipts }: AddressRequest, now: number): AddressTaken {
    const windows = limits.map(({ network, perMinute }) => ({ window: this.#windowOf(network, now), perMinute }));
    const narrowest = windows[0]?.window;
    narrowest?.accept(receipts, now);
    const isFull = ({ window, perMinute }: (typeof windows)[number]) => window.free(perMinute, now) === 0;
    const refusing = isMore ? -1 : windows.findIndex(isFull);
    const isAllowed = refusing === -1;
    if (isAllowed)
      for (const { window, perMinute } of windows) window.add(perMinute, { time: timeOf(perMinute, now), now, count });
    const asked = isAllowed ? windows : windows.slice(0, refusing + 1);
    const allowances = asked.map(({ window, perMinute }, i) => ({
      allowed: i !== refusing,
      ...window.left(perMinute, now),
    }));
    if (this.#isChanged) this.#store(now);
    return { allowances, receipt: isAllowed ? narrowest?.receiptAt(now) : undefined };
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
      if (this.#stored.size <= MAX_STORED_WINDOWS) break;
      this.#stored.delete(network);
    }
    this.#kv.put(STORAGE_KEY, [...this.#stored]);
  }
}
