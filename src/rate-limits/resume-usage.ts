import type { Database } from '../db/client.ts';
import { logFailure } from '../log.ts';
import { keysToLookAfter, markLookedAfter } from '../usage/repo.ts';
import { keyCounter } from './limit.ts';
import type { Meter } from './meter.ts';

/** How many counters one call asks at most. */
const MOST_COUNTERS = 50;

interface Counters {
  readonly db: Database;
  readonly meters: DurableObjectNamespace<Meter>;
}

/** Makes sure that the usage of some keys is on its way to the database. The next call goes on with others. */
export async function resumeUsage({ db, meters }: Counters): Promise<void> {
  const lookedAfter: string[] = [];
  for (const id of await keysToLookAfter(db, MOST_COUNTERS)) {
    try {
      const wasStuck = await meters.get(meters.idFromName(keyCounter(id))).resume();
      if (wasStuck) logFailure('usage_was_stuck', 'No alarm was set', { key_id: id });
      lookedAfter.push(id);
    } catch (error) {
      // The key comes first again the next time. The others must have their turn now.
      logFailure('usage_not_looked_after', error, { key_id: id });
    }
  }
  await markLookedAfter(db, lookedAfter);
}
