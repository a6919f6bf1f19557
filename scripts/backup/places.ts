import { join, resolve } from 'node:path';
import type pg from 'pg';
import { dataDirectory, ROOT } from '../command/root.ts';
import type { Running } from '../command/running.ts';
import { withScratch } from '../command/scratch.ts';
import { withClient } from '../database/client.ts';
import { stateDirectory } from '../dev/state.ts';
import { Backups } from './backups.ts';
import { directoryStore } from './directory.ts';
import { accountOf, s3Store } from './s3.ts';
import type { Store } from './store.ts';

/** A part of the usage texts of the commands that call `openBucket`. */
export const WHICH_BUCKET = `the bucket of the service, as s3://bucket; or local: the one of \`npm run dev\` in DATA_DIR (.data). local is the
              default if DATABASE_URL is not set`;

/** A part of the usage texts of the commands that call `withBackups`. */
export const WHICH_S3 = `s3:// is reached with AWS_ENDPOINT_URL (that of Amazon without it), AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. For a
bucket of the service that is elsewhere, the same names after BUCKET_, such as BUCKET_AWS_ACCESS_KEY_ID.`;

/**
 * The bucket of the service.
 *
 * @param bucketName the value of `--bucket`
 * @param running a service of `npm run dev` on DATA_DIR
 * @throws Error if DATABASE_URL is set without a bucket, or `bucketName` is neither s3:// nor local
 */
export async function openBucket(bucketName: string | undefined, running: Running | undefined): Promise<Store> {
  const { DATABASE_URL: given } = process.env;
  if (bucketName?.startsWith('s3://')) return s3Store(bucketName, accountOf(process.env, 'BUCKET_'));
  if (bucketName !== undefined && bucketName !== 'local') {
    throw new Error(`--bucket must be s3://bucket or local (got ${bucketName}).`);
  }
  if (bucketName === undefined && given && given !== running?.databaseUrl) {
    throw new Error('DATABASE_URL is set, so --bucket must name the bucket of the same service: s3://bucket or local.');
  }
  // These modules take seconds to load, which not every run needs.
  const { unstable_readConfig: readConfig } = await import('wrangler');
  const { openLocalBucket } = await import('./local-bucket.ts');
  const { r2_buckets: buckets } = readConfig({ config: join(ROOT, 'wrangler.toml') }, { hideWarnings: true });
  const name = buckets.find((bucket: { binding: string }) => bucket.binding === 'FILES')?.bucket_name;
  if (name === undefined) throw new Error('wrangler.toml has no bucket FILES.');
  return openLocalBucket(await stateDirectory(ROOT, dataDirectory()), name);
}

/**
 * Calls `work` with the backups of a destination, and a directory for temporary files.
 *
 * @param destination a directory or `s3://…`
 */
export function withBackups<T>(
  destination: string,
  work: (backups: Backups, scratch: string) => Promise<T>,
): Promise<T> {
  return withScratch(async (scratch) => {
    const isS3 = destination.startsWith('s3://');
    const store = isS3 ? s3Store(destination, accountOf(process.env)) : directoryStore(resolve(destination));
    try {
      return await work(new Backups(store, scratch), scratch);
    } finally {
      await store.close();
    }
  });
}

/** @returns a function that calls `work` with a new connection to a database */
export function connectionsTo(url: string) {
  return <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => withClient(url, work);
}
