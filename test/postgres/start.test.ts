import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { loadSessionKey, publicKeysOf, signSession } from '../../scripts/dev/session-key.ts';
import { emptyDatabase, seededDatabase, type TestDatabase } from '../support/database.ts';
import { NEEDED, type OwnServer, spawnOwnServer, startOwnServer } from '../support/own-server.ts';

let directory: string;
let database: TestDatabase;
let settings: Record<string, string>;
let session: string;
let server: OwnServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-start-'));
  database = await seededDatabase(inject('postgresServer'));
  const key = await loadSessionKey(join(directory, 'key'));
  const { SESSION_JWKS_URL: _, ...needed } = NEEDED;
  settings = {
    ...needed,
    SESSION_JWKS: JSON.stringify(publicKeysOf(key)),
    DATABASE_URL: database.url,
    DATA_DIR: join(directory, 'data'),
  };
  const claims = { issuer: needed.SESSION_ISSUER, subject: 'user_start', email: 'maria@example.com' };
  session = await signSession(key, { ...claims, party: undefined, expires: '1h' });
  server = await startOwnServer(settings);
});
afterAll(async () => {
  await server?.stop();
  await database?.close();
  await rm(directory, { recursive: true, force: true });
});

async function restart(): Promise<void> {
  expect(await server.stop()).toBe(0);
  server = await startOwnServer(settings);
}

async function ask(path: string, { token, ...init }: RequestInit & { token?: string | undefined } = {}) {
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  const response = await fetch(server.address + path, { ...init, headers });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it freely
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

/** What an address may still ask within a minute, as the answer to one more request of it says. */
async function leftFor(headers: Record<string, string>): Promise<number> {
  const { headers: answered } = await ask('/v1/regions?limit=1', { headers });
  return Number(/r=(\d+)/.exec(answered.get('RateLimit') ?? '')?.[1]);
}

async function newKey(): Promise<string> {
  const init = { method: 'POST', body: '{"name":"Flood map"}', headers: { 'Content-Type': 'application/json' } };
  return (await ask('/v1/api-keys', { token: session, ...init })).body.data.key;
}

async function newDataset(): Promise<{ id: string }> {
  const form = new FormData();
  // No compression makes it smaller, so that it does not fit into the buffers between the server and a slow reader.
  form.set('file', new Blob([randomBytes(60_000_000)]), 'noise.bin');
  const fields = { name: 'Noise', feature_storage: 'r2_only' };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const { status, body } = await ask('/v1/datasets/upload', { method: 'POST', body: form, token: session });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data;
}

describe('npm start', () => {
  it('answers pages, geography and points, for the address that its proxy says', async () => {
    const ready = await ask('/healthcheck/ready');
    expect(ready.body.down ?? []).not.toContain('database');
    expect((await fetch(`${server.address}/docs`)).headers.get('Content-Security-Policy')).toContain("'none'");
    const proxied = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'geo.example' };
    const list = await ask('/v1/regions?limit=1', { headers: proxied });
    expect([list.status, list.body.meta.links.next]).toEqual([200, 'https://geo.example/v1/regions?limit=1&page=2']);
    const point = await ask('/v1/geocode/reverse?lat=14.5826&lon=120.9787', { token: NEEDED.MASTER_TOKEN });
    expect([point.status, point.body.error]).toEqual([200, null]);
    expect((await ask('/cdn-cgi/handler/scheduled')).status).toBe(404);
  });

  it('counts requests by the address of the connection or of the proxy, whatever a client says of itself', async () => {
    const behind = { 'X-Forwarded-For': '203.0.113.7' };
    const first = await leftFor(behind);
    expect(await leftFor({ ...behind, 'CF-Connecting-IP': '198.51.100.1' })).toBe(first - 1);
    expect(await leftFor({ 'X-Forwarded-For': '198.51.100.2, 203.0.113.7' })).toBe(first - 2);
    expect(await leftFor({ ...behind, 'MF-CF-Blob': '{"continent":"EU"}' })).toBe(first - 3);
  });

  it('refuses a request that names no host of its own, and goes on', async () => {
    for (const host of ['a b', 'geo.example/x', 'geo.example"']) {
      const asked = get(`${server.address}/v1/regions`, { headers: { Host: host } });
      const [answer] = await once(asked, 'response');
      expect([host, answer.statusCode]).toEqual([host, 400]);
      answer.resume();
    }
    expect((await ask('/version')).status).toBe(200);
  });

  it('takes two hundred headers, and refuses more', async () => {
    const withHeaders = (count: number) =>
      ask('/v1/provinces', { headers: Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, '1'])) });
    // Fetch sends a few of its own.
    expect((await withHeaders(190)).status).toBe(200);
    expect(await withHeaders(2500)).toMatchObject({ status: 431, body: { code: 'too_many_headers' } });
  });

  it('tells whoever sends too much, also where the length is not announced', async () => {
    const chunk = new Uint8Array(1_000_000);
    const body = () => new Blob(Array<Uint8Array>(100).fill(chunk)).stream();
    for (let i = 0; i < 5; i += 1) {
      const headers = { 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body: body(), duplex: 'half' } as RequestInit;
      expect((await ask('/v1/match', { token: session, ...init })).body.code).toBe('payload_too_large');
    }
  });

  it('keeps keys, datasets and what is counted when it starts again', async () => {
    const key = await newKey();
    const left = async () => {
      const { status, headers } = await ask('/v1/regions?limit=1', { token: key });
      return [status, Number(/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1])] as const;
    };
    const address = { 'X-Forwarded-For': '203.0.113.8' };
    const before = [];
    for (let i = 0; i < 5; i += 1) before.push([await left(), await leftFor(address)] as const);
    const [[, ofKey], ofAddress] = before.at(-1) as (typeof before)[number];
    await restart();
    const [status, after] = await left();
    expect(status).toBe(200);
    expect(after).toBeLessThan(ofKey + 1);
    expect(await leftFor(address)).toBeLessThan(ofAddress + 1);
  });

  it('ends when a download is complete and nothing before, and refuses what comes then', async () => {
    const { id } = await newDataset();
    const asked = get(`${server.address}/v1/datasets/${id}/file`, { headers: { Authorization: `Bearer ${session}` } });
    const [answer] = await once(asked, 'response');
    expect(answer.statusCode).toBe(200);
    let bytes = 0;
    let hasEnded = false;
    void server.ended.then(() => {
      hasEnded = true;
    });
    server.process.kill('SIGTERM');
    await expect.poll(() => fetch(`${server.address}/version`).catch(() => 'refused')).toBe('refused');
    expect(hasEnded).toBe(false);
    for await (const chunk of answer) bytes += chunk.length;
    expect([bytes, await server.ended]).toEqual([60_000_000, 0]);

    // A second signal does not wait.
    server = await startOwnServer(settings);
    const [stuck] = await once(
      get(`${server.address}/v1/datasets/${id}/file`, { headers: { Authorization: `Bearer ${session}` } }),
      'response',
    );
    stuck.on('error', () => undefined);
    server.process.kill('SIGTERM');
    await expect.poll(server.printed).toContain('Stopping');
    expect(await server.stop()).toBe(1);
    server = await startOwnServer(settings);
  });

  it('sends notifications by itself', async () => {
    const send = (path: string, body?: object) => {
      const sent = body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
      return ask(`/v1/webhook-endpoints${path}`, { method: 'POST', token: session, ...sent });
    };
    // Nobody has this name, and nothing of this machine is asked in its place.
    const { body } = await send('', { url: 'https://hooks.example/', events: ['dataset.processed'] });
    const { id } = body.data;
    expect((await send(`/${id}/test`)).status).toBe(200);
    const log = async () => (await ask(`/v1/webhook-endpoints/${id}/deliveries`, { token: session })).body.data;
    await expect.poll(log).toMatchObject([{ status: 'failed', attempts: 1, last_error: 'It could not be reached.' }]);
    const { body: refused } = await send('', { url: `${server.address}/`, events: ['dataset.processed'] });
    expect(refused.code).toBe('webhook_url_not_allowed');
  });

  it('runs the jobs when it is asked to', async () => {
    server.process.kill('SIGUSR2');
    await expect.poll(server.printed).toContain('"what":"job_done","job":"resume-usage"');
    expect(server.printed()).not.toContain('job_failed');
  });

  it('lets commands on the same machine find it, and withdraws that when it ends', async () => {
    const path = join(directory, 'data', 'running.json');
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ address: server.address });
    await server.stop();
    await expect(readFile(path)).rejects.toThrow('ENOENT');
    server = await startOwnServer(settings);
  });
});

describe('npm start with a wrong setting', () => {
  it('names all of them and no secret, and what is missing', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const inUse = String(typeof address === 'object' && address?.port);
    const empty = await emptyDatabase(inject('postgresServer'));
    const cases: [Record<string, string>, string[]][] = [
      [
        { MASTER_TOKEN: 'secret', SESSION_ISSUER: '', FREE_TIER_RPM: 'many', HOST: 'here', TRUSTED_PROXIES: 'all' },
        [
          'MASTER_TOKEN must have at least 16 characters;',
          'SESSION_ISSUER is not set: ',
          'FREE_TIER_RPM must be a whole number from 1 to 100000, not "many"',
          'HOST must be the address to listen on',
          'TRUSTED_PROXIES must be addresses or networks such as 127.0.0.1 or 10.0.0.0/8 (got all)',
        ],
      ],
      [{ DATABASE_URL: '' }, ['DATABASE_URL is not set: ']],
      [{ DATABASE_CONNECTIONS: '0' }, ['DATABASE_CONNECTIONS must be a whole number from 1 to 1000 (got 0)']],
      [{ ENVIRONMENT: 'development' }, ['ENVIRONMENT must be production or preview, not "development"']],
      [{ BUCKET: 'files' }, ['BUCKET: A bucket is written as s3://bucket or s3://bucket/prefix (got files).']],
      [{ BUCKET: 's3://files' }, ['BUCKET: Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to reach s3://.']],
      [{ DATABASE_URL: 'postgres://a:secret@127.0.0.1:9/x' }, ['The database at 127.0.0.1:9 (DATABASE_URL) ']],
      [{ DATABASE_URL: empty.url }, ['The database has no migrations: npm run db:migrate makes its tables.']],
      [{ PORT: inUse }, [`Port ${inUse} is in use`]],
    ];
    try {
      for (const [wrong, sentences] of cases) {
        const other = { DATA_DIR: join(directory, 'other') };
        const tried = await spawnOwnServer({ ...settings, ...other, ...wrong });
        expect([await tried.ended, sentences[0]]).toEqual([1, sentences[0]]);
        for (const sentence of sentences) expect(tried.printed()).toContain(sentence);
        expect(tried.printed()).not.toMatch(/secret|\n +at /);
      }
    } finally {
      taken.close();
      await empty.close();
    }
  });
});
