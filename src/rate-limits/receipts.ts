import { BoundedMap } from '../bounded-map.ts';
import { steadyTime } from '../clock.ts';
import type { Receipt } from './durable-window.ts';
import { WINDOW_MS } from './sliding-window.ts';

interface Kept {
  readonly receipt: Receipt;
  /** By `steadyTime`. */
  readonly until: number;
}

/** By the name of what counts: requests of this instance that a counter let through and did not write. */
const kept = new BoundedMap<string, readonly Kept[]>(10_000);

/** What the next request tells the counter. */
export function receiptsOf(name: string): readonly Receipt[] {
  return currentOf(name).map(({ receipt }) => receipt);
}

export function keepReceipt(name: string, receipt: Receipt | undefined): void {
  if (receipt) kept.set(name, [...currentOf(name), { receipt, until: steadyTime() + WINDOW_MS }]);
}

function currentOf(name: string): readonly Kept[] {
  const now = steadyTime();
  return kept.get(name)?.filter(({ until }) => now < until) ?? [];
}
