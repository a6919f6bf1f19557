import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../scripts/dev/port.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What a clone does not have. */
const NOT_CLONED = /^(\.git|\.data|\.wrangler|\.dev\.|\.cache|node_modules|dist|test-results)/;

let clone: string;
let address: string;
let wrangler: ChildProcess;
let printed = '';
let ended: Promise<unknown>;

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'pgds-clone-'));
  const isCloned = (path: string) => !NOT_CLONED.test(relative(ROOT, path).split(sep)[0] ?? '');
  await cp(ROOT, clone, { recursive: true, filter: isCloned });
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'), 'junction');
  const port = String(await findFreePort());
  address = `http://127.0.0.1:${port}`;
  const command = [join('node_modules', 'wrangler', 'bin', 'wrangler.js'), 'dev', '--port', port];
  wrangler = spawn(process.execPath, command, {
    cwd: clone,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  for (const stream of [wrangler.stdout, wrangler.stderr]) {
    stream?.setEncoding('utf8').on('data', (more: string) => {
      printed += more;
    });
  }
  ended = once(wrangler, 'close');
});

afterAll(async () => {
  if (wrangler?.pid !== undefined) {
    process.kill(-wrangler.pid, 'SIGTERM');
    await ended;
  }
  await rm(clone, { recursive: true, force: true });
});

describe('wrangler dev in a fresh clone', () => {
  it('answers index, version, health and pages, and says in a sentence what to run for the rest', async () => {
    const answers = async (path: string, headers = {}) => {
      const answer = await fetch(address + path, { headers });
      const text = await answer.text();
      return { status: answer.status, type: answer.headers.get('Content-Type')?.split(';')[0], text };
    };
    const isUp = () =>
      answers('/version').then(
        () => 'up',
        () => printed,
      );
    await expect.poll(isUp, { timeout: 3 * PATIENCE_MS }).toBe('up');
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
});
