import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backups } from '../../scripts/backup/backups.ts';
import { directoryStore } from '../../scripts/backup/directory.ts';
import { openLocalBucket } from '../../scripts/backup/local-bucket.ts';
import { type Manifest, written } from '../../scripts/backup/manifest.ts';
import type { Store } from '../../scripts/backup/store.ts';
import { takeBackup } from '../../scripts/backup/take.ts';
import { withClient } from '../../scripts/database/client.ts';
import { openEmbedded } from '../../scripts/database/embedded.ts';
import { loadSessionKey, signSession } from '../../scripts/dev/session-key.ts';
import { eventually } from '../support/eventually.ts';
import type { LocalService } from '../support/local-service.ts';
import { startLocalService } from '../support/local-service.ts';
import { type PublishedService, startPublishedService } from '../support/published.ts';
import { archiveOfMany } from '../support/tile-archives.ts';

const SCRIPTS = fileURLToPath(new URL('../../scripts/', import.meta.url));
const BUCKET = 'philippine-geographic-data';
/** The file of a dataset, whose bytes no export would write like this. */
const FILE = 'name,lat,lon\nA,10.00000,123\nB,11.0000,124\n"tab\tand \\ and ""quote""",12,125\n';

let directory: string;
let dataDir: string;
/** Where the backups are. */
let place: string;
let service: PublishedService;
let session: string;
let key: string;
let datasetId: string;
/** What the service answered before everything was destroyed. */
let before: Record<string, unknown>;

async function run(script: string, args: string[], environment: Record<string, string> = {}) {
  const { DATABASE_URL: _, DATA_DIR: __, ...inherited } = process.env;
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { ...inherited, DATA_DIR: dataDir, ...environment };
    const command = ['--disable-warning=ExperimentalWarning', join(SCRIPTS, script), ...args];
    execFile(process.execPath, command, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const asPerson = () => ({ Authorization: `Bearer ${session}` });

async function upload(name: string, headers: Record<string, string> = {}): Promise<string> {
  const form = new FormData();
  form.set('name', name);
  form.set('user_email', 'maria@example.com');
  form.set('file', new Blob([FILE]), 'wells.csv');
  const answer = await service.ask('/v1/datasets/upload', { method: 'POST', body: form, headers });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: { id: string } }).data.id;
}

async function putTiles(slug: string): Promise<void> {
  const headers = { 'Content-Type': 'application/vnd.pmtiles' };
  const answer = await service.ask(`/v1/admin/tiles/${slug}`, { method: 'PUT', headers, body: await archiveOfMany() });
  expect(answer.status).toBe(200);
}

/** A person signs up, whom the identity provider reports, makes a key and a dataset, and uses both. */
async function makeData(): Promise<void> {
  const vars = parseEnv(await readFile(join(dataDir, '.dev.vars'), 'utf8'));
  const event = JSON.stringify({
    type: 'user.created',
    data: {
      id: 'user_maria',
      email_addresses: [{ id: 'e1', email_address: 'maria@example.com', verification: { status: 'verified' } }],
      primary_email_address_id: 'e1',
      updated_at: 1,
    },
  });
  const signature = new Webhook(vars.IDENTITY_WEBHOOK_SECRET as string).sign('msg_1', new Date(), event);
  const seen = await service.ask('/v1/webhooks/clerk', {
    method: 'POST',
    body: event,
    headers: {
      'Content-Type': 'application/json',
      'svix-id': 'msg_1',
      'svix-timestamp': String(Math.floor(Date.now() / 1000)),
      'svix-signature': signature,
    },
  });
  expect(seen.status).toBe(200);
  session = await signSession(await loadSessionKey(join(dataDir, '.dev.session-key')), {
    issuer: 'http://127.0.0.1/local-identity-provider',
    subject: 'user_maria',
    email: 'maria@example.com',
    party: undefined,
    expires: '1h',
  });
  const made = await service.ask('/v1/api-keys', {
    method: 'POST',
    headers: { ...asPerson(), 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'A key', scopes: ['read:boundaries'] }),
  });
  key = ((await made.json()) as { data: { key: string } }).data.key;
  expect(await statusWithKey(service)).toBe(200);
  datasetId = await upload('Wells', asPerson());
  await putTiles('many');
}

async function statusWithKey({ address }: LocalService): Promise<number> {
  return (await fetch(`${address}/v1/regions`, { headers: { Authorization: `Bearer ${key}` } })).status;
}

const REQUESTS_THIS_MINUTE = /("requests_per_minute":\{"allowed":\d+),"used":\d+/;

/**
 * What the service answers: status, type, validator and a hash of the bytes. None of it tells an age, which grows at
 * midnight, or how many requests were made this minute: that counter is the service's own, and no backup has it.
 */
async function answersOf({ ask }: Pick<LocalService, 'ask'>): Promise<Record<string, unknown>> {
  const files = (await (await ask('/v1/downloads')).json()) as { data: { id: string }[] };
  const paths = [
    '/v1/regions?format=geojson&resolution=medium',
    '/v1/provinces/0702200000',
    '/v1/provinces?format=geojson',
    '/v1/municities/0730600000?format=geojson&resolution=detailed',
    '/v1/municities/search?q=paranaque',
    '/v1/geocode/reverse?lat=10.3&lon=123.9',
    '/v1/editions',
    '/v1/changes?from=2023-1q',
    '/v1/downloads',
    ...files.data.filter(({ id }) => id.includes('provinc')).map(({ id }) => `/v1/downloads/${id}`),
    '/v1/tiles',
    '/v1/tiles/many.json',
    '/v1/tiles/many/0/0/0.mvt',
    '/v1/tiles/many/4/3/2.mvt',
    `/v1/datasets/${datasetId}?includeFeatures=true`,
    `/v1/datasets/${datasetId}/file`,
    `/v1/datasets/${datasetId}/export?format=csv`,
    `/v1/features/dataset/${datasetId}`,
    '/v1/admin/users',
    '/v1/admin/api-keys',
    '/v1/admin/datasets',
    '/v1/admin/releases',
    '/v1/admin/audit-logs?limit=100',
    '/v1/admin/webhook-events',
  ];
  const answers: Record<string, unknown> = {};
  const add = async (name: string, answer: Response) => {
    const sent = Buffer.from(await answer.arrayBuffer());
    const bytes = Buffer.from(sent.toString('latin1').replace(REQUESTS_THIS_MINUTE, '$1'), 'latin1');
    const { headers } = answer;
    // Validators of geography are also those of this start of the service.
    const etag = headers.get('ETag')?.replace(/^("[^.]+)\..*/, '$1');
    const facts = [answer.status, headers.get('Content-Type'), etag];
    const text = headers.get('Content-Type')?.includes('json') && bytes.length < 10_000 ? bytes.toString() : '';
    answers[name] = [...facts, bytes.length, createHash('sha256').update(bytes).digest('hex'), text];
  };
  for (const path of paths) await add(path, await ask(path));
  for (const path of ['/v1/api-keys', '/v1/api-keys/stats', '/v1/datasets']) {
    await add(`${path} as the person`, await ask(path, { headers: asPerson() }));
  }
  return answers;
}

const openBucket = () => openLocalBucket(join(dataDir, 'worker'), BUCKET);

async function keysIn(bucket: Store): Promise<string[]> {
  const keys: string[] = [];
  for await (const object of bucket.list('')) keys.push(object.key);
  return keys;
}

/** A copy of the place with the newest backup, which a test may damage. */
async function copyOfPlace(): Promise<string> {
  const copy = await mkdtemp(join(directory, 'place-'));
  await cp(place, copy, { recursive: true });
  return copy;
}

async function newestIn(where: string): Promise<{ id: string; manifest: Manifest }> {
  return new Backups(directoryStore(where), directory).get();
}

const pathOf = (where: string, sha256: string) => join(where, 'objects', sha256.slice(0, 2), sha256);

/** Changes a byte of a file and not its length. */
async function alter(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length >> 1] = ((bytes[bytes.length >> 1] as number) + 1) % 256;
  await writeFile(path, bytes);
}

/** Takes a backup into a place of its own, and changes the service when the database was read: the bucket is listed then. */
async function takeWhileChanging(bucket: Store, change: () => Promise<unknown>) {
  let isChanged = false;
  const changing: Store = {
    ...bucket,
    list: async function* (prefix) {
      if (!isChanged) await change();
      isChanged = true;
      yield* bucket.list(prefix);
    },
  };
  const reasons: string[] = [];
  const scratch = await mkdtemp(join(directory, 'scratch-'));
  const store = directoryStore(await mkdtemp(join(directory, 'race-')));
  const { manifest, sent } = await takeBackup({
    ...{ bucket: changing, scratch, onProgress: () => undefined },
    backups: new Backups(store, scratch),
    withConnection: (work) => withClient(service.database.url, work),
    onRetry: (reason) => reasons.push(reason),
  });
  const versions = manifest.tables.find(({ name }) => name === 'dataset_versions')?.rows ?? 0;
  let stored = 0;
  for await (const { bytes } of store.list('objects/')) stored += bytes;
  const keys = manifest.objects.map(({ key: it }) => it);
  return { keys, versions, reasons, missing: manifest.missing, sent, stored };
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-backup-'));
  dataDir = join(directory, 'data');
  place = join(directory, 'place');
  service = await startPublishedService(dataDir);
  await makeData();
  const used = () =>
    withClient(service.database.url, async (client) => (await client.query('select from api_key_usage')).rowCount);
  await eventually(async () => expect(await used()).toBeGreaterThan(0));
  before = await answersOf(service);
  const statuses = Object.entries(before).map(([name, answer]) => [name, (answer as unknown[])[0]]);
  expect(statuses).toEqual(statuses.map(([name]) => [name, 200]));
});

afterAll(async () => {
  await service?.stop();
  await rm(directory, { recursive: true, force: true });
});

describe('a backup of a service that runs', () => {
  it('stores only what an earlier one has not, and keeps as many as it is told', async () => {
    const first = await run('backup.ts', ['--to', place]);
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Backup \S+: \d{6} rows, \d+ objects; \d\d/),
    });
    await upload('Other wells');
    const second = await run('backup.ts', ['--to', place]);
    expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/ objects; 0\.\d MB stored/) });
    const { stdout } = await run('restore.ts', ['--from', place, '--list']);
    const [older, newer, ...others] = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    expect([first.stdout, second.stdout]).toEqual([
      expect.stringContaining(older as string),
      expect.stringContaining(newer as string),
    ]);
    expect(others).toEqual([]);
    const third = await run('backup.ts', ['--to', place, '--keep', '1']);
    expect(third.stdout).toContain(`${older} is deleted.\n${newer} is deleted.`);
    expect((await run('restore.ts', ['--from', place, '--list'])).stdout.trim().split('\n')).toHaveLength(1);
    expect(await run('restore.ts', ['--from', place, '--verify'])).toMatchObject({ code: 0 });
  });

  it('is of the moment of its database: what is uploaded later is not in it, and what is deleted later begins it anew', async () => {
    await putTiles('short');
    const bucket = await openBucket();
    const known = () => keysIn(bucket);
    const takeWhile = (change: () => Promise<unknown>) => takeWhileChanging(bucket, change);
    try {
      const earlier = new Set(await known());
      let lostId = '';
      const uploaded = await takeWhile(async () => {
        lostId = await upload('During a backup');
      });
      const late = (await known()).filter((it) => !earlier.has(it));
      expect(late).toHaveLength(1);
      expect(uploaded.reasons).toEqual([]);
      expect(uploaded.keys).not.toContain(late[0]);

      const tiles = (await known()).filter((it) => it.startsWith('tiles/'));
      const deleted = await takeWhile(async () => {
        await upload('During another backup');
        expect((await service.ask('/v1/admin/tiles/short', { method: 'DELETE' })).status).toBe(200);
        await expect
          .poll(async () => (await known()).filter((it) => it.startsWith('tiles/')).length)
          .toBe(tiles.length - 1);
      });
      expect(deleted.reasons).toEqual([expect.stringMatching(/^tiles\/\S+ was deleted meanwhile$/)]);
      // Bytes of the first try count too. Equal files that are copied at once may be sent twice.
      expect(deleted.sent).toBeGreaterThanOrEqual(deleted.stored);
      // Taken anew, it has everything of a later moment.
      expect(deleted.keys).toContain(late[0]);
      expect(deleted.keys.filter((it) => it.startsWith('tiles/'))).toHaveLength(tiles.length - 1);
      expect(deleted.versions).toBe(uploaded.versions + 2);
      expect(deleted.missing).toEqual([]);

      // What the service itself has lost is no reason to have no backup.
      await bucket.delete([late[0] as string]);
      const lost = await takeWhile(async () => undefined);
      expect(lost).toMatchObject({ reasons: [], missing: late });
      // An older backup may be the only one that has it.
      const copy = await copyOfPlace();
      const { code, stdout, stderr } = await run('backup.ts', ['--to', copy, '--keep', '1']);
      await rm(copy, { recursive: true });
      expect([code, stdout.trim().split('\n').length]).toEqual([1, 1]);
      expect(stderr).toContain(`The bucket lacks what the database names: ${late[0]}. No older backup is deleted`);
      expect((await service.ask(`/v1/datasets/${lostId}`, { method: 'DELETE' })).status).toBe(200);
    } finally {
      await bucket.close();
    }
  });

  it('is begun anew where another release is activated meanwhile', async () => {
    const bucket = await openBucket();
    try {
      const pointer = await bucket.get('releases/active');
      const path = join(directory, 'pointer');
      await writeFile(path, `${pointer && (await textOf(pointer.body))} `);
      const bytes = await readFile(path);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const change = () => bucket.put('releases/active', { path, bytes: bytes.length, sha256 });
      const { reasons, keys } = await takeWhileChanging(bucket, change);
      expect(reasons).toEqual(['Another release was activated meanwhile']);
      expect(keys).toContain('releases/active');
    } finally {
      await bucket.close();
    }
  });
});

describe('what is refused', () => {
  const refused = async (from: string, ...args: string[]) => {
    const { code, stdout, stderr } = await run('restore.ts', ['--from', from, ...args], {
      DATA_DIR: join(directory, 'none'),
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(await readdir(join(directory, 'none')).catch(() => [])).toEqual([]);
    return stderr.split('\n').at(-2);
  };

  it('a restore while the service runs, and one over what is there', async () => {
    const { code, stderr } = await run('restore.ts', ['--from', place]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('npm run dev runs on this database; stop it first.')]);
  });

  it('a place that has something else, and a place without backups', async () => {
    const other = await mkdtemp(join(directory, 'other-'));
    await writeFile(join(other, 'letter.txt'), 'Dear Maria');
    const { code, stderr } = await run('backup.ts', ['--to', other]);
    expect([code, stderr]).toEqual([1, `${other} is no place for backups: it has letter.txt. Name an empty one.\n`]);
    expect(await refused(other)).toBe(`There is no backup in ${other}.`);
    expect(await readdir(other)).toEqual(['letter.txt']);
    expect(await run('restore.ts', ['--list'])).toMatchObject({ code: 2 });
    expect(await run('backup.ts', ['--to', place, '--keep', '0'])).toMatchObject({ code: 2 });
  });

  it('a backup with an altered object, an altered or missing part of a table, or an altered manifest', async () => {
    const { id, manifest } = await newestIn(place);
    const [object, table] = [manifest.objects[0], manifest.tables.find(({ name }) => name === 'areas')];
    const part = table?.parts[0]?.sha256 as string;
    for (const sha256 of [object?.sha256 as string, part]) {
      const copy = await copyOfPlace();
      await alter(pathOf(copy, sha256));
      expect(await refused(copy)).toContain(`${sha256} has other bytes than were stored.`);
      expect(await refused(copy, '--verify')).toContain(`The backup is damaged.`);
      await rm(pathOf(copy, sha256));
      expect(await refused(copy)).toContain(`${sha256} is missing.`);
      await rm(copy, { recursive: true });
    }
    const copy = await copyOfPlace();
    const path = join(copy, 'backups', `${id}.json`);
    await alter(path);
    expect(await refused(copy)).toBe(`The manifest of ${id} was changed after it was written.`);
    await rm(path);
    expect(await refused(copy)).toBe(`There is no backup in ${copy}.`);
    expect(await refused(place, '--backup', 'other')).toContain(`There is no backup other in ${place}; it has ${id}.`);
  });

  it('a backup of a newer version', async () => {
    const copy = await copyOfPlace();
    const { manifest } = await newestIn(copy);
    const migrations = [...manifest.migrations, 'f'.repeat(64)];
    const newer = written({ ...manifest, created_at: '2999-01-01T00:00:00.000Z', migrations });
    await writeFile(join(copy, 'backups', `${newer.id}.json`), newer.text);
    const n = manifest.migrations.length;
    expect(await refused(copy)).toBe(
      `The backup has ${n + 1} migrations, and this version ${n}: it is of a newer version. Use that one.`,
    );
  });

  it('a second run on the same place, while the first one is at work', async () => {
    const copy = await copyOfPlace();
    const backups = new Backups(directoryStore(copy), directory);
    const second = await backups.withLock(() => run('backup.ts', ['--to', copy]));
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Another run works on .* delete lock there\.$/m),
    });
    // One that was killed has left its lock.
    const dead = { host: hostname(), pid: 2 ** 22 + 1, since: new Date().toISOString() };
    await writeFile(join(copy, 'lock'), JSON.stringify(dead));
    expect(await backups.withLock(async () => 'done')).toBe('done');
  });
});

describe('a restore', () => {
  it('brings back a service whose database and bucket are lost, with the same answers byte for byte', async () => {
    before = await answersOf(service);
    expect(await run('backup.ts', ['--to', place])).toMatchObject({ code: 0 });
    await service.stop();
    // Of the data directory only the secrets stay, which are in no backup.
    await rm(join(dataDir, 'database'), { recursive: true });
    await rm(join(dataDir, 'worker'), { recursive: true });
    const restored = await run('restore.ts', ['--from', place]);
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+ is restored, \d/) });

    const embedded = await openEmbedded(join(dataDir, 'database'));
    const database = { ...embedded, singleSession: true };
    // Answers have the address of the service.
    const { port: PORT } = new URL(service.address);
    const again = await startLocalService(database, dataDir, { FREE_TIER_RPM: '1000', PORT });
    service = { ...again, database, stop: () => again.stop().then(embedded.close) };
    expect(await answersOf(service)).toEqual(before);
    expect(await statusWithKey(service)).toBe(200);
    // What comes next gets ids of its own.
    await upload('After the restore');
    await putTiles('many');
  });

  it('replaces what is there only with --overwrite', async () => {
    await service.stop();
    const { code, stderr } = await run('restore.ts', ['--from', place]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The database is not empty: \w+ has rows\. --overwrite replaces all that is there\.$/m),
    ]);
  });
});
