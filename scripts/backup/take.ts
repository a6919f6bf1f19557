import type pg from 'pg';
import packageJson from '../../package.json' with { type: 'json' };
import { listKnownMigrations } from '../database/migrate.ts';
import type { Backups } from './backups.ts';
import { dumpTables } from './dump.ts';
import type { Manifest } from './manifest.ts';
import { Changed, copyObjects, findNeeded, readPointers } from './objects.ts';
import type { FileToPut, Store } from './store.ts';

/** How often a backup is begun anew because something was deleted or activated meanwhile. */
const MAX_TRIES = 5;

export interface Taking {
  /** Calls with a new connection to the database. */
  readonly connected: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;
  readonly bucket: Store;
  readonly backups: Backups;
  /** A directory for files on their way. */
  readonly scratch: string;
  readonly onProgress: (fraction: number, label: string) => void;
  /** Called with the reason why the backup is begun again. */
  readonly onRepeat?: (reason: string) => void;
}

export interface Taken {
  readonly id: string;
  readonly manifest: Manifest;
  /** Bytes that the place did not have. */
  readonly sent: number;
}

/**
 * Takes a backup of a service that goes on answering, as of one moment:
 *
 * - The moment is that of one transaction of the database, which reads all tables (`repeatable read`).
 * - The service writes an object before the row that names it, under a key of its own, and never changes it. So all objects that the
 *   rows of the moment name are there when the transaction begins. They are copied after it; objects of later rows are not.
 * - The service deletes an object after the row that names it is gone or names another one. So where an object is missing, the
 *   database of now says why. Where its row is gone, the copies are of no one moment, and the backup is taken anew; what is copied
 *   is not copied again. Where the row still names it, the service itself lacks it: the backup says so in `missing`.
 * - The pointers, which say what is served, are replaced in place. They are read before the transaction and after it. Where they
 *   differ, a release was activated, and the backup is taken anew. A release's manifest may be replaced too; what is copied are
 *   the bytes that were read once, and what these name.
 *
 * The manifest of the backup is written last: a run that ends early leaves nothing that could be restored.
 *
 * @throws Error where the migrations of the database are others than those of this version, or it changes at each try
 */
export async function takeBackup(input: Taking): Promise<Taken> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await takeOnce(input);
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
      if (tries === MAX_TRIES) throw new Error(`${error.message}, and so at each of ${MAX_TRIES} tries.`);
      input.onRepeat?.(error.message);
    }
  }
}

async function takeOnce({ connected, bucket, backups, scratch, onProgress }: Taking): Promise<Taken> {
  const before = (await backups.list()).length > 0 ? (await backups.get()).manifest.objects : [];
  const pointers = await readPointers(bucket);
  let sent = 0;
  const add = async (file: FileToPut) => {
    sent += await backups.add(file);
  };
  const ofDatabase = await connected((client) =>
    inOneMoment(client, async () => {
      const { rows } = await client.query<{ now: Date }>('select now()');
      const migrations = await listKnownMigrations(client);
      const needed = await findNeeded(client);
      const progress = (fraction: number, label: string) => onProgress(fraction / 2, label);
      const dumped = await dumpTables(client, { scratch, add, onProgress: progress });
      return { createdAt: (rows[0] as { now: Date }).now, migrations, needed, dumped };
    }),
  );
  const { createdAt, migrations, needed, dumped } = ofDatabase;
  const {
    objects,
    missing,
    sent: copied,
  } = await copyObjects({
    ...{ bucket, backups, scratch, needed, pointers, before, now: connected },
    onProgress: (fraction, label) => onProgress(0.5 + fraction / 2, label),
  });
  const manifest: Manifest = {
    format: 1,
    created_at: createdAt.toISOString(),
    version: packageJson.version,
    migrations,
    ...dumped,
    objects,
    missing,
  };
  return { id: await backups.write(manifest), manifest, sent: sent + copied };
}

/** Every statement of `work` sees the database as the first one does. */
async function inOneMoment<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin transaction isolation level repeatable read, read only');
  try {
    // The connection is idle while a part is stored.
    await client.query('set local idle_in_transaction_session_timeout = 0');
    return await work();
  } finally {
    await client.query('rollback').catch(() => undefined);
  }
}
