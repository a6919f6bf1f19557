import { runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Meter } from '../../src/meter.ts';
import { accountCounter } from '../../src/rate-limits/limit.ts';
import { freshAddress } from '../support/addresses.ts';
import { type Answer, get, instanceWith, ON_TIME, send, workerWith } from '../support/api.ts';
import { atOnce, byStatus, counting, keyOf, left, meterOf, PATH, usesOf } from '../support/limits.ts';
import { bearer, newKey, person } from '../support/people.ts';

/** Another instance. It is made first, because a new one ends the Durable Objects of the test. */
const elsewhere = await instanceWith(ON_TIME);
/** An instance beside that of `send` and `get`. */
const here = workerWith(ON_TIME);

const fetched = vi.spyOn(globalThis, 'fetch');
afterEach(() => {
  vi.useRealTimers();
  fetched.mockClear();
});

describe('a busy key', () => {
  it('asks its counter once for several requests, and what is left counts down', async () => {
    const { key: token } = await keyOf(600);
    const { ask, calls } = counting();
    vi.useFakeTimers({ toFake: ['Date'] });
    for (let i = 0; i < 10; i += 1) await ask(PATH, { headers: bearer(token) });
    vi.setSystemTime(Date.now() + 1000);
    calls.length = 0;
    const answers: Answer[] = [];
    for (let i = 0; i < 10; i += 1) answers.push(await ask(PATH, { headers: bearer(token) }));
    const down = Array.from({ length: 10 }, (_, i) => 589 - i);
    expect(answers.map((answer) => left(answer)?.r)).toEqual(down);
    const ofAccount = answers.map((answer) => left(answer, 'account')?.r ?? 0);
    expect(ofAccount).toEqual([...ofAccount].sort((a, b) => b - a));
    // The first of them takes what the account has given to spare.
    expect(calls.filter((name) => name === 'admit').length).toBeLessThanOrEqual(2);
  });

  it('gives back what it did not use, and other instances are not refused for what it holds', async () => {
    const { key: token } = await keyOf(600);
    const ask = workerWith({ ACCOUNT_RPM: '6000' });
    const there = (path: string) => elsewhere(path, { headers: bearer(token) });
    vi.useFakeTimers({ toFake: ['Date'] });
    for (let i = 0; i < 8; i += 1) await ask(PATH, { headers: bearer(token) });
    vi.setSystemTime(Date.now() + 2000);
    expect(left(await ask(PATH, { headers: bearer(token) }))?.r).toBe(591);
    const { 200: passed = [] } = byStatus(await atOnce(700, () => there(PATH)));
    // Nothing is held: what the last lease had was given back, and this one is the first request of its second.
    expect(passed.length).toBeLessThanOrEqual(591);
    expect(passed.length).toBeGreaterThanOrEqual(591 - 10);
  });

  it('that was revoked lives for the second that an instance holds permits of it, and no longer', async () => {
    const { session } = await person();
    const key = await newKey(session, { rate_limit_rpm: 600 });
    const there = () => here(PATH, { headers: bearer(key.key) });
    // The clock stands still, so that the second does not end while the key is revoked.
    vi.useFakeTimers({ toFake: ['Date'] });
    for (let i = 0; i < 6; i += 1) await there();
    expect((await send('POST', `/v1/api-keys/${key.id}/revoke`, session)).status).toBe(200);
    expect((await there()).status).toBe(200);
    // The instance that has revoked it holds nothing.
    expect((await get(PATH, bearer(key.key))).body.code).toBe('api_key_revoked');
    vi.setSystemTime(Date.now() + 1000);
    expect((await there()).body.code).toBe('api_key_revoked');
  });

  it('is not held with a small limit: a revocation takes effect on the next request everywhere', async () => {
    const { session } = await person();
    const key = await newKey(session, { rate_limit_rpm: 100 });
    for (let i = 0; i < 6; i += 1) await here(PATH, { headers: bearer(key.key) });
    expect((await send('POST', `/v1/api-keys/${key.id}/revoke`, session)).status).toBe(200);
    expect((await here(PATH, { headers: bearer(key.key) })).body.code).toBe('api_key_revoked');
  });
});

describe('a site of IPv6', () => {
  it('may make sixteen times what an address may, and a refusal says so and costs no call', async () => {
    const { ask, calls } = counting({ FREE_TIER_RPM: '2' });
    vi.useFakeTimers({ toFake: ['Date'] });
    const site = `2001:db8:${freshAddress()
      .split('.')
      .slice(2)
      .map(Number)
      .reduce((a, b) => a * 256 + b)
      .toString(16)}`;
    const from = (i: number) => ask(PATH, { headers: { 'CF-Connecting-IP': `${site}:${i.toString(16)}::1` } });
    const answers = [];
    for (let i = 0; i < 40; i += 1) answers.push(await from(i));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(0, 32)).toEqual(Array(32).fill(200));
    // Where the counter is evicted in between, one more: the first request of an incarnation is not written.
    expect(statuses.slice(33)).toEqual(Array(7).fill(429));
    const refused = answers.at(-1);
    expect(refused?.body.message).toMatch(
      /^All addresses of this network \(\/48\) together, without an API key, may make 32 requests in 60 seconds\./,
    );
    expect(refused?.headers.get('RateLimit-Policy')).toContain('"network";q=32;w=60');
    calls.length = 0;
    expect((await from(99)).status).toBe(429);
    expect(calls).toEqual([]);
    expect((await ask(PATH, { headers: { 'CF-Connecting-IP': '2001:db9::1' } })).status).toBe(200);
  });
});

describe('usage', () => {
  const use = (requests: number) => ({ day: '2026-01-01', path: '/v1/x', status: 200, requests, durationMs: 5 });

  it('that arrives twice is counted once', async () => {
    const { id, prefix } = await keyOf(null);
    const told = { id: crypto.randomUUID(), keyId: id, lastUsedAt: Date.now(), uses: [use(3)] };
    await meterOf(`key:${prefix}`).record([told]);
    await meterOf(`key:${prefix}`).record([told, { ...told, id: crypto.randomUUID() }]);
    expect(await usesOf(prefix)).toMatchObject([{ path: '/v1/x', requests: 6, durationMs: 10 }]);
  });

  it('that an earlier version has stored in tables is taken over', async () => {
    const { id, prefix } = await keyOf(null);
    const taken = await runInDurableObject(meterOf(`key:${prefix}`), async (meter: Meter, { storage }) => {
      const { sql, kv } = storage;
      sql.exec(`create table usage (day text, path text, status integer, requests integer, duration_ms integer);
        create table failures (day text, path text, status integer, code text, requests integer);
        insert into usage values ('2026-01-01', '/v1/x', 404, 5, 50), ('2026-01-01', '/v1/x', 200, 2, 20);
        insert into failures values ('2026-01-01', '/v1/x', 404, 'area_not_found', 4)`);
      kv.put('key', { id, lastUsedAt: 1 });
      await meter.record([{ id: crypto.randomUUID(), keyId: id, lastUsedAt: 2, uses: [use(1)] }]);
      return sql.exec("select name from sqlite_master where name in ('usage', 'failures')").toArray();
    });
    expect(taken).toEqual([]);
    expect(await usesOf(prefix)).toMatchObject([
      { status: 404, requests: 1, durationMs: 50 },
      { status: 200, requests: 3, durationMs: 25 },
      { status: 404, code: 'area_not_found', requests: 4 },
    ]);
  });
});

it('the answer of a counter of another version lets a request through, uncounted', async () => {
  const { key } = await keyOf(null);
  const other = {
    take: async () => ({ allowances: [{ left: 3 }] }),
    admit: async () => ({ status: 'active', keyId: 'x', allowance: { allowed: true } }),
    record: async () => undefined,
  };
  const ask = workerWith({ METER: { idFromName: () => ({}), get: () => other } });
  for (const headers of [{}, bearer(key)]) {
    const answer = await ask(PATH, { headers });
    expect([answer.status, answer.headers.get('RateLimit')]).toEqual([200, null]);
  }
});

describe('requests of work that has failed', () => {
  it('are taken back from the key and its account, unless a minute has passed', async () => {
    const { session } = await person();
    const key = await newKey(session, { rate_limit_rpm: 60 });
    expect((await get(PATH, bearer(key.key))).status).toBe(200);
    const counter = `key:${key.prefix}`;
    const take = (count: number) =>
      runInDurableObject(meterOf(counter), (meter: Meter) =>
        meter.takeMore({ counter, count, perMinute: 60, accountPerMinute: 600, isWhole: true }),
      );
    const takeBack = (taken: number, at: number, isOfAccount: boolean) =>
      runInDurableObject(meterOf(counter), (meter: Meter) => meter.takeBack({ taken, at, perMinute: 60, isOfAccount }));
    const first = await take(30);
    expect([first.taken, first.allowance.remaining]).toEqual([30, 29]);
    await takeBack(30, first.at - 60_000, true);
    expect((await take(1)).allowance.remaining).toBe(28);
    await takeBack(30, first.at, first.account !== undefined);
    expect((await take(1)).allowance.remaining).toBe(57);
    const account = await runInDurableObject(meterOf(accountCounter(key.user_id)), (meter: Meter) => meter.look(600));
    expect(account.remaining).toBe((first.account?.remaining ?? 0) + 30 - 2);
  });
});
