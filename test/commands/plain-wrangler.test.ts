import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../../scripts/dev/port.ts';
import { stateDirectory } from '../../scripts/dev/state.ts';
import { copyDirectory } from '../support/cached-directory.ts';
import { NEWEST } from '../support/editions.ts';
import { publishedOnce } from '../support/published.ts';
import { TIMEOUT_MS } from '../support/timeouts.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What a clone does not have. */
const NOT_CLONED = /^(\.git|\.data|\.wrangler|\.dev\.|\.cache|node_modules|dist|test-results)/;
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
    await copyDirectory(join(await publishedOnce(), 'worker'), await stateDirectory(clone, join(clone, '.data')));
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
