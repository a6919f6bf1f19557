import type { Deadline } from '../deadline.ts';

/** Where counters are, and how long whoever asks waits for what is outside. */
export interface Counters {
  readonly meters: Env['METER'];
  readonly deadline: Deadline;
}

export type Counter = ReturnType<Env['METER']['get']>;

/** How long the counter may take to answer before a request goes through uncounted, milliseconds. */
const COUNTER_TIMEOUT_MS = 1000;

/**
 * Calls a method of the counter of a key or an address.
 *
 * @param timeout how long it may take with the usual deadline, milliseconds
 * @throws Error if it does not answer in time, and what it throws
 */
export async function callCounter<T>(
  { meters, deadline }: Counters,
  name: string,
  call: (counter: Counter) => Promise<T>,
  timeout = COUNTER_TIMEOUT_MS,
): Promise<T> {
  return deadline.within(deadline.scaled(timeout), async () => call(meters.get(meters.idFromName(name))));
}
