import type pg from 'pg';
import packageJson from '../../package.json' with { type: 'json' };
import { listKnownMigrations } from '../database/migrate.ts';
import type { BackupContext } from './backups.ts';
import { dumpTables } from './dump.ts';
import type { Manifest } from './manifest.ts';
import { copyObjects, findNeeded, readPointers, ServiceChanged } from './objects.ts';
import type { FileToPut } from './store.ts';

/** How many times a backup is tried before it fails, because the service changed during each try. */
const MAX_TRIES = 5;

export interface BackupOptions extends BackupContext {
  /** Called with the reason before the backup is tried again. */
  readonly onRetry?: (reason: string) => void;
}

export interface BackupResult {
  readonly id: string;
  readonly manifest: Manifest;
  /** Bytes that the place did not have, those of failed tries included. */
  readonly sent: number;
}

/**
 * Takes a consistent backup of a running service.
 *
 * - All tables are read in one repeatable-read transaction.
 * - The service stores an object under a new key before it writes the row that names it, and never changes it. So all objects named
 *   in the transaction exist when it begins, and they are copied after it.
 * - The service deletes an object only after its row. If an object is missing, the current database decides: if its row is gone, the
 *   backup is tried again (stored bytes are reused); if the row still names it, the key is listed in `missing`.
 * - Pointers are replaced in place, so they are read before and after the transaction. If they differ, a release was activated, and
 *   the backup is tried again. A release's manifest may also be replaced; it is read once, and the objects that this text names are
 *   copied.
 *
 * The manifest of the backup is written last, so a run that fails leaves nothing that could be restored.
 *
 * @throws Error if the database has no migrations or some that this version doesn't know, or if the service changed during every try
 */
export async function takeBackup(input: BackupOptions): Promise<BackupResult> {
  let sent = 0;
  const add = async (file: FileToPut) => {
    // Files are added concurrently, and `sent += await …` would read `sent` before the wait.
    const bytes = await input.backups.add(file);
    sent += bytes;
  };
  for (let tries = 1; ; tries += 1) {
    try {
      const taken = await takeOnce(input, add);
      return { ...taken, sent };
    } catch (error) {
      if (!(error instanceof ServiceChanged)) throw error;
      if (tries === MAX_TRIES) {
        throw new Error(`The service changed during each of ${MAX_TRIES} tries. The last time: ${error.message}.`);
      }
      input.onRetry?.(error.message);
    }
  }
}

async function takeOnce(
  { withConnection, bucket, backups, scratch, onProgress }: BackupOptions,
  add: (file: FileToPut) => Promise<void>,
): Promise<Omit<BackupResult, 'sent'>> {
  const before = (await backups.list()).length > 0 ? (await backups.get()).manifest.objects : [];
  const pointers = await readPointers(bucket);
  const ofDatabase = await withConnection((client) =>
    inOneTransaction(client, async () => {
      const { rows } = await client.query<{ now: Date }>('select now()');
      const migrations = await listKnownMigrations(client);
      const needed = await findNeeded(client);
      const progress = (fraction: number, label: string) => onProgress(fraction / 2, label);
      const dumped = await dumpTables(client, { scratch, add, onProgress: progress });
      return { createdAt: (rows[0] as { now: Date }).now, migrations, needed, dumped };
    }),
  );
  const { createdAt, migrations, needed, dumped } = ofDatabase;
  const copied = await copyObjects({
    bucket,
    backups,
    scratch,
    needed,
    pointers,
    before,
    withConnection,
    add,
    onProgress: (fraction, label) => onProgress(0.5 + fraction / 2, label),
  });
  const manifest: Manifest = {
    format: 1,
    created_at: createdAt.toISOString(),
    version: packageJson.version,
    migrations,
    ...dumped,
    ...copied,
  };
  return { id: await backups.write(manifest), manifest };
}

/** Every statement of `work` sees the database as the first one does. */
async function inOneTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin transaction isolation level repeatable read, read only');
  try {
    // The connection is idle while a part is stored.
    await client.query('set local idle_in_transaction_session_timeout = 0');
    return await work();
  } finally {
    await client.query('rollback').catch(() => undefined);
  }
}
