import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../geo-tiles.ts', import.meta.url));

/** The low priority (nice value) of the process. */
const PRIORITY = 10;

export interface Background {
  /** Stops the process. Calling it again is harmless. */
  stop(): Promise<void>;
}

/**
 * Makes the tiles that the server of a data directory doesn't have yet, in a process with a low priority.
 * @param say called with a sentence about each archive, and with the reason where the process failed
 */
export function makeTilesInBackground(dataDir: string, say: (sentence: string) => void): Background {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', COMMAND, '--missing'], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
  createInterface(child.stdout).on('line', say);
  // The process writes its progress to the same stream, but the last line is the error.
  let lastLine = '';
  createInterface(child.stderr).on('line', (line) => {
    lastLine = line;
  });
  let stopping = false;
  const ended = once(child, 'close').then(([code]) => {
    if (code !== 0 && !stopping) say(`The tiles were not made: ${lastLine}`);
  });
  return {
    stop: async () => {
      stopping = true;
      child.kill();
      await ended;
    },
  };
}
