import type { AppContext } from '../http/context.ts';

/** Where files of datasets are kept. */
export function bucketOf(c: AppContext): R2Bucket {
  return c.env.FILES as R2Bucket;
}

/** The key of a version's file. Nothing that a client says is part of it. */
export function storageKeyOf(datasetId: string, versionId: string): string {
  return `datasets/${datasetId}/${versionId}`;
}
