import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Answer, type Body, get, openApi, post } from '../support/api.ts';
import { point } from '../support/datasets.ts';
import { eventually } from '../support/eventually.ts';
import { meterOf, usesOf } from '../support/limits.ts';
import { linesOf } from '../support/log-lines.ts';
import { bearer, type Headers, newKey, person } from '../support/people.ts';
import { database } from '../support/sql.ts';
import { upload } from '../support/uploads.ts';

const counterOf = (prefix: string) => meterOf(`key:${prefix}`);

/** What a counter has added up and not sent yet. */
const waiting = async (prefix: string): Promise<number> =>
  (await usesOf(prefix)).reduce((sum, { requests }) => sum + requests, 0);

/** Writes the usage of a key once its counter knows of that many requests, which it learns after their answers. */
async function writeDown(prefix: string, requests: number): Promise<void> {
  await eventually(async () => expect(await waiting(prefix)).toBe(requests));
  expect(await runDurableObjectAlarm(counterOf(prefix))).toBe(true);
}

const stats = async (owner: Headers): Promise<Body> => (await get('/v1/api-keys/stats', owner)).body;
const today = () => new Date().toISOString().slice(0, 10);
const original = globalThis.fetch;
const fetched = vi.spyOn(globalThis, 'fetch');
afterEach(() => void fetched.mockReset().mockImplementation(original));

/** Replaces the answer to the statement that writes usage. */
function whenWriting(meet: (send: () => Promise<Response>) => Promise<Response>): void {
  fetched.mockImplementation((url, init) => {
    const send = () => original(url, init);
    return String(init?.body).includes('usage_batches') ? meet(send) : send();
  });
}

describe('a summary', () => {
  it('is empty for somebody who has no keys', async () => {
    expect(await stats((await person()).session)).toEqual({
      total_keys: 0,
      total_requests: 0,
      avg_response_time: 0,
      success_rate: 0,
      error_rate: 0,
      requests_by_day: [],
      requests_by_key: [],
      top_endpoints: [],
      failures: [],
      limits: {
        requests_per_minute: { allowed: 600, used: 0 },
        stored_bytes: { allowed: 2_147_483_648, used: 0 },
      },
    });
  });

  it('names the error of a range beyond the end of a file', async () => {
    const { session } = await person();
    const { key, prefix } = await newKey(session);
    const { id } = (await upload(session, 'wells.geojson', JSON.stringify(point(121, 14)))).body.data;
    await get(`/v1/datasets/${id}/file`, { ...bearer(key), Range: 'bytes=5000-' });
    await writeDown(prefix, 1);
    expect((await stats(session)).failures).toMatchObject([
      { path: '/v1/datasets/{id}/file', status: 416, code: 'range_not_satisfiable', count: 1 },
    ]);
  });

  it('counts the requests of all keys of a user', async () => {
    const { session } = await person();
    const [one, other] = [await newKey(session), await newKey(session, { rate_limit_rpm: 2 })];
    const stranger = await newKey((await person()).session);
    for (const code of ['0700000000', '0800000000', '9900000000']) await get(`/v1/regions/${code}`, bearer(one.key));
    await get('/v1/regions?limit=0', bearer(one.key));
    await post('/v1/regions/search', { ids: ['0700000000'] }, bearer(one.key));
    // Two are let through; the third was never counted.
    for (let i = 0; i < 3; i++) await get(`/v1/regions/0${i + 1}00000000`, bearer(other.key));
    await get('/v1/regions', bearer(stranger.key));
    await writeDown(one.prefix, 5);
    await writeDown(other.prefix, 2);
    await writeDown(stranger.prefix, 1);
    const summary = await stats(session);
    expect(summary).toMatchObject({
      total_keys: 2,
      total_requests: 7,
      success_rate: 71.43,
      error_rate: 28.57,
      requests_by_day: [
        {
          date: today(),
          count: 7,
          statuses: [
            { status: 200, count: 5 },
            { status: 404, count: 1 },
            { status: 422, count: 1 },
          ],
        },
      ],
      requests_by_key: [
        { key_id: one.id, name: 'Test', count: 5, failed: 2 },
        { key_id: other.id, name: 'Test', count: 2, failed: 0 },
      ],
      top_endpoints: [
        { path: '/v1/regions/{id}', count: 5 },
        { path: '/v1/regions', count: 1 },
        { path: '/v1/regions/search', count: 1 },
      ],
    });
    expect(summary.avg_response_time).toBeGreaterThan(0);
    expect(summary.avg_response_time).toBeLessThan(5000);
    const failed = { date: today(), key_id: one.id, count: 1 };
    const failures = [
      { ...failed, path: '/v1/regions', status: 422, code: 'ZodError' },
      { ...failed, path: '/v1/regions/{id}', status: 404, code: 'area_not_found' },
    ];
    expect(summary.failures).toEqual(failures);

    const ofKey = async (id: string) => get(`/v1/api-keys/stats?key_id=${id}`, session);
    expect((await ofKey(one.id)).body).toMatchObject({ total_keys: 2, total_requests: 5, failures });
    expect((await ofKey(other.id)).body).toMatchObject({ total_requests: 2, success_rate: 100, failures: [] });
    expect((await ofKey(other.id)).body.requests_by_key).toEqual(summary.requests_by_key);
    const foreign = await ofKey(stranger.id);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'api_key_not_found']);
  });

  it('names operations by their paths in the document, also where more than one pattern matches', async () => {
    const { session } = await person();
    const { prefix, key } = await newKey(session);
    const asked = {
      '/v1/municities/search': '/v1/municities/search?q=naga',
      '/v1/barangays/search': '/v1/barangays/search?q=poblacion',
      '/v1/municities/{id}': '/v1/municities/0730600000',
      '/v1/provinces/{id}/hierarchy': '/v1/provinces/0702200000/hierarchy',
      '/v1/tiles/{slug}.json': '/v1/tiles/nowhere.json',
      '/v1/tiles/{slug}/{z}/{x}/{y}.mvt': '/v1/tiles/nowhere/0/0/0.mvt',
      '/tiles/pmtiles/{slug}': '/tiles/pmtiles/nowhere',
      '/v1/sources': '/v1/sources',
    };
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const answers: Answer[] = [];
    for (const path of Object.values(asked)) answers.push(await get(path, bearer(key)));
    const routes = linesOf(printed, answers).map(({ route }) => route);
    printed.mockRestore();
    expect(routes).toEqual(Object.keys(asked));
    await writeDown(prefix, routes.length);
    const { top_endpoints: endpoints } = await stats(session);
    expect(endpoints.map(({ path }: Body) => path).sort()).toEqual(Object.keys(asked).sort());
    const { paths } = await openApi();
    for (const path of Object.keys(asked)) expect(paths).toHaveProperty([path]);
  });

  it('goes thirty days back, by days', async () => {
    const { session } = await person();
    const { id } = await newKey(session);
    await database.execute(sql`insert into api_key_usage (key_id, day, path, status, requests, duration_ms)
      select ${id}::uuid, (now() at time zone 'UTC')::date - i, '/v1/regions', s.status, s.requests, s.requests * 25
      from generate_series(0, 40) i cross join (values (200, 3), (304, 1), (503, 1)) s (status, requests)`);
    const summary = await stats(session);
    expect(summary).toMatchObject({ total_requests: 150, success_rate: 80, error_rate: 20, avg_response_time: 25 });
    expect(summary.requests_by_day).toHaveLength(30);
    expect(summary.requests_by_day.at(-1)).toMatchObject({ date: today(), count: 5 });
  });
});

describe('usage', () => {
  it('is written once where the answer of the database is lost', async () => {
    const { session } = await person();
    const { prefix, key } = await newKey(session);
    await get('/v1/provinces/9900000000', bearer(key));
    whenWriting(async (send) => {
      await (await send()).text();
      throw new TypeError('Network connection lost.');
    });
    await writeDown(prefix, 1);
    expect((await stats(session)).total_requests).toBe(1);
    // What comes in meanwhile goes with the next batch.
    await get('/v1/regions', bearer(key));
    await eventually(async () => expect(await waiting(prefix)).toBe(1));
    fetched.mockImplementation(original);
    expect(await runDurableObjectAlarm(counterOf(prefix))).toBe(true);
    expect((await stats(session)).total_requests).toBe(1);
    expect(await runDurableObjectAlarm(counterOf(prefix))).toBe(true);
    expect(await stats(session)).toMatchObject({ total_requests: 2, failures: [{ code: 'area_not_found', count: 1 }] });
    expect(await runDurableObjectAlarm(counterOf(prefix))).toBe(false);
  });

  it('is written when the database is up again, which is tried in growing pauses', async () => {
    const { session } = await person();
    const { id, prefix, key } = await newKey(session);
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    whenWriting(async () => Response.json({ message: 'terminating connection', code: '57P01' }, { status: 400 }));
    const pauses: number[] = [];
    for (let failures = 1; failures <= 3; failures++) {
      await get('/v1/regions', bearer(key));
      await eventually(async () => expect(await waiting(prefix)).toBe(failures === 1 ? 1 : failures - 1));
      const before = Date.now();
      expect(await runDurableObjectAlarm(counterOf(prefix))).toBe(true);
      const alarm = await runInDurableObject(counterOf(prefix), (_, { storage }) => storage.getAlarm());
      pauses.push(Math.floor(((alarm ?? 0) - before) / 10_000));
    }
    expect(pauses).toEqual([2, 4, 8]);
    const lines = printed.mock.calls.map(([line]) => JSON.parse(String(line))).filter((line) => line.key_id === id);
    expect(lines.map(({ what, failures }) => [what, failures])).toEqual([1, 2, 3].map((n) => ['usage_not_saved', n]));
    printed.mockRestore();
    expect((await stats(session)).total_requests).toBe(0);
    fetched.mockImplementation(original);
    for (const total of [1, 3]) {
      expect(await runDurableObjectAlarm(counterOf(prefix))).toBe(true);
      expect((await stats(session)).total_requests).toBe(total);
    }
  });

  it('is forgotten for a key that is deleted', async () => {
    const { session } = await person();
    const { id, prefix, key } = await newKey(session);
    await get('/v1/regions', bearer(key));
    await database.execute(sql`delete from api_keys where id = ${id}`);
    await writeDown(prefix, 1);
    expect(await runDurableObjectAlarm(counterOf(prefix))).toBe(false);
    expect((await stats(session)).total_requests).toBe(0);
  });

  it('is written together with forgetting batches of more than a month ago', async () => {
    const { session } = await person();
    const { prefix, key } = await newKey(session);
    // Other tests write usage to this database at the same time, and each of their writes forgets old batches too, so
    // that only the insert itself can tell how many there were.
    const added = await database.execute(sql`insert into usage_batches (id, added_at)
      select gen_random_uuid(), now() - i * interval '10 days' from generate_series(1, 9) i returning id`);
    expect(added.rows).toHaveLength(9);
    const ages = async () =>
      (
        await database.execute<{ days: number }>(
          sql`select extract(day from now() - added_at)::int as days from usage_batches where added_at < now() - interval '1 day'`,
        )
      ).rows.map(({ days }) => days);
    await get('/v1/regions', bearer(key));
    await writeDown(prefix, 1);
    expect((await ages()).filter((days) => days > 31)).toEqual([]);
    expect(await ages()).toEqual(expect.arrayContaining([10, 20]));
  });
});
