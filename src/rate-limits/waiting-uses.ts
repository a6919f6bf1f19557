import { BoundedMap } from '../bounded-map.ts';
import { steadyTime } from '../clock.ts';
import { Deadline } from '../deadline.ts';
import { type KeyUse, type Use, UseSums } from '../usage/usage.ts';
import { callCounter } from './counter.ts';

/** The shortest time that answered requests wait for a next request that takes them along, milliseconds. */
const MIN_WAIT_MS = 250;

/** The longest such time. The platform ends what goes on after an answer 30 seconds after it. */
const MAX_WAIT_MS = 25_000;

/** A next request takes them along from this number on, or from this age of the first on, milliseconds. */
const FLUSH_REQUESTS = 100;
const FLUSH_AGE_MS = 300_000;

/** How many unconfirmed entries are sent again: a counter that does not answer for long loses the oldest. */
const MAX_SENT = 20;

interface Pace {
  /** What waits, in the order in which it was used. The last may still get more. */
  waiting: Waiting | undefined;
  /** What a counter did not confirm, which may have it. It is sent again as it was. */
  unconfirmed: KeyUse[];
  /** When the key was used last, by `steadyTime`. */
  lastAt: number;
}

interface Waiting {
  readonly keyId: string;
  readonly sums: UseSums;
  lastUsedAt: number;
  /** By `steadyTime`. */
  readonly since: number;
}

/** Requests that were answered and that their counter does not know of, by the name of the counter. */
const paces = new BoundedMap<string, Pace>(1000);

/**
 * Records a request that was answered. Later requests of the same key take it to the counter, many at once, so that a busy key
 * and a slow one both cost a fraction of a write for each. Where no request follows within twice the time that the key has
 * paused before, what waits is sent by itself.
 */
export async function recordUse(
  meters: Env['METER'],
  name: string,
  { keyId, ...use }: Omit<Use, 'requests' | 'day'> & { keyId: string },
): Promise<void> {
  const now = steadyTime();
  const pace = paces.get(name) ?? { waiting: undefined, unconfirmed: [], lastAt: Number.NEGATIVE_INFINITY };
  // It becomes the newest, so that the map evicts the one that was used longest ago.
  paces.set(name, pace);
  const pause = now - pace.lastAt;
  pace.lastAt = now;
  const usedAt = Date.now();
  pace.waiting ??= { keyId, sums: new UseSums(), lastUsedAt: usedAt, since: now };
  pace.waiting.lastUsedAt = usedAt;
  pace.waiting.sums.add({ ...use, day: new Date(usedAt).toISOString().slice(0, 10), requests: 1 });
  // Nobody may come again for a key that was not used for long.
  await scheduler.wait(pause > MAX_WAIT_MS ? MIN_WAIT_MS : Math.max(MIN_WAIT_MS, Math.min(2 * pause, MAX_WAIT_MS)));
  if (pace.lastAt !== now) return;
  const uses = takeAll(pace);
  if (uses.length === 0) return;
  try {
    await callCounter({ meters, deadline: new Deadline('each') }, name, async (counter) => counter.record(uses));
  } catch (error) {
    pace.unconfirmed.push(...uses);
    throw error;
  }
}

/** What a request takes along to its counter: nothing where it should wait for more. */
export function takeUses(name: string): readonly KeyUse[] {
  const pace = paces.get(name);
  if (!pace?.waiting) return [];
  const { sums, since } = pace.waiting;
  return sums.requests >= FLUSH_REQUESTS || steadyTime() - since >= FLUSH_AGE_MS ? takeAll(pace) : [];
}

/** Stores what a counter did not confirm, to be sent again. */
export function returnUses(name: string, uses: readonly KeyUse[]): void {
  paces.get(name)?.unconfirmed.push(...uses);
}

function takeAll(pace: Pace): readonly KeyUse[] {
  const { waiting, unconfirmed } = pace;
  pace.waiting = undefined;
  pace.unconfirmed = [];
  if (!waiting) return unconfirmed;
  const { keyId, sums, lastUsedAt } = waiting;
  return [...unconfirmed, { id: crypto.randomUUID().slice(-12), keyId, lastUsedAt, uses: sums.uses }].slice(-MAX_SENT);
}
