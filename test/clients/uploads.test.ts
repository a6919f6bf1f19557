import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import mapshaper from 'mapshaper';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededDatabase, type TestDatabase } from '../support/database.ts';
import { type LocalService, startLocalService } from '../support/local-service.ts';

// Files that GDAL and mapshaper write of one collection are uploaded, and come back as that collection.

type Geometry = { type: string; coordinates: unknown } | null;

interface Feature {
  properties: Record<string, unknown>;
  geometry: Geometry;
}

let directory: string;
let database: TestDatabase;
let service: LocalService;

/** A ring around a place, counter-clockwise. */
function ringAround(lon: number, lat: number, { radius, count }: { radius: number; count: number }): number[][] {
  const ring = Array.from({ length: count }, (_, i) => {
    const turn = (2 * Math.PI * i) / count;
    return [lon + radius * Math.cos(turn), lat + radius * Math.sin(turn)].map((number) => Number(number.toFixed(6)));
  });
  return [...ring, ring[0] as number[]];
}

function geometryOf(i: number): Geometry {
  const [lon, lat] = [118 + (i % 70) / 10, 6 + (i % 110) / 10];
  // Some have more positions than a page of a GeoPackage has room for.
  const shell = ringAround(lon, lat, { radius: 0.3, count: i % 12 === 3 ? 3000 : 30 });
  const hole = ringAround(lon, lat, { radius: 0.1, count: 9 }).toReversed();
  const other = ringAround(lon + 1, lat, { radius: 0.2, count: 12 });
  const shapes: Geometry[] = [
    { type: 'Point', coordinates: [lon, lat] },
    { type: 'LineString', coordinates: shell.slice(0, -1) },
    { type: 'MultiPoint', coordinates: other },
    { type: 'Polygon', coordinates: [shell, hole] },
    { type: 'MultiPolygon', coordinates: [[shell, hole], [other]] },
    { type: 'MultiLineString', coordinates: [shell.slice(0, 5), other] },
  ];
  return shapes[i % shapes.length] ?? null;
}

const FEATURES: Feature[] = Array.from({ length: 240 }, (_, i) => ({
  properties: {
    n: i,
    name: i % 5 === 0 ? null : `Ñame ${i} “q”`,
    ratio: i / 7,
    large: 5_000_000_000 + i,
    flag: i % 2 === 0,
    day: `2026-11-${String((i % 28) + 1).padStart(2, '0')}`,
  },
  geometry: geometryOf(i),
}));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-uploads-'));
  const features = FEATURES.map((feature) => ({ type: 'Feature', ...feature }));
  await writeFile(
    join(directory, 'in.geojson'),
    JSON.stringify({ type: 'FeatureCollection', name: 'wells', features }),
  );
  database = await seededDatabase();
  service = await startLocalService(database, join(directory, 'data'));
});

afterAll(async () => {
  await service?.stop();
  await database?.close();
  await rm(directory, { recursive: true, force: true });
});

/** Has GDAL write a file of the collection. */
async function convert(name: string, ...options: string[]): Promise<void> {
  await promisify(execFile)('ogr2ogr', [...options, name, 'in.geojson'], { cwd: directory });
}

async function uploaded(
  name: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<{ srid: number; features: Feature[] }> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([await readFile(join(directory, name))]), name);
  const answer = await service.ask('/v1/datasets/upload', { method: 'POST', body: form });
  const { data, message } = (await answer.json()) as { data: { id: string; srid: number }; message?: string };
  expect([name, answer.status, message]).toEqual([name, 200, undefined]);
  const exported = await service.ask(`/v1/datasets/${data.id}/export`);
  return { srid: data.srid, features: ((await exported.json()) as { features: Feature[] }).features };
}

/** Features by their number: formats and tools keep no order. */
const byNumber = (features: readonly Feature[]) =>
  features.toSorted((a, b) => Number(a.properties.n) - Number(b.properties.n));

/** The numbers of nested arrays one after the other, and the arrays with nothing in them. */
function takenApart(value: unknown): { numbers: number[]; frame: unknown } {
  if (typeof value === 'number') return { numbers: [value], frame: 0 };
  if (!Array.isArray(value)) return { numbers: [], frame: value };
  const parts = value.map(takenApart);
  return { numbers: parts.flatMap(({ numbers }) => numbers), frame: parts.map(({ frame }) => frame) };
}

/** Expects the same arrays of numbers, each no further from what it was than a file keeps. */
function expectNear(found: unknown, expected: unknown, tolerance: number): void {
  const [one, other] = [takenApart(found), takenApart(expected)];
  expect(one.frame).toEqual(other.frame);
  const furthest = Math.max(...one.numbers.map((number, i) => Math.abs(number - (other.numbers[i] ?? Number.NaN))));
  expect(furthest).toBeLessThanOrEqual(tolerance);
}

/** The same features, whatever order they are in. */
function expectSame(found: readonly Feature[], { degrees }: { degrees: number }): void {
  const features = byNumber(found);
  expect(features.map(({ geometry }) => geometry?.type)).toEqual(FEATURES.map(({ geometry }) => geometry?.type));
  for (const [i, { geometry }] of FEATURES.entries()) {
    expectNear(features[i]?.geometry?.coordinates, geometry?.coordinates, degrees);
  }
}

describe('a file that GDAL writes is uploaded whole', () => {
  it.each<[string, number, string[]]>([
    ['plain.fgb', 4326, ['-f', 'FlatGeobuf', '-lco', 'SPATIAL_INDEX=NO']],
    ['indexed.fgb', 4326, ['-f', 'FlatGeobuf']],
    ['utm.fgb', 32651, ['-f', 'FlatGeobuf', '-t_srs', 'EPSG:32651']],
    ['plain.gpkg', 4326, ['-f', 'GPKG']],
    ['small-pages.gpkg', 4326, ['-f', 'GPKG', '--config', 'OGR_SQLITE_PRAGMA', 'page_size=512']],
    ['utm.gpkg', 32651, ['-f', 'GPKG', '-t_srs', 'EPSG:32651']],
    ['prs92.gpkg', 3123, ['-f', 'GPKG', '-t_srs', 'EPSG:3123']],
  ])('%s', async (name, srid, options) => {
    await convert(name, ...options);
    const found = await uploaded(name);
    expect(found.srid).toBe(srid);
    // Tools choose the steps from one datum to another for themselves, and differ by a metre.
    expectSame(found.features, { degrees: srid === 4326 ? 1e-6 : 2e-5 });
    for (const { properties } of found.features) {
      const day = { day: expect.stringMatching(`^${FEATURES[Number(properties.n)]?.properties.day}`) };
      expect(properties).toEqual({ ...FEATURES[Number(properties.n)]?.properties, ...day });
    }
  });

  it('edited.gpkg, after deletions, with VACUUM and without', async () => {
    await convert('edited.gpkg', '-f', 'GPKG');
    for (const statement of ['delete from wells where n % 3 = 0', 'vacuum']) {
      await promisify(execFile)('ogrinfo', ['-q', '-sql', statement, 'edited.gpkg'], { cwd: directory });
      const { features } = await uploaded('edited.gpkg');
      expect(features.map(({ properties }) => properties.n)).toEqual(
        FEATURES.map(({ properties }) => properties.n).filter((n) => Number(n) % 3 !== 0),
      );
    }
  });

  it.each(['layers.gpkg', 'layers.kml', 'layers.kmz'])('%s, of which a field names one of two layers', async (name) => {
    const ogr2ogr = (...args: string[]) => promisify(execFile)('ogr2ogr', args, { cwd: directory });
    const layers = ['wells', 'roads'];
    if (name === 'layers.gpkg') {
      for (const [i, layer] of layers.entries()) {
        const options = i > 0 ? ['-update'] : [];
        await ogr2ogr(...options, '-nln', layer, '-where', `n % 2 = ${i}`, name, 'in.geojson');
      }
    } else await ogr2ogr('-f', 'LIBKML', name, 'layers.gpkg');
    for (const [i, layer] of layers.entries()) {
      const { features } = await uploaded(name, { layer });
      expect(features.map(({ properties }) => Number(properties.n) % 2)).toEqual(Array(120).fill(i));
    }
  });

  it.each<[number, [number, number]]>([
    [26910, [-123, 45]],
    [2263, [-74, 40.7]],
    [3035, [10, 52]],
    [27700, [-2, 52]],
    [3405, [105.8, 21]],
    [5070, [-96, 40]],
    [4267, [-100, 40]],
  ])('a shapefile in EPSG:%i, which its .prj describes without a number', async (srid, coordinates) => {
    const feature = { type: 'Feature', properties: { n: 1 }, geometry: { type: 'Point', coordinates } };
    await writeFile(join(directory, 'place.geojson'), JSON.stringify(feature));
    const name = `place-${srid}.shp.zip`;
    const options = ['-t_srs', `EPSG:${srid}`, '-f', 'ESRI Shapefile'];
    await promisify(execFile)('ogr2ogr', [...options, name, 'place.geojson'], { cwd: directory });
    const found = await uploaded(name, { feature_storage: 'features_and_r2' });
    expect(found.srid).toBe(srid);
    // GDAL may use grids of shifts that PostGIS has not, for a datum of a century ago.
    expectNear(found.features[0]?.geometry?.coordinates, coordinates, srid === 4267 ? 1e-3 : 3e-5);
  });

  it('wells.kmz, whose values are text', async () => {
    await convert('wells.kmz', '-f', 'LIBKML');
    const { features } = await uploaded('wells.kmz');
    const flat = features.map((feature) => ({ ...feature, geometry: flattened(feature.geometry) }));
    expectSame(flat, { degrees: 1e-6 });
    expect(features.map(({ properties }) => properties.name ?? null)).toEqual(
      FEATURES.map(({ properties }) => properties.name),
    );
  });
});

describe('a workbook is read as its writer meant it', () => {
  const rows = FEATURES.filter(({ geometry }) => geometry?.type === 'Point');
  const pointOf = ({ geometry }: Feature) => geometry?.coordinates as [number, number];

  it('that GDAL writes', async () => {
    const table = rows.map((row) => [
      ...pointOf(row),
      row.properties.n,
      `"${row.properties.name}"`,
      row.properties.day,
    ]);
    await writeFile(
      join(directory, 'wells.csv'),
      ['lon,lat,n,name,day', ...table.map((cells) => cells.join())].join('\n'),
    );
    const options = ['-oo', 'AUTODETECT_TYPE=YES', '-f', 'XLSX', 'wells.xlsx', 'wells.csv'];
    await promisify(execFile)('ogr2ogr', options, { cwd: directory });
    const { features } = await uploaded('wells.xlsx');
    expect(features).toMatchObject(
      rows.map((row) => ({
        geometry: { type: 'Point', coordinates: pointOf(row) },
        properties: { n: String(row.properties.n), name: String(row.properties.name), day: row.properties.day },
      })),
    );
  });

  it('that openpyxl writes, of places by codes whose zeros are a format, with a title and another sheet', async () => {
    const script = `
import datetime, openpyxl
book = openpyxl.Workbook()
sheet = book.active
sheet.title = 'Rates'
sheet.merge_cells('A1:C1')
sheet['A1'] = 'Table 1. Rates'
sheet.append(['PSGC', 'rate', 'as of', 'more'])
for code, rate in [(102800000, 22.1), (702200000, 1/3)]:
    sheet.append([code, rate, datetime.date(2026, 11, 28), True])
    sheet.cell(sheet.max_row, 1).number_format = '0000000000'
book.create_sheet('Nothing')
book.create_sheet('Hidden').sheet_state = 'hidden'
book['Hidden']['A1'] = 'x'
book.save('rates.xlsx')
`;
    await promisify(execFile)(process.env.CLIENTS_PYTHON as string, ['-c', script], { cwd: directory });
    const { features } = await uploaded('rates.xlsx');
    expect(features.map(({ properties }) => properties)).toMatchObject([
      { PSGC: '0102800000', rate: '22.1', 'as of': '2026-11-28', more: 'TRUE', psgc_code: '0102800000' },
      { PSGC: '0702200000', rate: '0.3333333333333333', psgc_code: '0702200000', psgc_match: 'exact' },
    ]);
  });
});

it('topologies that mapshaper writes are uploaded whole', async () => {
  const input = { 'wells.json': await readFile(join(directory, 'in.geojson'), 'utf8') };
  for (const options of ['no-quantization', 'quantization=100000000']) {
    const written = await mapshaper.applyCommands(`-i wells.json -o out.topojson format=topojson ${options}`, input);
    await writeFile(join(directory, 'out.topojson'), written['out.topojson'] as string);
    // It writes a layer for each type of geometry.
    const features = byNumber((await uploaded('out.topojson')).features);
    expect(features.map(({ properties }) => properties)).toEqual(FEATURES.map(({ properties }) => properties));
    for (const [i, { geometry }] of FEATURES.entries()) {
      expect(features[i]?.geometry?.type).toBe(geometry?.type);
      expectNear(boxOf(features[i]?.geometry ?? null), boxOf(geometry), 1e-6);
    }
  }
});

/** KML that GDAL writes has the height 0 everywhere. */
function flattened(geometry: Geometry): Geometry {
  const flat = (value: unknown): unknown =>
    Array.isArray(value) && typeof value[0] === 'number' ? value.slice(0, 2) : (value as unknown[]).map(flat);
  return geometry && { type: geometry.type, coordinates: flat(geometry.coordinates) };
}

/** The box of a geometry and how many positions it has: rings may begin anywhere and go either way. */
function boxOf(geometry: Geometry): number[] {
  const numbers = ((geometry?.coordinates ?? []) as unknown[]).flat(4) as number[];
  const [x, y] = [0, 1].map((axis) => numbers.filter((_, i) => i % 2 === axis)) as [number[], number[]];
  return [x.length, Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
}
