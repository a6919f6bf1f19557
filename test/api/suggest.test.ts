import { describe, expect, it } from 'vitest';
import { type Body, get } from '../support/api.ts';

const answered = async (query: Record<string, string>): Promise<Body> => {
  const { status, body } = await get(`/v1/suggest?${new URLSearchParams(query)}`);
  expect([query, status, body.error]).toEqual([query, 200, null]);
  return body;
};
const suggest = async (query: Record<string, string>): Promise<Body[]> => (await answered(query)).data;
const labels = async (q: string, query: Record<string, string> = {}) =>
  (await suggest({ q, ...query })).map(({ label }) => label);

describe('GET /v1/suggest', () => {
  it('gives a place with its label, what to highlight in it, and all that it lies in', async () => {
    expect(await suggest({ q: 'san isidro, cai' })).toEqual([
      {
        code: '0405805015',
        level: 'barangay',
        name: 'San Isidro',
        type: null,
        label: 'San Isidro, Cainta, Rizal',
        highlights: [
          [0, 3],
          [4, 10],
          [12, 15],
        ],
        match: 'exact',
        matched_name: 'San Isidro',
        ancestors: [
          { code: '0400000000', level: 'region', name: 'Region IV-A (CALABARZON)' },
          { code: '0405800000', level: 'province', name: 'Rizal' },
          { code: '0405805000', level: 'municity', name: 'Cainta' },
        ],
      },
    ]);
  });

  it.each([
    ['m', 'MIMAROPA Region'],
    ['mak', 'Makati City, Metro Manila'],
    ['City of Mak', 'Makati City, Metro Manila'],
    ['metro m', 'Metro Manila'],
    ['manila', 'Manila, Metro Manila'],
    ['QC', 'Quezon City, Metro Manila'],
    ['San I', 'San Ildefonso, Bulacan'],
    ['STO. T', 'Sto. Tomas City, Batangas'],
    ['ni\u00f1o', 'Niño, Concepcion, Iloilo'],
    ['lahug cebu c', 'Lahug, Cebu City, Cebu'],
    ['cebu lah', 'Lahug, Cebu City, Cebu'],
    ['poblacion maka', 'Poblacion, Makati City, Metro Manila'],
    ['brgy san jose', 'San Jose, Rodriguez, Rizal'],
    ['tondo i', 'Tondo I/II, Manila, Metro Manila'],
    ['dasmarinyas', 'Dasmariñas City, Cavite'],
    ['1380300000', 'Makati City, Metro Manila'],
  ])('has for %j first %s', async (q, label) => {
    expect((await labels(q))[0]).toBe(label);
  });

  it('says under which name a place is found that has another today', async () => {
    const [place] = await suggest({ q: 'montalban, ri' });
    expect(place).toMatchObject({ label: 'Rodriguez, Rizal', match: 'alias', matched_name: 'Montalban' });
  });

  it('keeps to levels, and to what lies in an area', async () => {
    const provinces = await suggest({ q: 's', level: 'province', limit: '20' });
    expect(new Set(provinces.map(({ level }) => level))).toEqual(new Set(['province']));
    const inside = await suggest({ q: 's', within: '0405800000', level: 'barangay', limit: '20' });
    expect(inside).toHaveLength(20);
    for (const { ancestors } of inside) expect(ancestors[1]).toMatchObject({ code: '0405800000' });
    expect((await suggest({ q: 'rizal', within: '0405800000' })).map(({ code }) => code)).not.toContain('0405800000');
  });

  it('leads an old code of an area to that of today, and says of an abolished one what took its place', async () => {
    expect(await labels('lahug', { within: '072217000' })).toEqual(['Lahug, Cebu City, Cebu']);
    const { data, meta } = await answered({ q: 'ab', within: '9999999999' });
    expect([data, meta.notices[0]]).toEqual([
      [],
      expect.objectContaining({ code: 'area_not_found', parameter: 'within' }),
    ]);
  });

  it('has nothing for a text without letters or digits', async () => {
    expect(await suggest({ q: ' ,-' })).toEqual([]);
  });

  it.each([
    [{}, 'q'],
    [{ q: '' }, 'q'],
    [{ q: 'a\u0000' }, 'q'],
    [{ q: 'x'.repeat(300) }, 'q'],
    [{ q: 'a', limit: '21' }, 'limit'],
    [{ q: 'a', limit: '0' }, 'limit'],
    [{ q: 'a', level: 'city' }, 'level'],
    [{ q: 'a', within: 'Rizal' }, 'within'],
    [{ q: 'a', near: '14.5' }, 'near'],
    [{ q: 'a', near: '121.02,14.55' }, 'near'],
    [{ q: 'a', near: 'NaN,1' }, 'near'],
    [{ q: 'a', edition: '1999' }, 'edition'],
  ] as [Record<string, string>, string][])('refuses %j and names the parameter', async (query, name) => {
    const { status, body } = await get(`/v1/suggest?${new URLSearchParams(query)}`);
    expect([status, body.error.issues[0].path[0]]).toEqual([422, name]);
  });

  it('may be stored by caches, and is not sent again to a caller who has it', async () => {
    const first = await get('/v1/suggest?q=ceb');
    expect(first.headers.get('Cache-Control')).toContain('public');
    const again = await get('/v1/suggest?q=ceb', { 'If-None-Match': first.headers.get('ETag') ?? '' });
    expect(again.status).toBe(304);
  });
});

describe('GET /v1/suggest near a point', () => {
  it('puts places nearby before others whose name fits as well', async () => {
    const [west, south, east, north] = (await get('/v1/barangays/0730600001')).body.data.bbox;
    const near = `${(south + north) / 2},${(west + east) / 2}`;
    expect((await labels('san jose', { level: 'barangay' }))[0]).not.toContain('Cebu');
    expect((await labels('san jose', { level: 'barangay', near }))[0]).toBe('San Jose, Cebu City, Cebu');
    // What is typed decides first.
    expect((await labels('makati', { near }))[0]).toBe('Makati City, Metro Manila');
  });

  it('takes no notice of a point at sea', async () => {
    expect(await labels('san isidro', { near: '5,130' })).toEqual(await labels('san isidro'));
  });
});
