import { beforeAll, expect, it } from 'vitest';
import type { AreaStore } from '../../src/areas/store.ts';
import { Deadline } from '../../src/deadline.ts';
import { whereOf } from '../../src/ogc/conditions.ts';
import { freshAddress } from '../support/addresses.ts';
import { api, type Body, get, MASTER, post, workerWith } from '../support/api.ts';
import { left } from '../support/limits.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { apart, publish } from '../support/snapshot.ts';

// Filters in CQL2 (21-065r2) on areas, from a snapshot, and the same from PostGIS.

const EPSG_4326 = 'http://www.opengis.net/def/crs/EPSG/0/4326';

const bucket = apart();
const ofSnapshot = workerWith({ FILES: bucket });

beforeAll(() => publish({ active: true, bucket }));

interface Filtered {
  readonly filter: string | object;
  readonly level?: string;
  readonly others?: Record<string, string>;
}

function pathOf({ filter, level = 'municities', others = {} }: Filtered): string {
  const text = typeof filter === 'string' ? filter : JSON.stringify(filter);
  const language = typeof filter === 'string' ? 'cql2-text' : 'cql2-json';
  const query = new URLSearchParams({ filter: text, 'filter-lang': language, limit: '5000', ...others });
  return `/ogc/collections/${level}-simple/items?${query}`;
}

const ask = (worker: typeof api, filtered: Filtered) => worker(pathOf(filtered), { headers: MASTER, undeclared: true });

/** What both stores answer: the records, which are the same in the same order. */
async function found(filtered: Filtered): Promise<Body[]> {
  const [snapshot, postgis] = await Promise.all([ask(ofSnapshot, filtered), ask(api, filtered)]);
  expect(snapshot.status, snapshot.text.slice(0, 300)).toBe(200);
  expect(postgis.body.numberMatched, JSON.stringify(filtered)).toBe(snapshot.body.numberMatched);
  expect(postgis.body.features).toEqual(snapshot.body.features);
  return snapshot.body.features.map(({ properties }: Body) => properties);
}

/** All records of the cities and municipalities, and those that a condition lets through. */
async function expected(condition: (record: Body) => boolean): Promise<Body[]> {
  return (await found({ filter: 'TRUE' })).filter(condition);
}

it('compares properties', async () => {
  const tests: [string, (record: Body) => boolean][] = [
    ["name = 'City of Cebu'", ({ name }) => name === 'City of Cebu'],
    ["type <> 'City'", ({ type }) => type !== null && type !== 'City'],
    ['population > 100000 AND population <= 200000', ({ population: p }) => p !== null && p > 100000 && p <= 200000],
    ['NOT population > 100000', ({ population: p }) => p !== null && p <= 100000],
    ["city_class IN ('HUC', 'ICC')", ({ city_class }) => ['HUC', 'ICC'].includes(city_class)],
    ['city_class IS NULL', ({ city_class }) => city_class === null],
    ['city_class IS NOT NULL', ({ city_class }) => city_class !== null],
    ["name LIKE 'San%'", ({ name }) => name.startsWith('San')],
    ["CASEI(name) LIKE CASEI('%SAN %')", ({ name }) => name.toLowerCase().includes('san ')],
    ["name > 'S'", ({ name }) => name > 'S'],
    ['area_km2 BETWEEN 100 AND 200', ({ area_km2: a }) => a !== null && a >= 100 && a <= 200],
    ["island_group = 'visayas' AND pcode LIKE 'PH07%'", ({ code }) => code.startsWith('07')],
    ["r_code = '0700000000' OR r_code = '1300000000'", ({ r_code }) => /^(07|13)/.test(r_code)],
    ["host_province_code = '0702200000'", ({ host_province_code: host }) => host === '0702200000'],
    ['population < 9007199254740993', ({ population }) => population !== null],
    ['population IN (9007199254740993, -123456789012345678)', () => false],
    ['lat > 15', ({ lat }) => lat !== null && lat > 15],
    ["income_class LIKE '1st%'", ({ income_class: i }) => i?.startsWith('1st') ?? false],
  ];
  for (const [filter, condition] of tests) {
    expect(await found({ filter }), filter).toEqual(await expected(condition));
  }
  const [filter] = tests[0] ?? [];
  expect(await found({ filter: filter ?? '' })).not.toEqual([]);
});

it('reads the same filter as JSON', async () => {
  const text = "name LIKE 'San%' AND population >= 50000";
  const json = {
    op: 'and',
    args: [
      { op: 'like', args: [{ property: 'name' }, 'San%'] },
      { op: '>=', args: [{ property: 'population' }, 50000] },
    ],
  };
  expect(await found({ filter: json })).toEqual(await found({ filter: text }));
});

it('filters the other levels', async () => {
  expect(await found({ filter: "iso_3166_2 = 'PH-CEB'", level: 'provinces' })).toMatchObject([{ code: '0702200000' }]);
  expect(await found({ filter: "iso_3166_2 = 'PH-07'", level: 'regions' })).toMatchObject([{ code: '0700000000' }]);
  expect(await found({ filter: "type = 'SubMun'", level: 'submunicipalities' })).not.toEqual([]);
  const barangays = await found({ filter: "m_code = '0730600000' AND urban_rural = 'U'", level: 'barangays' });
  expect(barangays.length).toBeGreaterThan(10);
  for (const record of barangays) expect(record).toMatchObject({ m_code: '0730600000', urban_rural: 'U' });
});

it('finds what a point, a box and a polygon meet, by detailed boundaries', async () => {
  const { body: cebu } = await get('/v1/municities/0730600000');
  const [west, south, east, north] = cebu.data.bbox;
  const [lon, lat] = cebu.data.centroid;
  const point = await found({ filter: `S_INTERSECTS(geometry, POINT(${lon} ${lat}))` });
  expect(point).toMatchObject([{ code: '0730600000' }]);
  const turned = { 'filter-crs': EPSG_4326 };
  expect(await found({ filter: `S_INTERSECTS(geometry, POINT(${lat} ${lon}))`, others: turned })).toEqual(point);

  const box = await found({ filter: `S_INTERSECTS(geometry, BBOX(${west}, ${south}, ${east}, ${north}))` });
  const boxes = await ask(ofSnapshot, { filter: 'TRUE', others: { bbox: [west, south, east, north].join(',') } });
  const codes = box.map(({ code }) => code);
  expect(codes).toContain('0730600000');
  // Boxes that meet are more than boundaries that do.
  expect(boxes.body.features.map(({ id }: Body) => id)).toEqual(expect.arrayContaining(codes));
  const ring = `${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}, ${west} ${south}`;
  expect(await found({ filter: `S_INTERSECTS(geometry, POLYGON((${ring})))` })).toEqual(box);
  const outside = await found({ filter: `NOT S_INTERSECTS(geometry, BBOX(${west}, ${south}, ${east}, ${north}))` });
  expect(outside.length + box.length).toBe((await found({ filter: 'geometry IS NOT NULL' })).length);
  const country = await found({ filter: 'S_INTERSECTS(geometry, BBOX(-180, -90, 180, 90))', level: 'barangays' });
  expect(country).toEqual(await found({ filter: 'geometry IS NOT NULL', level: 'barangays' }));
  expect(await found({ filter: 'S_INTERSECTS(geometry, POINT(0 0))' })).toEqual([]);
});

it('goes through the pages of what a filter lets through', async () => {
  const whole = await found({ filter: "name LIKE 'S%'" });
  const codes: string[] = [];
  const first = pathOf({ filter: "name LIKE 'S%'", others: { limit: '9' } });
  for (let next: string | undefined = first; next; ) {
    const { body } = await ofSnapshot(next, { headers: MASTER, undeclared: true });
    codes.push(...body.features.map(({ id }: Body) => id));
    const href = body.links.find(({ rel }: Body) => rel === 'next')?.href;
    next = href && new URL(href).pathname + new URL(href).search;
  }
  expect(codes).toEqual(whole.map(({ code }) => code));
});

it('refuses what it can not read, and says where', async () => {
  for (const filter of [
    ...[
      'name = ',
      "name == 'a'",
      "nam = 'a'",
      'population = 1 AND',
      "population = 'many'",
      'name',
      '((((',
      '',
      '1 = 1 +',
    ],
    ...['S_WITHIN(geometry, POINT(1 1))', 'S_INTERSECTS(geometry, LINESTRING(1 1, 2 2))', "foo(name) = 'a'"],
    ...['S_INTERSECTS(geometry, POINT(1))', 'S_INTERSECTS(name, POINT(1 1))', 'population + 1 > 2'],
  ]) {
    const { status, body, text } = await ask(ofSnapshot, { filter });
    expect(status, `${filter} ${text.slice(0, 200)}`).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_parameter', message: expect.stringMatching(/^filter: .* \(got /) });
  }
});

it('refuses filters that would take long', async () => {
  const many = Array.from({ length: 500 }, (_, i) => `population=${i}`).join(' OR ');
  const deep = `${'('.repeat(500)}population=1${')'.repeat(500)}`;
  const wild = `name LIKE '${'%a'.repeat(100)}'`;
  const boxes = Array.from({ length: 9 }, (_, i) => `S_INTERSECTS(geometry,BBOX(118,12,122,15.${i}))`).join(' OR ');
  const points = Array.from({ length: 30 }, (_, i) => `S_INTERSECTS(geometry,POINT(121 14.${i}))`).join(' OR ');
  for (const filter of [boxes, points, many.slice(0, 8000).replace(/ OR [^ ]*$/, ''), deep, wild, 'x'.repeat(9000)]) {
    const started = performance.now();
    const { status } = await ask(ofSnapshot, { filter });
    expect(status).toBe(400);
    expect(performance.now() - started).toBeLessThan(2000);
  }
});

/** A polygon with teeth over the whole country. */
function comb(south: number): string {
  const low = south + 0.1;
  const teeth = Array.from({ length: 60 }, (_, i) => 117 + i / 6).flatMap((x) => [
    ...[`${x} 19`, `${x + 0.08} 19`, `${x + 0.08} ${low}`, `${x + 0.16} ${low}`],
  ]);
  return `POLYGON((117 ${south},${teeth},127 ${south},117 ${south}))`;
}

it.each(['key', 'session'])('counts the areas at the edge of a polygon, with a %s', async (policy) => {
  const owner = (await person()).session;
  const { key } = await newKey(owner, { rate_limit_rpm: 100 });
  const { body } = await post('/v1/ogc/sessions', {}, owner);
  const [others, headers] =
    policy === 'key'
      ? [undefined, bearer(key)]
      : [{ session: body.data.session }, { 'CF-Connecting-IP': freshAddress() }];
  let before = policy === 'key' ? 100 : 600;
  const countOf = async (filter: string) => {
    const path = pathOf({ filter, level: 'barangays', ...(others && { others }) });
    const answer = await ofSnapshot(path, { headers, undeclared: true });
    const now = left(answer, policy)?.r ?? Number.NaN;
    const count = before - now;
    before = now;
    expect(answer.status).toBe(200);
    return count;
  };
  // A page of 5000 features is five requests, and the areas at the edge are more.
  expect(await countOf("name = 'Lahug'")).toBe(5);
  // An instance may remember which areas a polygon meets, so that each time is another one.
  const south = 5 - Math.random() / 10;
  expect(await countOf(`S_INTERSECTS(geometry,${comb(south)})`)).toBeGreaterThan(15);
});

it('says of a geometry in a filter that too many areas are around it, and calls it a geometry once', async () => {
  const areas = {
    activeVersion: async () => 'release-1',
    list: async () => ({ release: 'release', version: 'release-1', value: { areas: [], total: 60_001 } }),
  } as unknown as AreaStore;
  const [southwest, northeast] = [
    [117, 5],
    [127, 20],
  ];
  const geometry = { type: 'Polygon', coordinates: [[southwest, [127, 5], northeast, [117, 20], southwest]] };
  const expression = { op: 's_intersects', geometry };
  const given = { expression, level: 'barangay', ctx: { deadline: new Deadline() }, countAreas: () => undefined };
  await expect(whereOf(areas, given as never)).rejects.toMatchObject({
    code: 'invalid_parameter',
    message:
      'filter: a geometry has too many areas of the level barangay around it, 60001 of them. Ask for a coarser level, or for parts of it.',
  });
});
