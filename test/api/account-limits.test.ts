import { afterEach, describe, expect, it, vi } from 'vitest';
import { Meter } from '../../src/meter.ts';
import { type Answer, type Body, get, post, workerWith } from '../support/api.ts';
import { atOnce, byStatus, left, PATH } from '../support/limits.ts';
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
    // It is not waited for again at once.
    expect(elapsed).toBeLessThan(3000);
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
