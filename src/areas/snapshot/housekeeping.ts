import { ZodError } from 'zod';
import type { ServiceContext } from '../../context.ts';
import { DomainError } from '../../errors.ts';
import { logFailure } from '../../log.ts';
import type { Bucket } from '../../storage/bucket.ts';
import { findActiveVersion, listEditions, listVersions } from '../postgis/releases.ts';
import { EDITIONS_KEY, manifestKey, objectKey } from './layout.ts';
import { type EditionIndex, readActiveVersion } from './pointers.ts';
import { findManifest, setActiveVersion } from './publication.ts';
import { snapshotsIn } from './snapshots.ts';

type Stores = Pick<ServiceContext, 'db' | 'bucket' | 'config'>;

/** How old an object must be before it is deleted, milliseconds. */
const MIN_AGE_MS = 24 * 3_600_000;

/** How often the pointer is written where releases are activated one after another. */
const MAX_TRIES = 5;

/**
 * Serves what the database says is active: from its snapshot where it has one, else from PostGIS. The database is asked
 * again after the pointer was written, because somebody else may have activated another release and written it before.
 *
 * @param published a version that has a snapshot: it is served where the database has no active release yet, or, in
 *   development, cannot be reached, and nothing else is served
 * @returns the version that is served; undefined before the first load
 * @throws DomainError `database_unavailable`, `database_timeout` where no version is given
 */
export async function servePublished({ db, bucket, config }: Stores, published?: string): Promise<string | undefined> {
  let active: string | undefined;
  try {
    active = await serveActive({ db, bucket });
  } catch (error) {
    // Elsewhere another release may be the active one.
    const isFirst = published !== undefined && config.ENVIRONMENT === 'development';
    if (!isFirst || !(error instanceof DomainError)) throw error;
    logFailure('active_release_unknown', error, { published });
    // A database that is being made may have taken all of the time.
    bucket.deadline.renew();
  }
  if (active === undefined && published !== undefined) {
    const pointed = await readActiveVersion(bucket).catch((error) => {
      // A pointer that names no version is replaced.
      if (error instanceof ZodError) return null;
      throw error;
    });
    if (pointed === null) await setActiveVersion(bucket, published);
    active = (await readActiveVersion(bucket)) ?? undefined;
  }
  snapshotsIn(bucket).forget();
  return active;
}

async function serveActive({ db, bucket }: Omit<Stores, 'config'>): Promise<string | undefined> {
  let pointed: string | undefined;
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const version = await findActiveVersion(db);
    if (version === undefined || version === pointed) break;
    await setActiveVersion(bucket, version);
    pointed = version;
  }
  await publishEditions({ db, bucket });
  return pointed;
}

/** Names the release that answers for each edition, of those that are published. Written only where something changes. */
async function publishEditions({ db, bucket }: Omit<Stores, 'config'>): Promise<void> {
  const versions = await listVersions(db);
  const heads = await Promise.all(versions.map((version) => bucket.head(manifestKey(version))));
  const published = versions.filter((_, i) => heads[i] !== null);
  const editions = await listEditions(db, { versions: published });
  const named = editions
    .filter(({ version }) => published.includes(version))
    .map(({ id, active: _, ...edition }) => [id, edition] as const);
  const text = JSON.stringify({ editions: Object.fromEntries(named) } satisfies { editions: EditionIndex });
  // What can't be read is written anew.
  const known = await bucket.findJson(EDITIONS_KEY).catch(() => undefined);
  if (JSON.stringify(known) !== text) await bucket.put(EDITIONS_KEY, text);
}

/**
 * Deletes snapshots of loads that are neither in the database nor served, and what no manifest names: of a publication that broke
 * off, or of one before that of the same load. Nothing is deleted in its first day.
 */
export async function deleteOldSnapshots({ db, bucket }: Stores, { now }: { now: Date }): Promise<void> {
  const { delimitedPrefixes } = await bucket.list({ prefix: 'releases/', delimiter: '/' });
  // Read after the bucket: a version that was published in between is among those that are loaded.
  const served = await readActiveVersion(bucket);
  const loaded = new Set([...(await listVersions(db)), ...(served === null ? [] : [served])]);
  for (const prefix of delimitedPrefixes) {
    const version = prefix.slice('releases/'.length, -1);
    const { objects } = await bucket.list({ prefix });
    // Read after the objects: what a manifest names that was written in between is not deleted.
    const published = loaded.has(version) ? await publishedKeys(bucket, version) : new Set();
    const left = objects.filter(
      ({ key, uploaded }) => !published.has(key) && uploaded.getTime() < now.getTime() - MIN_AGE_MS,
    );
    if (left.length > 0) await bucket.delete(left.map(({ key }) => key));
  }
}

/** The keys of a version's manifest and of all that it names. */
async function publishedKeys(bucket: Bucket, version: string): Promise<Set<string>> {
  const manifest = await findManifest(bucket, version);
  return new Set([manifestKey(version), ...(manifest?.objects ?? []).map((object) => objectKey(version, object))]);
}
