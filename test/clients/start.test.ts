import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadSessionKey, publicKeysOf, signSession } from '../../scripts/dev/session-key.ts';
import { embeddedCopy, type TestDatabase } from '../support/database.ts';
import { NEEDED, type OwnServer, spawnOwnServer, startOwnServer } from '../support/own-server.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { seededOnce } from '../support/seeded.ts';

// A server of one's own with its bucket in S3.

let directory: string;
let s3: S3Server;
let database: TestDatabase;
let settings: Record<string, string>;
let session: string;
let server: OwnServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-start-s3-'));
  s3 = await startS3Server(directory, ['files']);
  database = await embeddedCopy(await seededOnce());
  const key = await loadSessionKey(join(directory, 'key'));
  const { SESSION_JWKS_URL: _, ...needed } = NEEDED;
  settings = {
    ...needed,
    SESSION_JWKS: JSON.stringify(publicKeysOf(key)),
    DATABASE_URL: database.url,
    // An embedded database has one session.
    DATABASE_CONNECTIONS: '1',
    DATA_DIR: join(directory, 'data'),
    REQUEST_WAIT_MS: '25000',
    BUCKET: 's3://files/some/prefix',
    BUCKET_AWS_ENDPOINT_URL: s3.account.endpoint,
    BUCKET_AWS_ACCESS_KEY_ID: s3.account.accessKeyId,
    BUCKET_AWS_SECRET_ACCESS_KEY: s3.account.secretAccessKey,
  };
  const claims = { issuer: needed.SESSION_ISSUER, subject: 'user_start', email: 'maria@example.com' };
  session = await signSession(key, { ...claims, party: undefined, expires: '1h' });
  server = await startOwnServer(settings);
});
afterAll(async () => {
  await server?.stop();
  await database?.close();
  await s3?.stop();
  await rm(directory, { recursive: true, force: true });
});

const as = (token: string, headers = {}) => ({ headers: { Authorization: `Bearer ${token}`, ...headers } });

async function stored(): Promise<string[]> {
  const found = await readdir(join(s3.buckets, 'files'), { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

it('stores an uploaded file in parts, gives it back whole and in ranges, and deletes it', async () => {
  const bytes = randomBytes(12_345_678);
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'noise.bin');
  form.set('name', 'Noise');
  form.set('feature_storage', 'r2_only');
  const uploaded = await fetch(`${server.address}/v1/datasets/upload`, { method: 'POST', body: form, ...as(session) });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it freely
  const { data, ...rest } = (await uploaded.json()) as any;
  expect(uploaded.status, JSON.stringify(rest)).toBeLessThan(300);
  const keys = await stored();
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.every((key) => key.includes('/some/prefix/'))).toBe(true);

  const address = `${server.address}/v1/datasets/${data.id}/file`;
  const digest = (it: Uint8Array) => createHash('sha256').update(it).digest('hex');
  const whole = await fetch(address, as(session));
  expect(digest(new Uint8Array(await whole.arrayBuffer()))).toBe(digest(bytes));
  const range = await fetch(address, as(session, { Range: 'bytes=6000000-6999999' }));
  expect([range.status, range.headers.get('Content-Range')]).toEqual([206, `bytes 6000000-6999999/${bytes.length}`]);
  expect(digest(new Uint8Array(await range.arrayBuffer()))).toBe(digest(bytes.subarray(6_000_000, 7_000_000)));
  expect((await fetch(address, as(session, { Range: 'bytes=99999999-' }))).status).toBe(416);

  const deleted = await fetch(`${server.address}/v1/datasets/${data.id}`, { method: 'DELETE', ...as(session) });
  expect(deleted.status).toBeLessThan(300);
  await expect.poll(stored).toEqual([]);
});

it('names what is wrong with the S3 before it starts', async () => {
  for (const [wrong, sentence] of [
    [
      { BUCKET_AWS_SECRET_ACCESS_KEY: 'another' },
      /s3:\/\/files\/some\/prefix answers with status 403: SignatureDoesNotMatch/,
    ],
    [{ BUCKET: 's3://nowhere' }, /s3:\/\/nowhere answers with status 404: NoSuchBucket/],
  ] as const) {
    const tried = await spawnOwnServer({ ...settings, ...wrong, DATA_DIR: join(directory, 'other') });
    expect(await tried.ended).toBe(1);
    expect(tried.printed()).toMatch(sentence);
  }
});
