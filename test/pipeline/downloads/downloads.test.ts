import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDownloads, type MadeFiles } from '../../../scripts/pipeline/downloads/build.ts';
import { namedCities } from '../../../scripts/pipeline/downloads/overview.ts';
import { openRelease } from '../../../scripts/pipeline/downloads/release-files.ts';
import { recordOf } from '../../../src/areas/records.ts';
import {
  COUNTRY_KIND,
  DOWNLOAD_KINDS,
  DOWNLOADS_BY_NAME,
  downloadName,
} from '../../../src/areas/snapshot/download-names.ts';
import { OVERVIEW_NAMES } from '../../../src/areas/snapshot/layout.ts';
import type { Level } from '../../../src/areas/store.ts';
import { columnsOf } from '../../../src/downloads/columns.ts';
import { FlatGeobufReader } from '../../support/flatgeobuf-reader.ts';
import { SIDE, type SmallRelease, SUB_MUNICIPALITIES, writeSmallRelease } from './small-release.ts';

const ALL = SIDE * SIDE;
const NOW = new Date('2026-01-31T08:00:00.000Z');
const ODD_NAME = 'Ñiño "Pob.", Old';

let directory: string;
let release: SmallRelease;
let built: Awaited<ReturnType<typeof build>>;

async function build(of: string) {
  const made: MadeFiles[] = [];
  for await (const files of buildDownloads(of, NOW)) made.push(files);
  return { facts: made.at(-1)?.facts, objects: made.flatMap(({ objects }) => objects) };
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-downloads-'));
  release = await writeSmallRelease(directory);
  built = await build(directory);
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const read = (name: string) => readFile(join(directory, `download-${name}`));
const textsOf = (level: Level) => [...release.texts].filter(([key]) => key.startsWith(level));

/** A geometry as polygons of rings of flat numbers. */
const polygonsOf = ({ type, coordinates }: { type: string; coordinates: number[][][] | number[][][][] }) =>
  ((type === 'Polygon' ? [coordinates] : coordinates) as number[][][][]).map((rings) =>
    rings.map((ring) => ring.flat()),
  );

describe('the files of a release', () => {
  it('are those that there are boundaries for, with their sizes, hashes, counts and terms', async () => {
    const { facts, objects } = built;
    expect(objects.map(({ name }) => name).sort()).toEqual(
      [...OVERVIEW_NAMES, ...DOWNLOAD_KINDS.filter((kind) => kind !== COUNTRY_KIND).map(downloadName)].sort(),
    );
    for (const { name, bytes, sha256, etag } of objects) {
      const stored = await readFile(join(directory, name));
      const hash = (algorithm: string) => createHash(algorithm).update(stored).digest('hex');
      expect({ bytes, sha256, etag }, name).toEqual({
        bytes: stored.length,
        sha256: hash('sha256'),
        etag: hash('md5'),
      });
    }
    expect(facts).toEqual({
      edition: '2025-2q',
      created_at: NOW.toISOString(),
      codes: { licence: 'acknowledge', attribution: 'PSA' },
      boundaries: { licence: 'CC BY-IGO', attribution: 'NAMRIA' },
      rows: Object.fromEntries(
        objects.filter(({ name }) => DOWNLOADS_BY_NAME.has(name)).map(({ name }) => [name, rowsOf(name)]),
      ),
    });
  });

  const rowsOf = (name: string) => {
    if (name.includes('submunicipalities')) return SUB_MUNICIPALITIES.length;
    if (!name.includes('barangays')) return name.includes('municities') ? SIDE : 1;
    return /simple|medium|detailed/.test(name) ? ALL - 1 : ALL;
  };

  it('are tables only without boundaries', async () => {
    const bare = await mkdtemp(join(tmpdir(), 'pgds-downloads-'));
    try {
      await writeSmallRelease(bare, { boundaries: false });
      const { facts, objects } = await build(bare);
      expect(objects).toHaveLength(15);
      expect(facts?.boundaries).toBeNull();
    } finally {
      await rm(bare, { recursive: true, force: true });
    }
  });

  it.each([
    ['region', 'region', []],
    ['province', 'province', []],
    ['municity', 'municity', ['m_code']],
    ['submunicipality', 'municity', ['type', 'city_class', 'p_code', 'host_province_code']],
    ['barangay', 'barangay', []],
  ] as const)(
    'have the members of a record of a %s in their order with the names of its parents, but its serial number and lists, and what none has',
    async (level, recordLevel, none: readonly string[]) => {
      const opened = await openRelease(directory);
      const members = Object.keys(recordOf(recordLevel, opened.area(opened.rowsOf(level).first, undefined)));
      const expected = members.filter(
        (name) => !['id', 'zip_codes', 'centroid', 'bbox', 'lon', 'lat', ...none].includes(name),
      );
      const parents = expected.filter((name) => /^(?!pcode)\w+_code$/.test(name));
      const behind = expected.indexOf(parents.at(-1) ?? 'code') + 1;
      expected.splice(behind, 0, ...parents.map((name) => name.replace('_code', '_name')));
      expect(columnsOf(level, 'layer').map(({ name }) => name)).toEqual([...expected, 'lon', 'lat']);
    },
  );
});

describe('the overview', () => {
  it('has the capitals and the highly urbanised cities but those of the capital region, the largest first', () => {
    const city = (code: string, cityClass: string | null, population: number | null) => {
      return { code, cityClass, population, regionCode: `${code.slice(0, 2)}00000000` };
    };
    const [basco, davao, quezonCity, manila] = [
      city('0200901000', null, 9000),
      city('1130700000', 'HUC', 1_800_000),
      city('1381300000', 'HUC', 2_900_000),
      city('1380600000', 'HUC', 1_900_000),
    ];
    const others = [city('0702201000', 'CC', 100_000), city('0702202000', null, null)];
    expect(namedCities([...others, basco, davao, quezonCity, manila])).toEqual([manila, davao, basco]);
  });

  it('is a topology of the regions and provinces with the capitals, plain and compressed', async () => {
    const [plain = Buffer.alloc(0), br = plain, gzip = plain] = await Promise.all(
      OVERVIEW_NAMES.slice(0, 3).map((name) => readFile(join(directory, name))),
    );
    expect(brotliDecompressSync(br).equals(plain)).toBe(true);
    expect(gunzipSync(gzip).equals(plain)).toBe(true);
    const { type, objects, arcs, transform } = JSON.parse(plain.toString());
    expect([type, Object.keys(objects), arcs.length]).toEqual(['Topology', ['regions', 'provinces', 'capitals'], 1]);
    expect(objects.provinces.geometries).toEqual([
      { type: 'Polygon', arcs: [[0]], properties: expect.objectContaining({ code: '0702200000', name: 'Cebu' }) },
    ]);
    expect(objects.capitals.geometries).toEqual([]);
    expect(transform.translate).toEqual([120.1, 10]);
  });

  it('of cities and municipalities has what tells those of a province', async () => {
    const { type, objects } = JSON.parse(await readFile(join(directory, 'overview-municities'), 'utf8'));
    expect([type, Object.keys(objects)]).toEqual(['Topology', expect.arrayContaining(['municities'])]);
    const { properties } = objects.municities.geometries[0];
    expect(properties).toEqual({
      code: expect.stringMatching(/^07022\d{5}$/),
      name: expect.any(String),
      r_code: '0700000000',
      p_code: '0702200000',
      host_province_code: null,
      lon: expect.any(Number),
      lat: expect.any(Number),
    });
  });
});

describe('tables', () => {
  it('have every area, with empty cells and nulls for unknown values', async () => {
    const csv = (await read('barangays.csv')).toString();
    const lines = csv.trimEnd().split('\r\n');
    const names = columnsOf('barangay', 'table').map(({ name }) => name);
    expect(lines).toHaveLength(ALL + 1);
    expect(lines[0]).toBe(names.join());
    expect(lines[1]).toBe(
      '"Ñiño ""Pob."", Old",0702201001,,0702201000,0702200000,0700000000,,City 0,Cebu,Region VII,,,,,12.5,,,visayas,PH0702201001,119.5,10,119.5,10,120.1,10.1',
    );
    expect(lines.at(-1)).toBe(
      `Barangay 39-39,0702240040,,0702240000,0702200000,0700000000,,City 39,Cebu,Region VII,,,,,,,,visayas,PH0702240040${','.repeat(6)}`,
    );
    expect(gunzipSync(await read('barangays.csv.gz')).toString()).toBe(csv);

    const rows = gunzipSync(await read('barangays.ndjson.gz'))
      .toString()
      .trimEnd()
      .split('\n');
    expect(rows).toHaveLength(ALL);
    const [first] = rows.map((line) => JSON.parse(line));
    expect(Object.keys(first)).toEqual(names);
    expect(first).toMatchObject({ name: ODD_NAME, code: '0702201001', population: null, area_km2: 12.5, lon: 119.5 });
  });
});

describe('layers', () => {
  it('in GeoJSON have the boundaries as they are stored, by code', async () => {
    const { features } = JSON.parse(gunzipSync(await read('barangays.simple.geojson.gz')).toString());
    const texts = textsOf('barangay');
    expect(features.map(({ id }: { id: string }) => `barangay ${id}`)).toEqual(texts.map(([key]) => key));
    expect(features.map(({ geometry }: { geometry: object }) => JSON.stringify(geometry))).toEqual(
      texts.map(([, text]) => text),
    );
    expect(features[0].bbox).toEqual([119.5, 10, 120.1, 10.1]);
    expect(Object.keys(features[0].properties)).toEqual(columnsOf('barangay', 'layer').map(({ name }) => name));
  });

  it('in FlatGeobuf have typed columns, the same boundaries, and an index that finds what a box meets', async () => {
    const reader = new FlatGeobufReader(await read('barangays.detailed.fgb'));
    expect(reader).toMatchObject({ count: ALL - 1, nodeSize: 16, geometryType: 6, crs: 4326 });
    const types = { boolean: 2, integer: 5, long: 7, number: 10, text: 11, json: 12 };
    expect(reader.columns).toEqual(
      columnsOf('barangay', 'layer').map(({ name, type }) => ({ name, type: types[type] })),
    );
    const stored = new Map(reader.all().map((feature) => [`barangay ${feature.values.code}`, feature]));
    expect(stored.size).toBe(ALL - 1);
    for (const [key, text] of textsOf('barangay')) {
      expect(stored.get(key)?.polygons, key).toEqual(polygonsOf(JSON.parse(text)));
    }
    expect(stored.get('barangay 0702201001')?.values).toEqual({
      ...{ name: ODD_NAME, code: '0702201001', m_code: '0702201000', p_code: '0702200000', r_code: '0700000000' },
      ...{ m_name: 'City 0', p_name: 'Cebu', r_name: 'Region VII' },
      ...{ area_km2: 12.5, island_group: 'visayas', pcode: 'PH0702201001', lon: 119.5, lat: 10 },
    });
    // Squares 10 to 12 of the rows 5 and 6, not quite from edge to edge.
    const { found, nodes } = reader.search([121.01, 10.51, 121.29, 10.69]);
    expect(found.map(({ values }) => values.name).sort()).toEqual(
      [5, 6].flatMap((row) => [10, 11, 12].map((column) => `Barangay ${row}-${column}`)).sort(),
    );
    expect(nodes).toBeLessThan(ALL / 5);
    expect(new FlatGeobufReader(await read('regions.simple.fgb')).search([120, 10, 121, 11]).found).toHaveLength(1);
  });

  it('in GeoParquet have typed columns, the same boundaries, and row groups that a box can skip', async () => {
    const bytes = await read('barangays.detailed.parquet');
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    const { key_value_metadata, row_groups, schema } = parquetMetadata(file);
    const geo = JSON.parse(key_value_metadata?.find(({ key }) => key === 'geo')?.value ?? '');
    expect(geo).toMatchObject({ version: '1.1.0', primary_column: 'geometry' });
    expect(geo.columns.geometry).toMatchObject({
      encoding: 'WKB',
      geometry_types: ['MultiPolygon'],
      bbox: [119.5, 10, 124, 14],
      covering: { bbox: { xmin: ['bbox', 'xmin'], ymax: ['bbox', 'ymax'] } },
    });
    const types = Object.fromEntries(schema.map(({ name, type }) => [name, type]));
    expect(types).toMatchObject({ code: 'BYTE_ARRAY', population: 'INT32', density_km2: 'DOUBLE', xmin: 'DOUBLE' });
    const sides = row_groups.map(
      ({ columns }) =>
        ['xmin', 'ymin', 'xmax', 'ymax'].map((side) => {
          const { statistics, codec } =
            columns.find((it) => it.meta_data?.path_in_schema.join('.') === `bbox.${side}`)?.meta_data ?? {};
          expect(codec).toBe('ZSTD');
          return side.endsWith('min') ? statistics?.min_value : statistics?.max_value;
        }) as number[],
    );
    expect(sides).toHaveLength(2);
    // The curve ends on the other side than it begins, so the smaller group is in one corner.
    expect((sides[1]?.[2] ?? 0) - (sides[1]?.[0] ?? 0)).toBeLessThan(4);
    const compressors = { ZSTD: (packed: Uint8Array) => new Uint8Array(zstdDecompressSync(packed)) };
    const rows = await parquetReadObjects({ file, compressors });
    expect(rows).toHaveLength(ALL - 1);
    for (const { code, geometry, bbox } of rows) {
      const text = release.texts.get(`barangay ${code}`) ?? '{}';
      expect(polygonsOf(geometry), code).toEqual(polygonsOf(JSON.parse(text)));
      expect(bbox.xmin).toBe(
        Math.min(
          ...polygonsOf(geometry)
            .flat(2)
            .filter((_, i) => i % 2 === 0),
        ),
      );
    }
    const odd = rows.find(({ code }) => code === '0702201001');
    expect(odd).toMatchObject({ name: ODD_NAME, population: null, area_km2: 12.5, density_km2: null });
  });

  it('in TopoJSON have each shared border once', async () => {
    const { type, objects, arcs, transform } = JSON.parse((await read('barangays.medium.topojson')).toString());
    expect(type).toBe('Topology');
    expect(transform).toBeDefined();
    const { geometries } = objects.barangays;
    expect(geometries).toHaveLength(ALL - 1);
    expect(geometries[0].properties).toMatchObject({ name: ODD_NAME, code: '0702201001', population: null });
    const used = new Set(JSON.stringify(geometries.map((it: { arcs: unknown }) => it.arcs)).match(/-?\d+/g));
    expect(arcs.length).toBeLessThan(used.size);
  });
});
