import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Part, Preparation } from './preparation.ts';

/** The low priority (nice value) of the process. */
const PRIORITY = 10;

/** A line of progress: ` 21 %  Loading the areas`. */
const PROGRESS = /^ *(\d+) % {2}/;

export interface Background {
  /** Stops the process. Calling it again is harmless. */
  stop(): Promise<void>;
}

interface Work {
  /** Boundaries to load a release with. */
  boundariesDir: string | undefined;
  /** Connection string of the database. */
  postgresUrl: string;
  /** Gets the progress of each part. */
  preparation: Preparation;
}

/**
 * Loads a release with the boundaries that were given, publishes the snapshot and makes the tiles that the server of a data
 * directory doesn't have yet, in processes with a low priority, one after the other.
 *
 * @param say called with a sentence about each thing that was made, and with the reason where a process failed
 */
export function workInBackground(
  dataDir: string,
  { boundariesDir, postgresUrl, preparation }: Work,
  say: (sentence: string) => void,
): Background {
  let stopping = false;
  let child: ChildProcess | undefined;
  const run = async (name: string, args: readonly string[], { part, failure, env = {} }: RunOptions) => {
    if (stopping) return;
    preparation.begin(part);
    const command = fileURLToPath(new URL(`../${name}`, import.meta.url));
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', command, ...args], {
      env: { ...process.env, ...env, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    if (started.pid !== undefined) setPriority(started.pid, PRIORITY);
    createInterface(started.stdout).on('line', say);
    // The process writes its progress to the same stream, but the last line is the error.
    let lastLine = '';
    createInterface(started.stderr).on('line', (line) => {
      lastLine = line;
      const [, percent] = PROGRESS.exec(line) ?? [];
      if (percent !== undefined) preparation.update(part, Number(percent) / 100);
    });
    const [code] = await once(started, 'close');
    preparation.end(part);
    if (code !== 0 && !stopping) say(`${failure}: ${lastLine}`);
  };
  const ended = (async () => {
    if (boundariesDir !== undefined) {
      say(`Loading the boundaries in ${boundariesDir}. The database is busy with them until they are served.`);
      await run('geo-load.ts', ['--boundaries', boundariesDir], {
        part: 'boundaries',
        failure: 'The boundaries were not loaded',
        env: { DATABASE_URL: postgresUrl },
      });
    }
    await run('geo-publish.ts', ['--missing'], { part: 'files', failure: 'The snapshot was not published' });
    await run('geo-tiles.ts', ['--missing'], { part: 'tiles', failure: 'The tiles were not made' });
  })();
  return {
    stop: async () => {
      stopping = true;
      child?.kill();
      await ended;
    },
  };
}

interface RunOptions {
  /** What the process makes. */
  part: Part;
  /** What to say where the process fails. */
  failure: string;
  env?: NodeJS.ProcessEnv;
}
