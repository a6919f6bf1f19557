import type { Database } from '../db/client.ts';
import { condemnVersion, deletePortion, forgetVersion } from './repo/versions.ts';

/** How many statements may still delete features, for all that are purged with it. */
export interface Budget {
  portions: number;
}

/** About a million features: more than are deleted in the time that the platform gives. */
const PORTIONS = 200;

export function fullBudget(): Budget {
  return { portions: PORTIONS };
}

/**
 * Removes all that is stored of a version: its file, its features, and then itself; the sweep goes on where the budget
 * ends. Doing so again, or twice at once, changes nothing more; a version that a dataset shows stays.
 */
export async function purgeVersion(db: Database, bucket: R2Bucket, id: string, budget = fullBudget()): Promise<void> {
  const stored = await condemnVersion(db, id);
  if (!stored) return;
  const { key, multipartId } = stored;
  if (key !== null) {
    // One that was completed or aborted before is no longer there to abort.
    if (multipartId !== null)
      await bucket
        .resumeMultipartUpload(key, multipartId)
        .abort()
        .catch(() => undefined);
    await bucket.delete(key);
  }
  for (let more = true; more; ) {
    if (budget.portions === 0) return;
    budget.portions -= 1;
    more = await deletePortion(db, id);
  }
  await forgetVersion(db, id);
}
