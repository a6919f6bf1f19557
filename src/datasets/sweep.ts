import type { ServiceContext } from '../context.ts';
import { logFailure } from '../log.ts';
import { type Budget, fullBudget, purgeVersion } from './purge.ts';
import { unusedVersions } from './repo/versions.ts';

/** How long what was replaced is kept for those who are reading it, and a purge is left alone, minutes. */
const RETIRED_MINUTES = 15;
/** How long after the last sign of life an upload is taken for dead, minutes. */
const STAGED_MINUTES = 60;
/** How many versions one sweep removes. */
const MOST = 50;

/**
 * Removes what is stored of datasets and nobody can see any more: what was replaced or deleted, and what uploads left
 * behind that never came to an end. What can't be removed keeps nothing else from it, and has its next turn last.
 *
 * @param input `now`: the moment by which age is told; `budget`: the most that one run deletes, the next one goes on
 * @throws Error when something could not be removed; the log has the causes
 */
export async function sweepVersions(
  { db, bucket }: Pick<ServiceContext, 'db' | 'bucket'>,
  { now, budget = fullBudget() }: { now: Date; budget?: Budget },
): Promise<void> {
  const ahead = Math.max(0, (now.getTime() - Date.now()) / 1000);
  const limits = { retiredMinutes: RETIRED_MINUTES, stagedMinutes: STAGED_MINUTES, ahead, limit: MOST };
  let failed = 0;
  for (const id of await unusedVersions(db, limits)) {
    if (budget.portions === 0) break;
    try {
      await purgeVersion(db, bucket, id, budget);
    } catch (error) {
      logFailure('purge', error, { version: id });
      failed += 1;
    }
  }
  if (failed > 0) throw new Error(`Versions could not be removed: ${failed}`);
}
