import { Readable } from 'node:stream';
import { requireKnownMigrations } from '../database/migrate.ts';
import type { BackupContext } from './backups.ts';
import { findFilledTable, loadTables } from './load.ts';
import type { KeptObject, Manifest } from './manifest.ts';
import { isReplaceable } from './objects.ts';
import { spooled } from './spool.ts';
import { firstOf, type ListedObject } from './store.ts';

/** Objects that are sent at once. */
const AT_ONCE = 4;

/** The share of the progress that storing objects has; loading the database has the rest. */
const OBJECTS = 0.3;

export interface RestoreOptions extends BackupContext {
  /** Whether the data of the database and the bucket may be replaced. */
  readonly overwrite: boolean;
}

/**
 * Reads all of a backup before anything is touched.
 *
 * @throws Error if it is damaged, or of a newer version than this one
 */
export async function verifyBackup(
  manifest: Manifest,
  { backups, onProgress }: Pick<RestoreOptions, 'backups' | 'onProgress'>,
): Promise<void> {
  requireKnownMigrations(manifest.migrations, 'The backup');
  await backups.verify(manifest, (fraction) => onProgress(fraction, 'Verifying the backup'));
}

/**
 * Restores a verified backup, unless the database or the bucket has data that may not be replaced:
 *
 * 1. objects that never change are stored, which nothing reads yet;
 * 2. the database is replaced in one transaction;
 * 3. the objects that say what is served are stored, and objects that the backup doesn't have are deleted.
 *
 * So a restore that fails before the end of the second step leaves the service as it was. It is run again with `overwrite`: stored
 * objects are not sent again. Bytes are compared with their hashes once more while they are sent.
 *
 * @throws Error for people to read
 */
export async function restoreBackup(manifest: Manifest, input: RestoreOptions): Promise<void> {
  const { withConnection, bucket, backups, overwrite, onProgress } = input;
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
  await withConnection((client) =>
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

async function requireEmpty({ withConnection, bucket }: RestoreOptions): Promise<void> {
  const consent = '--overwrite replaces all that is there.';
  const table = await withConnection(findFilledTable);
  if (table !== undefined) throw new Error(`The database is not empty: ${table} has rows. ${consent}`);
  const object = await firstOf(bucket);
  if (object) throw new Error(`${bucket.name} is not empty: it has ${object.key}. ${consent}`);
}

async function putObject({ bucket, backups, scratch }: RestoreOptions, object: KeptObject): Promise<void> {
  const open = async () => [await backups.open(object)] as const;
  const contentType = object.content_type ?? undefined;
  await spooled(scratch, open, (file) => bucket.put(object.key, { ...file, contentType }));
}
