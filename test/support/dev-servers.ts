import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { findFreePort } from '../../scripts/dev/port.ts';
import { NEWEST } from './editions.ts';
import { TIMEOUT_MS } from './timeouts.ts';

const ROOT = join(import.meta.dirname, '../..');
const MASTER_TOKEN = 'master-token-of-the-tests-of-dev';
const NO_STACK = /\n +at |node:internal|wrangler|workerd|miniflare/;

/** Databases are opened, and the service is built, while other tests run. */
export const SLOW = { timeout: 3 * TIMEOUT_MS };
/** The whole country is loaded into a database, and its files are made. */
export const ALL_OF_IT = { timeout: 10 * TIMEOUT_MS };
export const MASTER = { Authorization: `Bearer ${MASTER_TOKEN}` };
/** The release that a first start makes. */
export const FIRST = `${NEWEST}-1`;
/** What a server never says of its own accord. */
export const NOT_ITS_WORDS = /in use|was not|were not|answered 5/;

/** A process of `npm run dev`. */
export interface Dev {
  child: ChildProcess;
  /** Everything that was printed so far. */
  printed(): string;
  ended: Promise<number | null>;
}

interface Asked {
  status: number;
  retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it freely
  body: any;
}

/** Starts `npm run dev` on a port and in a data directory, and removes what a test leaves. */
export class DevServers {
  readonly #port: Promise<number> = findFreePort();
  /** Those that have not ended. */
  readonly #running = new Set<Dev>();
  readonly #directories: string[] = [];
  /** Where the next one has its data. */
  dataDir = '';

  /** Makes a data directory for those that are started next. */
  async useNewDirectory(): Promise<void> {
    this.dataDir = await this.makeDirectory();
  }

  /** Makes a directory that `removeDirectories` removes. */
  async makeDirectory(): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'pgds-dev-'));
    this.#directories.push(directory);
    return directory;
  }

  /** Ends the servers that a test has left running, also where it failed. */
  async endAll(): Promise<void> {
    for (const dev of this.#running) {
      interrupt(dev);
      await dev.ended;
    }
  }

  /** Removes the directories, once no server writes to them any more. */
  async removeDirectories(): Promise<void> {
    await this.endAll();
    for (const directory of this.#directories.splice(0)) await rm(directory, { recursive: true, force: true });
  }

  async start(settings: Record<string, string>, ...args: string[]): Promise<Dev> {
    const child = spawn(process.execPath, ['scripts/dev.ts', ...args], {
      cwd: ROOT,
      env: {
        ...process.env,
        MASTER_TOKEN,
        DATABASE_URL: '',
        BOUNDARIES_DIR: '',
        DATA_DIR: this.dataDir,
        PORT: String(await this.#port),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // As in a terminal, a signal goes to the whole group.
      detached: true,
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (more: string) => {
        text += more;
      });
    }
    const dev: Dev = { child, printed: () => text, ended: once(child, 'close').then(([code]) => code) };
    this.#running.add(dev);
    void dev.ended.then(() => this.#running.delete(dev));
    return dev;
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`http://127.0.0.1:${await this.#port}${path}`, init);
  }

  async ask(path: string, init?: RequestInit): Promise<Asked> {
    const response = await this.fetch(path, init);
    const { status, headers } = response;
    return { status, retryAfter: headers.get('Retry-After'), body: await response.json() };
  }

  async releaseState(): Promise<{ id?: string; isComplete?: boolean }> {
    return JSON.parse(await readFile(join(this.dataDir, 'release.json'), 'utf8'));
  }
}

export function preparedIn({ body }: Asked): string[] {
  return (body.preparing ?? []).map(({ what }: { what: string }) => what);
}

/** Presses Ctrl-C, and looks that it ends without a word but that. */
export async function endCleanly(dev: Dev, signals: number): Promise<void> {
  for (let i = 0; i < signals; i++) {
    interrupt(dev);
    await sleep(50);
  }
  expect(await dev.ended).toBe(0);
  expect(dev.printed().trimEnd()).toMatch(/\nStopping\.$/);
  expect(dev.printed()).not.toMatch(NO_STACK);
  expect(dev.printed()).not.toMatch(NOT_ITS_WORDS);
}

/** Presses Ctrl-C, also where the first one has ended it already. */
export function interrupt({ child }: Dev): void {
  try {
    process.kill(-(child.pid as number), 'SIGINT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
