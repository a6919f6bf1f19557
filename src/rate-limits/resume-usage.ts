import type { Database } from '../db/client.ts';
import type { Bindings } from '../env.ts';
import { logFailure } from '../http/log.ts';
import { keyCounter } from './limit.ts';
import type { Meter } from './meter.ts';
import { someKeysInUse } from './repo.ts';

/** How many counters one call asks at most. */
const MOST_COUNTERS = 50;

/** Looks after the usage of some keys that are in use, so that none waits for ever to be saved. */
export async function resumeUsage(db: Database, env: Bindings): Promise<void> {
  const meters = env.METER as DurableObjectNamespace<Meter>;
  for (const id of await someKeysInUse(db, MOST_COUNTERS)) {
    const forgotten = await meters.get(meters.idFromName(keyCounter(id))).resume();
    if (forgotten) logFailure('usage_was_stuck', 'No alarm was set', { key_id: id });
  }
}
