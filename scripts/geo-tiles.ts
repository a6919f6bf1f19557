import { rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { WHICH_DATABASE, withDatabase } from './command/database.ts';
import { sentenceOf } from './command/failure.ts';
import { progressOn } from './command/progress.ts';
import { findRunning, type Running } from './dev/running.ts';
import { activeRelease } from './pipeline/tiles/areas.ts';
import { buildArchive } from './pipeline/tiles/build.ts';
import { type Endpoint, releaseOf, serves, upload } from './pipeline/tiles/endpoint.ts';
import { TILE_LEVELS, type TileLevel } from './pipeline/tiles/levels.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What is made without being asked for by name: barangays take minutes. */
const USUAL = ['regions', 'provinces', 'municities'];

const USAGE = `Makes vector tiles of the boundaries of the active release, one PMTiles archive per level, and puts them in place.

  npm run geo:tiles -- [--levels ${USUAL.join(',')}] [--to <address>] [--out <directory>] [--missing] [--force]

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

/** Runs the command; gives the process's exit code. */
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
    const endpoint = endpointOf(values, running);
    const url = process.env.DATABASE_URL ? undefined : running?.databaseUrl;
    await withDatabase({ url }, (client) => make(client, values, endpoint, progress));
    return 0;
  } catch (error) {
    progress.clear();
    console.error(sentenceOf(error));
    return 1;
  }
}

/** @throws Error for a level that there is none of */
function levelsOf(given: string | undefined): TileLevel[] {
  const slugs = given === undefined ? USUAL : given.split(',');
  const unknown = slugs.find((slug) => slug !== 'all' && !TILE_LEVELS.some((level) => level.slug === slug));
  if (unknown !== undefined) throw new Error(`There is no level called "${unknown}".`);
  return TILE_LEVELS.filter(({ slug }) => slugs.includes('all') || slugs.includes(slug));
}

/** @throws Error where it is not known where the archives are to go */
function endpointOf({ to, out }: Values, running: Running | undefined): Endpoint | undefined {
  if (to === undefined && out !== undefined) return undefined;
  const address = (to ?? running?.address)?.replace(/\/+$/, '');
  if (address === undefined) {
    throw new Error('Nothing runs that the archives could be uploaded to: start `npm run dev`, or give --to or --out.');
  }
  const token = address === running?.address ? running.masterToken : process.env.MASTER_TOKEN;
  if (!token) throw new Error(`Set MASTER_TOKEN to the master token of ${address}.`);
  return { address, token };
}

async function make(
  client: pg.ClientBase,
  { levels, out, missing, force }: Values,
  endpoint: Endpoint | undefined,
  progress: ReturnType<typeof progressOn>,
): Promise<void> {
  const release = await activeRelease(client);
  if (endpoint && !force) await requireSame(endpoint, release.id);
  const scratch = await mkdtemp(join(tmpdir(), 'pgds-tiles-'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => clearAndExit(scratch));
  if (out !== undefined) await mkdir(resolve(out), { recursive: true });
  try {
    const wanted = levelsOf(levels);
    for (const [i, level] of wanted.entries()) {
      const { slug } = level;
      if (missing && endpoint && (await serves(endpoint, slug, release.id))) continue;
      const started = performance.now();
      const show = progress.part(i / wanted.length, (i + 1) / wanted.length);
      const path = join(scratch, `${slug}.pmtiles`);
      const built = await buildArchive(client, release, level, path, (fraction) => show(fraction, `Tiles of ${slug}`));
      if (built && endpoint) await upload(endpoint, slug, path);
      if (built && out !== undefined) await copyFile(path, join(resolve(out), `${slug}.pmtiles`));
      progress.clear();
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(
        built
          ? `Tiles of ${slug}: ${built.tiles.toLocaleString('en')} in ${(built.bytes / 1e6).toFixed(1)} MB, ${seconds} s`
          : `No tiles of ${slug}: release ${release.id} has no boundaries of them.`,
      );
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Tiles of one release beside the names and codes of another are what comes of reading the wrong database.
 *
 * @throws Error where the service answers from another release
 */
async function requireSame(endpoint: Endpoint, releaseId: string): Promise<void> {
  const served = await releaseOf(endpoint);
  if (served === releaseId) return;
  throw new Error(
    `${endpoint.address} answers from release ${served}, and the database that was read from ${releaseId}. ` +
      'Set DATABASE_URL to the database of that service, or give --force.',
  );
}

/** Leaves nothing behind where the command is interrupted: the files on the way are large. */
function clearAndExit(scratch: string): never {
  rmSync(scratch, { recursive: true, force: true });
  process.exit(130);
}

process.exitCode = await main(process.argv.slice(2));
