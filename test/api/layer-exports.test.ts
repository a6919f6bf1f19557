import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { get } from '../support/api.ts';
import { featuresOf, newDataset, point } from '../support/datasets.ts';
import { FlatGeobufReader } from '../support/flatgeobuf-reader.ts';
import { triangle } from '../support/geometries.ts';
import { type Headers, person } from '../support/people.ts';
import { upload } from '../support/uploads.ts';

// Exports as FlatGeobuf and GeoParquet, read back by readers that know nothing of the code that writes them, and as GeoPackage.

/** The longest text of a property, and a decimal that no double has all digits of. */
const LONG = 'é"\n'.repeat(100_000);

const PROPERTIES = [
  `{"whole":1,"big":9007199254740993,"part":1.5,"yes":true,"text":"Ñ","mixed":1,"list":[1,"a"],"huge":12345678901234567890,
    "id":"mine","Geometry":7,"bbox":"q","when":"2024-02-29","nothing":null,"a":1,"A":2,"":5,"__proto__":{"x":1}}`,
  `{"whole":-3000000000,"part":2,"yes":false,"text":${JSON.stringify(LONG)},"mixed":"n/a","list":{"b":null}}`,
  '{"mixed":[1]}',
  'null',
];
const LINES = [
  [1, 2],
  [3, 4],
];
const RING = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 0],
];
const GEOMETRIES = [
  { type: 'Point', coordinates: [121, 14, 5] },
  { type: 'GeometryCollection', geometries: [point(1, 2), { type: 'LineString', coordinates: LINES }] },
  { type: 'MultiPolygon', coordinates: [[RING], [RING, RING]] },
  null,
];

const COLUMNS = [
  ['id', 11],
  ['whole', 7],
  ['big', 7],
  ['part', 10],
  ['yes', 2],
  ['text', 11],
  ['mixed', 11],
  ['list', 12],
  ['huge', 11],
  ['property_id', 11],
  ['property_Geometry', 7],
  ['property_bbox', 11],
  ['when', 11],
  ['nothing', 11],
  ['a', 7],
  ['A_2', 7],
  ['property_', 7],
  ['__proto__', 12],
];

const ROWS = [
  {
    ...{ id: 'p', whole: 1n, big: 9007199254740993n, part: 1.5, yes: true, text: 'Ñ', mixed: '1', list: '[1,"a"]' },
    ...{ huge: '12345678901234567890', property_id: 'mine', property_Geometry: 7n, property_bbox: 'q' },
    ...{ when: '2024-02-29', a: 1n, A_2: 2n, property_: 5n },
  },
  {
    id: '12345678901234567890',
    whole: -3000000000n,
    part: 2,
    yes: false,
    text: LONG,
    mixed: 'n/a',
    list: '{"b":null}',
  },
  { id: 'r', mixed: '[1]' },
  { id: 's' },
];

async function mixedDataset(session: Headers): Promise<string> {
  const ids = ['"p"', '12345678901234567890', '"r"', '"s"'];
  const lines = PROPERTIES.map(
    (text, i) =>
      `{"type":"Feature","id":${ids[i]},"geometry":${JSON.stringify(GEOMETRIES[i])},"properties":${text.replace(/\n */g, '')}}`,
  );
  const { body } = await upload(session, 'a.ndjson', lines.join('\n'));
  return body.data.id;
}

const exported = (session: Headers, id: string, format: string) =>
  get(`/v1/datasets/${id}/export?format=${format}`, session);

const renamedIn = async (session: Headers, id: string, format: string) =>
  (await exported(session, id, format)).headers.get('X-Renamed-Columns');

async function flatGeobuf(session: Headers, id: string) {
  const { status, headers, bytes } = await exported(session, id, 'fgb');
  expect([status, headers.get('Content-Type')]).toEqual([200, 'application/vnd.flatgeobuf']);
  expect(headers.get('Content-Disposition')).toMatch(/^attachment; filename=".*\.fgb"/);
  expect(await renamedIn(session, id, 'parquet')).toBe(headers.get('X-Renamed-Columns'));
  return new FlatGeobufReader(bytes);
}

async function geoParquet(session: Headers, id: string) {
  const { status, headers, bytes } = await exported(session, id, 'parquet');
  expect([status, headers.get('Content-Type')]).toEqual([200, 'application/vnd.apache.parquet']);
  const file = bytes.buffer as ArrayBuffer;
  const metadata = parquetMetadata(file);
  const geo = JSON.parse(metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value ?? '{}');
  return { metadata, geometry: geo.columns.geometry, rows: await parquetReadObjects({ file }) };
}

/** An object without the members that are null, and without `__proto__`, which literals can't have. */
const known = (row: object) =>
  Object.fromEntries(Object.entries(row).filter(([name, value]) => value !== null && name !== '__proto__'));

describe('an export as FlatGeobuf', () => {
  it('has a column of the narrowest type for each property, every type of geometry and no index', async () => {
    const { session } = await person();
    const reader = await flatGeobuf(session, await mixedDataset(session));
    expect(reader).toMatchObject({ count: 0, nodeSize: 0, geometryType: 0, crs: 4326, hasZ: true });
    expect(reader.columns.map(({ name, type }) => [name, type])).toEqual(COLUMNS);
    const features = reader.all();
    expect(features.map(({ values }) => known(values))).toEqual(ROWS);
    const part = (type: number, xy: number[], more: object = {}) => ({
      ...{ type, xy, z: xy.filter((_, i) => i % 2 === 0).map(() => 0), ends: [], parts: [] },
      ...more,
    });
    const ring = RING.flat();
    expect(features.map(({ geometry }) => geometry)).toEqual([
      part(1, [121, 14], { z: [5] }),
      part(7, [], { parts: [part(1, [1, 2]), part(2, LINES.flat())] }),
      part(6, [], { parts: [part(3, ring), part(3, [...ring, ...ring], { ends: [4, 8] })] }),
      null,
    ]);
  });

  it('names the type of geometry that all have', async () => {
    const { session } = await person();
    const features = [{ geom: triangle(), properties: { n: 1 } }, { geom: null }];
    const reader = await flatGeobuf(session, (await newDataset(session, { features })).id);
    expect(reader).toMatchObject({ geometryType: 3, hasZ: false });
    expect(reader.all()).toHaveLength(2);
  });
});

describe('an export as GeoPackage', () => {
  it('is read by an upload to the same features', async () => {
    const { session } = await person();
    const { status, headers, bytes } = await exported(session, await mixedDataset(session), 'gpkg');
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/geopackage+sqlite3']);
    expect(headers.get('X-Renamed-Columns')).toBe('id=property_id; A=A_2; =property_');
    const { body } = await upload(session, 'a.gpkg', bytes);
    const features = await featuresOf(session, body.data.id);
    expect(features.map(({ geom }) => geom)).toEqual(GEOMETRIES);
    expect(features.map(({ properties }) => properties)).toMatchObject([
      { id: 'p', whole: 1, part: 1.5, yes: true, text: 'Ñ', mixed: '1', property_id: 'mine', Geometry: 7, bbox: 'q' },
      { id: '12345678901234567890', whole: -3000000000, part: 2, yes: false, text: LONG },
      { id: 'r', mixed: '[1]', whole: null },
      { id: 's' },
    ]);
  });

  it('of no features is a layer without any', async () => {
    const { session } = await person();
    const { bytes } = await exported(session, (await newDataset(session)).id, 'gpkg');
    expect((await upload(session, 'a.gpkg', bytes)).body.data).toMatchObject({ feature_count: 0 });
  });
});

describe('an export as GeoParquet', () => {
  it('has a column of the narrowest type for each property, geometries as they are, and their boxes', async () => {
    const { session } = await person();
    const { metadata, geometry, rows } = await geoParquet(session, await mixedDataset(session));
    const names = metadata.schema.slice(1, -4).map(({ name }) => name);
    expect(names).toEqual([...COLUMNS.map(([name]) => name), 'geometry', 'bbox']);
    expect(geometry).toMatchObject({
      encoding: 'WKB',
      crs: { type: 'GeographicCRS', id: { authority: 'EPSG', code: 4326 } },
      geometry_types: ['Point Z', 'GeometryCollection', 'MultiPolygon'],
      bbox: [0, 0, 5, 121, 14, 5],
      covering: { bbox: { xmin: ['bbox', 'xmin'] } },
    });
    expect(rows.map(({ geometry: _, bbox: __, ...row }) => known(row))).toEqual(ROWS);
    expect(rows.map((row) => row.geometry)).toEqual(GEOMETRIES);
    expect(rows.map(({ bbox }) => (bbox ? [bbox.xmin, bbox.ymin, bbox.xmax, bbox.ymax] : null))).toEqual([
      [121, 14, 121, 14],
      [1, 2, 3, 4],
      [0, 0, 4, 4],
      null,
    ]);
  });
});

describe('an export with typed columns', () => {
  it('goes on over several pages and row groups', async () => {
    const { session } = await person();
    const features = Array.from({ length: 4500 }, (_, i) => ({
      geom: point(121, 14),
      properties: { i, text: i < 30 ? `${i} ${'x'.repeat(200_000)}` : null },
    }));
    const { body } = await upload(
      session,
      'a.ndjson',
      features.map(({ geom, ...rest }) => JSON.stringify({ type: 'Feature', geometry: geom, ...rest })).join('\n'),
    );
    const { rows, metadata } = await geoParquet(session, body.data.id);
    // Six megabytes in groups of four.
    expect(metadata.row_groups).toHaveLength(2);
    const all = (await flatGeobuf(session, body.data.id)).all().map(({ values }) => values);
    for (const found of [rows, all]) {
      expect(found.map(({ i }) => Number(i))).toEqual(features.map((_, i) => i));
      expect(found[29]?.text).toBe(features[29]?.properties.text);
    }
  });

  it('of a dataset without features, or with more names than a table has, is one nevertheless', async () => {
    const { session } = await person();
    const empty = (await newDataset(session)).id;
    expect((await flatGeobuf(session, empty)).all()).toEqual([]);
    const { rows, geometry } = await geoParquet(session, empty);
    expect([rows, geometry.geometry_types, geometry.bbox]).toEqual([[], [], undefined]);

    const properties = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`p${i}`, i]));
    const { id } = await newDataset(session, { features: [{ geom: point(1, 1), properties }] });
    const wide = await flatGeobuf(session, id);
    expect(wide.columns.map(({ name, type }) => [name, type])).toEqual([
      ['id', 11],
      ['properties', 12],
    ]);
    const [first] = (await geoParquet(session, id)).rows;
    for (const found of [wide.all()[0]?.values.properties, first?.properties]) {
      expect(JSON.parse(found as string)).toEqual(properties);
    }
  });

  it('needs credentials, and a dataset that the caller may read', async () => {
    const [owner, other] = [await person(), await person()];
    const { id } = await newDataset(owner.session);
    for (const format of ['fgb', 'parquet', 'gpkg', 'shp', 'xlsx']) {
      expect((await exported(other.session, id, format)).status).toBe(404);
      expect((await exported({}, id, format)).status).toBe(401);
    }
  });
});
