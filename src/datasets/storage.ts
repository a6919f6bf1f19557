import type { AppContext } from '../context.ts';

/** Where files of datasets are kept. */
export function bucketOf(c: AppContext): R2Bucket {
  return c.env.FILES as R2Bucket;
}

/** The key of the file of a version, which nothing that a client says is part of. */
export function storageKeyOf(versionId: string): string {
  return `datasets/${versionId}`;
}
