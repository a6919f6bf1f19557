import { parseArgs } from 'node:util';
import { findService, WHICH_SERVICE } from './command/service.ts';
import { readValues } from './command/values.ts';
import { sentenceOf } from './database/failure.ts';
import { deleteThrough, type ListedRelease, listThrough, toDelete } from './pipeline/release/prune.ts';

const USAGE = `Deletes releases that are no longer needed, the oldest first. The newest ones stay, and so do the active release, one that
answers for its edition or is the newest of it, and one that is being read.

  npm run geo:prune -- --keep <number> [--dry-run] [--to <address>]

  --keep     how many of the newest releases stay in any case, at least 1
  --dry-run  say which ones would be deleted, and delete nothing
  --to       ${WHICH_SERVICE}

The database has their room for other rows then; the bucket loses their objects in the next night.`;

interface Values {
  keep?: string;
  'dry-run'?: boolean;
  to?: string;
  help?: boolean;
}

function valuesFrom(args: string[]): Values & { count: number } {
  const options = {
    keep: { type: 'string' },
    'dry-run': { type: 'boolean' },
    to: { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ args, options });
  const count = /^[1-9]\d{0,5}$/.test(values.keep ?? '') ? Number(values.keep) : 0;
  if (count === 0 && !values.help) {
    throw new Error(
      `--keep must be an integer of at least 1${values.keep === undefined ? '' : ` (got ${values.keep})`}.`,
    );
  }
  return { ...values, count };
}

async function main(args: string[]): Promise<number> {
  const values = readValues(args, { usage: USAGE, read: valuesFrom });
  if (typeof values === 'number') return values;
  try {
    const endpoint = await findService(values.to);
    // What the bucket answers from only a service knows.
    if (!endpoint) throw new Error('No service runs on this database: start `npm run dev`, or give --to.');
    const releases = await listThrough(endpoint);
    const old = toDelete(releases, values.count);
    if (old.length === 0) console.log(`Nothing to delete: ${inWords(releases)}, all of them needed.`);
    for (const { id } of old) {
      if (values['dry-run']) console.log(`${id} would be deleted.`);
      else console.log((await deleteThrough(endpoint, id)) ?? `${id} is deleted.`);
    }
    return 0;
  } catch (error) {
    console.error(sentenceOf(error));
    return 1;
  }
}

function inWords({ length }: readonly ListedRelease[]): string {
  return length === 1 ? '1 release is loaded' : `${length} releases are loaded`;
}

process.exitCode = await main(process.argv.slice(2));
