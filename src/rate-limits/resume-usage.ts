import type { Database } from '../db/client.ts';
import { logFailure } from '../log.ts';
import { listKeysToCheck, updateChecked } from '../usage/repo.ts';
import { keyCounter } from './limit.ts';

/** How many counters one call checks at most. */
const MAX_COUNTERS = 400;

interface Counters {
  readonly db: Database;
  readonly meters: Env['METER'];
}

/**
 * Asks the counters of some keys to send the usage that they hold to the database, if they are not about to. The next call
 * goes on with other keys.
 */
export async function resumeUsage({ db, meters }: Counters): Promise<void> {
  const checked: string[] = [];
  for (const { id, prefix } of await listKeysToCheck(db, MAX_COUNTERS)) {
    try {
      const wasStuck = await meters.get(meters.idFromName(keyCounter(prefix))).resume();
      if (wasStuck) logFailure('usage_was_stuck', 'No alarm was set', { key_id: id });
      checked.push(id);
    } catch (error) {
      // This key comes first again the next time. The others must have their turn now.
      logFailure('usage_not_looked_after', error, { key_id: id });
    }
  }
  await updateChecked(db, checked);
}
