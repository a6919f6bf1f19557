import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { WHICH_DATABASE, withDatabase } from './command/database.ts';
import { progressOn } from './command/progress.ts';
import { findRunning } from './command/running.ts';
import { withScratch } from './command/scratch.ts';
import { sentenceOf } from './database/failure.ts';
import { endpointOf } from './pipeline/service.ts';
import { TILE_LEVELS, type TileLevel } from './pipeline/tiles/levels.ts';
import { publishTiles } from './pipeline/tiles/publish.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The levels that are made by default. Barangays are left out, because they take minutes. */
const DEFAULT_LEVELS = ['regions', 'provinces', 'municities', 'submunicipalities'];

const USAGE = `Makes vector tiles of the boundaries of the active release, one PMTiles archive per level, and puts them in place.

  npm run geo:tiles -- [--levels ${DEFAULT_LEVELS.join(',')}] [--to <address>] [--out <directory>] [--missing] [--force]

  --levels   which of ${TILE_LEVELS.map(({ slug }) => slug).join(', ')} to make; "all" for all of them
  --to       the service to upload to, as in https://geo.example; MASTER_TOKEN must be set to its token. Without it and
             --out: the one that \`npm run dev\` runs on DATA_DIR, whose token is known
  --out      keep the archives in this directory; without --to they are not uploaded
  --missing  make only those that the service doesn't have of this release
  --force    upload them to a service that answers from another release, too

${WHICH_DATABASE}
While that runs, its database is the one that is read.`;

interface Values {
  levels?: string;
  to?: string;
  out?: string;
  missing?: boolean;
  force?: boolean;
  help?: boolean;
}

async function main(args: string[]): Promise<number> {
  let values: Values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        levels: { type: 'string' },
        to: { type: 'string' },
        out: { type: 'string' },
        missing: { type: 'boolean', default: false },
        force: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }));
    if (values.help) {
      console.error(USAGE);
      return 0;
    }
    levelsOf(values.levels);
  } catch (error) {
    console.error(`${sentenceOf(error)}\n\n${USAGE}`);
    return 2;
  }
  const progress = progressOn(process.stderr);
  try {
    const running = await findRunning(resolve(ROOT, process.env.DATA_DIR || '.data'));
    const isLocalOnly = values.to === undefined && values.out !== undefined;
    const endpoint = isLocalOnly ? undefined : endpointOf(values.to, running);
    const url = process.env.DATABASE_URL ? undefined : running?.databaseUrl;
    const options = {
      levels: levelsOf(values.levels),
      endpoint,
      outDirectory: values.out === undefined ? undefined : resolve(values.out),
      onlyMissing: values.missing ?? false,
      force: values.force ?? false,
      onProgress: progress.update,
      onArchive: (sentence: string) => {
        progress.clear();
        console.log(sentence);
      },
    };
    await withDatabase({ url }, (client) => withScratch((scratch) => publishTiles(client, scratch, options)));
    return 0;
  } catch (error) {
    progress.clear();
    console.error(sentenceOf(error));
    return 1;
  }
}

/** The levels that an option names. @throws Error for an unknown level */
function levelsOf(given: string | undefined): TileLevel[] {
  const slugs = given === undefined ? DEFAULT_LEVELS : given.split(',');
  const unknown = slugs.find((slug) => slug !== 'all' && !TILE_LEVELS.some((level) => level.slug === slug));
  if (unknown !== undefined) throw new Error(`There is no level called "${unknown}".`);
  return TILE_LEVELS.filter(({ slug }) => slugs.includes('all') || slugs.includes(slug));
}

process.exitCode = await main(process.argv.slice(2));
