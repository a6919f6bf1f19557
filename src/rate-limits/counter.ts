import { BoundedMap } from '../bounded-map.ts';
import type { Use } from '../usage/usage.ts';

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
  meters: Env['METER'],
  name: string,
  ask: (counter: Counter, uses: readonly Use[]) => Promise<T>,
): Promise<T> {
  return tellCounter(meters, name, (counter) => ask(counter, takeWaiting(name)));
}

/**
 * Calls a method of the counter of a key or an address.
 *
 * @param patience how long it may take, milliseconds
 * @throws Error where it does not answer in time, and what it throws
 */
export async function tellCounter<T>(
  meters: Env['METER'],
  name: string,
  call: (counter: Counter) => Promise<T>,
  patience = COUNTER_TIMEOUT_MS,
): Promise<T> {
  const late = Symbol();
  const timeout = scheduler.wait(patience).then((): typeof late => late);
  const answer = await Promise.race([call(meters.get(meters.idFromName(name))), timeout]);
  if (answer === late) throw new Error(`The counter did not answer in ${patience} ms`);
  return answer as T;
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
  if (uses.length > 0) await tellCounter(meters, name, (counter) => counter.record(uses));
}

function takeWaiting(name: string): Use[] {
  const uses = waiting.get(name) ?? [];
  waiting.delete(name);
  return uses;
}
