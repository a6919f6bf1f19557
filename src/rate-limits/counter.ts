import { BoundedMap } from '../bounded-map.ts';
import { Patience } from '../patience.ts';
import type { Use } from '../usage/usage.ts';

/** Where counters are, and how long whoever asks waits for what is outside. */
export interface Counters {
  readonly meters: Env['METER'];
  readonly patience: Patience;
}

type Counter = ReturnType<Env['METER']['get']>;

/** How long the counter may take to answer before a request goes through uncounted, milliseconds. */
const COUNTER_TIMEOUT_MS = 1000;

/** How long answered requests wait for a next request that takes them to their counter, milliseconds. */
const WAIT_MS = 250;

/** Requests that were answered and that their counter does not know of, by the name of the counter. */
const waiting = new BoundedMap<string, Use[]>(1000);

/**
 * Asks the counter of a key or an address something.
 *
 * @param ask is given the counter, and requests that it has to be told of
 * @throws Error where it does not answer in time, and what it throws
 */
export async function askCounter<T>(
  counters: Counters,
  name: string,
  ask: (counter: Counter, uses: readonly Use[]) => Promise<T>,
): Promise<T> {
  return tellCounter(counters, name, (counter) => ask(counter, takeWaiting(name)));
}

/**
 * Calls a method of the counter of a key or an address.
 *
 * @param most how long it may take, milliseconds
 * @throws Error where it does not answer in time, and what it throws
 */
export async function tellCounter<T>(
  { meters, patience }: Counters,
  name: string,
  call: (counter: Counter) => Promise<T>,
  most = COUNTER_TIMEOUT_MS,
): Promise<T> {
  return patience.within(most, async () => call(meters.get(meters.idFromName(name))));
}

/**
 * Records a request that was answered. The next request of the same key takes it to the counter, so that a busy key asks
 * its counter once per request. Where none comes soon, it is sent by itself.
 */
export async function recordUse(meters: Env['METER'], name: string, use: Use): Promise<void> {
  const others = waiting.get(name);
  if (others) {
    others.push(use);
    return;
  }
  waiting.set(name, [use]);
  await scheduler.wait(WAIT_MS);
  const uses = takeWaiting(name);
  if (uses.length > 0)
    await tellCounter({ meters, patience: new Patience('each') }, name, (counter) => counter.record(uses));
}

function takeWaiting(name: string): Use[] {
  const uses = waiting.get(name) ?? [];
  waiting.delete(name);
  return uses;
}
