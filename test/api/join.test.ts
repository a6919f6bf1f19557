import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type Body, MASTER, workerWith } from '../support/api.ts';
import { apart, publish } from '../support/snapshot.ts';

// Lists of places are joined by a Worker without a database, with what is published of the seeded release.

const bucket = apart();
const ask = workerWith({ FILES: bucket, DATABASE_URL: inject('faultyDatabases').fails as string });

beforeAll(() => publish({ active: true, bucket }));

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** What rows are joined with. */
async function joined(rows: object[], query = '', headers: object = MASTER) {
  const body = JSON.stringify({ rows });
  return ask(`/v1/join${query}`, { method: 'POST', headers: { ...headers, ...JSON_TYPE }, body });
}

const areasOf = async (row: object, query = ''): Promise<Body[]> => (await joined([row], query)).body.data[0].areas;

/** The lines of a joined table as objects by heading, with the status and the headings. */
async function table(text: string, query = '', headers: object = MASTER) {
  const sent = { method: 'POST', headers: { ...headers, 'Content-Type': 'text/csv' }, body: text };
  const answer = await ask(`/v1/join${query}`, sent);
  const [heading = '', ...lines] = answer.text.trimEnd().split('\n');
  const headings = heading.split('\t');
  const rows = lines.map((line) => Object.fromEntries(line.split('\t').map((cell, i) => [headings[i] ?? i, cell])));
  return { ...answer, headings, rows };
}

describe('rows that are joined', () => {
  it('get their area, what it lies in, the attributes asked for, and the address of its boundary', async () => {
    const [area, ...others] = await areasOf(
      { municity: 'Argao', province: 'Cebu' },
      '?attributes=type,population&attributes=lat&resolution=medium',
    );
    expect(others).toEqual([]);
    expect(area).toMatchObject({
      ...{ code: '0702205000', level: 'municity', name: 'Argao', relation: 'same' },
      ...{ weight_area: 1, weight_population: 1, estimated: null, host_province: null, submunicipality: null },
      region: { code: '0700000000', name: 'Region VII (Central Visayas)' },
      province: { code: '0702200000', name: 'Cebu' },
      municity: { code: '0702205000', name: 'Argao' },
    });
    const record = (await ask('/v1/municities/0702205000', { headers: MASTER })).body.data;
    expect(area?.attributes).toEqual({ type: 'Municipality', population: record.population, lat: record.centroid[1] });
    const boundary = new URL(area?.geometry_url);
    expect(boundary.pathname + boundary.search).toBe('/v1/municities/0702205000?format=geojson&geometry=medium');
    const feature = await ask(boundary.pathname + boundary.search, { headers: MASTER });
    expect([feature.status, feature.body.properties.code, feature.body.geometry.type]).toEqual([
      ...[200, '0702205000'],
      expect.stringMatching(/Polygon$/),
    ]);
  });

  it('name the province that a city lies in without belonging to it', async () => {
    const [area] = await areasOf({ text: 'Cebu City' });
    expect([area?.code, area?.province, area?.host_province]).toEqual([
      ...['0730600000', null],
      { code: '0702200000', name: 'Cebu' },
    ]);
  });

  it('are counted by how they were matched, and have no area where nothing is decided', async () => {
    const { body } = await joined([{ id: 7, text: 'San Isidro' }, { text: 'Qwertz' }, { province: 'Cebu' }]);
    expect(body.meta).toMatchObject({ exact: 1, likely: 0, none: 1, ambiguous: 1 });
    expect(body.data.map(({ id, match, areas }: Body) => [id, match, areas.length])).toEqual([
      [7, 'ambiguous', 0],
      [null, 'none', 0],
      [null, 'exact', 1],
    ]);
  });

  it('of a code that was divided become its parts, with weights that add up to 1', async () => {
    const { body } = await joined([{ barangay: '1380100176' }]);
    expect(body.data[0]).toMatchObject({ match: 'exact', code: '1380100176', name: 'Barangay 176', former: '2024-2q' });
    const { areas } = body.data[0];
    expect(areas.map(({ code }: Body) => code).toSorted()).toEqual(
      ['89', '90', '91', '92', '93', '94'].map((end) => `13801001${end}`),
    );
    expect(new Set(areas.map(({ relation }: Body) => relation))).toEqual(new Set(['split']));
    for (const weight of ['weight_area', 'weight_population']) {
      expect(areas.reduce((sum: number, area: Body) => sum + area[weight], 0)).toBeCloseTo(1, 9);
    }
    // At another level than its own a code that is gone is none of today's.
    for (const query of ['?level=province', '?level=province&from=2023-4q']) {
      const { data } = (await joined([{ barangay: '1380100176' }], query)).body;
      expect(data.flatMap(({ areas: found }: Body) => found.filter(({ level }: Body) => level === 'barangay'))).toEqual(
        [],
      );
    }
    // A name beside the code may contradict it, so that somebody has to choose.
    const beside = await joined([{ barangay: '1380100176', municity: 'Argao' }]);
    expect([beside.body.data[0].former, beside.body.data[0].areas]).toEqual([null, []]);
  });

  it('of an edition become what that edition calls so', async () => {
    const row = { barangay: 'Barangay 176', municity: 'Caloocan' };
    expect(await areasOf(row)).toEqual([]);
    expect((await areasOf(row, '?from=2023-4q')).map(({ relation }) => relation)).toEqual(Array(6).fill('split'));
    // Region VI without what became the Negros Island Region, and that.
    const region = { region: 'Western Visayas' };
    expect((await areasOf(region)).map(({ code, weight_area }) => [code, weight_area])).toEqual([['0600000000', 1]]);
    const parts = await areasOf(region, '?from=2023-4q&level=region');
    expect(parts.map(({ code, relation }) => `${relation} ${code}`).toSorted()).toEqual([
      'partial 0600000000',
      'partial 1800000000',
    ]);
    // And back again.
    const back = await areasOf({ region: 'Negros Island Region' }, '?from=2026-3q&edition=2023-4q');
    expect(back.map(({ code }) => code).toSorted()).toEqual(['0600000000', '0700000000']);
    expect(back[0]?.geometry_url).toContain('edition=2023-4q');
  });
});

describe('a table that is joined', () => {
  it('comes back as it was sent with more columns, and a row for each area', async () => {
    const text = 'No;Barangay\n1;1380100176\n2;0730600041\n3;\n';
    const { status, text: answer } = await ask('/v1/join?attributes=population', {
      ...{ method: 'POST', headers: { ...MASTER, 'Content-Type': 'text/csv' }, body: text },
    });
    expect(status).toBe(200);
    const [heading, ...lines] = answer.trimEnd().split('\n');
    expect(heading).toMatch(/^No;Barangay;psgc_code;psgc_level;.*;population;geometry_url$/);
    expect(lines.map((line) => line.split(';').slice(0, 3)).toSorted()).toEqual([
      ...['89', '90', '91', '92', '93', '94'].map((end) => ['1', '1380100176', `13801001${end}`]),
      ...[['2', '0730600041', '0730600041'], expect.arrayContaining(['3', ''])],
    ]);
    const widths = new Set([heading, ...lines].map((line) => line?.split(';').length));
    expect(widths.size, 'each line has a cell for each heading').toBe(1);
  });

  it('has the six columns of a matched table first', async () => {
    const text = 'Province\tTown\nCebu\tArgaw\nCebu\tQwertz\n';
    const { rows, headings } = await table(text);
    const matched = await ask('/v1/match', {
      ...{ method: 'POST', headers: { ...MASTER, 'Content-Type': 'text/csv' }, body: text },
    });
    expect(headings.slice(0, 8)).toEqual(matched.text.split('\n')[0]?.split('\t'));
    expect(rows[0]).toMatchObject({ psgc_code: '0702205000', psgc_match: 'likely', province_name: 'Cebu' });
    expect(rows[1]).toMatchObject({ psgc_code: '', psgc_match: 'none' });
  });
});

describe('a join is refused', () => {
  it.each([
    ['?attributes=people', 422, /attributes.*must be of type, city_class/],
    ['?from=2019-1q', 404, /"from: the history has no edition 2019-1q/],
    ['?edition=2019-1q', 404, /"edition: there is no edition 2019-1q/],
    ['?resolution=huge', 422, /resolution/],
    ['?province=Prov', 422, /names a column of text\/csv/],
  ])('with %s', async (query, status, message) => {
    const answer = await joined([{ province: 'Cebu' }], query);
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(message)]);
  });

  it('with what stands in the query in its body', async () => {
    const body = JSON.stringify({ rows: [{ province: 'Cebu' }], from: '2023-1q' });
    const { status, text } = await ask('/v1/join', { method: 'POST', headers: { ...MASTER, ...JSON_TYPE }, body });
    expect([status, text]).toEqual([422, expect.stringContaining('all else stands in the query')]);
  });

  it('without credentials for a table and for more than 20 rows', async () => {
    expect((await joined([{ province: 'Cebu' }], '', {})).status).toBe(200);
    expect((await joined(Array(21).fill({ province: 'Cebu' }), '', {})).body.code).toBe('authentication_required');
    expect((await table('province\nCebu\n', '', {})).status).toBe(401);
  });

  it('where a table has a column that the answer adds', async () => {
    const { status, body } = await table('province,weight_area\nCebu,1\n');
    expect([status, body.code]).toEqual([422, 'invalid_csv']);
  });
});
