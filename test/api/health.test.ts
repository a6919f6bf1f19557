import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Answer, type Body, workerWith } from '../support/api.ts';
import { person } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';
import { apart, like, publish } from '../support/snapshot.ts';

// A database that nobody uses sleeps, and is paid for while it is awake: monitors must not wake it.

const original = globalThis.fetch;
const fetched = vi.spyOn(globalThis, 'fetch');
afterEach(() => fetched.mockReset().mockImplementation(original));

const statements = () => bodiesOf(fetched, 'health-');
const refuse = () => fetched.mockImplementation(async () => new Response('Not now', { status: 500 }));
const bucket = apart();
beforeAll(() => publish({ active: true, bucket }));

/** A service whose database no other test knows: what is seen of a database is kept by its address. */
function service(settings: object = {}) {
  const url = new URL((env as unknown as { DATABASE_URL: string }).DATABASE_URL);
  url.searchParams.set('application_name', `health-${crypto.randomUUID()}`);
  const ask = workerWith({ DATABASE_URL: url.href, FILES: bucket, ...settings });
  return { ask, health: (query = '') => ask(`/healthcheck${query}`) };
}

const found = ({ status, body }: Answer) => [status, body.status, body.database.status];

describe('the health check of a service that geography is published for', () => {
  it('makes no statement, however often it is asked', async () => {
    const { health } = service();
    for (let i = 0; i < 20; i += 1) {
      const answer = await health();
      expect(found(answer)).toEqual([200, 'ok', 'unknown']);
      expect(answer.body).toMatchObject({ release: '2026-3q-1', database: { seen_at: null } });
    }
    expect(statements()).toEqual([]);
  });

  it('asks the database where it is told to, and then says what it saw and when', async () => {
    const { health } = service();
    const before = Date.now();
    expect(found(await health('?database=true'))).toEqual([200, 'ok', 'ok']);
    expect(statements()).toHaveLength(1);
    const { body } = await health('?database=false');
    expect(body.database.status).toBe('ok');
    expect(Date.parse(body.database.seen_at)).toBeGreaterThanOrEqual(before);
    expect(statements()).toHaveLength(1);
    refuse();
    const down = await health('?database=true');
    expect(found(down)).toEqual([503, 'unavailable', 'unavailable']);
    expect([down.body.code, down.headers.get('Retry-After')]).toEqual(['database_unavailable', '5']);
    expect((await health('?database=yes')).status).toBe(422);
  });

  it('says what requests have seen of the database, and asks it again until it answers', async () => {
    const { ask, health } = service();
    const { session } = await person();
    expect((await ask('/v1/datasets', { headers: session })).status).toBe(200);
    expect(found(await health())).toEqual([200, 'ok', 'ok']);
    refuse();
    expect((await ask('/v1/datasets', { headers: session })).status).toBe(503);
    fetched.mockClear();
    for (const asked of [1, 2]) {
      expect(found(await health())).toEqual([503, 'unavailable', 'unavailable']);
      expect(statements()).toHaveLength(asked);
    }
    fetched.mockReset().mockImplementation(original);
    for (let i = 0; i < 5; i += 1) expect(found(await health())).toEqual([200, 'ok', 'ok']);
    expect(statements()).toHaveLength(1);
  });

  it('takes a statement that the database refuses for an answer', async () => {
    const { ask, health } = service();
    fetched.mockImplementation(async () => Response.json({ message: 'No', code: '22012' }, { status: 400 }));
    expect((await ask('/v1/datasets', { headers: (await person()).session })).status).toBe(500);
    expect(found(await health())).toEqual([200, 'ok', 'ok']);
  });
});

it('asks the database where the bucket does not say what is served, and names the release that the database serves', async () => {
  const { health } = service({ FILES: like(bucket, { get: async () => Promise.reject(new Error('Internal error')) }) });
  const answer = await health();
  expect([...found(answer), answer.body.release]).toEqual([200, 'ok', 'ok', '2026-3q-1']);
  expect(statements()).toHaveLength(1);
});

describe('readiness', () => {
  const ready = async (settings: object = {}) => (await service(settings)).ask('/healthcheck/ready');

  it('asks each part, and tells how old the list is that is served', async () => {
    const { status, body, headers } = await ready();
    expect([status, body.status, headers.get('Cache-Control')]).toEqual([200, 'ok', 'no-store']);
    expect(Object.values<Body>(body.parts).map(({ ms }) => typeof ms)).toEqual(Array(4).fill('number'));
    expect(body.parts.geography).toMatchObject({ release: '2026-3q-1', list: { as_of: '2026-09-30' } });
    expect(statements()).toHaveLength(1);
  });

  it('is 503 with the parts that do not answer', async () => {
    refuse();
    const noDatabase = await ready();
    expect([noDatabase.status, noDatabase.body.code, noDatabase.headers.get('Retry-After')]).toEqual([
      ...[503, 'database_unavailable', '5'],
    ]);
    expect(noDatabase.body.message).toContain('answer: database.');
    expect(noDatabase.body.down).toEqual(['database']);
    fetched.mockReset().mockImplementation(original);
    const broken = { get: async () => Promise.reject(new Error('Internal error')) };
    // Without the bucket, geography is answered from the database, so it is not down.
    const noBucket = await ready({ FILES: like(bucket, broken) });
    expect([noBucket.status, noBucket.body.code, noBucket.body.down]).toEqual([
      ...[503, 'storage_unavailable', ['bucket']],
    ]);
    const METER = { ...(env as unknown as Env).METER, idFromName: () => 'x', get: () => ({}) };
    const noCounters = await ready({ METER });
    expect([noCounters.status, noCounters.body.code, noCounters.body.down]).toEqual([
      ...[503, 'counter_unavailable', ['counters']],
    ]);
  });
});
