import type { Database } from '../db/client.ts';
import type { Bindings } from '../env.ts';
import { logFailure } from '../log.ts';
import { keysToLookAfter, markLookedAfter } from '../usage/repo.ts';
import { keyCounter } from './limit.ts';
import type { Meter } from './meter.ts';

/** How many counters one call asks at most. */
const MOST_COUNTERS = 50;

/** Looks after the usage of some keys, one after another, so that none waits for ever to be saved. */
export async function resumeUsage(db: Database, env: Bindings): Promise<void> {
  const meters = env.METER as DurableObjectNamespace<Meter>;
  const lookedAfter: string[] = [];
  for (const id of await keysToLookAfter(db, MOST_COUNTERS)) {
    try {
      const forgotten = await meters.get(meters.idFromName(keyCounter(id))).resume();
      if (forgotten) logFailure('usage_was_stuck', 'No alarm was set', { key_id: id });
      lookedAfter.push(id);
    } catch (error) {
      // It comes first again the next time, and must not keep the others from their turn.
      logFailure('usage_not_looked_after', error, { key_id: id });
    }
  }
  await markLookedAfter(db, lookedAfter);
}
