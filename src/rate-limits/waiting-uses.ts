import { BoundedMap } from '../bounded-map.ts';
import { steadyTime } from '../clock.ts';
import { Deadline } from '../deadline.ts';
import { type KeyUse, type Use, UseSums } from '../usage/usage.ts';
import { tellCounter } from './counter.ts';

/** How long answered requests wait at least for a next request that takes them along, milliseconds. */
const LEAST_WAIT_MS = 250;

/** The same at most. The platform ends what goes on after an answer 30 seconds after it. */
const MAX_WAIT_MS = 25_000;

/** A next request takes them along where there are so many, or where the first is so old, milliseconds. */
const ENOUGH = 100;
const OLD_MS = 300_000;

/** How much that was not confirmed is kept: a counter that is away for long loses the oldest. */
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
  // It becomes the newest: that of the longest pause makes room for another.
  paces.set(name, pace);
  const pause = now - pace.lastAt;
  pace.lastAt = now;
  const usedAt = Date.now();
  pace.waiting ??= { keyId, sums: new UseSums(), lastUsedAt: usedAt, since: now };
  pace.waiting.lastUsedAt = usedAt;
  pace.waiting.sums.add({ ...use, day: new Date(usedAt).toISOString().slice(0, 10), requests: 1 });
  // Nobody may come again for a key that was not used for long.
  await scheduler.wait(pause > MAX_WAIT_MS ? LEAST_WAIT_MS : Math.max(LEAST_WAIT_MS, Math.min(2 * pause, MAX_WAIT_MS)));
  if (pace.lastAt !== now) return;
  const uses = takeAll(pace);
  if (uses.length === 0) return;
  try {
    await tellCounter({ meters, deadline: new Deadline('each') }, name, async (counter) => counter.record(uses));
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
  return sums.requests >= ENOUGH || steadyTime() - since >= OLD_MS ? takeAll(pace) : [];
}

/** Keeps what a counter did not confirm. */
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
