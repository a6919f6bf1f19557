import type { ServiceContext } from '../../context.ts';
import { loadOf } from '../../db/releases.ts';
import type { Bucket } from '../../storage/bucket.ts';
import { findActiveVersion, listEditions, listVersions } from '../postgis/releases.ts';
import { snapshotsIn } from './active.ts';
import { EDITIONS_KEY, manifestKey, objectKey } from './layout.ts';
import { findManifest, pointTo } from './publication.ts';

type Stores = Pick<ServiceContext, 'db' | 'bucket'>;

/** How old an object must be before it is deleted, milliseconds. */
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
  await publishEditions({ db, bucket });
  snapshotsIn(bucket).forget();
  return pointed;
}

/**
 * Names the version that answers for each edition, of those that are published. A load that was revised answers from its
 * earlier snapshot until it is published again. Written only where something changes.
 */
async function publishEditions({ db, bucket }: Stores): Promise<void> {
  const versions = await listVersions(db);
  // What can't be read is written anew.
  const known = await bucket.findJson(EDITIONS_KEY).catch(() => undefined);
  const before = versionsIn(known);
  const snapshots = new Map<string, string>();
  await Promise.all(
    versions.map(async (version) => {
      const earlier = before.filter((it) => it !== version && loadOf(it) === loadOf(version));
      for (const candidate of [version, ...earlier]) {
        if ((await bucket.head(manifestKey(candidate))) === null) continue;
        snapshots.set(version, candidate);
        return;
      }
    }),
  );
  const editions = await listEditions(db, { versions: [...snapshots.keys()] });
  const named = editions.flatMap(({ id, release, version }) => {
    const snapshot = snapshots.get(version);
    return snapshot === undefined ? [] : [[id, { release, version: snapshot }] as const];
  });
  const text = JSON.stringify({ editions: Object.fromEntries(named) });
  if (JSON.stringify(known) !== text) await bucket.put(EDITIONS_KEY, text);
}

/** The versions that an index of editions names. */
function versionsIn(index: unknown): string[] {
  const { editions } = (index ?? {}) as { editions?: Record<string, { version?: unknown } | null> };
  return Object.values(editions ?? {}).flatMap((it) => (typeof it?.version === 'string' ? [it.version] : []));
}

/**
 * Deletes snapshots of loads that are no longer in the database, and what no manifest names: of a publication that broke
 * off, or of one before that of the same load. Nothing is deleted in its first day.
 */
export async function deleteOldSnapshots({ db, bucket }: Stores, { now }: { now: Date }): Promise<void> {
  const { delimitedPrefixes } = await bucket.list({ prefix: 'releases/', delimiter: '/' });
  // Read after the bucket: a version that was published in between is among those that are loaded.
  const loaded = new Set((await listVersions(db)).map(loadOf));
  for (const prefix of delimitedPrefixes) {
    const version = prefix.slice('releases/'.length, -1);
    const { objects } = await bucket.list({ prefix });
    // Read after the objects: what a manifest names that was written in between is not deleted.
    const kept = loaded.has(loadOf(version)) ? await publishedKeys(bucket, version) : new Set();
    const left = objects.filter(
      ({ key, uploaded }) => !kept.has(key) && uploaded.getTime() < now.getTime() - LEFT_OVER_MS,
    );
    if (left.length > 0) await bucket.delete(left.map(({ key }) => key));
  }
}

/** The keys of a version's manifest and of all that it names. */
async function publishedKeys(bucket: Bucket, version: string): Promise<Set<string>> {
  const manifest = await findManifest(bucket, version);
  return new Set([manifestKey(version), ...(manifest?.objects ?? []).map((object) => objectKey(version, object))]);
}
