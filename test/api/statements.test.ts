import { afterEach, describe, expect, it, vi } from 'vitest';
import { get, instanceWith, MASTER, post, undeclared } from '../support/api.ts';
import { bearer, person, sessionToken } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';
import { upload } from '../support/uploads.ts';
import { fromIdentity, userDeleted, userEvent } from '../support/webhooks.ts';

/** Statements that the Worker sends to the database, whose driver is one `fetch` each. */
const original = globalThis.fetch;
const fetched = vi.spyOn(globalThis, 'fetch');
/** Parts of the statements that purge a version or send to webhooks: what earlier tests made is purged and sent at any time. */
const OF_EARLIER_TESTS = ['with gone as', "state = 'purging'", 'with due as', 'next_attempt_at'];
const isOfEarlierTest = (statement: string) => OF_EARLIER_TESTS.some((part) => statement.includes(part));
const statements = () => bodiesOf(fetched).filter((statement) => !isOfEarlierTest(statement));

afterEach(() => fetched.mockClear());

describe('one request is one statement', () => {
  it.each([
    '/v1/regions?search=visayas',
    '/v1/provinces?region=NCR',
    '/v1/municities?province_code=0604500000&scope=admin',
    '/v1/barangays?municity=San+Fernando',
    '/v1/barangays?municity_code=1380600000&page=9',
    '/v1/provinces/0604500000',
    '/v1/provinces/0702299999',
    '/v1/barangays/1380100176',
    '/v1/barangays/1380601001/hierarchy',
    '/v1/municities/search?q=san',
    '/healthcheck',
  ])('%s', async (path) => {
    await get(path);
    expect(statements(), statements().join('\n')).toHaveLength(1);
  });

  it('of a batch too, whatever its size', async () => {
    await post('/v1/municities/search', { codes: Array.from({ length: 1000 }, (_, i) => String(i)) });
    expect(statements(), statements().join('\n')).toHaveLength(1);
  });

  it('of a webhook too, whatever its event', async () => {
    const id = crypto.randomUUID();
    await fromIdentity(userEvent('user.created', { id }));
    expect(statements()).toHaveLength(1);
    await fromIdentity(userDeleted(id));
    expect(statements()).toHaveLength(2);
  });

  it('to find the person of a session too, and one more to write somebody new or a new address', async () => {
    const { subject, email, session } = await person();
    const readdressed = bearer(await sessionToken({ sub: subject, email: `new.${email}`, email_verified: true }));
    for (const [headers, written] of [
      [session, 1],
      [session, 0],
      [readdressed, 1],
      [readdressed, 0],
    ] as const) {
      fetched.mockClear();
      await get('/v1/datasets', headers);
      // One to read who it is, and one for the datasets.
      expect(statements()).toHaveLength(2 + written);
    }
  });

  it('and a new address that is not written soon is not waited for', async () => {
    const { subject, email, session } = await person();
    await get('/v1/datasets', session);
    const readdressed = bearer(await sessionToken({ sub: subject, email: `new.${email}`, email_verified: true }));
    fetched.mockImplementation(async (...given) => {
      if (String(given[1]?.body).includes('readdressed')) await scheduler.wait(4200);
      return original(...given);
    });
    const started = Date.now();
    const { status } = await get('/v1/datasets', readdressed);
    expect(status).toBe(200);
    expect(Date.now() - started).toBeLessThan(4000);
    fetched.mockImplementation(original);
  });

  it.each(['stats', 'users?status=active', 'api-keys', 'datasets', 'audit-logs', 'webhook-events', 'releases'])(
    'of an administrator too: %s',
    async (path) => {
      await get(`/v1/admin/${path}`, MASTER);
      expect(statements()).toHaveLength(1);
    },
  );

  it('except the upload of ten thousand features, which is at most 25', async () => {
    const { session } = await person();
    const line = (i: number) =>
      `{"type":"Feature","geometry":{"type":"Point","coordinates":[${120 + i / 10_000},14.5]},"properties":{"name":"Well ${i}","depth_m":${i % 90},"owner":"Barangay ${i % 100}"}}\n`;
    const content = Array.from({ length: 10_000 }, (_, i) => line(i)).join('');
    const { status, body } = await upload(session, 'wells.ndjson', content);
    expect([status, body.data.feature_count]).toEqual([200, 10_000]);
    expect(statements().length).toBeLessThanOrEqual(25);
    expect(statements().length).toBeGreaterThan(10);
  });

  it('except what looks at all names: an instance reads them once, however many ask at once', async () => {
    const ask = await instanceWith();
    const first = await Promise.all(Array.from({ length: 8 }, () => ask('/v1/search?q=zambonga+city')));
    expect(first.map(({ status, body }) => [status, body.data[0].code])).toEqual(Array(8).fill([200, '0931700000']));
    expect(statements().filter((statement) => statement.includes('former_codes'))).toHaveLength(1);
    expect(statements(), statements().join('\n')).toHaveLength(8 + 1);
    for (const [path, count] of [
      ['/v1/search?q=zambonga+city', 1],
      ['/v1/municities/search?q=naga', 1],
      ['/v1/municities/search?q=lapulapu', 2],
    ] as const) {
      fetched.mockClear();
      await ask(path);
      expect([path, statements().length]).toEqual([path, count]);
    }
  });

  it('for nested boundaries too', async () => {
    // The answer is not taken from the edge, which costs one statement as well.
    await get('/v1/provinces/0702200000?geometry=true&beside=the-edge', MASTER);
    expect(statements()).toHaveLength(1);
    expect(statements()[0]).toContain('b.geojson');
  });
});

describe('no statement at all', () => {
  it.each(['/', '/version', '/v1/regions/x', '/v1/regions?limit=0', '/v1/municities', '/v1/regions?format=geojson'])(
    '%s',
    async (path) => {
      await get(path);
      expect(statements()).toEqual([]);
    },
  );

  it.each(['/openapi.json', '/nowhere'])('%s', async (path) => {
    await undeclared(path);
    expect(statements()).toEqual([]);
  });

  it('for bad credentials', async () => {
    await get('/v1/regions', { Authorization: 'Bearer wrong' });
    expect(statements()).toEqual([]);
  });
});

describe('what a statement does not do', () => {
  it('counts nothing unless there is a page to number', async () => {
    await get('/v1/provinces?format=geojson&beside=the-edge', MASTER);
    expect(statements()[0]).toContain('b.geojson');
    expect(statements()[0]).not.toContain('count(*)');
    await get('/v1/provinces?limit=3');
    expect(statements()[1]).toContain('count(*)');
  });

  it('looks at no boundaries unless they are asked for', async () => {
    await get('/v1/provinces');
    await get('/v1/provinces/0702200000');
    expect(statements()).toEqual([
      expect.not.stringContaining('boundaries'),
      expect.not.stringContaining('boundaries'),
    ]);
  });
});
