import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, '.cache');
const BUILDING = 'building-';
const IN_USE_MS = 10 * 60 * 1000;

/** What a directory is made from. */
interface Origin {
  /** Our own files and directories. */
  readonly sources: readonly string[];
  /** Packages, by their versions. */
  readonly packages: readonly string[];
}

/** Whatever the service answers from, and answers with. */
export const WHOLE_SERVICE: Origin = {
  sources: ['migrations', 'data', 'scripts', 'src', 'test/support', 'wrangler.toml', 'package-lock.json'],
  packages: [],
};

/**
 * Creates a directory in `.cache/`, unless one of this name exists that is made from the same. Tests copy it. It stays until
 * what it is made from changes, also between the lanes of one run.
 *
 * @param make fills an empty directory
 * @returns its path
 */
export async function cachedDirectory(
  name: string,
  origin: Origin,
  make: (directory: string) => Promise<void>,
): Promise<string> {
  const target = join(CACHE, `${name}-${await fingerprint(origin)}`);
  if (!(await exists(target))) await build(name, target, make);
  const now = new Date();
  await utimes(target, now, now);
  return target;
}

/** Copies what a directory holds to another one. Where the file system can share blocks between copies, it does. */
export function copyDirectory(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
}

async function build(name: string, target: string, make: (directory: string) => Promise<void>): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  await removeStale(name);
  // Made beside its place and moved there when whole: an interrupted run leaves nothing that looks ready.
  const building = await mkdtemp(join(CACHE, BUILDING));
  try {
    await make(building);
    await rename(building, target).catch(async (error) => {
      // Another run was faster.
      if (!(await exists(target))) throw error;
    });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** Removes directories of older sources and of interrupted runs, unless another run may be reading them. */
async function removeStale(name: string): Promise<void> {
  for (const entry of await readdir(CACHE)) {
    if (!entry.startsWith(`${name}-`) && !entry.startsWith(BUILDING)) continue;
    const path = join(CACHE, entry);
    const { mtimeMs } = await stat(path);
    if (mtimeMs < Date.now() - IN_USE_MS) await rm(path, { recursive: true, force: true });
  }
}

async function fingerprint({ sources, packages }: Origin): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const path of await filesUnder(join(ROOT, source))) {
      hash.update(`${path.slice(ROOT.length)}\0`).update(await readFile(path));
    }
  }
  const require = createRequire(import.meta.url);
  for (const name of packages) hash.update(`${name}@${await versionOf(name, require)}\0`);
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
