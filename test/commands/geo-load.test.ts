import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { describeBoundaries } from '../../scripts/pipeline/boundaries/check/describe.ts';
import { withBoundaries } from '../../scripts/pipeline/boundaries/load.ts';
import { LoadRefused } from '../../scripts/pipeline/psgc/checks.ts';
import { activateRelease } from '../../scripts/pipeline/release/activate.ts';
import { loadRelease } from '../../scripts/pipeline/release/load.ts';
import { describeLoss, findLoss, type Loss } from '../../scripts/pipeline/release/loss.ts';
import { writeChecked } from '../../scripts/pipeline/release/write.ts';
import {
  BARANGAYS,
  barangays,
  box,
  COUNTRY,
  collection,
  country,
  directoryOf,
  feature,
  lines,
  place,
  polygon,
} from '../pipeline/boundaries/country.ts';
import { row } from '../pipeline/psgc/rows.ts';
import { seededDatabase, type TestDatabase } from '../support/database.ts';

const RELEASE = country();
const REPORT = { counts: {}, ignored: [], repairs: [], warnings: [] };

let database: TestDatabase;
let client: pg.Client;
const made: string[] = [];

beforeAll(async () => {
  database = await seededDatabase(inject('postgresServer'));
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await database?.close();
  for (const path of made) await rm(path, { recursive: true, force: true });
});

async function rows<T extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<T[]> {
  return (await client.query<T>(sql, values)).rows;
}

/** Loads the small country with boundaries from these files; gives the release's id and the report. */
async function load(files: Record<string, string | Uint8Array>, allowMissing = false, release = RELEASE) {
  const boundaries = await directoryOf(files);
  made.push(boundaries);
  const written = await withBoundaries(release, { boundaries, allowMissing }, (prepared) =>
    writeChecked(client, { release, report: REPORT }, { boundaries: prepared }),
  );
  const { boundaries: report } = written.report;
  if (!report) throw new Error('The report says nothing of boundaries');
  const at = (level: string) => {
    const found = report.levels.find((it) => it.level === level);
    if (!found) throw new Error(`The report says nothing of ${level}`);
    return found;
  };
  return { id: written.id, report, at };
}

/** What the Worker reads of how good a release's boundaries are, and what it says of them. */
async function servedAs(id: string) {
  const [row] = await rows(`select boundary_set, sources -> 1 ->> 'note' as note from data_releases where id = $1`, [
    id,
  ]);
  return row;
}

/** Everything that a refused load must not touch. */
async function state() {
  const [active] = await rows('select * from active_release');
  const counts: unknown[] = [];
  for (const table of ['data_releases', 'areas', 'boundaries', 'boundary_pieces', 'area_neighbors']) {
    counts.push(await rows(`select '${table}' as table, count(*) from ${table}`));
  }
  return { active, counts };
}

async function expectRefused(attempt: Promise<unknown>, before: unknown, ...problems: string[]) {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LoadRefused);
  const said = (error as LoadRefused).problems.map(({ at, what }) => `${at}: ${what}`).join('\n');
  for (const problem of problems) expect(said).toContain(problem);
  expect(await state()).toEqual(before);
}

describe('a source of barangays at one resolution', () => {
  let loaded: Awaited<ReturnType<typeof load>>;
  beforeAll(async () => {
    loaded = await load({ 'barangays.ndjson.gz': lines(barangays()) });
  });

  it('becomes boundaries of all levels at three resolutions, valid and the right way round', async () => {
    const stored = await rows(
      `select level, resolution, count(*)::int as count, bool_and(st_isvalid(geom) and st_ispolygonccw(geom)) as sound,
         bool_and(bytes = octet_length(geojson) and st_equals(geom, st_geomfromgeojson(geojson))) as same
       from boundaries where release_id = $1 group by 1, 2 order by 1, 2`,
      [loaded.id],
    );
    const sound = { sound: true, same: true };
    expect(stored).toEqual(
      [
        ['region', 2],
        ['province', 2],
        ['municity', 3],
        ['barangay', 6],
      ].flatMap(([level, count]) =>
        ['simple', 'medium', 'detailed'].map((resolution) => ({ level, resolution, count, ...sound })),
      ),
    );
    expect(loaded.at('barangay')).toMatchObject({ drawn: 6, areas: 6 });
    expect(loaded.at('region')).toMatchObject({ drawn: 2, dissolved: { count: 2 } });
  });

  it('is dissolved without anything left between the children', async () => {
    const [region] = await rows<{ geojson: string }>(
      `select geojson from boundaries where release_id = $1 and code = '0100000000' and resolution = 'detailed'`,
      [loaded.id],
    );
    const { type, coordinates } = JSON.parse(region?.geojson ?? '');
    expect(type).toBe('Polygon');
    expect(coordinates).toHaveLength(1);
    const [area] = await rows<{ same: boolean }>(
      `select st_equals(st_geomfromgeojson($1), st_makeenvelope(120, 18, 120.4, 18.1, 4326)) as same`,
      [region?.geojson],
    );
    expect(area?.same).toBe(true);
  });

  it('gives every area its centre and an extent that holds its boundaries', async () => {
    const [adams] = await rows(`select lon, lat, bbox from areas where release_id = $1 and code = '0102801000'`, [
      loaded.id,
    ]);
    expect(adams).toEqual({ lon: 120.1, lat: 18.05, bbox: [120, 18, 120.2, 18.1] });
  });

  it('knows neighbours in both directions', async () => {
    const pairs = await rows<{ code: string; neighbor: string }>(
      `select code, neighbor from area_neighbors where release_id = $1 and level = 'barangay' order by 1, 2`,
      [loaded.id],
    );
    const expected = BARANGAYS.slice(1).flatMap((code, i) => [
      { code, neighbor: BARANGAYS[i] },
      { code: BARANGAYS[i], neighbor: code },
    ]);
    expect(pairs).toHaveLength(expected.length);
    expect(pairs).toEqual(expect.arrayContaining(expected));
  });

  it('is cut into pieces that points are found in, border points in both', async () => {
    const at = (x: number, y: number) =>
      rows<{ code: string }>(
        `select distinct code from boundary_pieces
         where release_id = $1 and level = 'barangay' and st_intersects(geom, st_point($2, $3, 4326)) order by code`,
        [loaded.id, x, y],
      );
    expect(await at(120.05, 18.05)).toEqual([{ code: BARANGAYS[0] }]);
    expect(await at(120.1, 18.05)).toEqual([{ code: BARANGAYS[0] }, { code: BARANGAYS[1] }]);
    expect(await at(121, 18.05)).toEqual([]);
  });

  it('is told in the release’s row, and the release can be activated', async () => {
    const [row] = await rows<{ sources: unknown[]; boundary_set: string; report: { boundaries: unknown } }>(
      'select * from data_releases where id = $1',
      [loaded.id],
    );
    expect(row).toMatchObject({
      boundary_set: 'full',
      checked_at: expect.any(Date),
      sources: [{ part: 'codes' }, { part: 'boundaries', licence: 'CC BY-IGO', note: expect.any(String) }],
    });
    expect(row?.report.boundaries).toEqual(loaded.report);
    const before = await rows<{ release_id: string }>('select release_id from active_release');
    await activateRelease(client, loaded.id);
    await activateRelease(client, before[0]?.release_id ?? '');
    expect(describeBoundaries(loaded.report).join('\n')).toContain('region: 2 dissolved from their children');
  });
});

describe('coarser boundaries', () => {
  it('are made of the detailed ones whatever the source has, share borders, and keep every area', async () => {
    // Two barangays whose common border goes to and fro by thirty metres, and an islet of the third.
    const zigzag = Array.from({ length: 201 }, (_, i): [number, number] => [
      Number((120.1 + (i % 2) * 0.0003).toFixed(6)),
      Number((18 + i * 0.0005).toFixed(6)),
    ]);
    const [east, west] = [120.2, 120];
    const some = barangays();
    some[0] = feature(BARANGAYS[0], polygon([[west, 18], ...zigzag, [west, 18.1], [west, 18]]));
    some[1] = feature(BARANGAYS[1], polygon([[east, 18], [east, 18.1], ...zigzag.toReversed(), [east, 18]]));
    some[2] = feature(BARANGAYS[2], polygon(box(120.25, 18.05, 0.0002, 0.0002)));
    const { id, report } = await load({
      'barangays.geojson': collection(some),
      'barangays.simple.ndjson': lines(barangays().map((_, i) => feature(BARANGAYS[i], polygon(place(i + 20))))),
    });
    const found = await rows(
      `select resolution, st_npoints(a.geom) < 201 as simpler, st_area(st_intersection(a.geom, b.geom)) as overlap,
         round(st_area(st_union(a.geom, b.geom))::numeric, 6)::float8 as together
       from boundaries a join boundaries b using (release_id, resolution)
       where release_id = $1 and a.code = $2 and b.code = $3 order by resolution`,
      [id, BARANGAYS[0], BARANGAYS[1]],
    );
    const whole = { overlap: 0, together: 0.02 };
    expect(found).toEqual([
      { resolution: 'simple', simpler: true, ...whole },
      { resolution: 'medium', simpler: true, ...whole },
      { resolution: 'detailed', simpler: false, ...whole },
    ]);
    const islet = await rows(`select resolution from boundaries where release_id = $1 and code = $2`, [
      id,
      BARANGAYS[2],
    ]);
    expect(islet).toHaveLength(3);
    expect(report.worst.simple).toHaveLength(10);
    expect(describeBoundaries(report).join('\n')).toContain('differ most from their detailed boundary at simple:');
  });
});

describe('the borders of levels', () => {
  /** How an area and the union of others differ at each resolution, in square degrees. */
  const differences = (id: string, code: string, parts: readonly string[]) =>
    rows(
      `select whole.resolution, st_area(st_symdifference(whole.geom, st_union(part.geom)))::float8 as difference
       from boundaries whole join boundaries part using (release_id, resolution)
       where release_id = $1 and whole.code = $2 and part.code = any ($3::text[])
       group by whole.resolution, whole.geom order by 1`,
      [id, code, parts],
    );
  const NONE = ['simple', 'medium', 'detailed'].map((resolution) => ({ resolution, difference: 0 }));

  it('are the same: slivers between them are closed, and lakes of nobody below stay', async () => {
    // Adams is drawn ten metres too far east, and over a lake in the north that no barangay of it has.
    const upper = [
      feature(
        '0102801000',
        polygon([
          [120, 18],
          [120.2001, 18],
          [120.2001, 18.1],
          [120.2, 18.15],
          [120, 18.15],
          [120, 18],
        ]),
      ),
      feature('0102802000', polygon(box(120.2, 18, 0.2, 0.1))),
      feature('0102800000', polygon(box(120, 18, 0.4, 0.15))),
    ];
    const { id, report } = await load({ 'b.ndjson': lines(barangays()), 'm.ndjson': lines(upper) });
    // Simple barangays have a topology of their own.
    expect((await differences(id, '0102802000', BARANGAYS.slice(2, 4))).slice(1)).toEqual(NONE.slice(1));
    expect(await differences(id, '0100000000', ['0102800000'])).toEqual(NONE);
    const sizes = await rows(
      `select code, round(st_area(geom)::numeric, 6)::float8 as area from boundaries
       where release_id = $1 and resolution = 'detailed' and code = any ($2::text[]) order by 1`,
      [id, ['0102800000', '0102801000', '0102802000']],
    );
    expect(sizes).toEqual([
      { code: '0102800000', area: 0.06 },
      // With what its own polygon has of the lake.
      { code: '0102801000', area: 0.030003 },
      { code: '0102802000', area: 0.02 },
    ]);
    expect(report.losses).toEqual([]);
  });

  it('leave out nothing of a region that was redrawn because it has lost a province', async () => {
    // Bacarra's province has moved to the second region. A strip of the first one belongs to nobody below it.
    const release = country([
      ...COUNTRY.slice(0, 5),
      row('Prov', '0202800000', 'Ilocos Sur'),
      row('Mun', '0202802000', 'Bacarra'),
      row('Bgy', '0202802001', 'Bani'),
      row('Bgy', '0202802002', 'Buyon'),
      ...COUNTRY.slice(8),
    ]);
    const regions = [
      feature(
        '0100000000',
        polygon([
          [120, 18],
          [120.4, 18],
          [120.4, 18.1],
          [120.1, 18.1],
          [120.1, 18.12],
          [120, 18.12],
          [120, 18],
        ]),
      ),
      feature('0200000000', polygon(box(120.4, 18, 0.2, 0.1))),
      // The code that Bacarra had then.
      feature('0102802000', polygon(box(120.2, 18, 0.2, 0.1))),
    ];
    const { id, at } = await load({ 'b.ndjson': lines(barangays()), 'r.ndjson': lines(regions) }, false, release);
    expect(at('region').dissolved.count).toBe(2);
    expect(await differences(id, '0200000000', ['0202800000', '0201500000'])).toEqual(NONE);
    const strip = await rows(
      `select resolution from boundaries where release_id = $1 and code = '0100000000'
       and st_intersects(geom, st_point(120.05, 18.11, 4326)) order by 1`,
      [id],
    );
    expect(strip).toHaveLength(3);
  });

  it('leave out no child of a redrawn region that no province has', async () => {
    // Bacarra and its barangays have left Region I and its province for the second region, and are in no province there.
    const release = country([
      ...COUNTRY.slice(0, 5),
      row('Reg', '0200000000', 'Region II'),
      ...COUNTRY.slice(9),
      row('Mun', '0299902000', 'Bacarra'),
      row('Bgy', '0299902001', 'Bani'),
      row('Bgy', '0299902002', 'Buyon'),
    ]);
    const drawn = barangays().map((it, i) =>
      i === 2 || i === 3 ? { ...it, properties: { psgc: `029990200${i - 1}` } } : it,
    );
    const before = [
      feature('0100000000', polygon(box(120, 18, 0.4, 0.1))),
      feature('0200000000', polygon(box(120.4, 18, 0.2, 0.1))),
      feature('0102800000', polygon(box(120, 18, 0.4, 0.1))),
    ];
    const { id } = await load({ 'b.ndjson': lines(drawn), 'r.ndjson': lines(before) }, false, release);
    const found = await rows(
      `select resolution, array_agg(code order by code) as codes from boundaries
       where release_id = $1 and level in ('region', 'province') and st_intersects(geom, st_point(120.3, 18.05, 4326))
       group by 1 order by 1`,
      [id],
    );
    const codes = ['0200000000'];
    expect(found).toEqual(['simple', 'medium', 'detailed'].map((resolution) => ({ resolution, codes })));
    expect(await differences(id, '0200000000', ['0299902000', '0201500000'])).toEqual(NONE);
  });
});

describe('the place of an area', () => {
  it('lies on its largest part, within its boundary at every resolution', async () => {
    // Adams has a crescent and a smaller island in the bay of which its centroid would lie.
    const some = barangays();
    const crescent = [
      [120, 18],
      [120.1, 18],
      [120.1, 18.01],
      [120.02, 18.01],
      [120.02, 18.09],
      [120.1, 18.09],
      [120.1, 18.1],
      [120, 18.1],
      [120, 18],
    ];
    some[0] = feature(BARANGAYS[0], {
      type: 'MultiPolygon',
      coordinates: [[box(120.05, 18.04, 0.02, 0.02)], [crescent]],
    });
    const { id } = await load({ 'b.ndjson': lines(some) });
    const placed = await rows(
      `select st_intersects(geom, st_point(lon, lat, 4326)) as inside, lon < 120.03 or lat < 18.02 or lat > 18.08 as largest
       from boundaries join areas using (release_id, level, code) where release_id = $1 and code = $2`,
      [id, BARANGAYS[0]],
    );
    expect(placed).toEqual(Array.from({ length: 3 }, () => ({ inside: true, largest: true })));
  });
});

describe('barangays that the source draws in another city or municipality', () => {
  // Bani of Bacarra lies in Adams, with a strip on both sides; Alinunu of another province in Bacarra.
  const bani = feature('0102802001', polygon(box(120.21, 18, 0.08, 0.1)));
  const drawn = barangays().map((it, i) => (i === 2 ? bani : it));
  const municities = [
    feature('0102801000', polygon(box(120, 18, 0.3, 0.1))),
    feature('0102802000', polygon(box(120.3, 18, 0.2, 0.1))),
    feature('0201501000', polygon(place(5))),
  ];
  const resolutions = ['detailed', 'medium', 'simple'];
  const filesOf = (features: unknown[]) =>
    Object.fromEntries(
      resolutions.flatMap((resolution) => [
        [`barangays.${resolution}.ndjson`, lines(features)],
        [`municities.${resolution}.ndjson`, lines(municities)],
      ]),
    );

  /** From where to where cities and municipalities reach at each resolution, and whether they are whole boxes. */
  const reaches = (id: string) =>
    rows(
      `select code, array_agg(distinct round(st_xmin(geom)::numeric, 4) || ' to ' || round(st_xmax(geom)::numeric, 4)) as reach,
         bool_and(st_isvalid(geom) and abs(st_area(geom) - st_area(box2d(geom)::geometry)) < 1e-9) as whole
       from boundaries where release_id = $1 and level = 'municity' group by code order by code`,
      [id],
    );
  const reaching = (code: string, from: number, to: number) => ({
    code,
    whole: true,
    reach: [`${from.toFixed(4)} to ${to.toFixed(4)}`],
  });
  const REDRAWN = [
    reaching('0102801000', 120, 120.21),
    reaching('0102802000', 120.21, 120.5),
    reaching('0201501000', 120.5, 120.6),
  ];

  it('take their place along, and what lies between, at every resolution, but not over the borders of provinces', async () => {
    const { id, at, report } = await load(filesOf(drawn));
    expect(await reaches(id)).toEqual(REDRAWN);
    expect(at('barangay').reassigned.examples).toEqual([
      '0102802001 Bani of 0102802000 Bacarra lies in Adams in the source',
    ]);
    expect(at('barangay').outdated.examples).toEqual([
      '0201501001 Alinunu of 0201501000 Abulug lies in Bacarra in the source',
    ]);
    expect(await servedAs(id)).toMatchObject({ note: expect.stringContaining('redrawn after 1 barangay ') });
    expect(describeBoundaries(report).join('\n')).toContain('1 drawn in another city or municipality');
  });

  it('leave most of it to one of which no barangay is drawn', async () => {
    const { id } = await load(filesOf(drawn.slice(2)), true);
    expect(await reaches(id)).toEqual(REDRAWN);
  });

  it('stay where one that belongs there is in their place', async () => {
    // Ilaya of Adams lies over Bani.
    const over = drawn.map((it, i) => (i === 1 ? feature(BARANGAYS[1], polygon(box(120.1, 18, 0.2, 0.1))) : it));
    const { id, at } = await load(filesOf(over));
    expect((await reaches(id))[0]).toEqual(reaching('0102801000', 120, 120.3));
    expect(at('barangay').reassigned.count).toBe(0);
    expect(at('barangay').outdated.examples).toContain(
      '0102802001 Bani of 0102802000 Bacarra lies in Adams in the source',
    );
  });
});

describe('a source with flaws', () => {
  it('has self-intersections repaired and reported', async () => {
    const some = barangays();
    some[3] = feature(
      BARANGAYS[3],
      polygon([
        [120.3, 18],
        [120.4, 18.1],
        [120.4, 18],
        [120.3, 18.1],
        [120.3, 18],
      ]),
    );
    const { id, at } = await load({ 'barangays.ndjson': lines(some) });
    expect(at('barangay').repaired).toEqual({
      count: 1,
      examples: ['barangays.ndjson line 4: 0102802002 Self-intersection[120.35 18.05]'],
    });
    const [row] = await rows(
      `select st_isvalid(geom) as valid, st_geometrytype(geom) as type, round(st_area(geom)::numeric, 6)::float8 as area
       from boundaries where release_id = $1 and code = $2 and resolution = 'detailed'`,
      [id, BARANGAYS[3]],
    );
    expect(row).toEqual({ valid: true, type: 'ST_MultiPolygon', area: 0.005 });
  });

  it('gets a coarser boundary where the detailed one has no geometry', async () => {
    const coarse = barangays().map((it, i) => (i === 0 ? feature(BARANGAYS[0], null) : it));
    const { at } = await load({
      'barangays.detailed.ndjson': lines(coarse),
      'barangays.medium.ndjson': lines(coarse),
      'barangays.simple.ndjson': lines(barangays()),
    });
    expect(at('barangay').empty.examples).toContain('barangays.medium.ndjson line 1: 0102801001 Adams Poblacion');
    expect(at('barangay').filled.examples).toEqual(['0102801001: simple for detailed']);
  });

  it('loads with holes and strangers when that is allowed, for display only, and says so', async () => {
    const some = [...barangays().slice(0, 5), feature('0102899001', polygon(place(5)))];
    const { id, at, report } = await load({ 'barangays.ndjson': lines(some) }, true);
    expect(at('barangay')).toMatchObject({ drawn: 5, missing: { count: 1 }, unexplained: 1, unmatched: { count: 1 } });
    expect(at('region')).toMatchObject({ drawn: 1, missing: { count: 1 } });
    expect(await servedAs(id)).toMatchObject({
      boundary_set: 'display',
      note: expect.stringMatching(
        /\. Without a boundary: 1 region, 1 province, 1 city or municipality, 1 barangay; for 4 of these no reason is known$/,
      ),
    });
    const text = describeBoundaries(report).join('\n');
    expect(text).toContain('For display only, without reverse geocoding and neighbours, because:');
    expect(text).toContain('barangay: 1 of 6 without a boundary, and nothing explains it');
  });

  it('draws an area as the land of those that it was made from', async () => {
    const city = [
      row('Reg', '0400000000', 'R'),
      row('Prov', '0402100000', 'Cavite'),
      row('City', '0402103000', 'Bacoor'),
    ];
    const release = country([...COUNTRY, ...city, row('Bgy', '0402103076', 'Aniban 1')]);
    const then = ['0402103002', '0402103030', '0402103032'].map((code, i) => feature(code, polygon(place(7 + i))));
    const { id, at } = await load({ 'b.ndjson': lines([...barangays(), ...then]) }, false, release);
    expect(at('barangay')).toMatchObject({ drawn: 7, leftOut: { count: 3 } });
    const [drawn] = await rows<{ same: boolean; area: number }>(
      `select st_equals(geom, st_makeenvelope(120.7, 18, 121, 18.1, 4326)) as same, area_km2 as area
       from boundaries join areas using (release_id, level, code)
       where release_id = $1 and code = '0402103076' and resolution = 'detailed'`,
      [id],
    );
    expect(drawn).toEqual({ same: true, area: expect.closeTo(351.55, 1) });
  });

  it('is for display only where a few boundaries are detailed and the rest is not', async () => {
    const { id, report } = await load({
      'barangays.medium.ndjson': lines(barangays()),
      'barangays.detailed.ndjson': lines(barangays().slice(0, 2)),
    });
    expect(report.shortcomings).toEqual(['barangay: 4 of 6 with a coarser boundary instead of a detailed one']);
    expect(await servedAs(id)).toMatchObject({ boundary_set: 'display' });
  });

  it('is full, without anything being allowed, where its holes are gaps that it says it has', async () => {
    // Each is drawn on land of its own: that of its first barangay.
    const firstOf = (code: string) => (code === '0102802000' ? 2 : code.startsWith('02') ? 4 : 0);
    const upper = COUNTRY.filter(({ level }) => level !== 'Bgy').map(({ code }) =>
      feature(code, polygon(place(firstOf(code)))),
    );
    const files = { 'a.ndjson': lines([...barangays().slice(0, 5), ...upper]) };
    const { id, report } = await load({
      ...files,
      'source.json': JSON.stringify({ note: 'Old', gaps: ['0201501002'] }),
    });
    expect(report.shortcomings).toEqual([]);
    expect(describeBoundaries(report).join('\n')).not.toContain('display');
    expect(await servedAs(id)).toEqual({ boundary_set: 'full', note: 'Old. Without a boundary: 1 barangay' });
    const before = await state();
    await expectRefused(load({ ...files, 'source.json': '{"gaps":["0102801001"]}' }), before, 'barangay 0201501002');
  });

  it.each(['[]', 'x', '{"licence":1}', '{"gaps":"0201501002"}', '{"gaps":["Manila"]}'])(
    'is not read where its source.json is %s',
    async (text) => {
      const before = await state();
      const loading = load({ 'a.ndjson': lines(barangays()), 'source.json': text });
      await expect(loading).rejects.toThrow(/source\.json is no JSON object of texts .* "gaps"/);
      expect(await state()).toEqual(before);
    },
  );
});

describe('is refused, with file and feature, and leaves everything as it was:', () => {
  const good = barangays();
  const instead = (i: number, other: unknown) => lines(good.map((it, k) => (k === i ? other : it)));

  it.each<[string, Record<string, string | Uint8Array>, string]>([
    ['a file that is cut off', { 'b.ndjson': lines(good).slice(0, -30) }, 'b.ndjson line 6: is no JSON'],
    [
      // It is as large as its barangays together, and drawn two kilometres further north.
      'land of a region that no region has afterwards',
      { 'b.ndjson': lines(good), 'r.ndjson': lines([feature('0100000000', polygon(box(120, 18.02, 0.4, 0.1)))]) },
      'region 0100000000: 0100000000 Region I loses 96.75 km² (20.00 %) by uniting the areas below it',
    ],
    [
      'a missing barangay',
      { 'b.ndjson': lines(good.slice(1)) },
      'barangay 0102801001: 0102801001 Adams Poblacion has no',
    ],
    [
      'an unknown code in the place of a barangay',
      { 'b.ndjson': instead(5, feature('0102899001', polygon(place(5)))) },
      'b.ndjson line 6: 0102899001 names no area',
    ],
    [
      'a code that stands twice',
      { 'b.ndjson': instead(1, good[0]) },
      'b.ndjson line 2: is the second detailed boundary of 0102801001',
    ],
    [
      'a null geometry',
      { 'b.ndjson': instead(2, feature(BARANGAYS[2], null)) },
      'b.ndjson line 3: 0102802001 Bani has no boundary: its feature has no geometry',
    ],
    [
      'a wrong projection',
      { 'b.ndjson': instead(2, feature(BARANGAYS[2], polygon(box(274_000, 1_990_000)))) },
      'b.ndjson line 3: the boundary of 0102802001 Bani has the position 274000, 1990000',
    ],
    [
      'latitude before longitude',
      { 'b.ndjson': instead(2, feature(BARANGAYS[2], polygon(box(18, 120)))) },
      'latitude and longitude are swapped',
    ],
    [
      'a line',
      { 'b.ndjson': instead(2, feature(BARANGAYS[2], { type: 'LineString', coordinates: [] })) },
      'b.ndjson line 3: the boundary of 0102802001 Bani is a LineString',
    ],
    [
      'a polygon without an area',
      {
        'b.ndjson': instead(
          2,
          feature(
            BARANGAYS[2],
            polygon([
              [120, 18],
              [120.1, 18],
              [120.2, 18],
              [120, 18],
            ]),
          ),
        ),
      },
      'b.ndjson line 3: 0102802001 Bani has no boundary',
    ],
  ])('%s', async (_, files, problem) => {
    const before = await state();
    await expectRefused(load(files), before, problem);
  });

  it('a failure in the middle of writing', async () => {
    const before = await state();
    const boundaries = await directoryOf({ 'b.ndjson': lines(good) });
    made.push(boundaries);
    const failing = withBoundaries(RELEASE, { boundaries }, (prepared) =>
      writeChecked(
        client,
        { release: RELEASE, report: REPORT },
        {
          boundaries: {
            write: async (...args) => {
              await prepared.write(...args);
              throw new Error('the disk is full');
            },
          },
        },
      ),
    );
    await expect(failing).rejects.toThrow('the disk is full');
    expect(await state()).toEqual(before);
  });

  it('a file for the real country that has next to nothing of it', async () => {
    const before = await state();
    const boundaries = await directoryOf({ 'barangays.ndjson': lines(good) });
    made.push(boundaries);
    const attempt = loadRelease({ client, psgc: 'builtin', boundaries, activate: true });
    await expectRefused(attempt, before, 'region 0300000000: 0300000000', 'boundary: the source has no polygon of it');
  });
});

describe('a release whose boundaries are worse than those that are served', () => {
  const write = async () => (await writeChecked(client, { release: RELEASE, report: REPORT })).id;
  let first: string;
  beforeAll(async () => {
    first = (await rows<{ id: string }>('select release_id as id from active_release'))[0]?.id ?? '';
  });
  afterEach(() => activateRelease(client, first));

  it('is told with what would be lost: of full ones', async () => {
    const full = (await load({ 'b.ndjson': lines(barangays()) })).id;
    const display = (await load({ 'b.ndjson': lines(barangays().slice(0, 5)) }, true)).id;
    const none = await write();
    await activateRelease(client, full);
    expect(await findLoss(client, full)).toBeNull();
    const fewer = (...counts: number[]) =>
      ['region', 'province', 'municity', 'barangay'].map((level, i) => ({ level, count: counts[i] }));
    const expected = { active: full, from: 'full', areas: [] };
    const measured = (count: number) => ({ attributes: [{ attribute: 'area_km2', count }] });
    expect(await findLoss(client, display)).toEqual({
      ...expected,
      to: 'display',
      fewer: fewer(1, 1, 1, 1),
      ...measured(13),
    });
    expect(await findLoss(client, none)).toEqual({
      ...expected,
      to: 'none',
      fewer: fewer(2, 2, 3, 6),
      ...measured(13),
    });
  });

  it('is told with what would be lost: of those for display', async () => {
    const display = (await load({ 'b.ndjson': lines(barangays().slice(0, 5)) }, true)).id;
    await activateRelease(client, display);
    expect(await findLoss(client, first)).toBeNull();
    const loss = await findLoss(client, await write());
    expect(loss).toMatchObject({ active: display, from: 'display', to: 'none' });
    expect(describeLoss('x', loss as Loss)).not.toContain('reverse geocoding');
  });

  it('is none where nothing is served with boundaries', async () => {
    await activateRelease(client, await write());
    expect(await findLoss(client, await write())).toBeNull();
  });
});

describe('a URL', () => {
  it('is fetched and read as the file that it names', async () => {
    const text = lines(barangays());
    const server = createServer((_, response) => response.end(text)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/barangays.ndjson`;
    const prepared = await withBoundaries(RELEASE, { boundaries: url }, async (it) => typeof it.write);
    expect(prepared).toBe('function');
    server.close();
  });
});
