import type { ServiceContext } from '../../context.ts';
import { findActiveVersion, listVersions } from '../postgis/releases.ts';
import { POINTER_KEY } from './layout.ts';
import { pointTo } from './publication.ts';

type Stores = Pick<ServiceContext, 'db' | 'bucket'>;

/** How old the newest object of a version that is not loaded any more must be before all of it is deleted, milliseconds. */
const LEFT_OVER_MS = 24 * 3_600_000;

/**
 * Points to what the database says is active, where the pointer says otherwise: a command may have activated a release
 * without the service.
 */
export async function servePublished({ db, bucket }: Stores): Promise<void> {
  const version = await findActiveVersion(db);
  const stored = await bucket.get(POINTER_KEY);
  const pointer = stored ? ((await stored.json()) as { version?: unknown }).version : undefined;
  if (version !== undefined && pointer !== version) await pointTo(bucket, version);
}

/** Deletes snapshots of loads that are no longer in the database, a day after they were published. */
export async function deleteOldSnapshots({ db, bucket }: Stores, { now }: { now: Date }): Promise<void> {
  const { delimitedPrefixes } = await bucket.list({ prefix: 'releases/', delimiter: '/' });
  // Read after the bucket: a version that was published in between is among those that are loaded.
  const loaded = new Set((await listVersions(db)).map((version) => `releases/${version}/`));
  for (const prefix of delimitedPrefixes) {
    if (loaded.has(prefix)) continue;
    const { objects } = await bucket.list({ prefix });
    const isOld = objects.every(({ uploaded }) => uploaded.getTime() < now.getTime() - LEFT_OVER_MS);
    if (isOld && objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
  }
}
