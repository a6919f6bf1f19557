import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backups } from '../../scripts/backup/backups.ts';
import type { Manifest } from '../../scripts/backup/manifest.ts';
import { accountOf, type S3Account, s3Store } from '../../scripts/backup/s3.ts';
import type { Store } from '../../scripts/backup/store.ts';
import { copyDirectory } from '../support/cached-directory.ts';
import { publishedOnce } from '../support/published.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';

// Backups in S3, and of a bucket in S3: https://github.com/versity/versitygw is a server of it over files.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let directory: string;
let server: S3Server;
let account: S3Account;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-s3-'));
  server = await startS3Server(directory, ['backups', 'files']);
  account = server.account;
});

afterAll(async () => {
  await server?.stop();
  await rm(directory, { recursive: true, force: true });
});

async function run(script: string, args: string[], dataDir: string) {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    DATA_DIR: join(directory, dataDir),
    AWS_ENDPOINT_URL: account.endpoint,
    AWS_ACCESS_KEY_ID: account.accessKeyId,
    AWS_SECRET_ACCESS_KEY: account.secretAccessKey,
  };
  const command = ['--disable-warning=ExperimentalWarning', join(ROOT, 'scripts', script), ...args];
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, command, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

async function fileOf(content: string) {
  const path = join(directory, 'content');
  await writeFile(path, content);
  return { path, bytes: Buffer.byteLength(content), sha256: createHash('sha256').update(content).digest('hex') };
}

async function keysIn(store: Store, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys.sort();
}

describe('a store in S3', () => {
  it('has objects under any key, in lists of more than one page', async () => {
    const store = s3Store('s3://files/some/prefix', account);
    const key = "a b+ü(1)'!*&=%2F<é>.txt";
    await store.put(key, { ...(await fileOf('kumusta')), contentType: 'text/x-greeting' });
    const found = await store.get(key);
    expect(found).toMatchObject({
      etag: createHash('md5').update('kumusta').digest('hex'),
      contentType: 'text/x-greeting',
    });
    expect(found && (await text(found.body))).toBe('kumusta');
    expect(await store.get('another')).toBeUndefined();
    const many = Array.from({ length: 1001 }, (_, i) => `many/${String(i).padStart(4, '0')}`);
    for (let i = 0; i < many.length; i += 50)
      await Promise.all(many.slice(i, i + 50).map((it) => store.create(it, it)));
    expect(await keysIn(store)).toEqual([key, ...many]);
    expect(await keysIn(store, 'many/000')).toEqual(many.slice(0, 10));
    expect([await store.create('lock', 'first'), await store.create('lock', 'second')]).toEqual([true, false]);
    await store.delete([key, 'lock', 'another', ...many]);
    expect(await keysIn(s3Store('s3://files', account))).toEqual([]);
  });

  it('refuses other bytes than announced, and says what is wrong', async () => {
    const store = s3Store('s3://files', account);
    const file = await fileOf('kumusta');
    await expect(store.put('a', { ...file, sha256: 'f'.repeat(64) })).rejects.toThrow(/^s3:\/\/files answers .*400/);
    expect(await keysIn(store)).toEqual([]);
    const other = { ...account, secretAccessKey: 'another' };
    await expect(s3Store('s3://files', other).get('a')).rejects.toThrow(/403: SignatureDoesNotMatch/);
    await expect(s3Store('s3://nowhere', account).get('a')).rejects.toThrow('s3://nowhere: there is no such bucket.');
    expect(() => s3Store('s3://', account)).toThrow(
      'A bucket is written as s3://bucket or s3://bucket/prefix (got s3://).',
    );
    expect(() => accountOf({ AWS_ACCESS_KEY_ID: 'x' })).toThrow(/AWS_SECRET_ACCESS_KEY/);
  });
});

describe('backups in S3', () => {
  /** What does not depend on where the rows and the bytes lie. */
  const contentOf = ({ tables, sequences, objects, migrations }: Manifest) => ({
    migrations,
    sequences,
    rows: tables.map(({ name, rows }) => [name, rows]),
    objects: objects.map(({ key, sha256, etag }) => [key, sha256, etag]),
  });

  it('go there and back, also into a bucket in S3, and are verified there', async () => {
    await copyDirectory(await publishedOnce(), join(directory, 'first'));
    const place = 's3://backups/philippines';
    const backups = new Backups(s3Store(place, account), directory);
    expect(await run('backup.ts', ['--to', place], 'first')).toMatchObject({ code: 0 });
    const { manifest: before } = await backups.get();

    const bucket = ['--bucket', 's3://files'];
    expect(await run('restore.ts', ['--from', place, ...bucket], 'second')).toMatchObject({ code: 0 });
    expect(await keysIn(s3Store('s3://files', account))).toEqual(before.objects.map(({ key }) => key).sort());
    const again = await run('backup.ts', ['--to', place, ...bucket, '--keep', '1'], 'second');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('is deleted.') });
    const { id, manifest: after } = await backups.get();
    expect(contentOf(after)).toEqual(contentOf(before));
    expect(await run('restore.ts', ['--from', place, '--verify'], 'none')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(`^${id} is as it was stored: `),
    });

    const { sha256 = '' } = after.objects.at(-1) ?? {};
    const path = join(directory, 'buckets/backups/philippines/objects', sha256.slice(0, 2), sha256);
    const bytes = await readFile(path);
    bytes[0] = ((bytes[0] as number) + 1) % 256;
    await writeFile(path, bytes);
    expect(await run('restore.ts', ['--from', place, '--verify'], 'none')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${sha256} has other bytes than were stored.`),
    });
  });
});
