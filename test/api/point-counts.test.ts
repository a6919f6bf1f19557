import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { type Body, get, post, send } from '../support/api.ts';
import { newDataset, point } from '../support/datasets.ts';
import { type Headers, person } from '../support/people.ts';
import { database } from '../support/sql.ts';
import { upload } from '../support/uploads.ts';

async function middleOf(path: string): Promise<[number, number]> {
  const [west, south, east, north] = (await get(`/v1/${path}`)).body.data.bbox;
  return [(west + east) / 2, (south + north) / 2];
}

/** Barangays of Cebu City, which belongs to no province, of Manila, and of a town of Maguindanao del Norte, with how many points to make. */
const PLACES = [
  ['0730600001', 3],
  ['1380601001', 2],
  ['1908703001', 1],
] as const;
const AT_SEA = [116.5, 10] as const;

async function datasetOfPoints(owner: Headers): Promise<string> {
  const points = await Promise.all(
    PLACES.map(async ([code, count]) => Array(count).fill(await middleOf(`barangays/${code}`)) as [number, number][]),
  );
  const features = [...points.flat(), AT_SEA].map(([lon, lat]) => ({ geometry: point(lon, lat) }));
  const line = { type: 'LineString', coordinates: [await middleOf('barangays/0730600001'), AT_SEA] };
  const { id } = await newDataset(owner, {
    features: [...features, { geometry: line }, { geometry: null, properties: {} }],
  });
  return id;
}

it.for([
  [
    'region',
    [
      ['0700000000', 3],
      ['1300000000', 2],
      ['1900000000', 1],
    ],
    1,
  ],
  [
    'province',
    [
      ['0702200000', 3],
      ['1908700000', 1],
    ],
    3,
  ],
  [
    'municity',
    [
      ['0730600000', 3],
      ['1380600000', 2],
      ['1908703000', 1],
    ],
    1,
  ],
  ['submunicipality', [['1380601000', 2]], 5],
  [
    'barangay',
    [
      ['0730600001', 3],
      ['1380601001', 2],
      ['1908703001', 1],
    ],
    1,
  ],
] as const)('points are counted by %s', async ([level, expected, outside]) => {
  const { session } = await person();
  const { status, body, headers } = await get(
    `/v1/datasets/${await datasetOfPoints(session)}/counts?level=${level}`,
    session,
  );
  expect(status).toBe(200);
  expect(body.data.map(({ code, count }: Body) => [code, count])).toEqual(expected);
  const counted = expected.reduce((sum, [, count]) => sum + count, 0);
  expect(body.meta).toEqual({ level, counted, outside, others: 2 });
  expect(headers.get('X-Data-Release')).toMatch(/^\d{4}-\dq/);
  const [hit] = (await get(`/v1/search?q=${body.data[0].code}`)).body.data;
  expect(body.data[0]).toMatchObject({ name: hit.name, population: expect.any(Number) });
  if (level !== 'province') for (const area of body.data) expect(area.land_population).toBe(area.population);
});

it('a province has the residents of all cities whose points count for it, of another region too', async () => {
  const { session } = await person();
  const middles = await Promise.all(['0730600001', '0990101002'].map((code) => middleOf(`barangays/${code}`)));
  const { id } = await newDataset(session, {
    features: middles.map(([lon, lat]) => ({ geometry: point(lon, lat) })),
  });
  const { body } = await get(`/v1/datasets/${id}/counts`, session);
  const populationOf = async (path: string) => (await get(`/v1/${path}`)).body.data.population;
  const sumOf = async (codes: string[]) =>
    (await Promise.all(codes.map((code) => populationOf(`municities/${code}`)))).reduce((sum, one) => sum + one, 0);
  const [cebu, basilan] = await Promise.all(
    ['0702200000', '1900700000'].map((code) => populationOf(`provinces/${code}`)),
  );
  const cities = await sumOf(['0730600000', '0731100000', '0731300000']);
  const isabela = await sumOf(['0990101000']);
  expect(body.data).toMatchObject([
    { code: '0702200000', population: cebu, land_population: cebu + cities, count: 1 },
    { code: '1900700000', population: basilan, land_population: basilan + isabela, count: 1 },
  ]);
});

it('of more than one page all points are counted', async () => {
  const { session } = await person();
  const [lon, lat] = await middleOf('barangays/0730600001');
  const rows = Array.from({ length: 22_500 }, (_, i) => (i % 9 === 0 ? AT_SEA : [lon, lat]).join(',')).join('\n');
  const { body: made } = await upload(session, 'a.csv', `lon,lat\n${rows}\n`);
  const { body } = await get(`/v1/datasets/${made.data.id}/counts`, session);
  expect(body).toMatchObject({ data: [{ code: '0702200000', count: 20_000 }] });
  expect(body.meta).toEqual({ level: 'province', counted: 20_000, outside: 2500, others: 0 });
});

it('of more features than can be counted it is refused before they are read, and none of them counts', async () => {
  const { session } = await person();
  const { id } = await newDataset(session);
  await database.execute(sql`update datasets set feature_count = 200001 where id = ${id}`);
  const { key } = (await post('/v1/api-keys', { name: 'Counts', rate_limit_rpm: 5 }, session)).body.data;
  const ask = () => get(`/v1/datasets/${id}/counts`, { Authorization: `Bearer ${key}` });
  expect((await ask()).body.code).toBe('too_many_features');
  const { status, body } = await ask();
  expect([status, body.code]).toEqual([422, 'too_many_features']);
  expect(body.message).toContain('at most 200000 features to be counted (got 200001)');
});

it('of a dataset without points there is none', async () => {
  const { session } = await person();
  const { id } = await newDataset(session);
  const { body } = await get(`/v1/datasets/${id}/counts`, session);
  expect([body.data, body.meta]).toEqual([[], { level: 'province', counted: 0, outside: 0, others: 0 }]);
});

it('is for those who may read the dataset', async () => {
  const [me, other] = [await person(), await person()];
  const id = await datasetOfPoints(me.session);
  const path = `/v1/datasets/${id}/counts`;
  expect((await get(path, other.session)).body.code).toBe('dataset_not_found');
  await send('PATCH', `/v1/datasets/${id}`, me.session, { visibility: 'accounts' });
  expect((await get(path, other.session)).status).toBe(200);
  const wrong = await get(`${path}?level=country`, me.session);
  expect([wrong.status, wrong.body.success]).toEqual([422, false]);
});
