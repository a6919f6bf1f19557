import type { ServiceContext } from '../../context.ts';
import { findActiveVersion, listVersions } from '../postgis/releases.ts';
import { snapshotsIn } from './active.ts';
import { pointTo } from './publication.ts';

type Stores = Pick<ServiceContext, 'db' | 'bucket'>;

/** How old the newest object of a version that is not loaded any more must be before all of it is deleted, milliseconds. */
const LEFT_OVER_MS = 24 * 3_600_000;

/** How often the pointer is written where releases are activated one after another. */
const ATTEMPTS = 5;

/**
 * Serves what the database says is active: from its snapshot where it has one, else from PostGIS. The database is asked
 * again after the pointer was written, because somebody else may have activated another release and written it before.
 *
 * @returns the version that is served; undefined before the first load
 */
export async function servePublished({ db, bucket }: Stores): Promise<string | undefined> {
  let pointed: string | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const version = await findActiveVersion(db);
    if (version === undefined || version === pointed) break;
    await pointTo(bucket, version);
    pointed = version;
  }
  snapshotsIn(bucket).forget();
  return pointed;
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
