import { afterEach, describe, expect, it, vi } from 'vitest';
import { Meter } from '../../src/meter.ts';
import { historyOf, userOf } from '../support/admin.ts';
import { type Answer, type Body, get, MASTER, patch, post, workerWith } from '../support/api.ts';
import { atOnce, byStatus, left, meterOf, PATH } from '../support/limits.ts';
import { linesOf } from '../support/log-lines.ts';
import { bearer, newKey, person } from '../support/people.ts';

const leases = vi.spyOn(Meter.prototype, 'lease');
afterEach(() => {
  vi.useRealTimers();
  leases.mockClear();
});

const limitedTo = (ACCOUNT_RPM: number) => workerWith({ ACCOUNT_RPM: String(ACCOUNT_RPM) });

/** Keys of one person, each with a limit of its own. */
async function keysOf(count: number, rate_limit_rpm: number | null = null): Promise<Body[]> {
  const { session } = await person();
  return Promise.all(Array.from({ length: count }, () => newKey(session, { rate_limit_rpm })));
}

const counts = (answers: Answer[]) => {
  const { 200: passed = [], 429: refused = [], ...others } = byStatus(answers);
  return [passed.length, refused.length, others];
};

describe('the limit of an account', () => {
  it.each([
    [20, 20, 'one after the other'],
    [20, 20, 'at once'],
    // Here each key has some requests to spare, which it gives back when the others need them.
    [120, 100, 'at once, after each key was used'],
  ])('of %i is shared by its keys exactly, %s', async (limit, count, how) => {
    const ask = limitedTo(limit);
    const keys = await keysOf(3);
    const answers: Answer[] = [];
    const one = async (i: number) => {
      answers.push(await ask(PATH, { headers: bearer((keys[i % 3] as Body).key) }));
    };
    if (how !== 'at once') for (let i = 0; i < (limit === 20 ? 25 : 6); i += 1) await one(i);
    if (how !== 'one after the other') await atOnce(count + 40, one);
    expect(counts(answers)).toEqual([limit, answers.length - limit, {}]);
    if (how === 'one after the other') {
      expect(answers.map((answer) => left(answer, 'account')?.r).slice(0, 21)).toEqual([
        ...Array.from({ length: 20 }, (_, i) => 19 - i),
        0,
      ]);
    }
    const stranger = await newKey((await person()).session);
    expect((await ask(PATH, { headers: bearer(stranger.key) })).status).toBe(200);
  });

  it('holds for keys that a key makes, and a refusal says whose limit it is and counts for no key', async () => {
    const ask = limitedTo(5);
    const [maker] = (await keysOf(1)) as [Body];
    const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      ask(path, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const made = await Promise.all([1, 2, 3].map(() => newKey(bearer(maker.key), {}, send)));
    const [first, second] = made as [Body, Body];
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const status of [200, 200, 429]) expect((await ask(PATH, { headers: bearer(first.key) })).status).toBe(status);
    const refused = await ask(PATH, { headers: bearer(second.key) });
    const t = left(refused, 'account')?.t ?? 0;
    expect(refused.body).toEqual({
      code: 'rate_limit_exceeded',
      message: `All API keys of this account together may make 5 requests in 60 seconds. Try again in ${t} seconds.`,
    });
    expect(refused.headers.get('Retry-After')).toBe(String(t));
    expect(refused.headers.get('RateLimit-Policy')).toBe('"key";q=60;w=60, "account";q=5;w=60');
    expect([left(refused)?.r, left(refused, 'account')?.r]).toEqual([60, 0]);
    // The instance knows it for some seconds.
    leases.mockClear();
    expect((await ask(PATH, { headers: bearer(second.key) })).status).toBe(429);
    expect((await ask('/v1/datasets', { headers: bearer(second.key) })).status).toBe(429);
    expect(leases).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + 60_000);
    const after = await ask(PATH, { headers: bearer(second.key) });
    expect([after.status, left(after)?.r, left(after, 'account')?.r]).toEqual([200, 59, 4]);
  });

  it('does not hold for sessions, and is 600 unless it was set', async () => {
    const { session } = await person();
    const { key } = await newKey(session);
    expect((await get(PATH, bearer(key))).headers.get('RateLimit-Policy')).toContain('"account";q=600;w=60');
    const ask = limitedTo(1);
    for (let i = 0; i < 3; i += 1) expect((await ask('/v1/datasets', { headers: session })).status).toBe(200);
  });

  it('costs a call of the account in ten while plenty is left', async () => {
    const [one] = (await keysOf(1)) as [Body];
    for (let i = 0; i < 12; i += 1) expect((await get(PATH, bearer(one.key))).status).toBe(200);
    expect(leases.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('Network connection lost.'))],
    ['does not answer', () => new Promise<never>(() => undefined)],
  ])('lets requests through where its counter %s, and the log says so', async (_, fault) => {
    const [one] = (await keysOf(1)) as [Body];
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    leases.mockImplementation(fault);
    const started = Date.now();
    const answers = [
      await get(PATH, bearer(one.key)),
      await post('/v1/regions/search', { ids: ['1'] }, bearer(one.key)),
    ];
    const elapsed = Date.now() - started;
    leases.mockReset();
    const lines = linesOf(printed, answers);
    printed.mockRestore();
    for (const answer of answers) {
      expect([answer.status, left(answer, 'account')]).toEqual([200, undefined]);
      expect(left(answer)?.r).toBeGreaterThan(50);
    }
    expect(lines.map(({ uncounted }) => typeof uncounted?.message)).toEqual(['string', 'string']);
    // It is not waited for again at once: one wait takes 2.8 seconds with the deadline of tests.
    expect(elapsed).toBeLessThan(5000);
  });
});

describe('an account with a limit of its own', () => {
  /** Somebody with some keys, and how an administrator changes them. */
  async function holder(count = 1, rate_limit_rpm: number | null = null) {
    const { session, subject } = await person();
    await get('/v1/api-keys', session);
    const keys: Body[] = [];
    for (let i = 0; i < count; i += 1) keys.push(await newKey(session, { rate_limit_rpm }));
    const { id } = await userOf(subject);
    const change = (body: object) => patch(`/v1/admin/users/${id}`, body);
    const limit = (account_rpm: number | null) => change({ account_rpm });
    return { session, id, keys, change, limit, use: async (i = 0) => get(PATH, bearer((keys[i] as Body).key)) };
  }

  it('is held to it from the next requests of its keys on, whether it is lowered, raised or taken away', async () => {
    const { keys, limit, use } = await holder(2);
    const status = async (i: number) => (await use(i)).status;
    expect([await status(0), await status(1), await status(0)]).toEqual([200, 200, 200]);
    expect((await limit(5)).body.data.account_rpm).toBe(5);
    expect([await status(0), await status(1)]).toEqual([200, 200]);
    const refused = await use(0);
    expect([refused.status, left(refused, 'account')?.r]).toEqual([429, 0]);
    expect(refused.headers.get('RateLimit-Policy')).toBe('"key";q=60;w=60, "account";q=5;w=60');
    expect(refused.body.message).toContain('may make 5 requests in 60 seconds');
    await limit(7);
    expect([await status(1), await status(0), await status(1)]).toEqual([200, 200, 429]);
    expect((await limit(null)).body.data.account_rpm).toBeNull();
    const free = await use(0);
    expect([free.status, left(free, 'account')?.r]).toEqual([200, 592]);
    // Of others nothing has changed.
    const stranger = await newKey((await person()).session);
    expect((await get(PATH, bearer(stranger.key))).headers.get('RateLimit-Policy')).toContain('"account";q=600;w=60');
    expect(keys).toHaveLength(2);
  });

  it('may make more than the setting allows, all of it and no more', async () => {
    const ask = limitedTo(3);
    const { keys, limit } = await holder(2, 100);
    await limit(20);
    const answers = await atOnce(30, (i) => ask(PATH, { headers: bearer((keys[i % 2] as Body).key) }));
    expect(counts(answers)).toEqual([20, 10, {}]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('RateLimit-Policy')).toBe('"key";q=100;w=60, "account";q=20;w=60');
  });

  it('counts rows of lists against it', async () => {
    const { session, limit } = await holder(0);
    await limit(4);
    const { key, prefix } = await newKey(session, { rate_limit_rpm: 50 });
    const rows = (count: number) => ({ rows: Array.from({ length: count }, () => ({ province: 'Cebu' })) });
    const send = (count: number) => post('/v1/match', rows(count), bearer(key));
    const first = await send(300);
    expect([first.status, left(first, 'account')?.r]).toEqual([200, 1]);
    expect(first.headers.get('RateLimit-Policy')).toBe('"key";q=50;w=60, "account";q=4;w=60');
    // A table that began before the limit was changed goes on at what its counter knows.
    const counter = `key:${prefix}`;
    const more = { counter, count: 3, perMinute: 50, accountPerMinute: 600, isWhole: false };
    expect((await meterOf(counter).takeMore(more)).taken).toBe(1);
    expect((await send(200)).status).toBe(429);
  });

  it('is told to keys that were made while it was changed', async () => {
    const { session, keys, id } = await holder();
    let made: Body;
    const forget = vi.spyOn(Meter.prototype, 'forget');
    forget.mockImplementationOnce(async () => {
      made = await newKey(session);
      expect((await get(PATH, bearer(made.key))).headers.get('RateLimit-Policy')).toContain('"account";q=600;w=60');
    });
    expect((await patch(`/v1/admin/users/${id}`, { account_rpm: 9 })).status).toBe(200);
    forget.mockRestore();
    for (const key of [made, ...keys]) {
      expect((await get(PATH, bearer(key.key))).headers.get('RateLimit-Policy')).toContain('"account";q=9;w=60');
    }
  });

  it('stands in the summary of the keys, and with who set it in the log', async () => {
    const { session, id, change, limit, use } = await holder();
    await use();
    await use();
    await limit(9000);
    const { limits } = (await get('/v1/api-keys/stats', session)).body;
    expect(limits.requests_per_minute).toEqual({ allowed: 9000, used: 2 });
    await change({ is_admin: true });
    const both = await change({ is_admin: false, account_rpm: 1_000_000_000 });
    expect(both.body.data).toMatchObject({ is_admin: false, account_rpm: 1_000_000_000 });
    const log = (await historyOf(id)).map(({ action, details }: Body) => [action, details]);
    expect(log).toEqual([
      ['user.updated', { account_rpm: 9000 }],
      ['user.updated', { is_admin: true }],
      ['user.updated', { is_admin: false, account_rpm: 1_000_000_000 }],
    ]);
  });

  it('stays as it is where the counter of one of its keys can not be told', async () => {
    const { change, id } = await holder();
    const forget = vi.spyOn(Meter.prototype, 'forget').mockRejectedValue(new Error('Network connection lost.'));
    const refused = await change({ account_rpm: 9 });
    expect([refused.status, refused.body.code]).toEqual([503, 'counter_unavailable']);
    expect((await change({ is_admin: true })).status).toBe(200);
    forget.mockRestore();
    const { body } = await get(`/v1/admin/users/${id}`, MASTER);
    expect(body.data).toMatchObject({ account_rpm: null, is_admin: true });
  });

  it.each([0, -1, 1.5, 1_000_000_001, '60', true])('is none of %o', async (account_rpm) => {
    const { status, text } = await patch(`/v1/admin/users/${crypto.randomUUID()}`, { account_rpm });
    expect(status).toBe(422);
    expect(text).toContain('account_rpm: must be an integer from 1 to 1000000000, or null for the setting ACCOUNT_RPM');
  });
});

describe('a key with a higher limit than its account', () => {
  const notice = (got: number, allowed: number) => ({
    notices: [
      {
        code: 'rate_limit_above_account',
        parameter: 'rate_limit_rpm',
        message: `rate_limit_rpm: is ${got}, but all keys of the account together may make ${allowed} requests a minute, so this one can make no more.`,
        successors: [],
        got,
        allowed,
      },
    ],
  });

  it('is made, and the answer says what the account allows', async () => {
    const { session, subject } = await person();
    const make = async (input: object) => (await post('/v1/api-keys', { name: 'x', ...input }, session)).body;
    const high = await make({ rate_limit_rpm: 1000 });
    expect([high.data.rate_limit_rpm, high.meta]).toEqual([1000, notice(1000, 600)]);
    for (const input of [{}, { rate_limit_rpm: 600 }]) expect(await make(input)).not.toHaveProperty('meta');
    await patch(`/v1/admin/users/${(await userOf(subject)).id}`, { account_rpm: 50 });
    expect((await make({})).meta).toEqual(notice(60, 50));
    const rotated = await post(`/v1/api-keys/${high.data.id}/rotate`, {}, session);
    expect([rotated.status, rotated.body.meta]).toEqual([200, notice(1000, 50)]);
  });

  it('is said to an administrator who gives it to one', async () => {
    const { session, subject } = await person();
    const { id } = await newKey(session);
    const give = (rate_limit_rpm: number) => patch(`/v1/admin/api-keys/${id}`, { rate_limit_rpm });
    expect((await give(100_000)).body.meta).toEqual(notice(100_000, 600));
    await patch(`/v1/admin/users/${(await userOf(subject)).id}`, { account_rpm: 5000 });
    expect((await give(5001)).body.meta).toEqual(notice(5001, 5000));
    const within = await give(5000);
    expect([within.status, within.body.data.rate_limit_rpm]).toEqual([200, 5000]);
    expect(within.body).not.toHaveProperty('meta');
  });
});

it('a key whose counter was in the future goes on where the clock is set back', async () => {
  const [one] = (await keysOf(1, 1)) as [Body];
  const status = async () => (await get(PATH, bearer(one.key))).status;
  vi.useFakeTimers({ toFake: ['Date'] });
  const now = Date.now();
  vi.setSystemTime(now + 3_600_000);
  expect([await status(), await status()]).toEqual([200, 429]);
  vi.setSystemTime(now);
  expect(await status()).toBe(429);
  // The counter notices with the first request that reaches it, and then counts for a minute.
  vi.setSystemTime(now + 6000);
  expect(await status()).toBe(429);
  vi.setSystemTime(now + 66_000);
  expect(await status()).toBe(200);
});

it('a list that its account refuses takes one request of it', async () => {
  const ask = limitedTo(20);
  const [key] = (await keysOf(1, 60)) as [Body];
  const list = (rows: number) =>
    ask('/v1/match', {
      method: 'POST',
      headers: { ...bearer(key.key), 'Content-Type': 'application/json' },
      body: JSON.stringify({ rows: Array.from({ length: rows }, () => ({})) }),
    });
  expect(left(await list(1000), 'account')?.r).toBe(10);
  // A second one would need all that is left and more.
  for (let i = 0; i < 2; i += 1) await ask(PATH, { headers: bearer(key.key) });
  const refused = await list(1000);
  expect([refused.status, left(refused, 'account')?.r]).toEqual([429, 7]);
  const after = await ask(PATH, { headers: bearer(key.key) });
  expect([after.status, left(after, 'account')?.r]).toEqual([200, 6]);
});
