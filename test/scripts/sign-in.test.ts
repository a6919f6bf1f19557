import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadSessionKey, publicKeysOf } from '../../scripts/dev/session-key.ts';
import { startSignIn } from '../../scripts/dev/sign-in.ts';

/** The status of a sign-in under a name of the server: a client can send any name, as a page does after DNS rebinding. */
function statusWith(url: string, host: string): Promise<number | undefined> {
  const email = 'maria@example.com';
  const headers = { Host: host, 'Content-Length': email.length };
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end(email);
  });
}

it('commands that begin at the same time have the same key for sessions', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pgds-session-key-'));
  try {
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadSessionKey(join(root, 'key'))));
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1);
    expect(await readdir(root)).toEqual(['key']);
  } finally {
    await rm(root, { recursive: true });
  }
});

it('the local sign-in answers under its own name only', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pgds-sign-in-'));
  const key = await loadSessionKey(join(root, '.dev.session-key'));
  const signIn = await startSignIn(root, { SESSION_JWKS: JSON.stringify(publicKeysOf(key)), SESSION_ISSUER: 'x' });
  if (!signIn) throw new Error('It was not started');
  try {
    const { host, port } = new URL(signIn.url);
    expect(await statusWith(signIn.url, host)).toBe(200);
    for (const other of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `localhost:${port}`,
      `${host}.evil.example`,
    ]) {
      expect([other, await statusWith(signIn.url, other)]).toEqual([other, 404]);
    }
  } finally {
    await signIn.close();
    await rm(root, { recursive: true });
  }
});
