import type { Database } from '../db/client.ts';
import { purgeVersion } from './purge.ts';
import { unusedVersions } from './repo/versions.ts';

/** How long what was replaced is kept for those who are reading it, minutes. */
const RETIRED_MINUTES = 15;
/** How long after the last sign of life an upload is taken for dead, minutes. */
const STAGED_MINUTES = 60;
/** How many versions one sweep removes. */
const MOST = 50;

/**
 * Removes what is stored of datasets and nobody can see any more: what was replaced or deleted, and what uploads left
 * behind that never came to an end.
 *
 * @param now the moment by which age is told
 */
export async function sweepVersions(db: Database, bucket: R2Bucket, now: Date): Promise<void> {
  const ahead = Math.max(0, (now.getTime() - Date.now()) / 1000);
  const limits = { retiredMinutes: RETIRED_MINUTES, stagedMinutes: STAGED_MINUTES, ahead, limit: MOST };
  for (const id of await unusedVersions(db, limits)) await purgeVersion(db, bucket, id);
}
