import { describe, expect, it } from 'vitest';
import { type Body, get, MASTER, post } from '../support/api.ts';
import { expectResolution } from '../support/boundaries.ts';
import { UNDRAWN } from '../support/schematic-country.ts';

const reverse = async (query: string) => (await get(`/v1/geocode/reverse?${query}`, MASTER)).body.data;
const bboxOf = async (path: string): Promise<[number, number, number, number]> =>
  (await get(`/v1/${path}`)).body.data.bbox;

/** The middle of an area of the drawn country, in which every area is a rectangle. */
async function middleOf(path: string): Promise<string> {
  const [west, south, east, north] = await bboxOf(path);
  return `lat=${((south + north) / 2).toFixed(7)}&lon=${((west + east) / 2).toFixed(7)}`;
}

const codes = ({ region, province, host_province, municity, barangay }: Body) =>
  [region, province, host_province, municity, barangay].map((area) => area?.code ?? null);

describe('GET /v1/geocode/reverse', () => {
  it.each([
    ['barangays/0730600001', ['0700000000', null, '0702200000', '0730600000', '0730600001']],
    ['barangays/1380601001', ['1300000000', null, null, '1380600000', '1380601001']],
    ['barangays/1381701001', ['1300000000', null, null, '1381701000', '1381701001']],
    ['barangays/0990101060', ['0900000000', null, '1900700000', '0990101000', '0990101060']],
    ['barangays/1999901001', ['1900000000', null, '1204700000', '1999901000', '1999901001']],
    ['barangays/1908703001', ['1900000000', null, '1908700000', '1908703000', '1908703001']],
    ['municities/0102805000', ['0100000000', '0102800000', null, '0102805000', null]],
  ])('finds what lies in the middle of %s', async (path, expected) => {
    const place = await reverse(await middleOf(path));
    expect(codes(place)).toEqual(expected);
    expect(place).toMatchObject({ match: 'contains', distance_m: 0 });
  });

  it.each([
    ['region', ['0700000000', null, null, null, null]],
    ['province', ['0700000000', null, '0702200000', null, null]],
    ['municity', ['0700000000', null, '0702200000', '0730600000', null]],
    ['barangay', ['0700000000', null, '0702200000', '0730600000', '0730600001']],
  ])('stops at the level %s', async (level, expected) => {
    expect(codes(await reverse(`${await middleOf('barangays/0730600001')}&level=${level}`))).toEqual(expected);
  });

  it('answers a point on a border with the lowest code', async () => {
    const [west, south, east, north] = await bboxOf('municities/0702201000');
    const neighbours = (await get('/v1/municities/0702201000/neighbors')).body.data.map(({ code }: Body) => code);
    const right = await reverse(`lat=${(south + north) / 2}&lon=${east}&level=municity`);
    expect(right.municity.code).toBe('0702201000');
    const corner = await reverse(`lat=${north}&lon=${west}&level=municity`);
    const [, , , top] = await bboxOf('regions/0700000000');
    expect(top).toBeGreaterThan(north - 1e-9);
    expect([...neighbours, '0702201000'].sort()).toContain(corner.municity.code);
  });

  it('finds nothing at sea', async () => {
    const place = await reverse('lat=10&lon=116.5');
    expect(place).toEqual({
      lat: 10,
      lon: 116.5,
      match: null,
      distance_m: null,
      region: null,
      province: null,
      host_province: null,
      municity: null,
      submunicipality: null,
      barangay: null,
    });
  });

  it.each([['1e-308'], ['-4.9e-324'], ['-1.4e-239']])(
    'takes a coordinate whose square PostgreSQL has no number for: %s',
    async (tiny) => {
      expect(codes(await reverse(`lat=${tiny}&lon=${tiny}`))).toEqual([null, null, null, null, null]);
    },
  );

  it('takes lng in place of lon, and lon where both are given', async () => {
    const point = await middleOf('barangays/0730600001');
    expect(await reverse(point.replace('lon', 'lng'))).toEqual(await reverse(point));
    expect((await reverse(`${point}&lng=116.5`)).match).toBe('contains');
  });

  describe('with within', () => {
    // Some metres east of the coast of Region VII, whose easternmost barangays have known codes.
    const offshore = async (metres: number) => {
      const [, south, east] = await bboxOf('municities/0702201000');
      const { bbox } = (await get('/v1/regions/0700000000')).body.data;
      const lat = south + 1e-4;
      const lon = bbox[2] + metres / (111_320 * Math.cos((lat * Math.PI) / 180));
      expect(lon).toBeGreaterThan(east - 1);
      return `lat=${lat}&lon=${lon.toFixed(7)}`;
    };

    it('finds the nearest coast and how far it is', async () => {
      const point = await offshore(800);
      expect((await reverse(point)).match).toBeNull();
      expect((await reverse(`${point}&within=700`)).match).toBeNull();
      const place = await reverse(`${point}&within=900`);
      expect(place.match).toBe('nearest');
      expect(place.distance_m).toBeGreaterThan(790);
      expect(place.distance_m).toBeLessThan(810);
      expect(place.region.code).toBe('0700000000');
      expect(place.barangay.m_code).toBe(place.municity.code);
    });

    it('finds the nearest of every level', async () => {
      const point = await offshore(800);
      for (const level of ['region', 'province', 'municity', 'barangay']) {
        const place = await reverse(`${point}&within=15000&level=${level}`);
        expect([level, place.match, place.region.code]).toEqual([level, 'nearest', '0700000000']);
        const found = level === 'province' ? (place.province ?? place.host_province) : place[level];
        expect(found).not.toBeNull();
      }
    });

    it.each(['barangays/0730600001', 'barangays/1999901001', 'barangays/0990101060', 'barangays/1380601001'])(
      'does not move a point that lies somewhere, at any level (%s)',
      async (path) => {
        const point = await middleOf(path);
        for (const level of ['region', 'province', 'municity', 'barangay']) {
          const query = `${point}&level=${level}`;
          expect(await reverse(`${query}&within=15000`), level).toEqual(await reverse(query));
        }
      },
    );

    it('says of a hosted city at every level that the province is its host', async () => {
      // East of the easternmost city or municipality of Cebu's strip, which no province has.
      const { bbox } = (await get('/v1/regions/0700000000')).body.data;
      const cities = (await get('/v1/municities?province=Cebu&limit=100')).body.data;
      const easternmost = cities.reduce((a: Body, b: Body) => (b.bbox[2] > a.bbox[2] ? b : a));
      const lat = (easternmost.bbox[1] + easternmost.bbox[3]) / 2;
      const point = `lat=${lat}&lon=${(bbox[2] + 0.005).toFixed(6)}&within=5000`;
      expect(easternmost.code).toBe('0731300000');
      for (const level of ['province', 'municity', 'barangay']) {
        const place = await reverse(`${point}&level=${level}`);
        expect([level, place.match, place.province, place.host_province.code]).toEqual([
          level,
          'nearest',
          null,
          '0702200000',
        ]);
      }
      const drawn = await reverse(`${point}&level=province&geometry=simple`);
      expect(drawn.host_province.geometry.type).toMatch(/Polygon$/);
    });

    it('stays within the city that contains the point where barangays are missing', async () => {
      // Region I of the drawn country has no barangays, so there is none to be near.
      const path = `/v1/geocode/reverse?${await middleOf('municities/0102805000')}&within=15000`;
      const { body } = await get(path, MASTER);
      expect(body.data).toMatchObject({ match: 'contains', barangay: null });
      expect(body.meta.notices).toMatchObject([{ code: 'boundary_missing', parameter: 'level' }]);
      expect((await get(`${path}&level=municity`, MASTER)).body.meta).toBeUndefined();
    });

    it('names no neighbour of a barangay that is not drawn, whose land it is', async () => {
      const [west, south, east] = await bboxOf('municities/0701211000');
      const path = `/v1/geocode/reverse?lat=${south + 0.0001}&lon=${(west + east) / 2}&within=15000`;
      const { body } = await get(path, MASTER);
      expect(body.data).toMatchObject({ match: 'contains', municity: { code: '0701211000' }, barangay: null });
      expect(body.meta.notices).toMatchObject([{ code: 'boundary_missing', parameter: 'level' }]);
      const { meta, data } = (await get(`/v1/barangays/${UNDRAWN}/neighbors`, MASTER)).body;
      expect([data, meta.notices]).toMatchObject([[], [{ code: 'boundary_missing', parameter: 'id' }]]);
    });
  });

  it('brings the boundary of the finest area', async () => {
    const place = await reverse(`${await middleOf('barangays/0702201001')}&level=municity&geometry=medium`);
    await expectResolution(place.municity.geometry, 'medium', { level: 'municity', code: '0702201000' });
    expect(place.region).not.toHaveProperty('geometry');
    const sea = await reverse('lat=10&lon=116.5&geometry=detailed');
    expect(sea.match).toBeNull();
  });

  it('is a Feature as geojson', async () => {
    const point = await middleOf('barangays/0702201001');
    const { body, headers } = await get(`/v1/geocode/reverse?${point}&format=geojson`, MASTER);
    expect(headers.get('Content-Type')).toBe('application/geo+json');
    expect(body).toMatchObject({ type: 'Feature', id: '0702201001', properties: { match: 'contains' } });
    await expectResolution(body.geometry, 'simple', { level: 'barangay', code: '0702201001' });
    const sea = await get('/v1/geocode/reverse?lat=10&lon=116.5&format=geojson', MASTER);
    expect(sea.body).toMatchObject({ type: 'Feature', geometry: null, properties: { match: null } });
  });

  it('needs credentials', async () => {
    const { status, body } = await get('/v1/geocode/reverse?lat=10&lon=123');
    expect([status, body.code]).toEqual([401, 'authentication_required']);
  });

  it.each([
    ['', 'lat'],
    ['lat=10', 'lon'],
    ['lon=123', 'lat'],
    ['lat=ten&lon=123', 'lat'],
    ['lat=10&lon=', 'lon'],
    ['lat=1e&lon=123', 'lat'],
    ['lat=1e2&lon=123', 'lat'],
    ['lat=0x10&lon=123', 'lat'],
    ['lat=NaN&lon=123', 'lat'],
    ['lat=Infinity&lon=123', 'lat'],
    ['lat=10,5&lon=123', 'lat'],
    ['lat=10&lat=11&lon=123', 'lat'],
    ['lat=90.0001&lon=123', 'lat'],
    ['lat=10&lon=180.1', 'lon'],
    ['lat=10&lng=-181', 'lng'],
    ['lat=10&lon=123&level=sitio', 'level'],
    ['lat=10&lon=123&within=-1', 'within'],
    ['lat=10&lon=123&within=15001', 'within'],
    ['lat=10&lon=123&within=1.5', 'within'],
    ['lat=10&lon=123&geometry=true', 'geometry'],
  ])('refuses "%s"', async (query, parameter) => {
    const { status, body } = await get(`/v1/geocode/reverse?${query}`, MASTER);
    expect(status).toBe(422);
    expect(body.error.issues[0].path).toEqual([parameter]);
    expect(body.error.issues[0].message).toContain(`${parameter}: must`);
  });

  it('takes numbers in the forms that programs write', async () => {
    const plain = await get('/v1/geocode/reverse?lat=10.3&lon=123.9', MASTER);
    const written = await get('/v1/geocode/reverse?lat=1.03e1&lon=%2B123.90000000000000000000000000', MASTER);
    expect([written.status, written.body]).toEqual([200, plain.body]);
    expect((await get('/v1/geocode/reverse?lat=1e-7&lon=123', MASTER)).status).toBe(200);
  });

  it('says of a number that is too large for a double that it is not finite', async () => {
    const asked = await get('/v1/geocode/reverse?lat=1e999&lon=121', MASTER);
    const sent = await post('/v1/geocode/reverse', '{"points":[{"lat":1e999,"lon":-1e999}]}', MASTER);
    const messages = [asked, sent].flatMap(({ body }) => body.error.issues.map(({ message }: Body) => message));
    expect(messages).toEqual([
      'lat: must be a finite number (got "1e999")',
      expect.stringMatching(/^points\.0\.lat: must be a finite number/),
      expect.stringMatching(/^points\.0\.lon: must be a finite number/),
    ]);
  });

  it('says when latitude and longitude are swapped', async () => {
    const { status, body } = await get('/v1/geocode/reverse?lat=121.05&lon=14.6', MASTER);
    expect(status).toBe(422);
    expect(body.error.issues[0].message).toContain('swapped');
  });
});

describe('POST /v1/geocode/reverse', () => {
  const ask = (body: unknown) => post('/v1/geocode/reverse', body);

  it('answers in the order of the points', async () => {
    const paths = ['barangays/1380601001', 'barangays/0730600001', 'barangays/1380601001'];
    const points = await Promise.all(
      paths.map(async (path) => {
        const [west, south, east, north] = await bboxOf(path);
        return { lat: (south + north) / 2, lon: (west + east) / 2 };
      }),
    );
    const { status, body } = await ask({ points: [points[0], { lat: 10, lon: 116.5 }, points[1], points[2]] });
    expect(status).toBe(200);
    expect(body.data.map((place: Body) => place.barangay?.code ?? null)).toEqual([
      '1380601001',
      null,
      '0730600001',
      '1380601001',
    ]);
    expect(body.data[0]).toMatchObject(points[0] as object);
  });

  it('takes level and within', async () => {
    const { body } = await ask({ points: [{ lat: 10, lon: 116.99 }], level: 'region', within: 15000 });
    expect(body.data[0]).toMatchObject({ match: 'nearest', region: { code: '0100000000' }, barangay: null });
  });

  it('takes level and within of the query too, where the body has none', async () => {
    const points = [{ lat: 10, lon: 116.99 }];
    const path = '/v1/geocode/reverse?level=region&within=15000';
    expect((await post(path, { points })).body.data[0]).toMatchObject({
      match: 'nearest',
      region: { code: '0100000000' },
    });
    expect((await post(path, { points, within: 0 })).body.data[0]).toMatchObject({ match: null });
  });

  it('refuses columns of a table, and names members that change nothing', async () => {
    const points = [{ lat: 10, lon: 120.1 }];
    const refused = await post('/v1/geocode/reverse?lat=North', { points });
    expect([refused.status, refused.body.code]).toEqual([422, 'columns_not_recognized']);
    const { headers, body } = await post('/v1/geocode/reverse?points=1', {
      points: [{ ...points[0], lng: 1 }],
      edition: '2023-4q',
      radius: 1,
    });
    expect(headers.get('X-Unknown-Parameters')).toBe('points, points%5B%5D.lng, edition, radius');
    expect(body.meta.notices.map(({ message }: Body) => message)).toEqual([
      'points is a member of the body, and no parameter of the query, so it changes nothing: /docs has those it takes.',
      'points[].lng is no parameter of this operation, so it changes nothing: /docs has those it takes.',
      'edition is a parameter of the query, and no member of the body, so it changes nothing: /docs has those it takes.',
      'radius is no parameter of this operation, so it changes nothing: /docs has those it takes.',
    ]);
  });

  it('takes a hundred points and not one more', async () => {
    const points = Array(100).fill({ lat: 10, lon: 120.1 });
    const { status, body } = await ask({ points });
    expect([status, body.data.length]).toEqual([200, 100]);
    expect((await ask({ points: [...points, points[0]] })).status).toBe(422);
  });

  it.each([
    {},
    { points: [] },
    { points: {} },
    { points: [null] },
    { points: [[10, 123]] },
    { points: [{ lat: 10 }] },
    { points: [{ lat: '10', lon: '123' }] },
    { points: [{ lat: null, lon: 123 }] },
    { points: [{ lat: 121, lon: 14 }] },
    { points: [{ lat: 10, lon: 123 }], level: 'x' },
    { points: [{ lat: 10, lon: 123 }], within: '5' },
    { points: [{ lat: 10, lon: 123 }], within: 1.5 },
  ])('refuses %j', async (wrong) => {
    const { status, body } = await ask(wrong);
    expect([status, body.success]).toEqual([422, false]);
  });

  it('needs credentials', async () => {
    expect((await post('/v1/geocode/reverse', { points: [{ lat: 10, lon: 123 }] }, {})).status).toBe(401);
  });
});

describe('GET /v1/{level}/{id}/neighbors', () => {
  const neighbours = async (path: string) =>
    (await get(`/v1/${path}/neighbors`)).body.data.map(({ code }: Body) => code);

  it('are the areas that touch, in both directions', async () => {
    const around = await neighbours('municities/0702202000');
    expect(around).toEqual(expect.arrayContaining(['0702201000', '0702203000']));
    expect(around).not.toContain('0702202000');
    expect(around).not.toContain('0702204000');
    for (const code of around) expect(await neighbours(`municities/${code}`)).toContain('0702202000');
  });

  it('do not reach across the sea', async () => {
    expect(await neighbours('regions/0700000000')).toEqual([]);
    expect(await neighbours('provinces/0702200000')).toEqual(['0701200000']);
  });

  it('are found by old codes', async () => {
    const { status, headers } = await get('/v1/provinces/0604500000/neighbors');
    expect(status).toBe(200);
    expect(headers.get('Content-Location')).toBe('/v1/provinces/1804500000/neighbors');
  });

  it('are 404 for a code that names nothing', async () => {
    expect((await get('/v1/provinces/9999900000/neighbors')).status).toBe(404);
  });
});

describe('GET /v1/sources', () => {
  it('names release, sources, licences and attributions, for anyone', async () => {
    const { status, body } = await get('/v1/sources');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      release: '2026-3q-1',
      edition: '3Q 2026',
      boundaries: 'full',
      reverse_geocoding: true,
    });
    expect(body.data.sources.map(({ part }: Body) => part)).toEqual(['codes', 'boundaries']);
    expect(body.data.sources[0].publisher).toContain('Philippine Statistics Authority');
    for (const { licence, attribution } of body.data.sources) expect(licence && attribution).toBeTruthy();
    const of = (attribute: string) =>
      body.data.attributes.find(({ attributes }: Body) => attributes.includes(attribute));
    for (const census of ['POPCEN 2015', 'CPH 2020', 'POPCEN 2024']) {
      expect(of('population_history').source).toContain(census);
    }
    expect(of('population_history').note).toContain('CRAN package psgc');
    expect(of('income_class').note).toContain('Department Order 074-2024');
  });

  it('names the source of each attribute but codes, names and types, post offices, and what is drawn', async () => {
    const { attributes } = (await get('/v1/sources')).body.data;
    const sourced = new Set(attributes.flatMap((it: Body) => it.attributes));
    const codes = ['id', 'code', 'sm_code', 'm_code', 'p_code', 'host_province_code', 'r_code'];
    const others = new Set([...codes, 'name', 'type', 'city_class', 'zip_codes', 'centroid', 'bbox']);
    for (const list of [
      'regions',
      'provinces',
      'municities?province_code=0702200000',
      'barangays?municity_code=1380600000',
    ]) {
      const [record] = (await get(`/v1/${list}`)).body.data;
      expect(Object.keys(record).filter((name) => !sourced.has(name) && !others.has(name))).toEqual([]);
    }
  });
});
