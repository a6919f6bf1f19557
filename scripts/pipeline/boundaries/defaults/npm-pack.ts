import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** Milliseconds within which the registry must answer that it has the package. */
const CONTACT_MS = 15_000;
/** Milliseconds within which the package must be there. */
const WHOLE_MS = 10 * 60_000;

/**
 * Fetches a package's tarball into an empty directory. It uses npm, and so the registry, proxy and cache of the user.
 * @param spec name and version: `left-pad@1.3.0`
 * @returns the path of the tarball
 * @throws Error with npm's reason, within seconds where there is no network
 */
export async function fetchWithNpm(spec: string, directory: string, signal?: AbortSignal): Promise<string> {
  // This small request fails soon where there is no registry; the download would take long to fail.
  await npm(['view', spec, 'version', '--fetch-timeout=5000'], { spec, timeout: CONTACT_MS, signal });
  await npm(['pack', spec, '--pack-destination', directory, '--ignore-scripts'], { spec, timeout: WHOLE_MS, signal });
  const [tarball] = (await readdir(directory)).filter((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`npm has left no package of ${spec}`);
  return join(directory, tarball);
}

interface NpmOptions {
  spec: string;
  /** Milliseconds. */
  timeout: number;
  signal: AbortSignal | undefined;
}

async function npm(args: string[], { spec, timeout, signal }: NpmOptions): Promise<void> {
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

/** The npm that runs this script, or else the one in PATH. */
function npmCommand(): { command: string; before: string[]; shell: boolean } {
  const cli = process.env.npm_execpath;
  if (cli && basename(cli) === 'npm-cli.js') return { command: process.execPath, before: [cli], shell: false };
  // On Windows npm is a script, which only a shell can start.
  return { command: 'npm', before: [], shell: process.platform === 'win32' };
}
