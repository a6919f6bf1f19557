import { BoundedMap } from '../bounded-map.ts';
import { steadyTime } from '../clock.ts';
import type { Receipt } from './durable-window.ts';
import { WINDOW_MS } from './sliding-window.ts';

interface Stored {
  readonly receipt: Receipt;
  /** By `steadyTime`. */
  readonly until: number;
}

/** By the name of what counts: requests of this instance that a counter let through and did not write. */
const stored = new BoundedMap<string, readonly Stored[]>(10_000);

/** What the next request reports to the counter. */
export function receiptsOf(name: string): readonly Receipt[] {
  return currentOf(name).map(({ receipt }) => receipt);
}

export function storeReceipt(name: string, receipt: Receipt | undefined): void {
  if (receipt) stored.set(name, [...currentOf(name), { receipt, until: steadyTime() + WINDOW_MS }]);
}

function currentOf(name: string): readonly Stored[] {
  const now = steadyTime();
  return stored.get(name)?.filter(({ until }) => now < until) ?? [];
}
