import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  ALL_OF_IT,
  DevServers,
  endCleanly,
  FIRST,
  MASTER,
  NOT_ITS_WORDS,
  preparedIn,
  SLOW,
} from '../support/dev-servers.ts';
import { TIMEOUT_MS } from '../support/timeouts.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A page of the server itself. */
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' };

const servers = new DevServers();
const start = (...given: Parameters<DevServers['start']>) => servers.start(...given);
const ask = (...given: Parameters<DevServers['ask']>) => servers.ask(...given);
const releaseState = () => servers.releaseState();
// The tests go on with what the ones before have left.
beforeAll(() => servers.useNewDirectory());
afterEach(() => servers.endAll());
afterAll(() => servers.removeDirectories());

/** Signs in as on the dashboard, and makes a key. */
async function makeKey(): ReturnType<typeof ask> {
  const session = await ask('/dashboard/sign-in', { method: 'POST', body: 'maria@example.com', headers: OWN_PAGE });
  const headers = { Authorization: `Bearer ${session.body.token}`, 'Content-Type': 'application/json' };
  return ask('/v1/api-keys', { method: 'POST', body: '{"name":"Flood map"}', headers });
}

/** A barangay with its people, a search, a point and the boundary of a province are answered. */
async function expectGeography(): Promise<void> {
  expect(await ask('/v1/barangays/1380100176')).toMatchObject({ status: 404, body: { code: 'area_abolished' } });
  expect(await ask('/v1/barangays/0906604004')).toMatchObject({
    status: 200,
    body: { data: { r_code: '0900000000', population: expect.any(Number), population_year: 2024 } },
  });
  expect((await ask('/v1/municities/search?q=paranaque')).body.data[0]).toMatchObject({ code: '1381000000' });
  const point = await ask('/v1/geocode/reverse?lat=14.5826&lon=120.9787', { headers: MASTER });
  expect(point).toMatchObject({ status: 200, body: { data: { barangay: { code: expect.stringMatching(/^13806/) } } } });
  const boundary = await ask('/v1/provinces/0702200000?geometry=simple', { headers: MASTER });
  expect(boundary).toMatchObject({ status: 200, body: { data: { geometry: { coordinates: expect.any(Array) } } } });
}

/** Areas and points of older editions are as they were: Sulu in the BARMM, Bacolod in Western Visayas, Cembo in Makati. */
async function expectOlderEditions(): Promise<void> {
  const at = async (lat: number, lon: number, query: string) =>
    (await ask(`/v1/geocode/reverse?lat=${lat}&lon=${lon}&${query}`, { headers: MASTER })).body.data;
  for (const [lat, lon, edition, level, code] of [
    [5.98, 121.1, '2026-3q', 'region', '0900000000'],
    [5.98, 121.1, '2025-2q', 'region', '1900000000'],
    [5.98, 121.1, '2025-2q', 'province', '1906600000'],
    [10.65, 122.97, '2023-4q', 'region', '0600000000'],
    [14.566, 121.051, '2026-3q', 'municity', '1381500000'],
    [14.566, 121.051, '2023-1q', 'municity', '1380300000'],
    [14.7765, 121.0545, '2023-4q', 'barangay', '1380100176'],
    [14.7765, 121.0545, '2023-4q', 'municity', '1380100000'],
    [13.930468, 120.786382, '2026-3q', 'barangay', '0401007019'],
    [13.930468, 120.786382, '2025-4q', 'barangay', '0401007038'],
  ] as const) {
    const found = await at(lat, lon, `edition=${edition}&level=${level}`);
    expect([edition, level, found[level]?.code]).toEqual([edition, level, code]);
  }
  // Barangay 176 became six that nobody draws, so that none of its neighbours is the nearest.
  const within = await ask('/v1/geocode/reverse?lat=14.7757&lon=121.0465&within=15000', { headers: MASTER });
  expect(within.body).toMatchObject({
    data: { match: 'contains', municity: { code: '1380100000' }, barangay: null },
    meta: { notices: [{ code: 'boundary_missing', parameter: 'level' }] },
  });
  // Off the coast of Jolo the nearest place counts.
  const near = await at(6.09, 121.0, 'edition=2025-2q&level=region&within=15000');
  expect([near.match, near.region?.code]).toEqual(['nearest', '1900000000']);

  const boundary = async (path: string) => (await ask(`${path}&geometry=simple`, { headers: MASTER })).body;
  const [then, now] = [
    await boundary('/v1/regions/1900000000?edition=2025-2q'),
    await boundary('/v1/regions/1900000000?'),
  ];
  expect(then.data.area_km2 - now.data.area_km2).toBeGreaterThan(1000);
  // The island of Jolo, and whatever is as near.
  const hasJolo = ({ data }: typeof then) =>
    data.geometry.coordinates.some(([ring]: [[number, number][]]) =>
      ring.every(([lon, lat]) => lon > 120.8 && lon < 121.5 && lat > 5.7 && lat < 6.2),
    );
  expect([hasJolo(then), hasJolo(now)]).toEqual([true, false]);
  expect((await boundary('/v1/barangays/1380100176?edition=2023-4q')).data.geometry).not.toBeNull();
  // A collection through time has both, each as its edition has it.
  const versions = await ask('/ogc/collections/regions-history/items?code=1900000000', { headers: MASTER });
  expect(
    versions.body.features.map(({ id, properties: it }: { id: string; properties: object }) => ({ id, ...it })),
  ).toMatchObject([
    { id: '1900000000-2023-1q', valid_from: '2023-03-31', valid_to: '2025-07-30', area_km2: then.data.area_km2 },
    { id: '1900000000-2025-07', valid_from: '2025-07-31', valid_to: null, area_km2: now.data.area_km2 },
  ]);
  for (const [i, query] of ['edition=2025-2q', ''].entries()) {
    const { body } = await ask(`/v1/regions/1900000000?geometry=medium&${query}`, { headers: MASTER });
    expect(versions.body.features[i].geometry).toEqual(body.data.geometry);
  }
  // It was divided since the borders were drawn.
  expect(await boundary('/v1/barangays/1380100189?')).toMatchObject({
    data: { geometry: null },
    meta: { notices: [{ code: 'boundary_missing', message: expect.stringContaining('Barangay 176-A') }] },
  });
  const list = await boundary('/v1/barangays?municity_code=1380100000&limit=100&page=2');
  expect(list.meta.notices).toMatchObject([
    { code: 'boundary_missing', message: expect.stringMatching(/Barangay 176-A \(1380100189\), .*Barangay 176-F/) },
  ]);
  const six = await boundary('/v1/barangays?municity_code=1380100000&name=Barangay%20176-');
  expect([six.data.length, six.meta.notices[0].message]).toEqual([6, list.meta.notices[0].message]);

  // Ten barangays of Makati are Taguig's: the weight is their share of the land.
  const land = async (query: string) => (await ask(`/v1/municities/1380300000${query}`)).body.data.area_km2;
  const [whole, kept] = [await land('?edition=2023-1q'), await land('')];
  const crosswalk = await ask('/v1/crosswalk?from=2023-1q&to=2026-3q&level=municity', { headers: MASTER });
  const rows: { from_code: string; to_code: string; weight_area: number }[] = crosswalk.body.data;
  const weights = rows.filter((row) => row.from_code === '1380300000').map((row) => [row.to_code, row.weight_area]);
  expect(weights).toEqual([
    ['1380300000', expect.closeTo(kept / whole, 3)],
    ['1381500000', expect.closeTo(1 - kept / whole, 3)],
  ]);
  expect(kept / whole).toBeLessThan(0.75);
}

describe('npm run dev with a wrong setting', () => {
  let taken: Server;
  beforeAll(async () => {
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
  });
  afterAll(() => taken.close());

  it('ends before it starts anything, with one sentence that names the setting and no secret', async () => {
    const address = taken.address();
    const inUse = String(typeof address === 'object' && address?.port);
    const cases: [Record<string, string>, string][] = [
      [{ FREE_TIER_RPM: '1000000' }, 'FREE_TIER_RPM must be a whole number from 1 to 100000, not "1000000" '],
      [{ REQUEST_WAIT_MS: 'soon' }, 'REQUEST_WAIT_MS must be a whole number from 1000 to 25000, not "soon" '],
      [{ MASTER_TOKEN: 'secret' }, 'MASTER_TOKEN must have at least 16 characters (it is set in the environment)'],
      [{ PORT: 'abc' }, 'PORT must be a number from 1 to 65535, not abc.'],
      [{ PORT: inUse }, `Port ${inUse} is in use; stop what listens there or choose another with PORT=8788 `],
      [{ BOUNDARIES_DIR: '/nowhere' }, 'BOUNDARIES_DIR names /nowhere, which does not exist.'],
      [{ DATA_DIR: join(ROOT, 'package.json') }, `DATA_DIR can't be ${join(ROOT, 'package.json')}: that is a file.`],
      [{ DATABASE_URL: 'secret' }, 'DATABASE_URL must be a connection string such as '],
      [{ DATABASE_URL: 'postgres://a:secret%zz@b/c' }, 'DATABASE_URL must be a connection string such as '],
      [{ DATABASE_URL: 'postgres://secret@ep.neon.tech/x' }, 'DATABASE_URL must be postgresql://user:password@host/'],
      [{ DATABASE_URL: 'postgres://a:secret@127.0.0.1:9/x' }, 'The database at 127.0.0.1:9 (DATABASE_URL) '],
    ];
    const outcomes: [number | null, string][] = [];
    // Two at a time, because each is a process.
    for (let i = 0; i < cases.length; i += 2) {
      const devs = await Promise.all(cases.slice(i, i + 2).map(([settings]) => start(settings)));
      outcomes.push(
        ...(await Promise.all(
          devs.map(async (dev): Promise<[number | null, string]> => [await dev.ended, dev.printed()]),
        )),
      );
    }
    outcomes.forEach(([code, printed], i) => {
      expect([code, printed.trimEnd().split('\n').length]).toEqual([1, 1]);
      expect(printed.startsWith(cases[i]?.[1] ?? ''), printed).toBe(true);
      expect(printed).not.toMatch(/secret(?! )/);
    });
  });

  it('explains itself where an argument is unknown', async () => {
    const dev = await start({}, '--nonsense');
    expect(await dev.ended).toBe(2);
    expect(dev.printed()).toMatch(/^Unknown option '--nonsense'[\s\S]*npm run dev \[-- --requests\]/);
  });
});

describe('npm run dev', () => {
  it('ends cleanly when it is interrupted during its first start, and begins anew without complaint', async () => {
    for (const [sign, signals] of [
      [/Drawing the country|Publishing the snapshot/, 1],
      [/Publishing the snapshot/, 2],
    ] as const) {
      const dev = await start({});
      await expect.poll(dev.printed, SLOW).toMatch(sign);
      await endCleanly(dev, signals);
      expect(await releaseState()).toMatchObject({ id: FIRST, isComplete: false });
    }
  });

  it(
    'serves geography before the database is open, and in the end all, also where the load was interrupted',
    async () => {
      const first = await start({});
      await expect.poll(first.printed, SLOW).toContain('Ctrl-C stops it.');
      // The database takes seconds to be made, and the editions follow the release.
      for (const [early, code, what] of [
        [await ask('/v1/editions'), 'storage_unavailable', 'history of the editions is being prepared'],
        [await makeKey(), 'database_unavailable', 'database is not open yet'],
      ] as const) {
        expect(early).toMatchObject({ status: 503, retryAfter: '5', body: { code } });
        expect(early.body.message).toMatch(new RegExp(`^The ${what}, and .* Try again in a few seconds\\.$`));
      }
      expect(await ask('/healthcheck')).toMatchObject({ status: 200, body: { status: 'degraded', release: FIRST } });
      await expectGeography();
      expect(preparedIn(await ask('/healthcheck'))).toContain('files');
      const loading = async () => {
        const { body } = await ask('/healthcheck');
        return body.preparing?.find(({ what }: { what: string }) => what === 'copy')?.progress;
      };
      await expect.poll(loading, ALL_OF_IT).toBeGreaterThan(0);
      expect(preparedIn(await ask('/healthcheck'))).not.toContain('database');
      await endCleanly(first, 1);
      expect(await releaseState()).toMatchObject({ id: FIRST, isComplete: false });

      const second = await start({});
      await expect.poll(async () => (await releaseState()).isComplete, ALL_OF_IT).toBe(true);
      expect(second.printed()).not.toMatch(NOT_ITS_WORDS);
      await expectGeography();
      expect((await makeKey()).status).toBe(200);
      await expectOlderEditions();
      expect((await ask('/v1/downloads')).body.data.length).toBeGreaterThan(0);
      expect((await ask('/v1/editions')).body.data[0]).toMatchObject({ release: FIRST });
      expect((await ask('/healthcheck')).body).toMatchObject({ status: 'ok', release: FIRST });
      await endCleanly(second, 1);

      const third = await start({});
      await expect.poll(third.printed, SLOW).toContain('Ctrl-C stops it.');
      await expectGeography();
      expect(third.printed()).not.toContain('Drawing the country');
      await expect.poll(async () => (await ask('/healthcheck')).body.status, SLOW).toBe('ok');
      await endCleanly(third, 1);
    },
    20 * TIMEOUT_MS,
  );
});
