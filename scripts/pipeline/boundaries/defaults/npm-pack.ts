import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** Milliseconds until the registry must have said that it has the package. */
const CONTACT_MS = 15_000;
/** Milliseconds for the package itself. */
const WHOLE_MS = 10 * 60_000;

/**
 * Fetches a package's tarball into an empty directory, with npm, so that the user's registry, proxy and cache are used.
 * @param spec name and version: `left-pad@1.3.0`
 * @returns the tarball's path
 * @throws with npm's reason; within seconds where there is no network
 */
export async function npmPack(spec: string, directory: string, signal?: AbortSignal): Promise<string> {
  // The small question first: it tells soon whether there is a registry, which the download would not.
  await npm(['view', spec, 'version', '--fetch-timeout=5000'], spec, CONTACT_MS, signal);
  await npm(['pack', spec, '--pack-destination', directory, '--ignore-scripts'], spec, WHOLE_MS, signal);
  const [tarball] = (await readdir(directory)).filter((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`npm has left no package of ${spec}`);
  return join(directory, tarball);
}

async function npm(args: string[], spec: string, timeout: number, signal: AbortSignal | undefined): Promise<void> {
  const quiet = ['--fetch-retries=0', '--prefer-offline', '--loglevel=error', '--update-notifier=false'];
  const { command, before, shell } = npmCommand();
  try {
    const options = { timeout, maxBuffer: 16 * 1024 ** 2, shell, ...(signal ? { signal } : {}) };
    await promisify(execFile)(command, [...before, ...args, ...quiet], options);
  } catch (error) {
    signal?.throwIfAborted();
    const { stderr = '', killed, code } = error as { stderr?: string; killed?: boolean; code?: unknown };
    const said = /^npm (?:error|ERR!) code (\S+)/m.exec(stderr)?.[1];
    const reason = killed ? `it takes longer than ${timeout / 1000} s` : (said ?? code);
    throw new Error(`npm can't fetch the package ${spec}: ${reason}`);
  }
}

/** The npm that runs this, or else the one on the path. */
function npmCommand(): { command: string; before: string[]; shell: boolean } {
  const cli = process.env.npm_execpath;
  if (cli && basename(cli) === 'npm-cli.js') return { command: process.execPath, before: [cli], shell: false };
  // On Windows npm is a script that only a shell can start.
  return { command: 'npm', before: [], shell: process.platform === 'win32' };
}
