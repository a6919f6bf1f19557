import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { type Body, get, MASTER, post, workerWith } from '../support/api.ts';
import { newKey, person } from '../support/people.ts';
import { database } from '../support/sql.ts';

type Box = [number, number, number, number];

const covered = (body: object, headers: Record<string, string> = MASTER) => post('/v1/areas/covered', body, headers);
const polygon = (...rings: number[][][]) => ({ type: 'Polygon', coordinates: rings });
const ring = ([west, south, east, north]: Box) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const box = (...sides: Box) => polygon(ring(sides));

async function bboxOf(path: string): Promise<Box> {
  return (await get(`/v1/${path}`)).body.data.bbox;
}

async function populationsOf(codes: readonly string[], family = 'municities'): Promise<number> {
  const found = await Promise.all(codes.map(async (code) => (await get(`/v1/${family}/${code}`)).body.data.population));
  return found.reduce((sum, population) => sum + population, 0);
}

/** Half of Cebu City, with a corner in the sea east of it or in its neighbours. */
async function aroundCebu(): Promise<Body> {
  const [west, south, east, north] = await bboxOf('municities/0730600000');
  const [width, height] = [east - west, north - south];
  return polygon(
    [
      [west + width / 3, south - height / 5],
      [east + 0.31, south + height / 7],
      [west + width / 2, north + height / 3],
      [west + width / 3, south - height / 5],
    ],
    [
      [west + width / 2, south + height / 4],
      [west + width / 2, south + height / 3],
      [west + width / 1.9, south + height / 3],
      [west + width / 2, south + height / 4],
    ],
  );
}

/** What PostGIS says that a polygon has of the areas of a level, square kilometres of an equal-area projection of the ellipsoid. */
async function judged(geometry: Body, level: string): Promise<Record<string, { overlap: number; share: number }>> {
  const size = (shape: ReturnType<typeof sql>) => sql`st_area(st_transform(st_segmentize(${shape}, 0.02), 6933)) / 1e6`;
  const { rows } = await database.execute<{ code: string; overlap: number; share: number }>(sql`
    with given as (select st_setsrid(st_geomfromgeojson(${JSON.stringify(geometry)}), 4326) as geom),
    drawn as (
      select b.code, st_setsrid(st_geomfromgeojson(b.geojson), 4326) as geom from boundaries b join active_release using (release_id)
      join areas a on a.release_id = b.release_id and a.code = b.code, given
      where b.level = ${level} and b.resolution = 'detailed' and a.bbox[1] < st_xmax(given.geom) and a.bbox[3] > st_xmin(given.geom)
        and a.bbox[2] < st_ymax(given.geom) and a.bbox[4] > st_ymin(given.geom)
    ), common as (select code, drawn.geom, st_intersection(drawn.geom, given.geom) as part from drawn, given)
    select code, ${size(sql`part`)} as overlap, ${size(sql`part`)} / (${size(sql`geom`)}) as share from common where st_area(part) > 1e-12`);
  return Object.fromEntries(rows.map(({ code, overlap, share }) => [code, { overlap, share }]));
}

it.each(['region', 'province', 'municity', 'barangay'])('has of the level %s what PostGIS has', async (level) => {
  const geometry = await aroundCebu();
  const { status, body } = await covered({ geometry, level });
  expect(status).toBe(200);
  const expected = await judged(geometry, level);
  expect(body.data.map(({ code }: Body) => code).sort()).toEqual(Object.keys(expected).sort());
  expect(body.data.length).toBeGreaterThan(0);
  for (const { code, area_km2, share_of_area, share_of_polygon, land_population, population_estimate } of body.data) {
    const { overlap, share } = expected[code] as { overlap: number; share: number };
    expect(Math.abs(area_km2 / overlap - 1), code).toBeLessThan(1e-5);
    expect(share_of_area, code).toBeCloseTo(share, 5);
    expect(share_of_polygon).toBeCloseTo(area_km2 / body.meta.polygon_km2, 5);
    expect(population_estimate).toBeCloseTo(land_population * share, -2);
  }
  const shares = body.data.map((area: Body) => area.share_of_area);
  expect(shares).toEqual(shares.toSorted((a: number, b: number) => b - a));
  const inside = body.data.reduce((sum: number, area: Body) => sum + area.share_of_polygon, 0);
  expect(body.meta.outside_share).toBeCloseTo(1 - inside, 4);
  expect(body.meta.population_estimate).toBe(
    body.data.reduce((sum: number, area: Body) => sum + (area.population_estimate ?? 0), 0),
  );
});

it('has all of an area where the polygon is its boundary, and nothing of its neighbours', async () => {
  const { body: found } = await get('/v1/municities/0730600000?geometry=detailed', MASTER);
  const { geometry, population, area_km2 } = found.data;
  const { body } = await covered({ geometry });
  expect(body.data).toEqual([
    {
      code: '0730600000',
      name: found.data.name,
      population,
      share_of_area: 1,
      share_of_polygon: 1,
      area_km2: expect.closeTo(area_km2, 2),
      land_population: population,
      population_estimate: population,
    },
  ]);
  expect(body.meta).toMatchObject({ outside_share: 0, level: 'municity', population_estimate: population });
  const { body: parts } = await covered({ geometry: { type: 'Feature', properties: {}, geometry }, level: 'barangay' });
  expect(parts.data.every(({ code, share_of_area }: Body) => code.startsWith('07306') && share_of_area === 1)).toBe(
    true,
  );
});

it('estimates the residents of a province with those of the highly urbanized cities on its land', async () => {
  const [west, south, east, north] = await bboxOf('provinces/0702200000');
  const geometry = box(west - 0.01, south + (north - south) / 4, east + 0.01, north - (north - south) / 4);
  const cities = (await covered({ geometry })).body.data.filter(({ code }: Body) => code.startsWith('07'));
  const { body } = await covered({ geometry, level: 'province' });
  const province = body.data.find(({ code }: Body) => code === '0702200000');
  const { population } = (await get('/v1/provinces/0702200000')).body.data;
  expect(province.population).toBe(population);
  const hosted = await populationsOf(['0730600000', '0731100000', '0731300000']);
  expect(province.land_population).toBe(population + hosted);
  // Its cities and municipalities are strips from the south to the north, so that it has as much of each as of the whole.
  const sum = cities.reduce((residents: number, city: Body) => residents + city.population_estimate, 0);
  expect(Math.abs(province.population_estimate / sum - 1)).toBeLessThan(0.02);
  // Isabela City is of another region, and outside of the boundary of Basilan.
  const basilan = (await covered({ geometry: box(...(await bboxOf('provinces/1900700000'))), level: 'province' })).body;
  expect(basilan.data.find(({ code }: Body) => code === '1900700000')).toMatchObject({
    population: await populationsOf(['1900700000'], 'provinces'),
    land_population: await populationsOf(['1900700000'], 'provinces'),
  });
});

it('has all areas as a whole in a box around the country', async () => {
  for (const [level, plural] of [
    ['region', 'regions'],
    ['province', 'provinces'],
  ] as const) {
    const { body } = await covered({ geometry: box(110, 0, 135, 25), level });
    const listed = (await get(`/v1/${plural}?limit=100`)).body.data.filter(({ bbox }: Body) => bbox !== null);
    expect(body.data.map(({ code }: Body) => code)).toEqual(listed.map(({ code }: Body) => code).sort());
    expect(new Set(body.data.map((area: Body) => area.share_of_area))).toEqual(new Set([1]));
  }
});

it('has nothing at sea, and leaves out what is below min_share', async () => {
  const sea = (await covered({ geometry: box(116.2, 9, 116.4, 10), level: 'barangay' })).body;
  expect([sea.data, sea.meta.outside_share, sea.meta.population_estimate]).toEqual([[], 1, 0]);
  const geometry = await aroundCebu();
  const all = (await covered({ geometry, level: 'municity' })).body.data;
  const some = (await covered({ geometry, level: 'municity', min_share: 0.2 })).body.data;
  expect(some).toEqual(all.filter((area: Body) => area.share_of_area >= 0.2));
  expect(some.length).toBeLessThan(all.length);
});

it.each([
  [{ type: 'Point', coordinates: [121, 14] }, 'geometry.type: must be Polygon or MultiPolygon (got Point).'],
  [
    {
      type: 'Polygon',
      coordinates: [
        [
          [121, 14],
          [122, 15],
          [122, 14],
        ],
      ],
    },
    'geometry.coordinates[0]: must have 4 positions or more',
  ],
  [
    polygon([
      [121, 14],
      [122, 15],
      [122, 14],
      [121, 15],
      [121, 14],
    ]),
    'geometry.coordinates[0]: must not cross itself',
  ],
  [
    { type: 'MultiPolygon', coordinates: [[ring([121, 14, 123, 15])], [ring([122, 14, 124, 15])]] },
    'geometry.coordinates[0][0]: must not overlap',
  ],
  [polygon(ring([14, 121, 15, 122])), 'latitude'],
  [null, 'must be a GeoJSON geometry object'],
  [
    { type: 'Feature', properties: null, geometry: { type: 'Point', coordinates: [121, 14] } },
    'geometry.geometry.type: must be',
  ],
  [
    polygon([...Array.from({ length: 5000 }, (_, i) => [120 + i / 1e4, 10]), [120, 11], [120, 10]]),
    'must have at most 5000 positions (got 5002)',
  ],
])('refuses what is no polygon, and says where: %#', async (geometry, message) => {
  const { status, body } = await covered({ geometry });
  expect([status, body.code]).toEqual([422, 'invalid_geometry']);
  expect(body.message).toContain(message);
});

it('refuses a body without a polygon, and a level and a share that is none', async () => {
  const { body } = await covered({});
  expect(body.error.issues).toMatchObject([{ path: ['geometry'], message: 'geometry: must be given' }]);
  for (const wrong of [{ level: 'country' }, { min_share: 2 }]) {
    expect((await covered({ geometry: box(121, 14, 122, 15), ...wrong })).body.success).toBe(false);
  }
});

it('counts a hundred areas and positions as one request', async () => {
  const { session } = await person();
  const { key } = await newKey(session, { rate_limit_rpm: 100 });
  const { headers } = await covered(
    { geometry: await aroundCebu(), level: 'barangay' },
    { Authorization: `Bearer ${key}` },
  );
  const { body } = await covered({ geometry: await aroundCebu(), level: 'barangay' });
  const left = Number(/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]);
  expect(100 - left).toBe(Math.ceil((body.data.length + 7) / 100));
});

/** Positions on a circle around the middle of the country, radius in degrees. */
function circle(positions: number, radius: number): number[][] {
  return Array.from({ length: positions }, (_, i) => {
    const angle = (2 * Math.PI * i) / positions;
    return [122 + radius * Math.cos(angle), 12 + radius * Math.sin(angle)];
  });
}

it('counts as no more than the limit of a key, so that a key with a small limit can ask too', async () => {
  const { session } = await person();
  const { key } = await newKey(session, { rate_limit_rpm: 3 });
  const ring = circle(250, 9);
  const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
  const { status, body, headers } = await covered({ geometry, level: 'barangay' }, { Authorization: `Bearer ${key}` });
  expect([status, headers.get('RateLimit')]).toEqual([200, expect.stringMatching(/;r=0\b/)]);
  expect(body.data.length).toBeGreaterThan(100);
});

it('counts a hundred positions as one request before it looks at them, and so where it refuses them', async () => {
  const { session } = await person();
  const { key } = await newKey(session, { rate_limit_rpm: 100 });
  const bearer = { Authorization: `Bearer ${key}` };
  const ring = circle(2000, 0.1);
  // Two neighbours are exchanged, so that edges cross.
  const crossing = [...ring.slice(0, 1000), ring[1001], ring[1000], ...ring.slice(1002), ring[0]];
  const ask = (coordinates: unknown) => covered({ geometry: { type: 'Polygon', coordinates: [coordinates] } }, bearer);
  const refused = await ask(crossing);
  expect(refused.body.code).toBe('invalid_geometry');
  expect(refused.headers.get('RateLimit')).toMatch(/;r=79\b/);
  // What is no polygon at all takes no work.
  expect((await ask(ring)).headers.get('RateLimit')).toMatch(/;r=78\b/);
});

it('counts a polygon and its areas of a session together, as those of a key', async () => {
  const { session } = await person();
  const ring = circle(150, 9);
  const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
  const { body, headers } = await covered({ geometry, level: 'province' }, session);
  expect(Math.ceil((body.data.length + 151) / 100)).toBe(3);
  expect(headers.get('RateLimit')).toMatch(/^"work";r=597;/);
});

it('counts many areas of a session at its account, and no single request', async () => {
  const { session } = await person();
  const asked = workerWith({ ACCOUNT_RPM: '4' });
  const ask = async (body: object) =>
    asked('/v1/areas/covered', {
      method: 'POST',
      headers: { ...session, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const many = { geometry: await aroundCebu(), level: 'barangay' };
  const few = { geometry: box(123.85, 10.2, 123.86, 10.21), level: 'region' };
  for (let i = 0; i < 6; i++) expect((await ask(few)).status).toBe(200);
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push((await ask(many)).status);
  expect(statuses.at(0)).toBe(200);
  expect(statuses.at(-1)).toBe(429);
  expect((await ask(many)).body.message).toContain(
    'Work of this account that counts as several requests may make 4 requests',
  );
  expect((await ask(few)).status).toBe(200);
  // Others are not held up by it.
  const { session: other } = await person();
  expect(
    (
      await asked('/v1/areas/covered', {
        method: 'POST',
        headers: { ...other, 'Content-Type': 'application/json' },
        body: JSON.stringify(many),
      })
    ).status,
  ).toBe(200);
});
