import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { scriptOf } from '../command/root.ts';

export interface WranglerOptions {
  /** The repository, with wrangler.toml in it. */
  root: string;
  port: number;
  /** Directory of the local R2 and Durable Objects. */
  persistTo: string;
  /** Environment file with the whole configuration of the Worker; it is read instead of `.dev.vars`. */
  envFile: string;
  /** Called with every line that it and the Worker print. */
  onLine?: (line: string) => void;
}

export interface WranglerDev {
  /** Resolves with the exit code when it ends for any reason. */
  ended: Promise<number>;
  /** Ends it and all processes that it started. Calling it again is harmless. */
  stop(): Promise<void>;
}

/** Turns off questions, telemetry, and everything that waits for a network. */
const QUIET = {
  CI: 'true',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  // The banner would look for updates.
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'true',
};

/** A module that is loaded into wrangler's process and ends it when this process is gone, even when that was killed. */
const END_WITH_PARENT = 'data:text/javascript,process.on("disconnect",()=>process.kill(process.pid,"SIGTERM"))';

const KILL_AFTER_MS = 5000;
const GROUP_PATIENCE_MS = 500;

/**
 * Starts `wrangler dev` on 127.0.0.1. It has its own process group, so that Ctrl-C reaches it only through `stop()`.
 */
export function startWrangler({ root, port, persistTo, envFile, onLine }: WranglerOptions): WranglerDev {
  // The package exports its manifest, but not its bin.
  const wrangler = scriptOf('wrangler', 'bin/wrangler.js');
  const args = ['dev', '--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0'];
  // The name is `--envFile`, because Node would read `--env-file` as its own option, wherever it stands.
  args.push('--persist-to', persistTo, '--envFile', envFile, '--show-interactive-dev-session=false');
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, wrangler, ...args], {
    cwd: root,
    // Compiling its 15 MB takes a third of a second.
    env: { ...process.env, ...QUIET, NODE_COMPILE_CACHE: join(root, '.cache', 'compiled') },
    stdio: ['ignore', onLine ? 'pipe' : 'ignore', onLine ? 'pipe' : 'ignore', 'ipc'],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream && onLine) createInterface(stream).on('line', onLine);
  }
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : 1));
  let stopping: Promise<void> | undefined;
  return {
    ended,
    stop: () => {
      stopping ??= stop(child, ended);
      return stopping;
    },
  };
}

async function stop(child: ChildProcess, ended: Promise<number>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await Promise.race([ended, sleep(KILL_AFTER_MS, undefined, { ref: false })]);
  }
  // Its processes end with it, unless it was killed. Those that remain are ended here.
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (let waited = 0; groupLives(child) && waited < GROUP_PATIENCE_MS; waited += 50) await sleep(50);
    if (groupLives(child)) signalGroup(child, signal);
  }
}

function groupLives(child: ChildProcess): boolean {
  return signalGroup(child, 0);
}

/** Sends a signal to the process group of `child`. Returns whether a process got it. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}
