import type { ServiceContext } from '../context.ts';
import { logFailure } from '../log.ts';
import { fullBudget, type PurgeBudget, purgeVersion } from './purge.ts';
import { listUnusedVersions } from './repo/versions.ts';

/**
 * How long a replaced version stays for requests that still read it, and how long a purge that was begun is left alone,
 * minutes.
 */
const RETIRED_MINUTES = 15;
/** How long after its last sign of life an upload counts as dead, minutes. */
export const STAGED_MINUTES = 60;
/** How many versions one sweep removes at most. */
const MAX_VERSIONS = 50;

/**
 * Removes stored versions that nobody can see any more: those of datasets that were replaced or deleted, and those of
 * uploads that never ended. A version that can't be removed does not keep others from being removed, and comes last in
 * the next sweep.
 *
 * @param input `now`: the moment by which age is measured; `owner`: the id of the profile whose versions they are, everybody's
 * where it is left out; `budget`: the most that one run deletes; `retiredMinutes`: 0 where requests that read replaced versions may break off
 * @throws Error if versions could not be removed; the log has the causes
 */
export async function sweepVersions(
  ctx: Pick<ServiceContext, 'db' | 'bucket'>,
  {
    now,
    owner,
    budget = fullBudget(),
    retiredMinutes = RETIRED_MINUTES,
  }: { now: Date; owner?: string; budget?: PurgeBudget; retiredMinutes?: number },
): Promise<void> {
  const ahead = Math.max(0, (now.getTime() - Date.now()) / 1000);
  const limits = { retiredMinutes, stagedMinutes: STAGED_MINUTES, ahead, limit: MAX_VERSIONS, owner };
  let failed = 0;
  for (const versionId of await listUnusedVersions(ctx.db, limits)) {
    if (budget.batches === 0) break;
    try {
      await purgeVersion(ctx, { versionId, budget });
    } catch (error) {
      logFailure('purge', error, { version: versionId });
      failed += 1;
    }
  }
  if (failed > 0) throw new Error(`Versions could not be removed: ${failed}`);
}
