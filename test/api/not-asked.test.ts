import { afterEach, describe, expect, it, vi } from 'vitest';
import { createKeyToken } from '../../src/auth/key-token.ts';
import { freshAddress } from '../support/addresses.ts';
import { get, workerWith } from '../support/api.ts';
import { atOnce, byStatus, keyOf, left, PATH } from '../support/limits.ts';
import { bearer } from '../support/people.ts';

const SECOND = 1000;
const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

const fetched = vi.spyOn(globalThis, 'fetch');
/** What requests have asked the database; counters, which write down in their own time, left out. */
const statements = () => fetched.mock.calls.filter(([, init]) => !String(init?.body).includes('usage_batches'));
const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
afterEach(() => {
  vi.useRealTimers();
  fetched.mockClear();
  printed.mockClear();
});

describe('a counter that can not be asked', () => {
  const silent = { take: () => new Promise(() => undefined), record: () => new Promise(() => undefined) };
  const broken = () => Promise.reject(new Error('Network connection lost.'));
  const stand = (get: () => object) => ({ METER: { idFromName: () => ({}), get } });
  it.each([
    ['fails', stand(() => ({ take: broken, record: broken }))],
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
    const ask = workerWith(settings);
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
    const lines = printed.mock.calls.map(([line]) => JSON.parse(line));
    expect(lines.length).toBe(9);
    for (const { uncounted, status } of lines) expect([typeof uncounted.message, status]).toEqual(['string', 200]);
  });
});

describe('the database is not asked', () => {
  it('about keys that are none', async () => {
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

  it('about keys and addresses whose limit is known to be reached, until it isn’t', async () => {
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

  it('about more than a hundred keys a minute that an address makes up; those that exist work on', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const address = { 'CF-Connecting-IP': freshAddress() };
    const made = () => get(PATH, { ...address, ...bearer(createKeyToken('live').token) });
    const { key: token } = await keyOf(null);
    const good = () => get(PATH, { ...address, ...bearer(token) });
    expect((await good()).status).toBe(200);
    fetched.mockClear();
    const { 401: unknown = [], ...others } = byStatus(await atOnce(100, made));
    expect([unknown.length, unknown[0]?.body.code, others]).toEqual([100, 'invalid_api_key', {}]);
    expect(statements()).toHaveLength(100);
    const refused = await made();
    expect([refused.status, refused.body.code, left(refused, 'unknown-keys')?.r]).toEqual([
      429,
      'rate_limit_exceeded',
      0,
    ]);
    expect(refused.headers.get('Retry-After')).toBe('60');
    expect(statements()).toHaveLength(100);
    expect((await good()).status).toBe(200);
    expect((await get(PATH, bearer(createKeyToken('live').token))).status).toBe(401);
    wait(61 * SECOND);
    expect((await made()).status).toBe(401);
  });
});
