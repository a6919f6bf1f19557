import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprintOf } from '../command/fingerprint.ts';
import type { Modules } from '../command/worker-modules.ts';

/** What `npm start` runs: the modules of the Worker, and what wrangler.toml says about it. */
export interface Build {
  readonly modules: Modules;
  /** Git commit, 40 hex digits; undefined where it is not known. */
  readonly commit?: string | undefined;
  /** ISO 8601. */
  readonly builtAt: string;
  readonly name: string;
  readonly compatibilityDate: string;
  /** Name of the bucket on disk, which `npm run backup` reads too. */
  readonly bucket: string;
  /** Directory of the pages, and how they are answered. */
  readonly assets: {
    readonly directory: string;
    readonly htmlHandling: 'drop-trailing-slash';
    readonly runWorkerFirst: string[];
  };
  /** When the jobs run, in UTC. */
  readonly crons: readonly string[];
}

/** What the modules and the pages are made of. */
const SOURCES = ['pages', 'src', 'scripts', 'wrangler.toml', 'package-lock.json'];

/**
 * The build of these sources, which is made where a source has changed since the last one.
 *
 * @param root the repository
 * @throws Error that says what is wrong with the sources
 */
export async function findBuild(
  root: string,
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<Build> {
  const path = join(root, 'dist', 'server.json');
  const fingerprint = await fingerprintOf(root, SOURCES);
  const made = JSON.parse(await readFile(path, 'utf8').catch(() => '{}')) as { fingerprint?: string; build: Build };
  if (made.fingerprint === fingerprint) return made.build;
  say('Building the service, because its sources have changed.');
  // They take a second to load, which no other start needs.
  const { buildWorker } = await import('../command/worker-build.ts');
  const { unstable_readConfig: readConfig } = await import('wrangler');
  const { modules } = await buildWorker({ entry: 'src/own-server/worker.ts' });
  const config = readConfig({ config: join(root, 'wrangler.toml') }, { hideWarnings: true });
  const build: Build = {
    modules,
    commit: environment.COMMIT ?? currentCommit(root),
    builtAt: new Date().toISOString(),
    name: config.name as string,
    compatibilityDate: config.compatibility_date as string,
    bucket: config.r2_buckets[0]?.bucket_name as string,
    assets: {
      directory: config.assets?.directory as string,
      htmlHandling: config.assets?.html_handling as 'drop-trailing-slash',
      runWorkerFirst: config.assets?.run_worker_first as string[],
    },
    crons: config.triggers.crons ?? [],
  };
  await mkdir(join(root, 'dist'), { recursive: true });
  await writeFile(path, JSON.stringify({ fingerprint: await fingerprintOf(root, SOURCES), build }));
  return build;
}

function currentCommit(root: string): string | undefined {
  try {
    const output = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
    return output.toString().trim();
  } catch {
    return undefined;
  }
}
