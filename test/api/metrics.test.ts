import { createExecutionContext, createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, inject, it, vi } from 'vitest';
import monitoring from '../../docs/monitoring.md?raw';
import worker from '../../src/worker.ts';
import { type Answer, type Body, get, MASTER, ON_TIME, workerWith } from '../support/api.ts';
import { newDataset } from '../support/datasets.ts';
import { faultyBucket } from '../support/faulty-bucket.ts';
import { linesOf } from '../support/log-lines.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { apart, publish, SNAPSHOTS } from '../support/snapshot.ts';

/** The samples of an answer, by their names and labels. */
function samplesOf({ text }: Answer): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

/** The rows of the table of a document that follows a heading, as cells without backticks. */
function tableAfter(heading: string): string[][] {
  const [, rest = ''] = monitoring.split(`${heading}\n`);
  const rows = (/\n((?:\|.*\n)+)/.exec(rest)?.[1] ?? '').trim().split('\n').slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

describe('GET /metrics', () => {
  it('is OpenMetrics for administrators only, and cached by nobody', async () => {
    const { status, headers, text } = await get('/metrics', MASTER);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(headers.get('Cache-Control')).toBe('private, no-store');
    expect(text.endsWith('\n# EOF\n')).toBe(true);
    const someone = await person();
    const { key } = await newKey(someone.session);
    const refused = [{}, bearer('wrong-token-of-a-scraper'), someone.session, bearer(key)];
    const statuses = await Promise.all(refused.map(async (credentials) => (await get('/metrics', credentials)).status));
    expect(statuses).toEqual([401, 401, 403, 403]);
  });

  it('tells what is served, stored and answered', async () => {
    await publish({ active: true });
    const ask = workerWith({ FILES: SNAPSHOTS });
    const read = async () => samplesOf(await ask('/metrics', { headers: MASTER }));
    let [before, after] = [await read(), await read()];
    // Other tests delete theirs in between, so that a sum may not grow at once.
    const notGrown = async () => {
      before = await read();
      const { session } = await person();
      await newKey(session);
      await newDataset(session, { features: [{ geom: { type: 'Point', coordinates: [121, 14] } }] });
      after = await read();
      const sums = ['pgds_accounts', 'pgds_api_keys', 'pgds_datasets', 'pgds_stored_bytes'];
      return sums.filter((name) => !(Number(after[name]) > Number(before[name])));
    };
    await expect.poll(notGrown).toEqual([]);
    for (const part of ['database', 'bucket', 'geography', 'counters'])
      expect([part, after[`pgds_part_up{part="${part}"}`]]).toEqual([part, 1]);
    expect(after['pgds_release_info{release="2026-3q-1"}']).toBe(1);
    expect(after.pgds_database_bytes).toBeGreaterThan(1_000_000);
    expect(after.pgds_list_age_days).toBeGreaterThanOrEqual(0);
    const requests = 'pgds_instance_requests_total{status="2xx"}';
    expect(after[requests]).toBeGreaterThan(before[requests] as number);
  });

  it('says which part does not answer, and what the others tell', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const refuses = inject('faultyDatabases')['refuses connections'] as string;
    const noDatabase = samplesOf(
      await workerWith({ ...ON_TIME, DATABASE_URL: refuses, FILES: SNAPSHOTS })('/metrics', { headers: MASTER }),
    );
    expect(noDatabase).toMatchObject({ 'pgds_part_up{part="database"}': 0, 'pgds_part_up{part="geography"}': 1 });
    expect(noDatabase).not.toHaveProperty('pgds_accounts');
    const FILES = faultyBucket(apart(), 'refuses');
    const noBucket = samplesOf(await workerWith({ ...ON_TIME, FILES })('/metrics', { headers: MASTER }));
    expect(noBucket).toMatchObject({ 'pgds_part_up{part="bucket"}': 0, 'pgds_part_up{part="database"}': 1 });
    expect(noBucket).toHaveProperty('pgds_accounts');
    printed.mockRestore();
  });

  it('lets the database sleep with database=false', async () => {
    const DATABASE_URL = inject('faultyDatabases')['refuses connections'] as string;
    const ask = workerWith({ ...ON_TIME, DATABASE_URL, FILES: SNAPSHOTS });
    const samples = samplesOf(await ask('/metrics?database=false', { headers: MASTER }));
    expect(samples).toMatchObject({ 'pgds_part_up{part="bucket"}': 1 });
    expect(samples).not.toHaveProperty('pgds_part_up{part="database"}');
    expect((await get('/metrics?database=perhaps', MASTER)).status).toBe(422);
  });

  it('says when each scheduled job was done last, and when it failed last', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const FILES = apart();
    const run = (DATABASE_URL: string) =>
      worker.scheduled(
        createScheduledController(),
        { ...env, FILES, DATABASE_URL } as unknown as Env,
        createExecutionContext(),
      );
    const done = 'pgds_job_done_timestamp_seconds{job="delete-old-audit-logs"}';
    const failed = 'pgds_job_failed_timestamp_seconds{job="delete-old-audit-logs"}';
    const read = async () => samplesOf(await workerWith({ FILES })('/metrics', { headers: MASTER }));
    expect(await read()).not.toHaveProperty([done]);
    const started = Date.now() / 1000;
    const spare = await (await fetch(`${inject('spareDatabase')}metrics`)).text();
    // Other tests keep the one sender of notifications busy.
    await run(spare).catch(({ message }) => expect(message).toBe('Jobs failed: send-notifications'));
    const first = await read();
    expect(first[done]).toBeGreaterThanOrEqual(started);
    expect(first).not.toHaveProperty([failed]);
    await expect(run(inject('faultyDatabases')['refuses connections'] as string)).rejects.toThrow('Jobs failed');
    const second = await read();
    expect([second[done], Number(second[failed]) >= started]).toEqual([first[done], true]);
    vi.restoreAllMocks();
  });

  it('has the metrics that docs/monitoring.md lists, and no others', async () => {
    const { text } = await workerWith({ FILES: SNAPSHOTS })('/metrics', { headers: MASTER });
    const listed = tableAfter('## Metrics').flatMap(([names = '']) => names.split(', '));
    const types = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name);
    expect(types.length).toBeGreaterThan(15);
    expect(types.filter((name) => !listed.includes(name))).toEqual([]);
    // Whether jobs ran, and whether an event came, depends on other tests.
    const optional = /^pgds_(job_|webhook_last_|instance_errors)/;
    expect(listed.filter((name) => !types.includes(name) && !optional.test(name))).toEqual([]);
  });
});

describe('the data point of a request', () => {
  /** What is written for some requests. */
  async function pointsOf(
    requests: readonly [path: string, headers?: Record<string, string>][],
    settings: object = {},
  ) {
    const points: AnalyticsEngineDataPoint[] = [];
    const METRICS = { writeDataPoint: (point: AnalyticsEngineDataPoint) => points.push(point) };
    const ask = workerWith({ METRICS, FILES: SNAPSHOTS, ...settings });
    const answers: Answer[] = [];
    for (const [path, headers = {}] of requests) {
      const isUndeclared = path === '/nowhere' || path === '/v1/match';
      answers.push(await ask(path, { headers, ...(isUndeclared ? { undeclared: true as const } : {}) }));
    }
    return { points, answers };
  }

  it('has the fields of docs/monitoring.md, once for each request', async () => {
    await publish({ active: true });
    const { session } = await person();
    const { key } = await newKey(session);
    const { points, answers } = await pointsOf([
      ['/v1/regions/0700000000', MASTER],
      ['/v1/datasets', bearer(key)],
      ['/v1/regions/9900000000'],
      ['/nowhere'],
      ['/v1/match'],
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 405]);
    const operations = ['get_region', 'list_datasets', 'get_region', 'none', 'none'];
    expect(points.map(({ indexes }) => indexes)).toEqual(operations.map((id) => [id]));
    const fields = tableAfter('## Data points of requests').map(([field]) => field);
    const [{ blobs = [], doubles = [] } = {}] = points;
    expect(fields).toEqual([
      'index1',
      ...blobs.map((_, i) => `blob${i + 1}`),
      ...doubles.map((_, i) => `double${i + 1}`),
    ]);
    expect(points.map(({ blobs: [status, code, credential] = [] }) => [status, code, credential])).toEqual([
      ['2xx', '', 'master'],
      ['2xx', '', 'key'],
      ['4xx', 'area_not_found', 'anonymous'],
      ['4xx', 'route_not_found', ''],
      ['4xx', 'method_not_allowed', ''],
    ]);
    expect(points.map(({ doubles: [status] = [] }) => status)).toEqual([200, 200, 404, 404, 405]);
    // Datasets are in the database, and regions are not.
    expect(points.map(({ doubles: [, , , , statements] = [] }) => Number(statements) > 0)).toEqual([
      false,
      true,
      false,
      false,
      false,
    ]);
  });

  it('says whether a cache had the answer', async () => {
    await publish({ active: true });
    const path = '/v1/provinces/0702200000';
    const { points } = await pointsOf([
      [path, MASTER],
      [path, MASTER],
      ['/version', MASTER],
    ]);
    expect(points.map(({ blobs }) => blobs?.[3]).slice(1)).toEqual(['hit', '']);
  });

  it('has nothing that tells who asked', async () => {
    const someone = await person();
    const { key, id } = await newKey(someone.session);
    const address = '203.0.113.77';
    const { points } = await pointsOf([
      ['/v1/datasets', { ...bearer(key), 'CF-Connecting-IP': address, 'User-Agent': 'somebody' }],
      ['/v1/api-keys', someone.session],
    ]);
    const written = JSON.stringify(points);
    expect(points).toHaveLength(2);
    for (const personal of [someone.email, someone.subject, key, key.slice(0, 12), id, address, 'somebody'])
      expect(written).not.toContain(personal);
  });

  it('changes no answer where it is refused, or has nowhere to go', async () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const refuse = () => {
      throw new Error('Too many data points');
    };
    const { answers } = await pointsOf([['/version']], { METRICS: { writeDataPoint: refuse } });
    const { answers: others } = await pointsOf([['/version']], { METRICS: undefined });
    expect([...answers, ...others].map(({ status }) => status)).toEqual([200, 200]);
    const [line, other] = linesOf(printed, [...answers, ...others]);
    expect(line.unmeasured).toMatchObject({ message: 'Too many data points' });
    expect(other).not.toHaveProperty('unmeasured');
    vi.restoreAllMocks();
  });
});

describe('the log line of a request', () => {
  it('has the fields of docs/monitoring.md', async () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await publish({ active: true });
    const ask = workerWith({ FILES: SNAPSHOTS });
    const answers = [
      await ask('/v1/regions/0700000000', { headers: { 'X-Request-Id': 'of-a-client' } }),
      await ask('/v1/regions/9900000000'),
    ];
    const listed = tableAfter('## Logs').flatMap(([names = '']) => names.split(', '));
    const fields = linesOf(printed, answers).flatMap((line: Body) => Object.keys(line));
    expect(fields.filter((field: string) => !listed.includes(field))).toEqual([]);
    expect(listed.filter((field) => !fields.includes(field))).toEqual(['uncounted', 'unmeasured']);
    vi.restoreAllMocks();
  });
});
