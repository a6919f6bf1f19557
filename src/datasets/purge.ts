import type { ServiceContext } from '../context.ts';
import { deleteFeatureBatch, deletePurgedVersion, markVersionPurging } from './repo/versions.ts';

/** How many statements may still delete features. Several purges can share one budget. */
export interface PurgeBudget {
  batches: number;
}

/** Enough for about a million features: more than the platform gives time to delete. */
const MAX_BATCHES = 200;

export function fullBudget(): PurgeBudget {
  return { batches: MAX_BATCHES };
}

interface PurgeInput {
  readonly versionId: string;
  readonly budget?: PurgeBudget;
  /** Whether a write of its file may still land. The row is kept then, so that the sweep removes the file again. */
  readonly isWriting?: boolean;
}

/**
 * Removes everything that is stored of a version: its file, its features, and then its row. Where the budget ends first,
 * the sweep removes the rest. It is safe to purge a version again, or twice at the same time. A version that a dataset
 * shows is not purged.
 */
export async function purgeVersion(
  { db, bucket }: Pick<ServiceContext, 'db' | 'bucket'>,
  { versionId, budget = fullBudget(), isWriting = false }: PurgeInput,
): Promise<void> {
  const stored = await markVersionPurging(db, { versionId });
  if (!stored) return;
  const { key, multipartId } = stored;
  if (key !== null) {
    if (multipartId !== null) {
      // Aborting fails where the upload was completed or aborted before. There is nothing left to remove of it then.
      await bucket.abortParts(key, multipartId).catch(() => undefined);
    }
    await bucket.delete(key);
  }
  for (let more = true; more; ) {
    if (budget.batches === 0) return;
    budget.batches -= 1;
    more = await deleteFeatureBatch(db, { versionId });
  }
  if (!isWriting) await deletePurgedVersion(db, { versionId });
}
