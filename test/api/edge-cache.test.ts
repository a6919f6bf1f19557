import { exports } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type api, type Body, get, MASTER, ORIGIN, workerWith } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { bodiesOf, meet } from '../support/requests.ts';

const fetched = vi.spyOn(globalThis, 'fetch');
const statements = () => bodiesOf(fetched).map((body) => JSON.parse(body).query as string);
/** The beginning of the statement that asks which load of which release is active. */
const ASKS_WHICH = /^select \(select r\.id/;

/** Asks until the answer comes from the edge: the first answer is put there while it is sent. */
async function kept(path: string) {
  return eventually(async () => {
    fetched.mockClear();
    const answer = await get(path, MASTER);
    expect(statements()).toEqual([expect.stringMatching(ASKS_WHICH)]);
    return answer;
  });
}

describe('answers with boundaries', () => {
  afterEach(() => fetched.mockClear());

  it.each([
    '/v1/regions?format=geojson&geometry=medium',
    '/v1/municities?geometry=simple&limit=3&province=Cebu',
    '/v1/provinces/0604500000?format=geojson',
    '/v1/municities/1380600000?geometry=true',
  ])('%s is kept at the edge: the same answer for one small statement', async (path) => {
    // Other tests may have asked for the same, so that the edge has it already.
    vi.spyOn(caches.default, 'match').mockResolvedValueOnce(undefined);
    const first = await get(path, MASTER);
    expect(statements()).toHaveLength(1);
    expect(statements()[0]).not.toMatch(ASKS_WHICH);
    const second = await kept(path);
    expect(second.text).toBe(first.text);
    for (const name of [
      'Content-Type',
      'Content-Location',
      'ETag',
      'Cache-Control',
      'Vary',
      'X-Data-Release',
      'Access-Control-Allow-Origin',
    ]) {
      expect(second.headers.get(name), name).toBe(first.headers.get(name));
    }
    expect(second.headers.get('X-Request-Id')).not.toBe(first.headers.get('X-Request-Id'));
    const etag = first.headers.get('ETag') as string;
    expect((await get(path, { ...MASTER, 'If-None-Match': etag })).status).toBe(304);
  });

  it('is kept for the host that was asked for: no other host gets into its links or its tag', async () => {
    const path = '/v1/provinces?geometry=medium&limit=1&region=0300000000';
    const askEvil = () => exports.default.fetch(new Request(`https://evil.example${path}`, { headers: MASTER }));
    const evil = await askEvil();
    const tag = evil.headers.get('ETag') as string;
    expect(((await evil.json()) as Body).meta.links.self).toBe(`https://evil.example${path}`);
    // It is kept by now, for its own host.
    await eventually(async () => {
      fetched.mockClear();
      await (await askEvil()).text();
      expect(statements()).toEqual([expect.stringMatching(ASKS_WHICH)]);
    });
    const first = await get(path, { ...MASTER, 'If-None-Match': tag });
    expect(first.status).toBe(200);
    for (const answer of [first, await kept(path)]) {
      expect(answer.text).not.toContain('evil');
      expect(answer.body.meta.links.self).toBe(ORIGIN + path);
      expect(answer.headers.get('ETag')).not.toBe(tag);
    }
  });

  it('is neither kept nor looked for with a parameter that does not exist, because anybody can make up many', async () => {
    const looked = vi.spyOn(caches.default, 'match');
    const path = '/v1/provinces/0604500000?format=geojson';
    const looks = async (query: string) => {
      looked.mockClear();
      await get(path + query, MASTER);
      return looked.mock.calls.length;
    };
    expect([await looks(''), await looks('&beside=1')]).toEqual([1, 0]);
    looked.mockRestore();
  });

  it('is not served by another build than the one that made it', async () => {
    const path = '/v1/provinces/0604500000?geometry=medium';
    const [older, newer] = ['1', '2'].map((build) => workerWith({ COMMIT: build.repeat(40) })) as [
      typeof api,
      typeof api,
    ];
    const isCopy = async (ask: typeof api) => {
      fetched.mockClear();
      await ask(path, { headers: MASTER });
      return ASKS_WHICH.test(statements()[0] ?? '');
    };
    await eventually(async () => expect(await isCopy(older)).toBe(true));
    expect(await isCopy(newer)).toBe(false);
  });

  it('is not served without credentials', async () => {
    await kept('/v1/regions?format=geojson');
    expect((await get('/v1/regions?format=geojson')).status).toBe(401);
  });

  it('is not served once another load is active, even of a release with the same id', async () => {
    const path = '/v1/provinces?format=geojson&region=0700000000';
    await get(path, MASTER);
    await kept(path);
    fetched.mockClear();
    // One answer of the database says that another load of the release is active.
    meet(fetched, { position: 1 }, async () =>
      Response.json({
        command: 'SELECT',
        rowCount: 1,
        rowAsArray: true,
        fields: [{ name: 'version', dataTypeID: 25 }],
        rows: [['2026-3q-1-1']],
      }),
    );
    const answer = await get(path, MASTER);
    expect(answer.status).toBe(200);
    expect(statements()).toHaveLength(2);
    expect(statements()[1]).not.toMatch(ASKS_WHICH);
  });

  it('is one entry, in whatever order and spelling its parameters are given', async () => {
    const path = '/v1/provinces?format=geojson&geometry=medium&region=0500000000';
    const first = await get(path, MASTER);
    await kept(path);
    for (const same of [
      '/v1/provinces?region=0500000000&geometry=medium&format=geojson',
      '/v1/provinces?%66ormat=geojson&geometry=%6dedium&region=0500000000',
      '/v1/%70rovinces?format=geojson&geometry=medium&region=0500000000',
    ]) {
      fetched.mockClear();
      expect((await get(same, MASTER)).text).toBe(first.text);
      expect(statements()).toEqual([expect.stringMatching(ASKS_WHICH)]);
    }
    expect((await get(path.replace('medium', 'simple'), MASTER)).text).not.toBe(first.text);
  });

  it('has links that repeat the address as it was asked for, in whatever order and spelling', async () => {
    const canonical = '/v1/provinces?geometry=medium&limit=1&region=0500000000';
    const spellings = [
      '/v1/provinces?limit=1&region=0500000000&geometry=medium',
      '/v1/provinces?geometry=%6dedium&limit=1&region=0500000000',
      '/v1/%70rovinces?geometry=medium&limit=1&region=0500000000',
      '/v1/provinces?geometry=medium&limit=1&page=%31&region=0500000000&',
    ];
    const tags = new Set();
    const seen = async (path: string, answer: Awaited<ReturnType<typeof get>>) => {
      const next = path.includes('page') ? path.replace('page=%31', 'page=2').slice(0, -1) : `${path}&page=2`;
      expect(answer.body.meta.links).toEqual({ self: ORIGIN + path, next: ORIGIN + next, prev: null });
      tags.add(answer.headers.get('ETag'));
    };
    await seen(canonical, await get(canonical, MASTER));
    await seen(canonical, await kept(canonical));
    // Others are made anew: a client could write an address in so many ways that their copies fill all room.
    const put = vi.spyOn(caches.default, 'put');
    for (const path of spellings) await seen(path, await get(path, MASTER));
    expect(put).not.toHaveBeenCalled();
    put.mockRestore();
    expect(tags.size).toBe(1 + spellings.length);
  });

  it('names the current address of an area with the query as it was asked for', async () => {
    const path = '/v1/provinces/0604500000?format=geojson';
    await get(path, MASTER);
    const { headers } = await kept(path);
    const current = headers.get('Content-Location')?.split('?')[0];
    const other = await get(path.replace('format', '%66ormat'), MASTER);
    expect(other.headers.get('Content-Location')).toBe(`${current}?%66ormat=geojson`);
  });

  it('is neither kept nor taken from there with parameters that the operation doesn’t know', async () => {
    const path = '/v1/provinces?geometry=simple&region=0600000000';
    await get(path, MASTER);
    const clean = await kept(path);
    expect(clean.body.meta.links.self).not.toContain('junk');
    const put = vi.spyOn(caches.default, 'put');
    for (const junk of ['junk=1', 'junk=1', 'Region=0600000000', 'geometry%20=simple', '__proto__=1', 'constructor']) {
      fetched.mockClear();
      const { status, body } = await get(`${path}&${junk}`, MASTER);
      expect([status, statements().length]).toEqual([200, 1]);
      expect(statements()[0]).not.toMatch(ASKS_WHICH);
      expect(body.meta.links.self).toContain(junk.split('=')[0]);
    }
    expect(put).not.toHaveBeenCalled();
    await get('/v1/provinces?geometry=simple&page=9999&region=0600000000', MASTER);
    expect(put).not.toHaveBeenCalled();
    await get('/v1/provinces?geometry=detailed&region=0600000000', MASTER);
    expect(put).toHaveBeenCalledTimes(1);
    put.mockRestore();
  });

  it('is not kept without boundaries: plain metadata is one statement each time', async () => {
    for (let i = 0; i < 3; i += 1) await get('/v1/provinces?region=0800000000');
    expect(statements()).toHaveLength(3);
    for (const statement of statements()) expect(statement).not.toMatch(ASKS_WHICH);
  });
});
