import { connectionsTo, openBucket, WHICH_BUCKET, WHICH_S3, withBackups } from './backup/places.ts';
import { takeBackup } from './backup/take.ts';
import { runCommand, TEXT, WrongUse } from './command/command.ts';
import { withDatabaseUrl } from './command/database.ts';
import { findRunning } from './command/running.ts';

const USAGE = `Takes a backup of a service, its database and its bucket, as of one moment. The service goes on answering.

  npm run backup -- --to <destination> [--bucket <bucket>] [--keep <number>]

  --to      where backups are kept: a directory, or s3://bucket/prefix. What an earlier backup has is not stored again
  --bucket  ${WHICH_BUCKET}
  --keep    how many backups stay there, the newest ones, 1 to 999999; without it, and while the bucket lacks objects, all of them

The database is the one that DATABASE_URL names (postgres://…); without it that of \`npm run dev\` in DATA_DIR (.data). While an
embedded database is read, it answers no other requests. ${WHICH_S3}
npm run restore lists, verifies and restores backups.`;

const options = { to: TEXT, bucket: TEXT, keep: TEXT };
await runCommand({ usage: USAGE, options }, async ({ values, progress }) => {
  const { to = '', bucket: bucketName, keep } = values;
  if (to === '') throw new WrongUse('--to must be a directory or s3://bucket/prefix.');
  if (keep !== undefined && !/^[1-9]\d{0,5}$/.test(keep)) {
    throw new WrongUse(`--keep must be an integer from 1 to 999999 (got ${keep}).`);
  }
  const started = performance.now();
  let isWhole = true;
  const say = (sentence: string) => {
    progress.clear();
    console.log(sentence);
  };
  // Without DATABASE_URL the running `npm run dev` is asked, because it has its database open.
  const running = await findRunning();
  const url = process.env.DATABASE_URL ? undefined : running?.databaseUrl;
  await withBackups(to, async (backups, scratch) => {
    await backups.requirePlace();
    const bucket = await openBucket(bucketName, running);
    try {
      await backups.withLock(async () => {
        const { id, manifest, sent } = await withDatabaseUrl({ url }, (databaseUrl) =>
          takeBackup({
            bucket,
            backups,
            scratch,
            withConnection: connectionsTo(databaseUrl),
            onProgress: progress.update,
            onRetry: (reason) => say(`${reason}: the backup is taken anew.`),
          }),
        );
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        say(
          `Backup ${id}: ${rows} rows, ${manifest.objects.length} objects; ${(sent / 1e6).toFixed(1)} MB stored, ${seconds} s.`,
        );
        if (manifest.missing.length > 0) {
          isWhole = false;
          console.error(
            `The bucket lacks what the database names: ${manifest.missing.join(', ')}. No older backup is deleted, because one may have it.`,
          );
          return;
        }
        for (const old of keep === undefined ? [] : await backups.deleteAllBut(Number(keep))) say(`${old} is deleted.`);
      });
    } finally {
      await bucket.close();
    }
  });
  return isWhole ? 0 : 1;
});
