import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withClient } from '../../scripts/database/client.ts';
import { openEmbedded } from '../../scripts/database/embedded.ts';
import { publishSnapshot } from '../../scripts/pipeline/snapshot/publish.ts';
import { cachedDirectory, copyDirectory, WHOLE_SERVICE } from './cached-directory.ts';
import type { TestDatabase } from './database.ts';
import { NEWEST } from './editions.ts';
import { type LocalService, startLocalService } from './local-service.ts';
import { seededOnce } from './seeded.ts';

/** A service on a database of its own, with the release of the database and its files in its bucket. */
export interface PublishedService extends LocalService {
  database: TestDatabase;
}

/** Starts the service on a data directory, which is created. */
export async function startPublishedService(dataDir: string): Promise<PublishedService> {
  await copyDirectory(await publishedOnce(), dataDir);
  const database = await openIn(dataDir);
  // All tests have one address, and what they ask without a key is not what they are about.
  const service = await startLocalService(database, dataDir, { FREE_TIER_RPM: '1000' });
  const stop = async () => {
    await service.stop();
    await database.close();
  };
  return { ...service, database, stop };
}

/**
 * Creates the data directory that others are copied from, unless it is cached. It is as that of `npm run dev`: `database` is
 * seeded, and `worker` has the bucket, to which its release is published. Returns its path.
 */
export function publishedOnce(): Promise<string> {
  return cachedDirectory('published', WHOLE_SERVICE, publishIn);
}

async function publishIn(directory: string): Promise<void> {
  await copyDirectory(await seededOnce(), join(directory, 'database'));
  const [made, scratch] = [join(directory, 'data'), join(directory, 'scratch')];
  await mkdir(scratch);
  const database = await openIn(directory);
  try {
    const { address, masterToken, stop } = await startLocalService(database, made);
    try {
      const endpoint = { address, masterToken };
      const options = { releaseId: `${NEWEST}-1`, endpoint, onlyMissing: true, onProgress: () => undefined };
      await withClient(database.url, (client) => publishSnapshot(client, scratch, options));
    } finally {
      await stop();
    }
  } finally {
    await database.close();
  }
  await rename(join(made, 'worker'), join(directory, 'worker'));
  await rm(made, { recursive: true });
  await rm(scratch, { recursive: true });
}

async function openIn(dataDir: string): Promise<TestDatabase> {
  return { ...(await openEmbedded(join(dataDir, 'database'))), singleSession: true };
}
