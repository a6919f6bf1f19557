import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The low priority (nice value) of the process. */
const PRIORITY = 10;

export interface Background {
  /** Stops the process. Calling it again is harmless. */
  stop(): Promise<void>;
}

/**
 * Publishes the snapshot and makes the tiles that the server of a data directory doesn't have yet, in processes with a
 * low priority, one after the other.
 *
 * @param tiles whether there are boundaries to make tiles of
 * @param say called with a sentence about each thing that was made, and with the reason where a process failed
 */
export function publishInBackground(
  dataDir: string,
  { tiles }: { tiles: boolean },
  say: (sentence: string) => void,
): Background {
  let stopping = false;
  let child: ChildProcess | undefined;
  const run = async (name: string, failure: string) => {
    const command = fileURLToPath(new URL(`../${name}`, import.meta.url));
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', command, '--missing'], {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    if (started.pid !== undefined) setPriority(started.pid, PRIORITY);
    createInterface(started.stdout).on('line', say);
    // The process writes its progress to the same stream, but the last line is the error.
    let lastLine = '';
    createInterface(started.stderr).on('line', (line) => {
      lastLine = line;
    });
    const [code] = await once(started, 'close');
    if (code !== 0 && !stopping) say(`${failure}: ${lastLine}`);
  };
  const ended = (async () => {
    await run('geo-publish.ts', 'The snapshot was not published');
    if (tiles && !stopping) await run('geo-tiles.ts', 'The tiles were not made');
  })();
  return {
    stop: async () => {
      stopping = true;
      child?.kill();
      await ended;
    },
  };
}
