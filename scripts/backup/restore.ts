import { Readable } from 'node:stream';
import type pg from 'pg';
import { requireKnownMigrations } from '../database/migrate.ts';
import type { Backups } from './backups.ts';
import { findFilledTable, loadTables } from './load.ts';
import type { KeptObject, Manifest } from './manifest.ts';
import { isReplaceable } from './objects.ts';
import { spooled } from './spool.ts';
import { firstOf, type ListedObject, type Store } from './store.ts';

/** How many objects are sent at once. */
const AT_ONCE = 4;

/** What share of the work is done when the objects are stored, and all of it when the database is. */
const OBJECTS = 0.3;

export interface Restoring {
  /** Calls with a new connection to the database. */
  readonly connected: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;
  readonly bucket: Store;
  readonly backups: Backups;
  readonly scratch: string;
  /** Whether what is there may be replaced. */
  readonly overwrite: boolean;
  readonly onProgress: (fraction: number, label: string) => void;
}

/**
 * Reads all of a backup before anything is touched.
 *
 * @throws Error where it is damaged, or of a newer version than this one
 */
export async function verifyBackup(
  manifest: Manifest,
  { backups, onProgress }: Pick<Restoring, 'backups' | 'onProgress'>,
): Promise<void> {
  requireKnownMigrations(manifest.migrations, 'The backup');
  await backups.verify(manifest, (fraction) => onProgress(fraction, 'Verifying the backup'));
}

/**
 * Puts a backup that was verified in place. Nothing is touched where the database or the bucket has anything, unless that may be
 * replaced. Then
 *
 * 1. objects that never change are stored, which nothing reads yet;
 * 2. the database is replaced in one transaction;
 * 3. the objects that say what is served are stored, and objects that the backup has not are deleted.
 *
 * So what breaks off before the second step is done leaves a service as it was. A restore that broke off is run again, with
 * `overwrite`: objects that are there are not sent again. Bytes are compared with their hashes once more on their way.
 *
 * @throws Error for people to read
 */
export async function restoreBackup(manifest: Manifest, input: Restoring): Promise<void> {
  const { connected, bucket, backups, overwrite, onProgress } = input;
  if (!overwrite) await requireEmpty(input);
  const listed = new Map<string, ListedObject>();
  for await (const object of bucket.list('')) listed.set(object.key, object);
  const fixed = manifest.objects.filter(({ key }) => !isReplaceable(key));
  const pointing = manifest.objects.filter(({ key }) => isReplaceable(key));
  const isThere = ({ key, etag, bytes }: KeptObject) =>
    etag !== '' && listed.get(key)?.etag === etag && listed.get(key)?.bytes === bytes;
  const toSend = fixed.filter((object) => !isThere(object));
  let sent = 0;
  await Readable.from(toSend).forEach(
    async (object: KeptObject) => {
      await putObject(input, object);
      onProgress((++sent / toSend.length) * OBJECTS, 'Storing objects');
    },
    { concurrency: AT_ONCE },
  );
  await connected((client) =>
    loadTables(client, manifest, {
      open: (part) => backups.open(part),
      onProgress: (fraction, label) => onProgress(OBJECTS + fraction * (1 - OBJECTS), label),
    }),
  );
  // The manifests of releases come before the pointers that lead to them.
  for (const object of pointing.sort((a, b) => b.key.length - a.key.length)) await putObject(input, object);
  const kept = new Set(manifest.objects.map(({ key }) => key));
  await bucket.delete([...listed.keys()].filter((key) => !kept.has(key)));
}

async function requireEmpty({ connected, bucket }: Restoring): Promise<void> {
  const consent = '--overwrite replaces all that is there.';
  const table = await connected(findFilledTable);
  if (table !== undefined) throw new Error(`The database is not empty: ${table} has rows. ${consent}`);
  const object = await firstOf(bucket);
  if (object) throw new Error(`${bucket.name} is not empty: it has ${object.key}. ${consent}`);
}

async function putObject({ bucket, backups, scratch }: Restoring, object: KeptObject): Promise<void> {
  const open = async () => [await backups.open(object)] as const;
  const contentType = object.content_type ?? undefined;
  await spooled(scratch, open, (file) => bucket.put(object.key, { ...file, contentType }));
}
