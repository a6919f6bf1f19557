import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addressLimit } from '../../src/rate-limits/limit.ts';
import { freshAddress } from '../support/addresses.ts';
import { api, type Body, get, MASTER, post, workerWith } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { atOnce, byStatus, keyOf, left, meterOf, PATH } from '../support/limits.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { setKey } from '../support/sql.ts';

const SECOND = 1000;
const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
afterEach(() => void vi.useRealTimers());

// The platform evicts an idle object after ten seconds. This one is idle while the other tests run.
const idle = await keyOf(3);
await get(PATH, bearer(idle.key));
const idleSince = performance.now();

describe('a key', () => {
  it.each([
    ['default', null, 200],
    ['limit of 60', 60, 100],
  ])('by its %s (%j) lets exactly 60 of %i requests at once through', async (_, limit, count) => {
    const { key: token } = await keyOf(limit);
    const {
      200: passed = [],
      429: refused = [],
      ...others
    } = byStatus(await atOnce(count, () => get(PATH, bearer(token))));
    expect([passed.length, refused.length, others]).toEqual([60, count - 60, {}]);
    expect(passed.map((answer) => left(answer)?.r).sort((a = 0, b = 0) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, i) => i),
    );
    for (const answer of [...passed, ...refused]) {
      const policies = ['"key";q=60;w=60', ...(answer.status === 200 ? ['"account";q=600;w=60'] : [])];
      expect(answer.headers.get('RateLimit-Policy')).toBe(policies.join(', '));
      const { r, t } = left(answer) ?? { r: -1, t: -1 };
      expect(t).toBeGreaterThan(40);
      expect(t).toBeLessThanOrEqual(60);
      if (answer.status === 200) continue;
      expect(r).toBe(0);
      expect(answer.body).toEqual({
        code: 'rate_limit_exceeded',
        message: `This API key may make 60 requests in 60 seconds. Try again in ${t} seconds.`,
      });
      expect(answer.headers.get('Retry-After')).toBe(String(t));
    }
  });

  it('has a window that slides, in which a refused request does not count', async () => {
    const { key: token } = await keyOf(3);
    vi.useFakeTimers({ toFake: ['Date'] });
    const expectations: [pause: number, status: number, r: number, t: number][] = [
      [0, 200, 2, 60],
      [20, 200, 1, 40],
      [20, 200, 0, 20],
      [1, 429, 0, 19],
      [18.5, 429, 0, 1],
      [0.5, 200, 0, 20],
      [0, 429, 0, 20],
      [20, 200, 0, 20],
      [19, 429, 0, 1],
      [61, 200, 2, 60],
    ];
    for (const [pause, status, r, t] of expectations) {
      wait(pause * SECOND);
      const answer = await get(PATH, bearer(token));
      expect([answer.status, left(answer)]).toEqual([status, { r, t }]);
    }
  });

  it('shares its limit with no other, not even of the same person', async () => {
    const { session } = await person();
    const [one, other] = [await newKey(session, { rate_limit_rpm: 1 }), await newKey(session, { rate_limit_rpm: 1 })];
    for (const { key: token } of [one, other]) {
      expect((await get(PATH, bearer(token))).status).toBe(200);
      expect((await get(PATH, bearer(token))).status).toBe(429);
    }
  });

  it('is counted where the request fails for another reason', async () => {
    const { key: token } = await keyOf(10);
    expect(left(await get('/v1/regions?limit=0', bearer(token)))?.r).toBe(9);
    expect(left(await get('/v1/regions/9900000000', bearer(token)))?.r).toBe(8);
    expect(left(await post('/v1/regions/search', '{', bearer(token)))?.r).toBe(7);
    const limited = await newKey((await person()).session, { scopes: ['read:orgs'], rate_limit_rpm: 10 });
    const refused = await get(PATH, bearer(limited.key));
    expect([refused.status, left(refused)?.r]).toEqual([403, 9]);
  });

  it.each([
    '/v1/tiles/regions.json',
    '/v1/tiles/regions/0/0/0.mvt',
    '/tiles/pmtiles/regions',
    '/v1/tiles/pmtiles/regions',
  ])('is counted where it lacks the scope for a tile that a session would open: %s', async (path) => {
    const { session } = await person();
    const { prefix, key: token } = await newKey(session, { scopes: ['read:orgs'], rate_limit_rpm: 2 });
    const answers = [await get(path, bearer(token)), await get(path, bearer(token)), await get(path, bearer(token))];
    expect(answers.map((answer) => [answer.body.code, left(answer)?.r])).toEqual([
      ['missing_scope', 1],
      ['missing_scope', 0],
      ['rate_limit_exceeded', 0],
    ]);
    const account = ', "account";q=600;w=60';
    expect(answers.map(({ headers }) => headers.get('RateLimit-Policy'))).toEqual(
      [account, account, ''].map((rest) => `"key";q=2;w=60${rest}`),
    );
    await eventually(async () => expect(await runDurableObjectAlarm(meterOf(`key:${prefix}`))).toBe(true));
    expect((await get('/v1/api-keys/stats', session)).body.total_requests).toBeGreaterThan(0);
  });

  it('writes nothing beyond its limit', async () => {
    const { session } = await person();
    const { key: token } = await newKey(session, { rate_limit_rpm: 3 });
    const { 200: made = [], 429: refused = [] } = byStatus(
      await atOnce(12, (i) => post('/v1/api-keys', { name: `${i}` }, bearer(token))),
    );
    expect([made.length, refused.length]).toEqual([3, 9]);
    expect((await get('/v1/api-keys', session)).body.data).toHaveLength(4);
  });

  it('is refused as revoked on the very next request, also where its limit is known to be reached', async () => {
    const { session } = await person();
    const { id, key: token } = await newKey(session, { rate_limit_rpm: 1 });
    for (const status of [200, 429, 429]) expect((await get(PATH, bearer(token))).status).toBe(status);
    expect((await api(`/v1/api-keys/${id}/revoke`, { method: 'POST', headers: session })).status).toBe(200);
    const { status, body, headers } = await get(PATH, bearer(token));
    expect([status, body.code, headers.get('RateLimit')]).toEqual([401, 'api_key_revoked', null]);
  });

  it('is forgotten where it is remembered, also when its id is given in capitals', async () => {
    const { session } = await person();
    const ids = [await newKey(session, { rate_limit_rpm: 1 }), await newKey(session, { rate_limit_rpm: 1 })];
    for (const [i, change] of [
      (id: string) => api(`/v1/api-keys/${id}/revoke`, { method: 'POST', headers: session }),
      (id: string) =>
        api(`/v1/admin/api-keys/${id}`, {
          method: 'PATCH',
          headers: { ...MASTER, 'Content-Type': 'application/json' },
          body: '{"rate_limit_rpm":2}',
        }),
    ].entries()) {
      const { id, key: token } = ids[i] as Body;
      for (const status of [200, 429, 429]) expect((await get(PATH, bearer(token))).status).toBe(status);
      expect((await change(id.toUpperCase())).status).toBe(200);
      expect((await get(PATH, bearer(token))).status).toBe([401, 200][i]);
    }
  });

  it('that has expired works again from the next request on when it is given more time', async () => {
    const { id, key: token } = await keyOf(10);
    await setKey(id, sql`expires_at = now()`);
    for (let i = 0; i < 2; i++) expect((await get(PATH, bearer(token))).body.code).toBe('api_key_expired');
    const { status } = await api(`/v1/admin/api-keys/${id.toUpperCase()}`, {
      method: 'PATCH',
      headers: { ...MASTER, 'Content-Type': 'application/json' },
      body: '{"expires_at":null}',
    });
    expect([status, (await get(PATH, bearer(token))).status]).toEqual([200, 200]);
  });
});

describe('a refusal', () => {
  it('has the headers that every answer has, and none of the answer that it replaces', async () => {
    const { key: token } = await keyOf(1);
    const path = '/v1/provinces/0604500000?output=json';
    const headers = { ...bearer(token), Origin: 'https://elsewhere.example' };
    const first = await get(path, headers);
    expect(first.headers.get('Content-Location')).not.toBeNull();
    // The second is refused by the counter. The third is refused without asking it.
    for (const _ of [2, 3]) {
      const refused = await get(path, { ...headers, 'If-None-Match': first.headers.get('ETag') as string });
      expect(refused.status).toBe(429);
      expect(refused.headers.get('X-Content-Type-Options')).toBe('nosniff');
      for (const name of ['ETag', 'Content-Location', 'X-Data-Release', 'Deprecation', 'Vary'])
        expect([name, refused.headers.get(name)]).toEqual([name, null]);
      for (const name of ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers']) {
        expect(refused.headers.get(name)).toBe(first.headers.get(name));
      }
      expect(refused.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(refused.headers.get('Access-Control-Expose-Headers')).toContain('RateLimit-Policy');
      expect(refused.headers.get('Content-Type')).toBe('application/json');
      expect(refused.headers.get('Cache-Control')).toBe('no-store');
    }
  });

  it('of a large answer leaves no work behind that fails', async () => {
    const { key: token } = await keyOf(1);
    const path = '/v1/municities?province=Bohol&format=geojson&geometry=detailed';
    const answers = await atOnce(6, () => get(path, bearer(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429, 429, 429]);
    expect((await get(path, MASTER)).body.features).toHaveLength(48);
  });
});

describe('the free tier', () => {
  const anonymous = (limit: number) => {
    const ask = workerWith({ FREE_TIER_RPM: String(limit) });
    return (address: string, path = PATH) => ask(path, { headers: { 'CF-Connecting-IP': address } });
  };

  it('lets 30 requests a minute of one address through, and then other addresses', async () => {
    const address = freshAddress();
    const { 200: passed = [], 429: refused = [] } = byStatus(
      await atOnce(40, () => get(PATH, { 'CF-Connecting-IP': address })),
    );
    expect([passed.length, refused.length]).toEqual([30, 10]);
    expect(passed[0]?.headers.get('RateLimit-Policy')).toBe('"free-tier";q=30;w=60');
    expect(passed.map((answer) => left(answer, 'free-tier')?.r).sort((a = 0, b = 0) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, i) => i),
    );
    expect(refused[0]?.body.message).toContain('This address, without an API key, may make 30 requests in 60 seconds.');
    expect((await get(PATH)).status).toBe(200);
  });

  it('does not work on a write that it refuses', async () => {
    const ask = workerWith({ FREE_TIER_RPM: '1' });
    const headers = { 'CF-Connecting-IP': freshAddress(), 'Content-Type': 'application/json' };
    const match = () => ask('/v1/match', { method: 'POST', headers, body: '{"rows":[{"province":"Cebu"}]}' });
    const fetched = vi.spyOn(globalThis, 'fetch');
    expect((await match()).status).toBe(200);
    expect(fetched).toHaveBeenCalled();
    fetched.mockClear();
    expect((await match()).status).toBe(429);
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
  });

  it('counts an IPv6 network of /64 as one, and an IPv4 address however it is written', async () => {
    const ask = anonymous(2);
    const site = `2001:db8:${freshAddress().split('.').slice(1, 2)}`;
    const rest = async (...addresses: string[]) => {
      const answers = [];
      for (const address of addresses) answers.push(left(await ask(address), 'free-tier')?.r);
      return answers;
    };
    expect(await rest(`${site}:1::1`, `${site.toUpperCase()}:0001:ffff:0:0:1`, `${site}:2::1`)).toEqual([1, 0, 1]);
    const ipv4 = freshAddress();
    expect(await rest(ipv4, `::ffff:${ipv4}`, freshAddress())).toEqual([1, 0, 1]);
  });

  it('does not count requests with credentials, good or bad', async () => {
    const ask = workerWith({ FREE_TIER_RPM: '1' });
    const address = { 'CF-Connecting-IP': freshAddress() };
    const { key: token } = await keyOf(10);
    const { session } = await person();
    expect((await ask(PATH, { headers: address })).status).toBe(200);
    expect((await ask(PATH, { headers: address })).status).toBe(429);
    for (const credentials of [MASTER, session, bearer(token)]) {
      expect((await ask(PATH, { headers: { ...address, ...credentials } })).status).toBe(200);
    }
    for (let i = 0; i < 3; i++)
      expect((await ask(PATH, { headers: { ...address, ...bearer('wrong') } })).status).toBe(401);
    expect((await ask('/', { headers: address })).status).toBe(200);
  });
});

it('the master and sessions have no limit', async () => {
  for (const headers of [MASTER, (await person()).session]) {
    const answers = await atOnce(70, () => get(PATH, headers));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers.every((answer) => !answer.headers.has('RateLimit') && !answer.headers.has('RateLimit-Policy'))).toBe(
      true,
    );
  }
});

it('a counter goes on counting after a time without requests', async () => {
  await scheduler.wait(Math.max(0, 12_000 - (performance.now() - idleSince)));
  expect(left(await get(PATH, bearer(idle.key)))?.r).toBe(1);
});

it('the counter of an address stores nothing for its first request, and that of a key does', async () => {
  const address = freshAddress();
  const { prefix, key: token } = await keyOf(null);
  await get(PATH, { 'CF-Connecting-IP': address });
  await get(PATH, bearer(token));
  const storedBy = (counter: string) =>
    runInDurableObject(meterOf(counter), (_, { storage }) => JSON.stringify([...storage.kv.list()]));
  await eventually(async () => expect(await storedBy(`key:${prefix}`)).toContain('/v1/regions'));
  const { counter } = addressLimit(address, 'XX', 30);
  expect(await storedBy(counter)).not.toContain(address);
  await get(PATH, { 'CF-Connecting-IP': address });
  expect(await storedBy(counter)).toContain(address);
});
