import { resolve } from 'node:path';
import { FLAG, runCommand, TEXT, WrongUse } from './command/command.ts';
import { WHICH_DATABASE, withDatabase } from './command/database.ts';
import { findRunning } from './command/running.ts';
import { withScratch } from './command/scratch.ts';
import { endpointOf } from './pipeline/service.ts';
import { TILE_LEVELS, type TileLevel } from './pipeline/tiles/levels.ts';
import { publishTiles } from './pipeline/tiles/publish.ts';

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

const options = { levels: TEXT, to: TEXT, out: TEXT, missing: FLAG, force: FLAG };
await runCommand({ usage: USAGE, options }, async ({ values, progress }) => {
  const { to, out, missing = false, force = false } = values;
  const levels = levelsOf(values.levels);
  const running = await findRunning();
  const isLocalOnly = to === undefined && out !== undefined;
  const url = process.env.DATABASE_URL ? undefined : running?.databaseUrl;
  const publication = {
    levels,
    endpoint: isLocalOnly ? undefined : endpointOf(to, running),
    outDirectory: out === undefined ? undefined : resolve(out),
    onlyMissing: missing,
    force,
    onProgress: progress.update,
    onArchive: (sentence: string) => {
      progress.clear();
      console.log(sentence);
    },
  };
  await withDatabase({ url }, (client) => withScratch((scratch) => publishTiles(client, scratch, publication)));
});

/** The levels that an option names. @throws WrongUse for an unknown level */
function levelsOf(given: string | undefined): TileLevel[] {
  const slugs = given === undefined ? DEFAULT_LEVELS : given.split(',');
  const unknown = slugs.find((slug) => slug !== 'all' && !TILE_LEVELS.some((level) => level.slug === slug));
  if (unknown !== undefined) throw new WrongUse(`There is no level called "${unknown}".`);
  return TILE_LEVELS.filter(({ slug }) => slugs.includes('all') || slugs.includes(slug));
}
