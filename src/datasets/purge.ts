import type { Database } from '../db/client.ts';
import { deletePortion, forgetVersion, retireVersion } from './repo/versions.ts';

/**
 * Removes all that is stored of a version: its file, its features, and then itself. Doing so again, or twice at once,
 * changes nothing more; a version that a dataset shows stays.
 */
export async function purgeVersion(db: Database, bucket: R2Bucket, id: string): Promise<void> {
  const stored = await retireVersion(db, id);
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
  while (await deletePortion(db, id));
  await forgetVersion(db, id);
}
