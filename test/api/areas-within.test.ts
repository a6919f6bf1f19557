import { expect, it } from 'vitest';
import { type Body, get, MASTER } from '../support/api.ts';

const within = async (query: string, headers = MASTER) => get(`/v1/areas/within?${query}`, headers);

async function bboxOf(path: string): Promise<[number, number, number, number]> {
  return (await get(`/v1/${path}`)).body.data.bbox;
}

/** Metres that a degree of latitude has at about ten degrees. */
const DEGREE = 110_608;

it('lists the areas around a point, the nearest first, with what contains it at 0', async () => {
  const [west, south, east, north] = await bboxOf('municities/0730600000');
  const point = `lat=${(south + north) / 2}&lon=${(west + east) / 2}`;
  const { status, body, headers } = await within(`${point}&radius_km=40&limit=100`);
  expect(status).toBe(200);
  expect(headers.get('X-Data-Release')).toMatch(/^\d{4}-\dq/);
  expect(body.data[0]).toMatchObject({ code: '0730600000', distance_m: 0, population: expect.any(Number) });
  expect(body.meta).toMatchObject({ level: 'municity', radius_km: 40, total: body.data.length, next: null });
  const distances = body.data.map(({ distance_m }: Body) => distance_m);
  expect(distances).toEqual(distances.toSorted((a: number, b: number) => a - b));
  expect(distances.at(-1)).toBeLessThanOrEqual(40_000);
  expect(distances.length).toBeGreaterThan(3);
});

it('measures to the edge of an area, and leaves out what is farther than the radius', async () => {
  const [west, , east, north] = await bboxOf('regions/0700000000');
  const point = `lat=${north + 0.01}&lon=${(west + east) / 2}&level=region`;
  const metres = 0.01 * DEGREE;
  const { body } = await within(`${point}&radius_km=${(metres + 5) / 1000}`);
  expect(body.data.map(({ code }: Body) => code)).toEqual(['0700000000']);
  expect(body.data[0].distance_m).toBeCloseTo(metres, -1);
  expect((await within(`${point}&radius_km=${(metres - 5) / 1000}`)).body.data).toEqual([]);
});

it('has each area once over all pages, in one order', async () => {
  const [west, south] = await bboxOf('municities/1380600000');
  const query = `lat=${south}&lon=${west}&radius_km=3&level=barangay`;
  const { body: whole } = await within(`${query}&limit=100`);
  const codes: string[] = [];
  for (let url: string | null = `/v1/areas/within?${query}&limit=7`; url; ) {
    const { body }: { body: Body } = await get(url, MASTER);
    codes.push(...body.data.map(({ code }: Body) => code));
    url =
      codes.length >= whole.data.length
        ? null
        : body.meta.links.next && new URL(body.meta.links.next).pathname + new URL(body.meta.links.next).search;
  }
  expect(codes.slice(0, whole.data.length)).toEqual(whole.data.map(({ code }: Body) => code));
  expect(new Set(codes).size).toBe(codes.length);
});

it('has sub-municipalities where their barangays are', async () => {
  const [west, south, east, north] = await bboxOf('barangays/1380608003');
  const { body } = await within(
    `lat=${(south + north) / 2}&lon=${(west + east) / 2}&radius_km=1&level=submunicipality`,
  );
  expect(body.data[0]).toMatchObject({ code: '1380608000', distance_m: 0 });
});

it('finds nothing at sea', async () => {
  const { body } = await within('lat=10&lon=116.5&radius_km=10&level=barangay');
  expect([body.data, body.meta.total]).toEqual([[], 0]);
});

it('refuses what is no point, no radius or no level, and takes lng', async () => {
  for (const query of [
    'lat=10&radius_km=1',
    'lat=10&lon=120',
    'lat=10&lon=120&radius_km=101',
    'lat=10&lon=120&radius_km=-1',
    'lat=10&lon=120&radius_km=1&level=country',
    'lat=120&lon=10&radius_km=1',
  ]) {
    const { status, body } = await within(query);
    expect([query, status, body.success]).toEqual([query, 422, false]);
  }
  expect((await within('lat=10&lng=116.5&radius_km=1')).status).toBe(200);
});

it('is 304 for a caller who has the answer', async () => {
  const first = await within('lat=9.1&lon=120.1&radius_km=2');
  const again = await get('/v1/areas/within?lat=9.1&lon=120.1&radius_km=2', {
    ...MASTER,
    'If-None-Match': first.headers.get('ETag') ?? '',
  });
  expect(again.status).toBe(304);
});
