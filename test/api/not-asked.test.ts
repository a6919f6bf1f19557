import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { checksumOf, createKeyToken } from '../../src/auth/key-token.ts';
import { freshAddress } from '../support/addresses.ts';
import { type Answer, api, get, instanceWith, ON_TIME, workerWith } from '../support/api.ts';
import { atOnce, byStatus, keyOf, left, PATH } from '../support/limits.ts';
import { linesOf } from '../support/log-lines.ts';
import { bearer } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';
import { setKey } from '../support/sql.ts';

/** Another instance. It is made first, because a new one ends the Durable Objects of the test. */
const elsewhere = await instanceWith();

const SECOND = 1000;
/** More requests than are let through for any reason: the limit of the key, or the look-ups of a second. */
const MANY = 40;
const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

const original = globalThis.fetch;
const fetched = vi.spyOn(globalThis, 'fetch');
/** The statements of requests, without those of counters, which write usage in their own time. */
const statements = () => bodiesOf(fetched);
const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
afterEach(() => {
  vi.useRealTimers();
  fetched.mockClear();
  printed.mockClear();
});

describe('a counter that can not be asked', () => {
  const never = () => new Promise(() => undefined);
  const silent = { admit: never, take: never, record: never };
  const broken = () => Promise.reject(new Error('Network connection lost.'));
  const stand = (get: () => object) => ({ METER: { idFromName: () => ({}), get } });
  it.each([
    ['fails', stand(() => ({ admit: broken, take: broken, record: broken }))],
    ['does not answer', stand(() => silent)],
    [
      'can not be named',
      {
        METER: {
          idFromName: () => {
            throw new Error('Too long');
          },
        },
      },
    ],
    ['is not there', { METER: undefined }],
  ])('(it %s) lets requests through, and the log says so', async (_, settings) => {
    const ask = workerWith({ ...ON_TIME, ...settings });
    const { key: token } = await keyOf(1);
    printed.mockClear();
    const answers = await Promise.all(
      [1, 2, 3].flatMap(() => [
        ask(PATH, { headers: bearer(token) }),
        ask('/v1/regions/search', {
          method: 'POST',
          headers: { ...bearer(token), 'Content-Type': 'application/json' },
          body: '{"ids":["0700000000"]}',
        }),
        ask(PATH),
      ]),
    );
    for (const { status, headers } of answers) {
      expect([status, headers.get('RateLimit')]).toEqual([200, null]);
    }
    const lines = linesOf(printed, answers);
    expect(lines.length).toBe(9);
    for (const { uncounted, status } of lines) expect([typeof uncounted.message, status]).toEqual(['string', 200]);
  });
});

describe('the database is not asked', () => {
  it('about texts that are no keys', async () => {
    const { key: token } = await keyOf(null);
    fetched.mockClear();
    const short = token.slice(0, -1);
    for (const none of [
      short,
      `${token}x`,
      short + (token.endsWith('x') ? 'y' : 'x'),
      token.replace('live', 'test'),
      token.replace('live', 'prod'),
      token.toUpperCase(),
      'svc_sk_',
      'svc_sk_live__',
      token.replace(/_(.)/, '_$1$1'),
    ]) {
      const { status, body } = await get(PATH, bearer(none));
      expect([none, status]).toEqual([none, 401]);
      expect(['invalid_api_key', 'invalid_token']).toContain(body.code);
    }
    expect(statements()).toEqual([]);
  });

  it('about keys and addresses whose limit is known to be reached, as long as it is', async () => {
    const { key: token } = await keyOf(2);
    const ask = workerWith({ FREE_TIER_RPM: '2' });
    for (const headers of [bearer(token), { 'CF-Connecting-IP': freshAddress() }]) {
      vi.useFakeTimers({ toFake: ['Date'] });
      for (const status of [200, 200, 429]) expect((await ask(PATH, { headers })).status).toBe(status);
      fetched.mockClear();
      for (let i = 0; i < 5; i++) expect((await ask(PATH, { headers })).status).toBe(429);
      expect(statements()).toEqual([]);
      wait(60 * SECOND);
      expect((await ask(PATH, { headers })).status).toBe(200);
      vi.useRealTimers();
    }
  });

  it.each([
    ['revoked', 'api_key_revoked', sql`revoked_at = now()`, 250],
    ['expired', 'api_key_expired', sql`expires_at = now()`, 4],
  ])('about a key that is known to be %s, for some seconds', async (_, code, end, seconds) => {
    const { id, key: token } = await keyOf(null);
    const refusal = async () => {
      const { status, body } = await get(PATH, bearer(token));
      return [status, body.code];
    };
    expect((await get(PATH, bearer(token))).status).toBe(200);
    await setKey(id, end);
    vi.useFakeTimers({ toFake: ['Date'] });
    expect(await refusal()).toEqual([401, code]);
    fetched.mockClear();
    for (let i = 0; i < 5; i++) {
      expect(await refusal()).toEqual([401, code]);
      wait((seconds / 5) * SECOND);
    }
    expect(statements()).toEqual([]);
    wait(60 * SECOND);
    expect(await refusal()).toEqual([401, code]);
    expect(statements()).toHaveLength(1);
  });

  it('only for some seconds about a key at its limit: the limit may be raised or the key revoked elsewhere', async () => {
    const [raised, revoked] = [await keyOf(1), await keyOf(1)];
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const { key } of [raised, revoked]) {
      for (const status of [200, 429, 429]) expect((await get(PATH, bearer(key))).status).toBe(status);
    }
    await setKey(raised.id, sql`rate_limit_rpm = 2`);
    await setKey(revoked.id, sql`revoked_at = now()`);
    const before = await get(PATH, bearer(raised.key));
    expect([before.status, left(before)]).toEqual([429, { r: 0, t: 60 }]);
    wait(5 * SECOND);
    expect((await get(PATH, bearer(raised.key))).status).toBe(200);
    expect((await get(PATH, bearer(revoked.key))).body.code).toBe('api_key_revoked');
  });

  it.each([['/v1/datasets'], [PATH]])(
    'more than once about a key, however many requests come at once: %s',
    async (path) => {
      const about = () => statements().filter((statement) => statement.includes('api_keys'));
      const [{ key: fresh, prefix }, other] = [await keyOf(5), await keyOf(5)];
      // Whoever sees the prefix of a key can make a token with it whose checksum is right.
      const text = `svc_sk_live_${other.prefix}_${'x'.repeat(32)}`;
      const cases: [string, number[]][] = [
        // The counter does not know the key, and then knows that its limit is reached.
        [fresh, [5, MANY - 5, 0]],
        [fresh, [0, MANY, 0]],
        [createKeyToken('live').token, [0, 0, MANY]],
        [text + checksumOf(text), [0, 0, MANY]],
      ];
      for (const [i, [token, expected]] of cases.entries()) {
        fetched.mockClear();
        // Other instances come in too.
        const ask = i === 1 ? elsewhere : api;
        const answers = byStatus(await atOnce(MANY, () => ask(path, { headers: bearer(token) })));
        expect([200, 429, 401].map((status) => answers[status]?.length ?? 0)).toEqual(expected);
        expect(about().length).toBeLessThanOrEqual(i === 1 ? 0 : 1);
      }
      expect(prefix).toHaveLength(12);
    },
  );

  it('for those who wait, where it fails for whoever asked: each is told to try again', async () => {
    const { key: token } = await keyOf(null);
    fetched.mockClear();
    fetched.mockImplementation(async () => {
      await scheduler.wait(100);
      return new Response('Not now', { status: 500 });
    });
    const failed = await atOnce(50, () => get('/v1/datasets', bearer(token)));
    fetched.mockReset().mockImplementation(original);
    expect(failed.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      Array<string>(50).fill('503 database_unavailable'),
    );
    expect((await get('/v1/datasets', bearer(token))).status).toBe(200);
  });

  it('a second time about a key that does not exist', async () => {
    const address = { 'CF-Connecting-IP': freshAddress() };
    const none = { ...address, ...bearer(createKeyToken('live').token) };
    for (let i = 0; i < 5; i++) expect((await get(PATH, none)).body.code).toBe('invalid_api_key');
    expect(statements()).toHaveLength(1);
  });

  it('about more than a hundred unknown keys a minute of one address, however many come at once', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const address = { 'CF-Connecting-IP': freshAddress() };
    const prefixes: string[] = [];
    const made = () => {
      const { token, prefix } = createKeyToken('live');
      prefixes.push(prefix);
      return get(PATH, { ...address, ...bearer(token) });
    };
    /** Statements about the keys that do not exist: what was cached of others is read anew in its own time. */
    const lookUps = () => statements().filter((body) => prefixes.some((prefix) => body.includes(prefix)));
    const [{ key: used }, { key: fresh }] = [await keyOf(null), await keyOf(null)];
    const good = async (token: string) => (await get(PATH, { ...address, ...bearer(token) })).status;
    expect(await good(used)).toBe(200);
    fetched.mockClear();
    const { 401: unknown = [], 429: refused = [], ...others } = byStatus(await atOnce(150, made));
    expect([unknown.length, unknown[0]?.body.code, refused.length, others]).toEqual([100, 'invalid_api_key', 50, {}]);
    expect(lookUps()).toHaveLength(100);
    const [one] = refused as [Answer];
    expect([one.body.code, left(one, 'unknown-keys')]).toEqual(['rate_limit_exceeded', { r: 0, t: 1 }]);
    expect(one.headers.get('Retry-After')).toBe('1');
    // A key that is known works on. One that is not yet known gets in like the others: one a second.
    expect([await good(used), await good(fresh)]).toEqual([200, 429]);
    expect((await get(PATH, bearer(createKeyToken('live').token))).status).toBe(401);
    wait(SECOND);
    expect([await good(fresh), (await made()).status, (await made()).status]).toEqual([200, 401, 429]);
    expect(await good(fresh)).toBe(200);
    wait(61 * SECOND);
    expect((await made()).status).toBe(401);
  });

  it('any less about keys that exist after failures, which are not counted as unknown keys', async () => {
    const address = { 'CF-Connecting-IP': freshAddress() };
    const keys = await Promise.all(Array.from({ length: 3 }, () => keyOf(null)));
    const ask = workerWith({ DATABASE_URL: inject('faultyDatabases').fails });
    const failed = await atOnce(100, () =>
      ask(PATH, { headers: { ...address, ...bearer(createKeyToken('live').token) } }),
    );
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set([503]));
    for (const { key } of keys) {
      expect((await get(PATH, { ...address, ...bearer(key) })).status).toBe(200);
    }
  });
});
