import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withScratch } from '../../scripts/command/scratch.ts';
import { writeEnvFile } from '../../scripts/dev/dev-vars.ts';
import { findFreePort } from '../../scripts/dev/port.ts';
import { stateDirectory } from '../../scripts/dev/state.ts';
import { startWrangler } from '../../scripts/dev/wrangler.ts';
import { toRelease } from '../../scripts/pipeline/psgc/areas.ts';
import { readBuiltin } from '../../scripts/pipeline/psgc/history.ts';
import { dataSource } from '../../scripts/pipeline/snapshot/data-source.ts';
import { publishSource } from '../../scripts/pipeline/snapshot/publish.ts';
import { NEWEST } from '../support/editions.ts';
import { TIMEOUT_MS } from '../support/timeouts.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What a clone does not have. */
const NOT_CLONED = /^(\.git|\.data|\.wrangler|\.dev\.|\.cache|node_modules|dist|test-results)/;
const MASTER_TOKEN = 'master-token-of-the-tests-of-wrangler';
const RELEASE = `${NEWEST}-1`;

let clone: string;
beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'pgds-clone-'));
  const isCloned = (path: string) => !NOT_CLONED.test(relative(ROOT, path).split(sep)[0] ?? '');
  await cp(ROOT, clone, { recursive: true, filter: isCloned });
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'), 'junction');
});
afterAll(() => rm(clone, { recursive: true, force: true }));

let address: string;
let port: number;
beforeEach(async () => {
  port = await findFreePort();
  address = `http://127.0.0.1:${port}`;
});

let wrangler: ChildProcess | undefined;
let ended: Promise<unknown>;
afterEach(async () => {
  if (wrangler?.pid !== undefined) {
    process.kill(-wrangler.pid, 'SIGTERM');
    await ended;
  }
  wrangler = undefined;
});

/** Starts it as a person does, and waits until it answers. */
async function startPlain(): Promise<void> {
  const command = [join('node_modules', 'wrangler', 'bin', 'wrangler.js'), 'dev', '--port', String(port)];
  const child = spawn(process.execPath, command, {
    cwd: clone,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  wrangler = child;
  ended = once(child, 'close');
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => {
      printed += more;
    });
  }
  await untilUp(() => printed);
}

async function untilUp(printed: () => string): Promise<void> {
  const isUp = () =>
    answers('/version').then(
      () => 'up',
      () => printed(),
    );
  await expect.poll(isUp, { timeout: 3 * TIMEOUT_MS }).toBe('up');
}

async function answers(path: string, headers = {}) {
  const answer = await fetch(address + path, { headers });
  const text = await answer.text();
  return { status: answer.status, type: answer.headers.get('Content-Type')?.split(';')[0], text };
}

/** Publishes a release to a service on the directory in which `npm run dev` keeps the bucket, before a database is open. */
async function publishAsDev(): Promise<void> {
  const envFile = join(clone, '.worker.env');
  const DATABASE_URL = 'postgresql://postgres:postgres@127.0.0.1:1/postgres';
  await writeEnvFile(envFile, { MASTER_TOKEN, ENVIRONMENT: 'development', DATABASE_URL });
  const persistTo = await stateDirectory(clone, join(clone, '.data'));
  let printed = '';
  const onLine = (line: string) => {
    printed += `${line}\n`;
  };
  const service = startWrangler({ root: clone, port, persistTo, envFile, onLine });
  try {
    await untilUp(() => printed);
    // Where it is kept is the same with boundaries, which take a minute to be made.
    const drawn = { areas: new Map(), neighbors: [] };
    const data = { release: toRelease(await readBuiltin()), drawn, sources: [], borders: '' };
    const points = async () => ({ cells: [], bytes: new Uint8Array() });
    const made = dataSource(data, { id: RELEASE, version: `${RELEASE}-1` }, points);
    const source = { ...made, isDrawn: false };
    const publication = { endpoint: { address, token: MASTER_TOKEN }, isLoaded: false, onProgress: () => undefined };
    await withScratch((scratch) => publishSource(async () => source, scratch, publication));
  } finally {
    await service.stop();
  }
}

describe('wrangler dev', () => {
  it('in a fresh clone answers index, version, health and pages, and says in a sentence what to run for the rest', async () => {
    await startPlain();
    for (const path of ['/', '/version']) {
      expect([path, await answers(path)]).toMatchObject([path, { status: 200, type: 'application/json' }]);
    }
    expect(JSON.parse((await answers('/healthcheck')).text)).toMatchObject({ status: 'degraded', release: null });
    for (const page of ['/docs', '/explore', '/dashboard', '/match', '/downloads']) {
      expect([page, await answers(page)]).toMatchObject([page, { status: 200, type: 'text/html' }]);
    }
    expect(await answers('/', { Accept: 'text/html' })).toMatchObject({ status: 200, type: 'text/html' });
    for (const [path, code] of [
      ['/v1/regions', 'setting_missing'],
      ['/v1/editions', 'storage_unavailable'],
    ] as const) {
      const { status, text } = await answers(path);
      expect([path, status, JSON.parse(text)]).toMatchObject([
        path,
        503,
        { code, message: expect.stringMatching(/^[^.]+ run "npm run dev", [^.]+\.$/) },
      ]);
    }
  });

  it('after `npm run dev` answers from what that stored, without a database', async () => {
    await publishAsDev();
    await startPlain();
    const dataAt = async (path: string) => {
      const { status, text } = await answers(path);
      return { status, ...JSON.parse(text) };
    };
    expect(await dataAt('/healthcheck')).toMatchObject({
      status: 'degraded',
      release: RELEASE,
      code: 'setting_missing',
    });
    const regions = await dataAt('/v1/regions?limit=20');
    expect([regions.status, regions.data?.length]).toEqual([200, 18]);
    const editions = await dataAt('/v1/editions');
    expect(editions.data?.[0]).toMatchObject({ release: RELEASE, active: true });
    expect(editions.data).toHaveLength(13);
    expect(await answers('/explore')).toMatchObject({ status: 200, type: 'text/html' });
  });
});
