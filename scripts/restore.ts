import type { Backups } from './backup/backups.ts';
import { blobsOf } from './backup/manifest.ts';
import { connectionsTo, openBucket, WHICH_BUCKET, WHICH_S3, withBackups } from './backup/places.ts';
import { restoreBackup, verifyBackup } from './backup/restore.ts';
import { FLAG, runCommand, TEXT, WrongUse } from './command/command.ts';
import { withDatabaseUrl } from './command/database.ts';
import { findRunning } from './command/running.ts';
import { withClient } from './database/client.ts';
import { migrate } from './database/migrate.ts';
import { limitStatements } from './database/statement-limit.ts';

const USAGE = `Restores a backup of a service into an empty database and an empty bucket. All of it is verified before anything is written.

  npm run restore -- --from <source> [--backup <id>] [--bucket <bucket>] [--overwrite]
  npm run restore -- --from <source> [--backup <id>] --verify
  npm run restore -- --from <source> --list

  --from       where backups are kept: a directory, or s3://bucket/prefix
  --backup     which one; the newest without it
  --bucket     ${WHICH_BUCKET}
  --overwrite  replace all that the database and the bucket have
  --verify     read all of the backup and compare it with its hashes; restore nothing
  --list       the backups that are there

The database is the one that DATABASE_URL names (postgres://…); without it the embedded one in DATA_DIR (.data), which
\`npm run dev\` must not have open. A backup of an older version is migrated. No service may use the database and the bucket
meanwhile. ${WHICH_S3}`;

const options = { from: TEXT, backup: TEXT, bucket: TEXT, overwrite: FLAG, verify: FLAG, list: FLAG };
await runCommand({ usage: USAGE, options }, async ({ values, progress }) => {
  const { from = '' } = values;
  if (from === '') throw new WrongUse('--from must be a directory or s3://bucket/prefix.');
  await withBackups(from, async (backups, scratch) => {
    if (values.list) return await list(backups);
    const { id, manifest } = await backups.get(values.backup);
    const started = performance.now();
    const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
    const running = values.verify ? undefined : await findRunning();
    const given = process.env.DATABASE_URL;
    if (running && (!given || given === running.databaseUrl)) {
      throw new Error('npm run dev runs on this database; stop it first.');
    }
    await verifyBackup(manifest, { backups, onProgress: progress.update });
    if (values.verify) {
      progress.clear();
      console.log(`${id} is as it was stored: ${blobsOf(manifest).length} files, ${seconds()}.`);
      return;
    }
    const bucket = await openBucket(values.bucket, undefined);
    try {
      await withDatabaseUrl({ create: !given }, async (url) => {
        const input = {
          backups,
          scratch,
          bucket,
          withConnection: connectionsTo(url),
          overwrite: values.overwrite ?? false,
        };
        await restoreBackup(manifest, { ...input, onProgress: progress.update });
        await migrate(url);
        if (given) await limitStatements(url, Number(process.env.REQUEST_WAIT_MS) || undefined);
        await withClient(url, (client) => client.query('analyze'));
      });
    } finally {
      await bucket.close();
    }
    progress.clear();
    console.log(`${id} is restored, ${seconds()}.`);
  });
});

async function list(backups: Backups): Promise<void> {
  const ids = await backups.list();
  if (ids.length === 0) throw new Error(`There is no backup in ${backups.store.name}.`);
  for (const id of ids) {
    const { manifest } = await backups.get(id);
    const bytes = blobsOf(manifest).reduce((sum, blob) => sum + blob.bytes, 0);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `${id}  version ${manifest.version}, ${rows} rows, ${manifest.objects.length} objects, ${(bytes / 1e6).toFixed(1)} MB`,
    );
  }
}
