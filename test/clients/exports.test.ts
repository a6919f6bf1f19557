import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededDatabase, type TestDatabase } from '../support/database.ts';
import { type LocalService, startLocalService } from '../support/local-service.ts';

// What GDAL and GeoPandas read in the exports of a dataset. .ci/clients installs them, see clients.test.ts.

const PYTHON = process.env.CLIENTS_PYTHON ?? 'python3';

/** A square of a degree, with a hole of a quarter of it. */
const square = (west: number) => {
  const ring = (from: number, to: number) => [
    [west + from, from],
    [west + to, from],
    [west + to, to],
    [west + from, to],
    [west + from, from],
  ];
  return { type: 'Polygon', coordinates: [ring(0, 1), ring(0.25, 0.75).toReversed()] };
};

const FEATURES = [
  ...Array.from({ length: 2500 }, (_, i) => ({
    geom: square(i / 100),
    properties: { n: i, big: 2 ** 40 + i, part: i / 8, yes: i % 2 === 0, text: `Ñ "${i}"`, list: [i] },
  })),
  {
    geom: { type: 'MultiPolygon', coordinates: [square(30).coordinates, square(40).coordinates] },
    properties: { n: -1 },
  },
  { geom: { type: 'Point', coordinates: [121, 14] }, properties: { n: -2, text: '' } },
  { geom: null, properties: { n: -3 } },
];

/** Small numbers, those that a table has without an exponent and others. */
const NUMBERS = [
  { short: 1e-7, long: 1e-30 },
  { short: -1.234567890123e-7, long: -1.2345678901234568e-300 },
].map((properties) => ({ geom: { type: 'Point', coordinates: [121, 14] }, properties }));

const HEIGHTS = [
  { type: 'Point', coordinates: [121, 14, 7.5] },
  {
    type: 'LineString',
    coordinates: [
      [1, 2, 3],
      [4, 5, 6],
    ],
  },
].map((geom) => ({ geom, properties: {} }));

/** The same in every tool: how many features, their sums, and square degrees. */
const EXPECTED = {
  rows: 2503,
  n: (2499 * 2500) / 2 - 6,
  big: 2500 * 2 ** 40 + (2499 * 2500) / 2,
  part: (2499 * 2500) / 16,
  yes: 1250,
  text: 'Ñ "7"',
  list: '[7]',
  area: 2502 * 0.75,
};
/** How every tool calls the reference system. */
const CRS = 'EPSG:4326';

let directory: string;
let database: TestDatabase;
let service: LocalService;

async function save(features: object[], name: string): Promise<void> {
  const json = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name, features });
  const created = await service.ask('/v1/datasets', { method: 'POST', headers: json, body });
  const { id } = ((await created.json()) as { data: { id: string } }).data;
  for (const [format, ending = format] of [['fgb'], ['parquet'], ['gpkg'], ['shp', 'shp.zip'], ['xlsx']] as const) {
    const answer = await service.ask(`/v1/datasets/${id}/export?format=${format}`);
    await writeFile(join(directory, `${name}.${ending}`), new Uint8Array(await answer.arrayBuffer()));
  }
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-exports-'));
  database = await seededDatabase();
  service = await startLocalService(database, join(directory, 'data'));
  await save(FEATURES, 'wells');
  await save([], 'nothing');
  await save(NUMBERS, 'numbers');
  await save(HEIGHTS, 'heights');
});

afterAll(async () => {
  await service?.stop();
  await database?.close();
  await rm(directory, { recursive: true, force: true });
});

async function run(command: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd: directory, maxBuffer: 64e6 });
  return stdout;
}

describe('GDAL', () => {
  const SUMS = `SELECT count(*) AS rows, sum(n) AS n, sum(big) AS big, sum(part) AS part, sum(yes) AS yes,
    max(CASE WHEN n = 7 THEN text END) AS text, max(CASE WHEN n = 7 THEN list END) AS list,
    sum(ST_Area(geom)) AS area FROM wells`;

  const sumsOf = async (file: string) => {
    const json = `${file}.json`;
    await run('ogr2ogr', ['-f', 'GeoJSON', json, file, '-dialect', 'INDIRECT_SQLITE', '-sql', SUMS]);
    return JSON.parse(await run('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', json])).features[0].properties;
  };

  it('makes a GeoPackage of FlatGeobuf, with every feature, value and area', async () => {
    await run('ogr2ogr', ['made.gpkg', 'wells.fgb']);
    expect(await sumsOf('made.gpkg')).toEqual({ ...EXPECTED, list: [7], area: expect.closeTo(EXPECTED.area, 6) });
  });

  it('reads the GeoPackage to the same, and finds nothing wrong with it', async () => {
    expect(await sumsOf('wells.gpkg')).toEqual({ ...EXPECTED, list: [7], area: expect.closeTo(EXPECTED.area, 6) });
    const about = await run('ogrinfo', ['-so', '-al', 'wells.gpkg']);
    expect(about).toMatch(/Feature Count: 2503\b[\s\S]+ID\["EPSG",4326\]/);
    expect(about).not.toMatch(/warning|error/i);
    expect(await run('ogrinfo', ['-so', '-al', 'nothing.gpkg'])).toMatch(/Feature Count: 0\b/);
    // A spatial index is made of it by who wants one.
    await run('ogrinfo', ['wells.gpkg', '-sql', "SELECT CreateSpatialIndex('wells', 'geom')"]);
    expect(await sumsOf('wells.gpkg')).toMatchObject({ rows: EXPECTED.rows, n: EXPECTED.n });
  });

  it('makes FlatGeobuf with an index of it, and reads one without features', async () => {
    await run('ogr2ogr', ['-where', "OGR_GEOMETRY='POLYGON'", 'indexed.fgb', 'wells.fgb']);
    expect(await run('ogrinfo', ['-so', '-al', 'indexed.fgb'])).toMatch(/Feature Count: 2500\b/);
    expect(await run('ogrinfo', ['-so', '-al', 'nothing.fgb'])).toMatch(/Feature Count: 0\b/);
  });
});

describe('GDAL and a Shapefile', () => {
  const layerOf = async (layer: string) => {
    const about = await run('ogrinfo', ['-so', '/vsizip/wells.shp.zip', layer]);
    expect(about).not.toMatch(/warning|error/i);
    return about;
  };

  it('has one for each type of geometry, with every feature, the types of columns, and names in UTF-8', async () => {
    const polygons = await layerOf('wells_polygons');
    expect(polygons).toMatch(/Geometry: Polygon\nFeature Count: 2501\n/);
    expect(polygons).toMatch(/WGS[ _]?84/);
    for (const column of ['n: Integer64', 'big: Integer64', 'part: Real', 'text: String', 'list: String'])
      expect(polygons).toContain(`\n${column}`);
    // The points have the feature without a geometry.
    expect(await layerOf('wells_points')).toMatch(/Geometry: Point\nFeature Count: 2\n/);
    expect(await run('ogrinfo', ['-so', '/vsizip/nothing.shp.zip', 'nothing'])).toMatch(/Feature Count: 0\n/);
  });

  it('has heights', async () => {
    const about = await run('ogrinfo', ['-al', '/vsizip/heights.shp.zip', 'heights_points']);
    expect(about).toMatch(/Geometry: 3D Point\n/);
    expect(about).toContain('POINT Z (121 14 7.5)');
    const lines = await run('ogrinfo', ['-al', '/vsizip/heights.shp.zip', 'heights_lines']);
    expect(lines).toMatch(/Geometry: 3D Line String\n/);
    expect(lines).toContain('LINESTRING Z (1 2 3,4 5 6)');
    expect(about + lines).not.toMatch(/warning|error/i);
  });

  it('has small numbers with all of their digits', async () => {
    const about = await run('ogrinfo', ['-so', '/vsizip/numbers.shp.zip', 'numbers']);
    expect(about).toMatch(/\nshort: Real[\s\S]*\nlong: Real/);
    expect(about).not.toMatch(/warning|error/i);
    const json = await run('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', '/vsizip/numbers.shp.zip']);
    const { features } = JSON.parse(json) as { features: { properties: object }[] };
    expect(features).toMatchObject(NUMBERS.map(({ properties }) => ({ properties })));
  });

  it('has the same sums and areas, holes left out', async () => {
    const sums =
      'SELECT count(*) AS rows, sum(n) AS n, sum(big) AS big, sum(part) AS part, sum(ST_Area(geometry)) AS area';
    const sql = `${sums}, max(CASE WHEN n = 7 THEN text END) AS text, sum(ST_IsValid(geometry)) AS valid FROM wells_polygons`;
    const options = ['-dialect', 'SQLITE', '-sql', sql];
    const json = await run('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', '/vsizip/wells.shp.zip', ...options]);
    const { big, part, text, area } = EXPECTED;
    expect(JSON.parse(json).features[0].properties).toEqual({
      ...{ rows: 2501, valid: 2501, n: EXPECTED.n + 5, big, part, text },
      area: expect.closeTo(area, 6),
    });
  });
});

describe('openpyxl', () => {
  const SCRIPT = `
import json, openpyxl
book = openpyxl.load_workbook('wells.xlsx')
rows = list(book['features'].values)
head, rows = rows[0], [dict(zip(rows[0], row)) for row in rows[1:]]
seventh = next(row for row in rows if row['n'] == 7)
point = next(row for row in rows if row['n'] == -2)
print(json.dumps({'sheets': book.sheetnames, 'head': head, 'rows': len(rows), 'n': sum(row['n'] for row in rows),
  'big': sum(row['big'] or 0 for row in rows), 'part': sum(row['part'] or 0 for row in rows),
  'yes': sum(row['yes'] is True for row in rows), 'text': seventh['text'], 'list': seventh['list'],
  'point': [point['longitude'], point['latitude']], 'id': type(seventh['id']).__name__}))
`;

  it('reads the workbook to the same', async () => {
    const { area: _, ...expected } = EXPECTED;
    expect(JSON.parse(await run(PYTHON, ['-c', SCRIPT]))).toEqual({
      ...expected,
      sheets: ['features'],
      head: ['id', 'n', 'big', 'part', 'yes', 'text', 'list', 'longitude', 'latitude'],
      ...{ point: [121, 14], id: 'str' },
    });
  });
});

describe('GeoPandas', () => {
  const SCRIPT = `
import json, sys, geopandas
read = geopandas.read_parquet if sys.argv[1].endswith('parquet') else geopandas.read_file
table = read(sys.argv[1])
seventh = table[table.n == 7].iloc[0] if len(table) else None
crs = table.crs.to_string()
print(json.dumps({'rows': len(table), 'crs': crs} if seventh is None else {
  'crs': crs, 'rows': len(table), 'n': int(table.n.sum()), 'big': int(table.big.sum()), 'part': float(table.part.sum()),
  'yes': int((table.yes == True).sum()), 'text': seventh['text'], 'list': seventh['list'] if isinstance(seventh['list'], str)
  else json.dumps(seventh['list']), 'area': float(table.geometry.area.sum())}))
`;

  it.each(['fgb', 'parquet', 'gpkg'])('reads %s to the same', async (format) => {
    const found = JSON.parse(await run(PYTHON, ['-c', SCRIPT, `wells.${format}`]));
    expect(found).toEqual({ ...EXPECTED, crs: CRS, area: expect.closeTo(EXPECTED.area, 6) });
    expect(JSON.parse(await run(PYTHON, ['-c', SCRIPT, `nothing.${format}`]))).toEqual({ rows: 0, crs: CRS });
  });
});

describe('SQLite', () => {
  const SCRIPT = `
import json, sqlite3, sys
database = sqlite3.connect(sys.argv[1])
one = lambda sql: database.execute(sql).fetchall()
found = [one(f'pragma {name}') for name in ('integrity_check', 'foreign_key_check', 'application_id', 'user_version')]
database.execute("insert into gpkg_contents(table_name, data_type, identifier) values ('x', 'features', 'x')")
print(json.dumps([found, one('pragma integrity_check')]))
`;

  it.each(['wells', 'nothing'])('finds the GeoPackage of %s whole, and writes to it', async (name) => {
    const whole = [['ok']];
    expect(JSON.parse(await run(PYTHON, ['-c', SCRIPT, `${name}.gpkg`]))).toEqual([
      [whole, [], [[0x47504b47]], [[10_300]]],
      whole,
    ]);
  });
});
