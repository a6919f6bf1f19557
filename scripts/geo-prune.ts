import { FLAG, runCommand, TEXT, WrongUse } from './command/command.ts';
import { findService, WHICH_SERVICE } from './command/service.ts';
import { deleteThrough, type ListedRelease, listThrough, toDelete } from './pipeline/release/prune.ts';

const USAGE = `Deletes releases that are no longer needed, the oldest first. The newest ones stay, and so do the active release, one that
answers for its edition or is the newest of it, and one that is being read.

  npm run geo:prune -- --keep <number> [--dry-run] [--to <address>]

  --keep     how many of the newest releases stay in any case, at least 1
  --dry-run  say which ones would be deleted, and delete nothing
  --to       ${WHICH_SERVICE}

The database has their room for other rows then; the bucket loses their objects in the next night.`;

const options = { keep: TEXT, 'dry-run': FLAG, to: TEXT };
await runCommand({ usage: USAGE, options }, async ({ values }) => {
  const { keep = '' } = values;
  if (!/^[1-9]\d{0,5}$/.test(keep)) {
    throw new WrongUse(`--keep must be an integer of at least 1${values.keep === undefined ? '' : ` (got ${keep})`}.`);
  }
  const endpoint = await findService(values.to);
  // What the bucket answers from only a service knows.
  if (!endpoint) throw new Error('No service runs on this database: start `npm run dev`, or give --to.');
  const releases = await listThrough(endpoint);
  const old = toDelete(releases, Number(keep));
  if (old.length === 0) console.log(`Nothing to delete: ${inWords(releases)}, all of them needed.`);
  for (const { id } of old) {
    if (values['dry-run']) console.log(`${id} would be deleted.`);
    else console.log((await deleteThrough(endpoint, id)) ?? `${id} is deleted.`);
  }
});

function inWords({ length }: readonly ListedRelease[]): string {
  return length === 1 ? '1 release is loaded' : `${length} releases are loaded`;
}
