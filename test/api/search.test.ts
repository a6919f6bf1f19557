import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Body, get, MASTER, workerWith } from '../support/api.ts';
import { bodiesOf } from '../support/requests.ts';
import { like, publish, SNAPSHOTS } from '../support/snapshot.ts';

const search = async (query: string): Promise<Body[]> => {
  const { status, body } = await get(`/v1/search?${query}`);
  expect([query, status, body.error]).toEqual([query, 200, null]);
  return body.data;
};
const q = (text: string) => `q=${encodeURIComponent(text)}`;

describe('GET /v1/search', () => {
  it('finds what people type, and says how', async () => {
    const typed: [text: string, code: string, match: string, matchedName?: string][] = [
      ['Quezon City', '1381300000', 'exact'],
      ['QC', '1381300000', 'alias', 'QC'],
      ['GenSan', '1230800000', 'alias'],
      ['Metro Manila', '1300000000', 'alias'],
      ['Lapulapu', '0731100000', 'exact', 'City of Lapu-Lapu'],
      ['Dasmarinyas', '0402106000', 'fuzzy', 'City of Dasmariñas'],
      ['Zambonga City', '0931700000', 'fuzzy'],
      ['San Juan, Metro Manila', '1381400000', 'exact', 'City of San Juan'],
      ['San Juan, Batngas', '0401023000', 'exact'],
      ['Brgy. Poblacion, Makati', '1380300020', 'exact'],
      ['Montalban, Rizal', '0405808000', 'alias', 'Montalban'],
      ['137602000', '1380300000', 'exact'],
    ];
    for (const [text, code, match, matched_name] of typed) {
      const [first] = await search(`${q(text)}&limit=3`);
      expect(first, text).toMatchObject({ code, match, ...(matched_name === undefined ? {} : { matched_name }) });
    }
  });

  it('tells places of one name apart by what they lie in', async () => {
    const hits = await search('q=san+juan&level=municity&limit=100');
    const exact = hits.filter(({ match }) => match === 'exact');
    expect(exact.length).toBeGreaterThan(3);
    const lines = exact.map(({ ancestors }) => ancestors.map(({ name }: Body) => name).join(' > '));
    expect(new Set(lines).size).toBe(exact.length);
    expect(lines).toContain('Region I (Ilocos Region) > La Union');
    expect(exact.find(({ code }) => code === '1381400000')).toEqual({
      code: '1381400000',
      level: 'municity',
      name: 'City of San Juan',
      type: 'City',
      score: 1,
      match: 'exact',
      matched_name: 'City of San Juan',
      ancestors: [{ code: '1300000000', level: 'region', name: 'National Capital Region (NCR)' }],
    });
  });

  it('names every level above, and for a city without a province the one that it lies in', async () => {
    const [hit] = await search(`${q('Capitol Site, Cebu City')}&limit=1`);
    expect([hit.type, hit.ancestors]).toEqual([
      null,
      [
        { code: '0700000000', level: 'region', name: 'Region VII (Central Visayas)' },
        { code: '0702200000', level: 'province', name: 'Cebu' },
        { code: '0730600000', level: 'municity', name: 'City of Cebu' },
      ],
    ]);
  });

  it('puts the best first, and of those that are as good the larger areas', async () => {
    const hits = await search('q=cebu&limit=100');
    expect(hits.slice(0, 2).map(({ code }) => code)).toEqual(['0702200000', '0730600000']);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(hits.map(({ code, level }) => `${level} ${code}`)).size).toBe(hits.length);
  });

  it.each([
    ['level=barangay', ['barangay']],
    ['level=province&level=municity', ['municity', 'province']],
    ['level=province,region', ['province']],
  ])('keeps to %s', async (levels, expected) => {
    const hits = await search(`q=isabela&limit=100&${levels}`);
    expect([...new Set(hits.map(({ level }) => level))].sort()).toEqual(expected);
  });

  it('stays within a parent of any level, by codes of today and of before', async () => {
    const parents: [parent: string, within: string][] = [
      ['1300000000', '1300000000'],
      ['130000000', '1300000000'],
      ['0702200000', '0702200000'],
      ['072200000', '0702200000'],
      ['137602000', '1380300000'],
    ];
    for (const [parent, within] of parents) {
      const hits = await search(`q=poblacion&limit=100&parent=${parent}`);
      expect(hits.length, parent).toBeGreaterThan(0);
      for (const { ancestors } of hits) expect(ancestors.map(({ code }: Body) => code)).toContain(within);
    }
    // A sub-municipality of Manila; and one that the six successors of a barangay can't have.
    const inTondo = await search('q=barangay+1&level=barangay&parent=1380601000&limit=100');
    expect(inTondo.length).toBeGreaterThan(0);
    for (const { code } of inTondo) expect(code).toMatch(/^1380601/);
    for (const parent of ['9999999999', '1', '0702201001']) expect(await search(`q=san&parent=${parent}`)).toEqual([]);
  });

  it('answers ten hits, or as many as the limit says', async () => {
    expect(await search('q=san')).toHaveLength(10);
    expect(await search('q=san&limit=100')).toHaveLength(100);
    expect(await search('q=san&limit=1')).toHaveLength(1);
    for (const text of ['%25%25', '__', 'zzzzzzzz', '%E4%B8%AD%E6%96%87', `${'x'.repeat(256)}`])
      expect(await search(`q=${text}`)).toEqual([]);
  });

  it.each([
    ['', 'q'],
    ['q=', 'q'],
    ['q=a', 'q'],
    ['q=.,-', 'q'],
    [`q=${'a'.repeat(10_000)}`, 'q'],
    ['q=cebu%00', 'q'],
    ['q=cebu&q=naga', 'q'],
    ['q=cebu&limit=0', 'limit'],
    ['q=cebu&limit=101', 'limit'],
    ['q=cebu&limit=ten', 'limit'],
    ['q=cebu&level=town', 'level'],
    ['q=cebu&level=', 'level'],
    ['q=cebu&level=region,district', 'level'],
    ['q=cebu&parent=Cebu', 'parent'],
    ['q=cebu&parent=', 'parent'],
  ])('refuses %.40j with 422, and names the parameter', async (query, parameter) => {
    const { status, body } = await get(`/v1/search?${query}`);
    expect([status, body.error.issues[0].path[0]]).toEqual([422, parameter]);
    expect(body.error.issues[0].message).toMatch(new RegExp(`^${parameter}[.\\d]*: must`));
  });
});

describe('with a snapshot', () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  const read = vi.fn((...given: unknown[]) => (SNAPSHOTS.get as (...given: unknown[]) => unknown)(...given));
  beforeAll(() => publish({ active: true }));

  it('searches and suggestions read neither the database nor the bucket once the areas are opened', async () => {
    const ask = workerWith({ FILES: like(SNAPSHOTS, { get: read }) });
    const paths = ['/v1/search?q=dasmarinyas', '/v1/municities/search?q=dasmarinyas', '/v1/suggest?q=dasm'];
    await ask('/v1/regions', { headers: MASTER });
    expect(read).toHaveBeenCalled();
    fetched.mockClear();
    read.mockClear();
    for (const path of paths) {
      const answer = await ask(path, { headers: MASTER });
      expect([answer.status, answer.body.data[0].code]).toEqual([200, '0402106000']);
      expect(answer.headers.get('X-Data-Release')).not.toBeNull();
      const held = { ...MASTER, 'If-None-Match': answer.headers.get('ETag') ?? '' };
      expect((await ask(path, { headers: held })).status).toBe(304);
      expect((await ask(path)).headers.get('Cache-Control')).toContain('public');
    }
    expect([bodiesOf(fetched).length, read.mock.calls.length]).toEqual([0, 0]);
  });
});
