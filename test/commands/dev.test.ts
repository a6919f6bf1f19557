import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded } from '../../scripts/database/embedded.ts';
import { findFreePort } from '../../scripts/dev/port.ts';
import { barangays, directoryOf, lines } from '../pipeline/boundaries/country.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { seededCopy } from '../support/seeded.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Databases are opened, and the service is built, while other tests run. */
const SLOW = { timeout: 3 * PATIENCE_MS };
const NO_STACK = /\n +at |node:internal|wrangler|workerd|miniflare/;

let dataDir: string;
let port: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pgds-dev-'));
  port = String(await findFreePort());
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

interface Dev {
  child: ChildProcess;
  /** Everything that was printed so far. */
  printed(): string;
  ended: Promise<number | null>;
}

function start(settings: Record<string, string>, ...args: string[]): Dev {
  const child = spawn(process.execPath, ['scripts/dev.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: '', BOUNDARIES_DIR: '', DATA_DIR: dataDir, PORT: port, ...settings },
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
  return { child, printed: () => text, ended: once(child, 'close').then(([code]) => code) };
}

/** Puts a database into the data directory in which no release is active, so that the next start loads one. */
async function withoutRelease(): Promise<void> {
  await rm(join(dataDir, 'database'), { recursive: true, force: true });
  await rename(await seededCopy(), join(dataDir, 'database'));
  const database = await openEmbedded(join(dataDir, 'database'));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('delete from active_release');
  await client.end();
  await database.close();
}

/** Presses Ctrl-C, also where the first one has ended it already. */
function interrupt({ child }: Dev): void {
  try {
    process.kill(-(child.pid as number), 'SIGINT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

describe('npm run dev with a wrong setting', () => {
  let taken: Server;
  beforeAll(async () => {
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
  });
  afterAll(() => taken.close());

  it('ends before it starts anything, with one sentence that names the setting and no secret', async () => {
    const address = taken.address();
    const inUse = String(typeof address === 'object' && address?.port);
    const cases: [Record<string, string>, string][] = [
      [{ FREE_TIER_RPM: '1000000' }, 'FREE_TIER_RPM must be a whole number from 1 to 100000, not "1000000" '],
      [{ REQUEST_WAIT_MS: 'soon' }, 'REQUEST_WAIT_MS must be a whole number from 1000 to 25000, not "soon" '],
      [{ MASTER_TOKEN: 'secret' }, 'MASTER_TOKEN must have at least 16 characters (it is set in the environment)'],
      [{ PORT: 'abc' }, 'PORT must be a number from 1 to 65535, not abc.'],
      [{ PORT: inUse }, `Port ${inUse} is in use; stop what listens there or choose another with PORT=8788 `],
      [{ BOUNDARIES_DIR: '/nowhere' }, 'BOUNDARIES_DIR names /nowhere, which does not exist.'],
      [{ DATA_DIR: join(ROOT, 'package.json') }, `DATA_DIR can't be ${join(ROOT, 'package.json')}: that is a file.`],
      [{ DATABASE_URL: 'secret' }, 'DATABASE_URL must be a connection string such as '],
      [{ DATABASE_URL: 'postgres://a:secret%zz@b/c' }, 'DATABASE_URL must be a connection string such as '],
      [{ DATABASE_URL: 'postgres://secret@ep.neon.tech/x' }, 'DATABASE_URL must be postgresql://user:password@host/'],
      [{ DATABASE_URL: 'postgres://a:secret@127.0.0.1:9/x' }, 'The database at 127.0.0.1:9 (DATABASE_URL) '],
    ];
    const outcomes: [number | null, string][] = [];
    // Two at a time, because each is a process.
    for (let i = 0; i < cases.length; i += 2) {
      const devs = cases.slice(i, i + 2).map(([settings]) => start(settings));
      outcomes.push(
        ...(await Promise.all(
          devs.map(async (dev): Promise<[number | null, string]> => [await dev.ended, dev.printed()]),
        )),
      );
    }
    outcomes.forEach(([code, printed], i) => {
      expect([code, printed.trimEnd().split('\n').length]).toEqual([1, 1]);
      expect(printed.startsWith(cases[i]?.[1] ?? ''), printed).toBe(true);
      expect(printed).not.toMatch(/secret(?! )/);
    });
  });

  it('explains itself where an argument is unknown', async () => {
    const dev = start({}, '--nonsense');
    expect(await dev.ended).toBe(2);
    expect(dev.printed()).toMatch(/^Unknown option '--nonsense'[\s\S]*npm run dev \[-- --requests\]/);
  });
});

describe('npm run dev', () => {
  it('ends cleanly when it is interrupted during its first load, and begins anew without complaint', async () => {
    const given = await directoryOf({ 'barangays.ndjson': lines(barangays()) });
    const moments: [RegExp, number][] = [
      [/Creating the database/, 1],
      [/Creating the database/, 2],
      [/Reading boundaries|Loading the areas/, 1],
    ];
    for (const [sign, signals] of moments) {
      if (signals === 1 && !sign.test('Creating the database')) await withoutRelease();
      const dev = start({ BOUNDARIES_DIR: given });
      await expect.poll(dev.printed, SLOW).toMatch(sign);
      for (let i = 0; i < signals; i++) {
        interrupt(dev);
        await sleep(50);
      }
      expect(await dev.ended).toBe(0);
      expect(dev.printed().trimEnd()).toMatch(/\nStopping\.$/);
      expect(dev.printed()).not.toMatch(NO_STACK);
      expect(dev.printed()).not.toMatch(/in use|failed|Error/);
    }
    await rm(given, { recursive: true, force: true });
  });

  it('prints its own words only, and a line for every request where that is asked for', async () => {
    await rm(join(dataDir, 'database'), { recursive: true, force: true });
    await rename(await seededCopy(), join(dataDir, 'database'));
    const dev = start({}, '--requests');
    await expect.poll(dev.printed, SLOW).toContain('Ctrl-C stops it.');
    await fetch(`http://127.0.0.1:${port}/v1/regions?limit=1`);
    await expect.poll(dev.printed).toMatch(/^GET \/v1\/regions(\?limit=1)? 200 in \d+ ms$/m);
    interrupt(dev);
    expect(await dev.ended).toBe(0);
    expect(dev.printed()).not.toMatch(NO_STACK);
    expect(dev.printed()).toMatch(/\nStopping\.\n$/);
  });
});
