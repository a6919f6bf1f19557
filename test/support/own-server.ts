import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../scripts/dev/port.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The service as `npm start` runs it, in a process of its own. */
export interface OwnServer {
  address: string;
  process: ChildProcess;
  /** Everything that it printed so far. */
  printed(): string;
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>;
  /** Asks it to end, and waits for its exit code. */
  stop(): Promise<number | null>;
}

/** Settings of a server that nobody else asks, beside `DATABASE_URL` and `DATA_DIR`. */
export const NEEDED = {
  MASTER_TOKEN: 'master-token-of-the-own-server',
  TILE_SESSION_SECRET: 'secret-of-tile-sessions-of-the-own-server',
  SESSION_ISSUER: 'https://identity.example',
  SESSION_JWKS_URL: 'https://identity.example/jwks',
};

/** Starts the process with these settings and no others. It may end at once, where one of them is wrong. */
export async function spawnOwnServer(settings: Record<string, string>, ...args: string[]): Promise<OwnServer> {
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
  const port = settings.PORT ?? String(await findFreePort());
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/start.ts', ...args], {
    cwd: ROOT,
    env: { PATH, HOME, TMPDIR, PORT: port, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
  }
  const ended = once(child, 'close').then(([code]) => code);
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { address: `http://127.0.0.1:${port}`, process: child, printed: () => text, ended, stop };
}

/** The same, once it answers. @throws Error with what it printed, where it ends before */
export async function startOwnServer(settings: Record<string, string>): Promise<OwnServer> {
  const server = await spawnOwnServer(settings);
  const started = new Promise<void>((resolve) => {
    server.process.stderr?.on('data', () => {
      if (server.printed().includes('The service is at ')) resolve();
    });
  });
  await Promise.race([
    started,
    server.ended.then((code) => {
      throw new Error(`The server has ended with ${code}:\n${server.printed()}`);
    }),
  ]);
  return server;
}
