import { env } from 'cloudflare:workers';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { EXPORTERS } from '../../src/datasets/exports.ts';
import { exportDataset } from '../../src/datasets/service.ts';
import { get, patch } from '../support/api.ts';
import { jobContext } from '../support/context.ts';
import { featuresOf, newDataset, point } from '../support/datasets.ts';
import { type Headers, person } from '../support/people.ts';
import { upload } from '../support/uploads.ts';

// Exports that are archives: Shapefiles and workbooks.

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

const exported = async (session: Headers, id: string, format: string) => {
  const answer = await get(`/v1/datasets/${id}/export?format=${format}`, session);
  return { ...answer, files: answer.status === 200 ? unzipSync(answer.bytes) : {} };
};

/** What an upload reads in a file. */
async function readBack(session: Headers, name: string, bytes: Uint8Array) {
  const { status, body } = await upload(session, name, bytes, { feature_storage: 'features_and_r2' });
  expect(status, JSON.stringify(body)).toBe(200);
  return featuresOf(session, body.data.id);
}

const square = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [0, 0],
];
const hole = [
  [1, 1],
  [1, 2],
  [2, 2],
  [2, 1],
  [1, 1],
];
/** Its shell and its hole run the other way round than RFC 7946 has it. */
const POLYGON = { type: 'Polygon', coordinates: [square.toReversed(), hole.toReversed()] };
const LINES = {
  type: 'MultiLineString',
  coordinates: [
    [
      [1, 2],
      [3, 4],
    ],
    [
      [5, 6],
      [7, 8],
    ],
  ],
};
const POINTS = {
  type: 'MultiPoint',
  coordinates: [
    [1, 2],
    [3, 4],
  ],
};

describe('an export as Shapefile', () => {
  it('has the values, whole numbers as such, under names of ten characters that are told', async () => {
    const { session } = await person();
    const properties = {
      ...{ n: -3, part: 0.1, tiny: -1.234567890123e-7, yes: true, text: 'Ñ', list: [1] },
      ...{ long: 123456789012345, longer: 1234567890123456, 'poverty incidence': 1, 'Poverty incidents': 2 },
    };
    const features = [{ geom: point(121, 14), properties }, { geom: point(122, 15) }];
    const { id } = await newDataset(session, { name: 'Mga bahay/2', features });
    const { status, headers, files, bytes } = await exported(session, id, 'shp');
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/zip']);
    expect(headers.get('Content-Disposition')).toContain('filename="Mga bahay_2.shp.zip"');
    const renamed = 'poverty%20incidence=poverty_in; Poverty%20incidents=Poverty__2';
    expect(headers.get('X-Renamed-Columns')).toBe(renamed);
    expect(Object.keys(files)).toEqual([
      'README.txt',
      ...['prj', 'cpg', 'dbf', 'shp', 'shx'].map((ending) => `Mga_bahay_2.${ending}`),
    ]);
    expect(text(files['README.txt'])).toContain(
      '\r\npoverty_in: poverty incidence\r\nPoverty__2: Poverty incidents\r\n',
    );
    const read = await readBack(session, 'a.zip', bytes);
    expect(read.map(({ geom }) => geom)).toEqual([point(121, 14), point(122, 15)]);
    expect(read[0]?.properties).toMatchObject({
      ...{ n: -3, part: 0.1, tiny: -1.234567890123e-7, yes: true, text: 'Ñ', list: '[1]' },
      ...{ long: 123456789012345, longer: '1234567890123456', poverty_in: 1, Poverty__2: 2 },
    });
    expect(Object.values(read[1]?.properties).filter((value) => value !== null)).toHaveLength(1);
  });

  it('is one for each type of geometry, with shells, holes, and features without a geometry', async () => {
    const { session } = await person();
    const features = [{ ...POLYGON }, LINES, null, POINTS, { type: 'Point', coordinates: [9, 9, 7] }].map((geom, n) => {
      return { geom, properties: { n } };
    });
    const { files } = await exported(session, (await newDataset(session, { name: 'a', features })).id, 'shp');
    const shapefiles = Object.keys(files).filter((name) => name.endsWith('.shp'));
    expect(shapefiles).toEqual(['a_points.shp', 'a_multipoints.shp', 'a_lines.shp', 'a_polygons.shp']);
    const rowsIn = (layer: string) =>
      new DataView((files[`a_${layer}.dbf`] as Uint8Array).slice().buffer).getUint32(4, true);
    expect(['points', 'multipoints', 'lines', 'polygons'].map(rowsIn)).toEqual([2, 1, 1, 1]);
    for (const geom of [POLYGON, LINES, POINTS]) {
      const { id } = await newDataset(session, { features: [{ geom }, { geom: null }] });
      const read = await readBack(session, 'a.zip', (await exported(session, id, 'shp')).bytes);
      const stored = geom === POLYGON ? { type: 'Polygon', coordinates: [square, hole] } : geom;
      expect(sorted(read[0]?.geom)).toEqual(sorted(stored));
      expect(read[1]?.geom).toBeNull();
    }
  });

  it('has heights where some feature of a layer has any, at 0 where one has none', async () => {
    const { session } = await person();
    const at = (height: number) => (positions: number[][]) =>
      positions.map(([x = 0, y = 0]) => [x, y, height + x - 2 * y]);
    const geoms = [
      ...[
        { type: 'Point', coordinates: [121, 14, 1200.5] },
        { type: 'Point', coordinates: [121, 14, -3] },
      ],
      ...[{ type: 'Polygon', coordinates: [square, hole].map(at(100)) }],
      ...[{ type: 'MultiPoint', coordinates: at(5)(POINTS.coordinates) }],
      ...[{ type: 'MultiLineString', coordinates: LINES.coordinates.map(at(-7)) }],
    ];
    for (const geom of geoms) {
      const { id } = await newDataset(session, { name: 'a', features: [{ geom }, { geom: null }] });
      const { bytes, files } = await exported(session, id, 'shp');
      expect((await readBack(session, 'a.zip', bytes))[0]?.geom).toEqual(geom);
      expect(new DataView((files['a.shp'] as Uint8Array).slice().buffer).getInt32(24) * 2).toBe(files['a.shp']?.length);
    }
    const features = [point(1, 2), { type: 'Point', coordinates: [3, 4, 5] }].map((geom) => ({ geom }));
    const { id } = await newDataset(session, { name: 'a', features });
    const read = await readBack(session, 'a.zip', (await exported(session, id, 'shp')).bytes);
    expect(read.map(({ geom }) => geom)).toEqual([{ type: 'Point', coordinates: [1, 2, 0] }, features[1]?.geom]);
    const both = await newDataset(session, { name: 'a', features: [...features, { geom: LINES }] });
    const { files } = await exported(session, both.id, 'shp');
    const types = ['points', 'lines'].map((layer) => files[`a_${layer}.shp`]?.[32]);
    expect(types).toEqual([11, 3]);
  });

  it('says which texts are cut, between characters', async () => {
    const { session } = await person();
    const features = [{ geom: point(1, 1), properties: { text: `x${'ñ'.repeat(200)}`, whole: 'a' } }];
    const { files, bytes } = await exported(session, (await newDataset(session, { features })).id, 'shp');
    expect(text(files['README.txt'])).toMatch(/254 bytes[^\r]*\r\ntext\r\n$/);
    const [read] = await readBack(session, 'a.zip', bytes);
    expect(read?.properties.text).toBe(`x${'ñ'.repeat(126)}`);
  });

  it.each([
    ['a collection', { geom: { type: 'GeometryCollection', geometries: [point(1, 1)] } }, 'GeometryCollection'],
    [
      'more columns than a table has',
      { geom: point(1, 1), properties: Object.fromEntries(Array.from({ length: 255 }, (_, i) => [`p${i}`, i])) },
      'more than 254 properties',
    ],
    [
      'more properties than any table has',
      { geom: point(1, 1), properties: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`p${i}`, i])) },
      'more than 254 properties',
    ],
  ])('of %s is refused', async (_, feature, told) => {
    const { session } = await person();
    const { id } = await newDataset(session, { features: [feature] });
    const { status, body } = await get(`/v1/datasets/${id}/export?format=shp`, session);
    expect([status, body.code]).toEqual([422, 'export_not_possible']);
    expect(body.message).toContain(told);
  });

  it('of wide rows is made some at a time, and refused where they come to more than a gibibyte', async () => {
    const { session } = await person();
    const wide = Object.fromEntries(Array.from({ length: 254 }, (_, i) => [`p${i}`, `${i} `.padEnd(254, 'x')]));
    const wells = async (count: number) => {
      const lines = Array.from({ length: count }, (_, i) => {
        return JSON.stringify({ type: 'Feature', geometry: point(1, 1), properties: i === 0 ? wide : {} });
      });
      return (await upload(session, 'a.ndjson', lines.join('\n'))).body.data.id as string;
    };
    const ctx = jobContext(env);
    const id = await wells(2000);
    const chunks = EXPORTERS.shp.chunks(ctx.db, await exportDataset(ctx, { id }));
    let largest = 0;
    for await (const chunk of chunks) largest = Math.max(largest, chunk.length);
    expect(largest).toBeLessThan(100_000);
    const { status, body } = await get(`/v1/datasets/${await wells(17_000)}/export?format=shp`, session);
    expect([status, body.code]).toEqual([422, 'export_not_possible']);
    expect(body.message).toContain('at most 1 GiB');
    // Rows are padded to a hundred times what the dataset has.
    await patch(`/v1/datasets/${id}`, { visibility: 'everyone' }, session);
    const free = await get(`/v1/datasets/${id}/export?format=shp`, {});
    expect([free.status, free.body.message]).toEqual([401, expect.stringContaining('at most 64 MiB')]);
    expect((await get(`/v1/datasets/${id}/export?format=geojson`, {})).status).toBe(200);
  });

  it('of no features is a layer without any', async () => {
    const { session } = await person();
    const { files } = await exported(session, (await newDataset(session, { name: '—' })).id, 'shp');
    expect([files['_.shp']?.length, files['_.shx']?.length]).toEqual([100, 100]);
  });
});

/** A geometry whose rings begin where their smallest position is. */
function sorted(geometry: { type: string; coordinates: unknown[][] }) {
  if (geometry.type !== 'Polygon') return geometry;
  const turned = geometry.coordinates.map((ring) => {
    const open = ring.slice(0, -1);
    const first = open.map(String).toSorted()[0];
    const at = open.findIndex((position) => String(position) === first);
    return [...open.slice(at), ...open.slice(0, at), open[at]];
  });
  return { ...geometry, coordinates: turned };
}

describe('an export as workbook', () => {
  it('has numbers as numbers, texts as texts, and the position of points, which an upload reads back', async () => {
    const { session } = await person();
    const properties = {
      ...{ n: 7, part: 0.5, yes: true, code: '0702200000', bad: '=HYPERLINK("http://x")', digits: 1234567890123456 },
      ...{ id: 'mine', latitude: 'north' },
    };
    const features = [
      { type: 'Feature', id: '007', geometry: point(121, 14), properties },
      { type: 'Feature', geometry: null, properties: { n: 8 } },
    ];
    const made = await upload(session, 'a.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
    const { status, headers, files, bytes } = await exported(session, made.body.data.id, 'xlsx');
    expect([status, headers.get('Content-Type')]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    expect(headers.get('Content-Disposition')).toMatch(/\.xlsx/);
    expect(headers.get('X-Renamed-Columns')).toBe('id=property_id; latitude=property_latitude');
    const sheet = text(files['xl/worksheets/sheet1.xml']);
    expect(sheet).not.toContain('<f>');
    expect(sheet).toContain('>=HYPERLINK("http://x")<');
    expect(sheet).toContain(
      '<c r="A2" s="3" t="inlineStr"><is><t xml:space="preserve">007</t></is></c><c r="B2"><v>7</v></c>',
    );
    expect(sheet).toContain('>0702200000<');
    expect(sheet).toContain('>1234567890123456<');
    const [first] = await readBack(session, 'a.xlsx', bytes);
    expect(first?.geom).toEqual(point(121, 14));
    expect(first?.properties).toMatchObject({ n: '7', part: '0.5', code: '0702200000', property_id: 'mine' });
  });

  it('has the texts of an uploaded table as numbers, where a column has numbers and words for none', async () => {
    const { session } = await person();
    const lines = [
      'lon,lat,rate,people,zeros,psgc,digits,mixed,blank,grouped,lacking,share,nothing',
      '121,14,11.0,6889,007,1380600000,1234567890123456,1,,"1,234",9.8,12%,n.a.',
      '121,14,-0.5,1234567890,12,1381300000,1,one,,"₱ 5,000,000.5",N.A.,8%,-',
      '121,14,,0,3,,2,2,," 6 ",−57088,,wala',
    ];
    const made = await upload(session, 'a.csv', lines.join('\n'));
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const { id } = made.body.data;
    const sheet = text((await exported(session, id, 'xlsx')).files['xl/worksheets/sheet1.xml']);
    const cells = (column: string) =>
      [...sheet.matchAll(new RegExp(`<c r="${column}([2-9])"[^>]*>(.*?)</c>`, 'g'))].map(([, , cell]) => cell);
    const headings = [...sheet.matchAll(/<c r="([A-Z])1".*?preserve">(.*?)<\/t>/g)];
    const of = (name: string) => cells(headings.find(([, , heading]) => heading === name)?.[1] as string);
    const asText = (value: string) => `<is><t xml:space="preserve">${value}</t></is>`;
    expect(of('rate')).toEqual(['<v>11</v>', '<v>-0.5</v>']);
    expect(of('people')).toEqual(['<v>6889</v>', '<v>1234567890</v>', '<v>0</v>']);
    expect(of('zeros')).toEqual(['007', '12', '3'].map(asText));
    expect(of('psgc')).toEqual(['1380600000', '1381300000'].map(asText));
    expect(of('digits')).toEqual(['1234567890123456', '1', '2'].map(asText));
    expect(of('mixed')).toEqual(['1', 'one', '2'].map(asText));
    expect(of('grouped')).toEqual(['<v>1234</v>', '<v>5000000.5</v>', '<v>6</v>']);
    expect(of('lacking')).toEqual(['<v>9.8</v>', asText('N.A.'), '<v>-57088</v>']);
    expect(of('share')).toEqual(['12%', '8%'].map(asText));
    expect(of('nothing')).toEqual(['n.a.', '-', 'wala'].map(asText));
    expect(of('blank')).toEqual([]);
    const csv = await get(`/v1/datasets/${id}/export?format=csv`, session);
    expect(csv.text).toContain('11.0,6889,007,1380600000');
  });

  it('has no other column that an upload takes for the geometry', async () => {
    const { session } = await person();
    const names = ['wkt', 'GEOM', 'geometry', 'the_geom', 'lon', 'Lat', 'x', 'y', 'latitude', 'property_x'];
    const properties = Object.fromEntries(names.map((name, i) => [name, `${i}`]));
    const { id } = await newDataset(session, { features: [{ geom: point(121, 14), properties }] });
    const { bytes, headers } = await exported(session, id, 'xlsx');
    const [first] = await readBack(session, 'a.xlsx', bytes);
    const columns = names.map((name) => (name === 'property_x' ? 'property_x_2' : `property_${name}`));
    expect(first?.geom).toEqual(point(121, 14));
    expect(first?.properties).toMatchObject(Object.fromEntries(columns.map((column, i) => [column, `${i}`])));
    expect(headers.get('X-Renamed-Columns')).toBe(names.map((name, i) => `${name}=${columns[i]}`).join('; '));
  });

  it('has texts that come back as they were, with what XML has no way for', async () => {
    const { session } = await person();
    const texts = ['_x0041_', 'file_x000D_name', '_x0041', '__x0041__', 'a\u0001b\u007f', 'a\r\nb\rc\td', '&lt;_x'];
    const features = [
      { geom: point(121, 14), properties: Object.fromEntries(texts.map((value, i) => [`t${i}`, value])) },
    ];
    const { bytes, files } = await exported(session, (await newDataset(session, { features })).id, 'xlsx');
    const [first] = await readBack(session, 'a.xlsx', bytes);
    expect(first?.properties).toMatchObject(Object.fromEntries(texts.map((value, i) => [`t${i}`, value])));
    expect(text(files['xl/worksheets/sheet1.xml'])).toContain('>file_x005F_x000D_name<');
  });

  it('has no columns of positions where nothing is a point, and says where a text is cut', async () => {
    const { session } = await person();
    const features = [{ geom: POLYGON, properties: { text: 'x'.repeat(40_000) } }];
    const { files } = await exported(session, (await newDataset(session, { name: 'A & B', features })).id, 'xlsx');
    const sheet = text(files['xl/worksheets/sheet1.xml']);
    expect(sheet).not.toContain('longitude');
    expect(/x{100,}… \[cut\]/.exec(sheet)?.[0]).toHaveLength(32_767);
  });

  it('goes on over several pages, with a row for each feature', async () => {
    const { session } = await person();
    const lines = Array.from({ length: 4500 }, (_, i) =>
      JSON.stringify({ type: 'Feature', geometry: point(121, 14), properties: { i } }),
    );
    const { body } = await upload(session, 'a.ndjson', lines.join('\n'));
    const sheet = text((await exported(session, body.data.id, 'xlsx')).files['xl/worksheets/sheet1.xml']);
    const rows = [...sheet.matchAll(/<row r="(\d+)">.*?<c r="B\1"><v>(\d+)<\/v>/g)].map(([, row, i]) => [
      Number(row),
      Number(i),
    ]);
    expect(rows).toEqual(lines.map((_, i) => [i + 2, i]));
  });
});
