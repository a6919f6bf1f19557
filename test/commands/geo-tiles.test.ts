import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withdraw } from '../../scripts/command/running.ts';
import { exportBoundaries, getActiveRelease } from '../../scripts/pipeline/tiles/areas.ts';
import { buildArchive } from '../../scripts/pipeline/tiles/build.ts';
import { TILE_LEVELS, type TileLevel } from '../../scripts/pipeline/tiles/levels.ts';
import { openArchive, placeOf, tilesOf } from '../support/archive-file.ts';
import { seededDatabase, type TestDatabase } from '../support/database.ts';
import { NEWEST } from '../support/editions.ts';
import { type LocalService, startLocalService } from '../support/local-service.ts';
import { codesAt, featuresOf, polygonsOf } from '../support/vector-tile.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let database: TestDatabase;
let client: pg.Client;
let directory: string;

beforeAll(async () => {
  database = await seededDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  directory = await mkdtemp(join(tmpdir(), 'pgds-geo-tiles-'));
});

afterAll(async () => {
  await client?.end();
  await database?.close();
  await rm(directory, { recursive: true, force: true });
});

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command with these variables and none of those that name a database or a service otherwise. */
function run(environment: Record<string, string>, ...args: string[]): Promise<Outcome> {
  const { DATABASE_URL: _, DATA_DIR: __, MASTER_TOKEN: ___, ...inherited } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(ROOT, 'scripts/geo-tiles.ts'), ...args],
      { env: { ...inherited, DATA_DIR: join(directory, 'data'), ...environment } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

describe('an archive of a level', () => {
  /** A level at fewer zooms, which keeps the test quick. */
  const level = (slug: string, minzoom: number, maxzoom: number): TileLevel => ({
    ...(TILE_LEVELS.find((candidate) => candidate.slug === slug) as TileLevel),
    minzoom,
    maxzoom,
  });

  async function built(wanted: TileLevel) {
    const path = join(directory, `${wanted.slug}.pmtiles`);
    expect(await buildArchive(client, await getActiveRelease(client), { level: wanted, path })).toBeDefined();
    return openArchive(path);
  }

  it('has every area with its code, name and parents, and their labels, at the last zoom', async () => {
    const { rows: areas } = await client.query(
      `select code, name, r_code from areas join boundaries using (release_id, level, code)
       where level = 'province' and resolution = 'detailed' order by code`,
    );
    const archive = await built(level('provinces', 7, 8));
    const drawn = new Map<string, object>();
    const labelled = new Map<string, object>();
    for (const data of (await tilesOf(archive, 8)).values()) {
      for (const { id, properties } of featuresOf(data, 'provinces')) {
        drawn.set(String(id).padStart(10, '0'), { ...properties });
      }
      for (const { id, properties } of featuresOf(data, 'labels')) {
        expect(labelled.has(String(properties.code)), `${id} has one label`).toBe(false);
        labelled.set(String(properties.code), { ...properties });
      }
    }
    expect(areas).toHaveLength(82);
    for (const found of [drawn, labelled]) {
      expect([...found].sort(([a], [b]) => (a < b ? -1 : 1))).toEqual(areas.map((area) => [area.code, area]));
    }
  });

  it('has no property for what an area does not have', async () => {
    const { id } = await getActiveRelease(client);
    const areas = await exportBoundaries(client, id, {
      level: level('municities', 7, 8),
      path: join(directory, 'boundaries.json'),
    });
    expect(areas.get('1380600000')?.properties).toEqual({
      code: '1380600000',
      name: 'City of Manila',
      type: 'City',
      r_code: '1300000000',
    });
    expect(areas.get('0730600000')?.properties).toMatchObject({ host_province_code: '0702200000' });
  });

  it('leaves no gap between areas and no overlap, where the country has none', async () => {
    const archive = await built(level('provinces', 5, 8));
    const { rows: provinces } = await client.query<{ code: string; bbox: [number, number, number, number] }>(
      `select code, bbox from areas where level = 'province' order by code`,
    );
    for (const zoom of [5, 6, 7, 8]) {
      const tiles = new Map(
        [...(await tilesOf(archive, zoom))].map(([at, data]) => [at, polygonsOf(data, 'provinces')]),
      );
      const unit = (part: number) => Math.floor((part % 1) * 4096) + 0.3711;
      const at = (lon: number, lat: number) => {
        const [x, y] = placeOf(lon, lat, zoom);
        return codesAt(tiles.get(`${Math.floor(x)}/${Math.floor(y)}`) ?? [], unit(x), unit(y));
      };
      for (const { code, bbox } of provinces) {
        const [west, south, east, north] = bbox;
        for (let lon = west + 0.0201; lon < east - 0.02; lon += 0.0099) {
          for (const part of [0.0371, 0.2713, 0.5179, 0.7331, 0.9619]) {
            expect(at(lon, south + part * (north - south)), `${zoom}: ${lon}, ${part} of ${code}`).toEqual([code]);
          }
          // Right at the northern edge: in this one or the next, and not in both.
          if (provinces.some(({ bbox: next }) => next[0] === west && next[1] === north)) {
            expect(at(lon, north), `${zoom}: ${lon} on the north of ${code}`).toHaveLength(1);
          }
        }
      }
    }
  });

  it('says where it comes from', async () => {
    const archive = await built(level('regions', 0, 2));
    expect(await archive.getMetadata()).toMatchObject({
      name: 'Regions',
      data_release: `${NEWEST}-1`,
      attribution: expect.stringContaining('Philippine Statistics Authority'),
      vector_layers: [
        { id: 'regions', minzoom: 0, maxzoom: 2, fields: { code: expect.any(String), name: expect.any(String) } },
        { id: 'labels' },
      ],
    });
    const { minLon, minLat, maxLon, maxLat } = await archive.getHeader();
    expect([minLon, minLat, maxLon, maxLat]).toEqual([117, 6, 125.75, 18]);
  });

  it('is not made of areas without boundaries', async () => {
    const path = join(directory, 'none.pmtiles');
    const release = { ...(await getActiveRelease(client)), id: 'none' };
    expect(await buildArchive(client, release, { level: level('regions', 0, 2), path })).toBeUndefined();
    expect((await readdir(directory)).filter((name) => name.startsWith('none'))).toEqual([]);
  });
});

describe('npm run geo:tiles', () => {
  it('keeps archives in a directory', async () => {
    const out = join(directory, 'out');
    const outcome = await run({ DATABASE_URL: database.url }, '--levels', 'regions', '--out', out);
    expect(outcome).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Tiles of regions: \d+ in 0\.\d MB, [\d.]+ s\n$/),
    });
    expect(await readdir(out)).toEqual(['regions.pmtiles']);
    expect(await (await openArchive(join(out, 'regions.pmtiles'))).getHeader()).toMatchObject({
      minZoom: 0,
      maxZoom: 8,
    });
  });

  it('explains what is missing, or wrong', async () => {
    const url = { DATABASE_URL: database.url };
    const wrong = await run(url, '--levels', 'cities');
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^There is no level called "cities"\.\n\nMakes/),
    });
    expect(await run(url)).toMatchObject({ code: 1, stderr: expect.stringContaining('start `npm run dev`') });
    expect(await run(url, '--to', 'http://127.0.0.1:9')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('MASTER_TOKEN'),
    });
    const away = await run({ ...url, MASTER_TOKEN: 'x' }, '--levels', 'regions', '--to', 'http://127.0.0.1:9/');
    expect(away).toMatchObject({ code: 1, stdout: '' });
    expect(away.stderr).toMatch(/http:\/\/127\.0\.0\.1:9 can't be reached: /);
  });
});

describe('npm run geo:tiles beside npm run dev', () => {
  let service: LocalService;
  const dataDir = () => join(directory, 'data');

  beforeAll(async () => {
    service = await startLocalService(database, dataDir());
  });

  afterAll(() => service?.stop());

  const ask = (path: string, headers = {}) => service.ask(path, { headers });

  it('finds the server and its database, and puts the tiles in place', async () => {
    const outcome = await run({}, '--levels', 'regions', '--missing');
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Tiles of regions: /) });
    const { data } = (await (await ask('/v1/tiles')).json()) as { data: { slug: string; data_release: string }[] };
    expect(data).toMatchObject([{ slug: 'regions', data_release: `${NEWEST}-1` }]);
    const tile = await ask('/v1/tiles/regions/0/0/0.mvt');
    expect(tile.status).toBe(200);
    expect(featuresOf(new Uint8Array(await tile.arrayBuffer()), 'regions').length).toBeGreaterThan(10);
    // The runtime asks for gzip in the name of every caller; this one has asked for none.
    const plain = await ask('/v1/tiles/regions/0/0/0.mvt', { 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('Content-Encoding')).toBeNull();
    expect(featuresOf(new Uint8Array(await plain.arrayBuffer()), 'regions').length).toBeGreaterThan(10);
  });

  it('uploads nothing of another release than the service answers from, unless it is forced to', async () => {
    const other = await seededDatabase();
    const elsewhere = new pg.Client({ connectionString: other.url });
    await elsewhere.connect();
    await elsewhere.query(
      `insert into data_releases select (jsonb_populate_record(r, '{"id":"2031-1q-1"}')).* from data_releases r;
       update active_release set release_id = '2031-1q-1'`,
    );
    await elsewhere.end();
    const settings = { DATABASE_URL: other.url, MASTER_TOKEN: service.masterToken };
    const asked = ['--levels', 'regions', '--to', service.address];
    const refused = await run(settings, ...asked);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      `${service.address} serves release ${NEWEST}-1, but the database has 2031-1q-1 active.`,
    );
    expect(await run(settings, ...asked, '--force')).toMatchObject({
      code: 0,
      stdout: 'No tiles of regions: release 2031-1q-1 has no boundaries of them.\n',
    });
    await other.close();
  });

  it('makes no tiles of the same release again, unless it is asked to or the service has lost them', async () => {
    const etag = async () => (await ask('/tiles/pmtiles/regions')).headers.get('ETag');
    const before = await etag();
    expect(await run({}, '--levels', 'regions', '--missing')).toMatchObject({ code: 0, stdout: '' });
    expect(await run({}, '--levels', 'regions')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Tiles of regions'),
    });
    // The same boundaries make the same archive.
    expect(await etag()).toBe(before);
    await client.query(`update tile_archives set object_key = 'tiles/lost' where slug = 'regions'`);
    expect((await ask('/tiles/pmtiles/regions')).status).toBe(503);
    expect(await run({}, '--levels', 'regions', '--missing')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Tiles of regions'),
    });
    expect((await ask('/tiles/pmtiles/regions', { Range: 'bytes=0-9' })).status).toBe(206);
  });

  it('says so where no server runs any more', async () => {
    await withdraw(dataDir());
    const outcome = await run({ DATABASE_URL: database.url }, '--levels', 'regions');
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('No service runs here') });
  });
});
