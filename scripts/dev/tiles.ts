import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../geo-tiles.ts', import.meta.url));

/** How far behind everything else it is to stand (nice). */
const PRIORITY = 10;

export interface Background {
  /** Ends it. Calling it again is harmless. */
  stop(): Promise<void>;
}

/**
 * Makes the tiles that the server which runs on a data directory lacks, in a process of its own that stands behind the
 * server. Says what it has made, and why it stopped where it failed.
 */
export function makeTilesInBackground(dataDir: string, say: (sentence: string) => void): Background {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', COMMAND, '--missing'], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
  createInterface(child.stdout).on('line', say);
  // Its progress goes there too, but the last line says what went wrong.
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
