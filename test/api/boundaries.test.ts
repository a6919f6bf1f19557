import { exports } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BOUNDARY_BUDGET } from '../../src/areas/store.ts';
import { type Body, get, MASTER, ORIGIN, post } from '../support/api.ts';
import { expectResolution, storedBoundaries } from '../support/boundaries.ts';
import { bodiesOf, meet } from '../support/requests.ts';
import { some } from '../support/some.ts';

const geo = (path: string) => get(path, MASTER);

function expectSound(geometry: Body): void {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  for (const [outer] of some<Body[]>(polygons)) {
    expect(outer[0]).toEqual(outer.at(-1));
    const area = outer.reduce((sum: number, [x, y]: number[], i: number) => {
      const [u, v] = outer[(i + 1) % outer.length];
      return sum + (x as number) * v - u * (y as number);
    }, 0);
    expect(area, 'counter-clockwise').toBeGreaterThan(0);
    for (const number of outer.flat()) expect(String(number)).toMatch(/^\d+(\.\d{1,6})?$/);
  }
}

describe('FeatureCollections', () => {
  it.each([
    ['/v1/regions?format=geojson', 18],
    ['/v1/provinces?format=geojson', 82],
    ['/v1/provinces?output=geojson&region=0700000000', 2],
    ['/v1/provinces?format=geojson&limit=3&page=2', 82],
    ['/v1/municities?format=geojson&province=Cebu', 53],
    ['/v1/municities?format=geojson&province=Cebu&scope=admin', 50],
    ['/v1/municities?format=geojson&region=NCR', 17],
    ['/v1/barangays?format=geojson&municity_code=1380600000', 897],
    ['/v1/barangays?format=geojson&municity_code=9999999999', 0],
  ])('%s has all %i, whatever the page', async (path, count) => {
    const { status, body, headers } = await geo(path);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('application/geo+json');
    expect(headers.get('Cache-Control')).toMatch(/^private/);
    expect(body.features).toHaveLength(count);
    for (const { id, bbox, geometry, properties } of body.features) {
      expect(properties.code).toBe(id);
      expect(properties).not.toHaveProperty('geometry');
      expectSound(geometry);
      const [west, south, east, north] = bbox;
      expect(west).toBeGreaterThanOrEqual(116);
      expect(south).toBeGreaterThanOrEqual(4);
      for (const [x, y] of geometry.coordinates.flat(geometry.type === 'Polygon' ? 1 : 2)) {
        expect(x >= west && x <= east && y >= south && y <= north).toBe(true);
      }
    }
  });

  it('are simple unless told otherwise', async () => {
    for (const [query, resolution] of [
      ['', 'simple'],
      ['&geometry=simple', 'simple'],
      ['&geometry=medium', 'medium'],
      ['&geometry=detailed', 'detailed'],
    ] as const) {
      const { body } = await geo(`/v1/regions?format=geojson${query}`);
      expect(body.features).toHaveLength(18);
      expect(Object.fromEntries(body.features.map(({ id, geometry }: Body) => [id, geometry]))).toEqual(
        await storedBoundaries('region', resolution),
      );
      await expectResolution(body.features[0].geometry, resolution, { level: 'region', code: body.features[0].id });
    }
  });

  it('say 304 to whoever holds them', async () => {
    const path = '/v1/provinces?format=geojson&geometry=detailed';
    const etag = (await geo(path)).headers.get('ETag') as string;
    expect((await get(path, { ...MASTER, 'If-None-Match': etag })).status).toBe(304);
  });
});

describe('JSON with geometry', () => {
  it('has it in every record of a page, at the resolution asked for', async () => {
    const { body } = await geo('/v1/municities?province=Cebu&geometry=medium&limit=7');
    expect(body.data).toHaveLength(7);
    expect(body.meta.total).toBe(53);
    const medium = await storedBoundaries('municity', 'medium');
    for (const { code, geometry } of body.data) expect(geometry).toEqual(medium[code]);
    await expectResolution(body.data[0].geometry, 'medium', { level: 'municity', code: '0702201000' });
  });

  it('is the same record as without', async () => {
    const { geometry, ...rest } = (await geo('/v1/municities/0702201000?geometry=simple')).body.data;
    await expectResolution(geometry, 'simple', { level: 'municity', code: '0702201000' });
    expect(rest).toEqual((await get('/v1/municities/0702201000')).body.data);
  });

  it('is null where an area has no boundary', async () => {
    // Only some regions of the drawn country have barangays.
    const { body } = await geo('/v1/barangays/0102801001?geometry=simple');
    expect(body.data).toMatchObject({ geometry: null, centroid: null, bbox: null });
    const feature = await geo('/v1/barangays/0102801001?format=geojson');
    expect(feature.body).toMatchObject({ type: 'Feature', geometry: null });
    expect(feature.body).not.toHaveProperty('bbox');
  });

  it('comes with centroid and bbox, which need no credentials', async () => {
    const { bbox, centroid } = (await get('/v1/municities/0730600000')).body.data;
    const [west, south, east, north] = bbox;
    expect(centroid[0]).toBeCloseTo((west + east) / 2, 5);
    expect(centroid[1]).toBeCloseTo((south + north) / 2, 5);
  });

  it.each([
    ['regions', 'region', '0700000000'],
    ['provinces', 'province', '0702200000'],
    ['municities', 'municity', '0702201000'],
    ['barangays', 'barangay', '0702201001'],
  ] as const)('comes in batches of %s', async (path, level, code) => {
    const name = level === 'region' ? 'ids' : 'codes';
    const plain = await post(`/v1/${path}/search`, { [name]: [code] });
    await expectResolution(plain.body[0].geometry, 'simple', { level, code });
    const medium = await post(`/v1/${path}/search`, { [name]: [code], geometry: 'medium', format: 'geojson' });
    await expectResolution(medium.body.features[0].geometry, 'medium', { level, code });
  });
});

describe('single areas', () => {
  it('are bare Features as geojson', async () => {
    const { body, headers } = await geo('/v1/provinces/0604500000?format=geojson&geometry=medium');
    expect(headers.get('Content-Type')).toBe('application/geo+json');
    expect(headers.get('Content-Location')).toBe('/v1/provinces/1804500000?format=geojson&geometry=medium');
    expect(body).toMatchObject({ type: 'Feature', id: '1804500000', properties: { name: 'Negros Occidental' } });
    await expectResolution(body.geometry, 'medium', { level: 'province', code: '1804500000' });
  });

  it.each(['regions/0700000000', 'provinces/0702200000', 'municities/0730600000', 'barangays/0730600001'])(
    '%s is the same record as a Feature: its properties have counts, former names, and its place as two numbers',
    async (area) => {
      const { centroid, bbox, zip_codes: _, ...data } = (await get(`/v1/${area}`)).body.data;
      const [lon, lat] = centroid;
      const feature = await geo(`/v1/${area}?format=geojson`);
      expect(feature.body).toMatchObject({ bbox, properties: {} });
      expect(feature.body.properties).toEqual({ ...data, lon, lat });
      // The answer that the edge keeps and the one that is read are the same.
      const kept = await geo(`/v1/${area}?format=geojson&beside=the-edge`);
      expect(kept.body.properties).toEqual(feature.body.properties);
      expect(Object.keys(data)).toContain('former_names');
    },
  );

  it('geometry=true nests the boundaries of what lies in a province, hosted cities included', async () => {
    const { body } = await geo('/v1/provinces/0702200000?geometry=true');
    expect(body.geojson.type).toBe('FeatureCollection');
    expect(body.geojson.features).toHaveLength(53);
    expect(body.geojson.features.map(({ id }: Body) => id)).toContain('0730600000');
    expect(body.data.geometry).toBeUndefined();
    const simple = await storedBoundaries('municity', 'simple');
    for (const { id, geometry } of body.geojson.features) expect(geometry).toEqual(simple[id]);
    await expectResolution(body.geojson.features[0].geometry, 'simple', { level: 'municity', code: '0702201000' });
  });

  it('geometry=true nests the barangays of a city', async () => {
    const { body } = await geo('/v1/municities/1380600000?geometry=true');
    expect(body.geojson.features).toHaveLength(897);
  });
});

describe('what is too much for one statement', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ['/v1/provinces?format=geojson&geometry=detailed', (body: Body) => body.features],
    ['/v1/provinces?geometry=detailed&limit=100', (body: Body) => body.data],
  ])('%s is read in portions and comes whole, in order', async (path, listOf) => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    // The edge keeps no answer to a request with a parameter that it does not know.
    const { status, body, text } = await geo(`${path}&beside=the-edge`);
    // A portion at a time, and nothing that is not needed.
    const statements = bodiesOf(fetched).length;
    expect(statements).toBeGreaterThan(1);
    expect(statements).toBeLessThanOrEqual(Math.ceil(text.length / (BOUNDARY_BUDGET / 2)) + 1);
    expect(status).toBe(200);
    const codes = listOf(body).map((item: Body) => item.code ?? item.id);
    expect(new Set(codes).size).toBe(82);
    expect(codes).toEqual([...codes].sort());
    const detailed = await storedBoundaries('province', 'detailed');
    for (const { code, id, geometry } of listOf(body)) expect(geometry).toEqual(detailed[code ?? id]);
  });

  it('breaks the connection off when the rest can not be read, so that nobody takes a part for the whole', async () => {
    meet(vi.spyOn(globalThis, 'fetch'), { position: 2, text: 'b.geojson' }, () =>
      Promise.reject(new Error('connection lost')),
    );
    const path = '/v1/provinces?format=geojson&geometry=detailed&beside=the-edge';
    const response = await exports.default.fetch(new Request(ORIGIN + path, { headers: MASTER }));
    expect(response.status).toBe(200);
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    await expect(response.text()).rejects.toThrow();
    const line = JSON.parse(logged.mock.calls[0]?.[0]);
    expect(line).toMatchObject({
      level: 'error',
      request_id: response.headers.get('X-Request-Id'),
      release: '2026-3q-1',
    });
  });

  it('a small answer is read with one statement', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const { text } = await geo('/v1/provinces?format=geojson&beside=the-edge');
    const statements = bodiesOf(fetched);
    expect(statements).toHaveLength(1);
    expect(statements[0]).toContain('b.geojson');
    expect(text.length).toBeGreaterThan(10_000);
  });
});

it('geometry is passed through as text: never parsed, never written anew', async () => {
  const parse = vi.spyOn(JSON, 'parse');
  const stringify = vi.spyOn(JSON, 'stringify');
  for (const path of [
    '/v1/regions?format=geojson',
    '/v1/regions?geometry=simple',
    '/v1/regions/0700000000?format=geojson',
    '/v1/provinces/0702200000?geometry=true',
    '/v1/geocode/reverse?lat=10.3&lon=120.1&geometry=simple&level=region',
  ]) {
    stringify.mockClear();
    const asked = `${path}&beside=the-edge`;
    const response = await exports.default.fetch(new Request(ORIGIN + asked, { headers: MASTER }));
    const text = await response.text();
    expect(text).toContain('"coordinates":[');
    // The statement that read the boundary is among the texts that were written: the answer was not kept at the edge.
    expect(stringify.mock.results.some(({ value }) => String(value).includes('b.geojson'))).toBe(true);
    for (const [input] of some(parse.mock.calls)) expect(input).not.toContain('coordinates');
    for (const { value } of some(stringify.mock.results)) expect(String(value)).not.toContain('coordinates');
  }
  vi.restoreAllMocks();
});
