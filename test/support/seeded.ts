import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openEmbedded } from '../../scripts/database/embedded.ts';
import { migrate } from '../../scripts/database/migrate.ts';
import { toRelease } from '../../scripts/pipeline/psgc/areas.ts';
import { readBuiltin } from '../../scripts/pipeline/psgc/history.ts';
import { loadRelease } from '../../scripts/pipeline/release/load.ts';
import { drawSchematicCountry } from './schematic-country.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, '.cache');
const PREFIX = 'database-';
const BUILDING = 'building-';
const IN_USE_MS = 10 * 60 * 1000;

/** What a seeded database depends on: our own sources, and packages by their versions. */
const SOURCES = [
  'migrations',
  'data/psgc',
  'scripts/pipeline/psgc',
  'scripts/pipeline/boundaries',
  'scripts/pipeline/editions',
  'scripts/pipeline/release',
  'scripts/database',
  'src/areas/edition-id.ts',
  'src/areas/names.ts',
  'src/editions/link.ts',
  'test/support/schematic-country.ts',
];
const PACKAGES = ['@electric-sql/pglite', '@electric-sql/pglite-postgis'];

/**
 * A temporary data directory for `openEmbedded` that holds every migration, the built-in PSGC edition and drawn boundaries. It is a
 * copy of one that is kept in `.cache/` until its sources change, so that making the next takes a second.
 * The caller removes it.
 */
export async function seededCopy(): Promise<string> {
  const seeded = await seededOnce();
  const copy = await mkdtemp(join(tmpdir(), 'pgds-database-'));
  // Where the file system can share blocks between copies, it does.
  await cp(seeded, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return copy;
}

/** Creates the data directory that others are copied from, unless it exists; gives its path. */
export async function seededOnce(): Promise<string> {
  const seeded = join(CACHE, `${PREFIX}${await fingerprint()}`);
  if (!(await exists(seeded))) await seed(seeded);
  const now = new Date();
  await utimes(seeded, now, now);
  return seeded;
}

async function seed(target: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  await removeStale();
  // Made beside its place and moved there when whole: an interrupted run leaves nothing that looks ready.
  const building = await mkdtemp(join(CACHE, BUILDING));
  try {
    const database = await openEmbedded(building);
    try {
      await fillSeeded(database.url);
    } finally {
      await database.close();
    }
    await rename(building, target).catch(async (error) => {
      // Another run was faster.
      if (!(await exists(target))) throw error;
    });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** Migrates, and loads the built-in PSGC edition with the boundaries of the drawn country. */
export async function fillSeeded(postgresUrl: string): Promise<void> {
  await migrate(postgresUrl);
  const drawings = await mkdtemp(join(tmpdir(), 'pgds-country-'));
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await drawSchematicCountry(toRelease(await readBuiltin()).areas, drawings);
    await loadRelease({ client, psgc: 'builtin', boundaries: drawings, activate: true });
  } finally {
    await client.end();
    await rm(drawings, { recursive: true, force: true });
  }
}

/** Removes directories of older sources and of interrupted runs, unless another run may be reading them. */
async function removeStale(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    if (!name.startsWith(PREFIX) && !name.startsWith(BUILDING)) continue;
    const path = join(CACHE, name);
    const { mtimeMs } = await stat(path);
    if (mtimeMs < Date.now() - IN_USE_MS) await rm(path, { recursive: true, force: true });
  }
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const path of await filesUnder(join(ROOT, source))) {
      hash.update(`${path.slice(ROOT.length)}\0`).update(await readFile(path));
    }
  }
  const require = createRequire(import.meta.url);
  for (const name of PACKAGES) hash.update(`${name}@${await versionOf(name, require)}\0`);
  return hash.digest('hex').slice(0, 16);
}

async function versionOf(name: string, require: NodeJS.Require): Promise<string> {
  // Not every package exports its manifest; each has one in a folder where Node looks.
  for (const folder of require.resolve.paths(name) ?? []) {
    const text = await readFile(join(folder, name, 'package.json'), 'utf8').catch(() => undefined);
    if (text) return JSON.parse(text).version;
  }
  throw new Error(`The package ${name} is not installed.`);
}

async function filesUnder(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (!entries) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function exists(path: string): Promise<boolean> {
  return (await readdir(path).catch(() => undefined)) !== undefined;
}
