import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { FeatureWriter } from '../../src/uploads/feature-writer.ts';
import { insertStagedVersion } from '../../src/uploads/repo/staged.ts';
import { type Answer, type Body, get } from '../support/api.ts';
import { featuresOf } from '../support/datasets.ts';
import { filesOf } from '../support/files.ts';
import { type Headers, person } from '../support/people.ts';
import { database } from '../support/sql.ts';
import { collection, type Field, fileOf, formOf, sendForm, upload } from '../support/uploads.ts';
import { versionOf } from '../support/versions.ts';

const kmz = zipSync({
  'doc.kml': strToU8('<kml><NetworkLink><Link><href>layers/a.kml</href></Link></NetworkLink></kml>'),
  'layers/a.kml': strToU8(
    '<kml><Placemark><name>Ñ</name><Point><coordinates>121.5,14.25</coordinates></Point></Placemark><Placemark/></kml>',
  ),
});

/** KML with a place in each of some folders. */
const folders = (names: readonly string[]) =>
  `<kml><Document>${names.map((name) => `<Folder><name>${name}</name><Placemark><name>in ${name}</name></Placemark></Folder>`).join('')}</Document></kml>`;

const topojson = strToU8(
  JSON.stringify({
    type: 'Topology',
    transform: { scale: [0.5, 0.25], translate: [121, 14] },
    objects: {
      wells: {
        type: 'GeometryCollection',
        geometries: [
          { type: 'Point', coordinates: [1, 1], id: 'a', properties: { name: 'Ñ' } },
          { type: null, id: 'b' },
        ],
      },
    },
    arcs: [],
  }),
);

describe('an upload', () => {
  it('of FlatGeobuf, GeoPackage, KMZ and TopoJSON has its features stored without being asked to', async () => {
    const { session } = await person();
    const stored = await filesOf(['wells.fgb', 'wells.gpkg']);
    const place = [121.5, 14.25];
    const wells = { name: 'Ñ', depth: 4.5, wet: true, day: '2026-11-22' };
    const none = { name: null, depth: null, wet: null, day: null };
    const cases: [string, Uint8Array, number, number[], object, object | null][] = [
      ['wells.fgb', stored['wells.fgb'], 32651, [123, 14.473], { name: 'Ñ' }, { name: null }],
      ['wells.gpkg', stored['wells.gpkg'], 4326, place, wells, none],
      ['wells.kmz', kmz, 4326, place, { name: 'Ñ' }, {}],
      ['wells.topojson', topojson, 4326, place, { name: 'Ñ' }, null],
    ];
    for (const [name, bytes, srid, coordinates, properties, others] of cases) {
      const { status, body } = await upload(session, name, bytes);
      expect([name, status, body.message]).toEqual([name, 200, undefined]);
      expect(body.data).toMatchObject({ srid, feature_count: 2, size_bytes: bytes.length, geometry_type: 'POINT' });
      const [first, second] = await featuresOf(session, body.data.id);
      expect(first?.properties).toEqual(properties);
      expect(first?.geom.coordinates.map((number: number) => Math.round(number * 1000) / 1000)).toEqual(coordinates);
      expect([second?.geom, second?.properties]).toEqual([null, others]);
      expect(await fileOf(session, body.data.id)).toEqual(bytes);
      const exported = await get(`/v1/datasets/${body.data.id}/export`, session);
      const ids: Record<string, unknown[]> = { 'wells.gpkg': [3, 7], 'wells.topojson': ['a', 'b'] };
      expect(exported.body.features.map(({ id }: { id?: unknown }) => id)).toEqual(
        ids[name] ?? [expect.any(String), expect.any(String)],
      );
    }
  });

  it('names the layer that is read, of a format that has layers', async () => {
    const { session } = await person();
    const { 'wells.gpkg': bytes } = await filesOf(['wells.gpkg']);
    expect((await upload(session, 'a.gpkg', bytes, { layer: 'wells', encoding: '' })).body.data.feature_count).toBe(2);
    const cases: [string, Uint8Array, string, object?][] = [
      ['a.gpkg', bytes, 'file: has not one layer "roads" in it (field layer), but "wells".', { layers: ['wells'] }],
      [
        'a.kml',
        strToU8(folders(['wells'])),
        'file: has not one layer "roads" in it (field layer), but "wells" (line 1, column 111).',
      ],
      ['a.topojson', topojson, 'layer: must be left out (got "roads"): a TopoJSON has no layers to choose from.'],
    ];
    for (const [name, file, message, facts = {}] of cases) {
      const { status, body } = await upload(session, name, file, { layer: 'roads' });
      expect([status, body]).toEqual([422, { code: 'invalid_file', message, ...facts }]);
    }
  });

  it('of KML has the features of the layer that a field before or behind it names', async () => {
    const { session } = await person();
    const layer: Field = ['layer', 'roads'];
    for (const [name, content] of [
      ['a.kml', folders(['wells', 'roads'])],
      ['a.kmz', zipSync({ 'doc.kml': strToU8(folders(['wells', 'roads'])) })],
    ] as const) {
      const file: Field = ['file', name, content];
      for (const fields of [[layer, file], [file, layer], [file]] satisfies Field[][]) {
        const { body } = await sendForm(session, formOf(fields));
        const names = (await featuresOf(session, body.data.id)).map(({ properties }) => properties.name);
        expect(names).toEqual(fields.length === 1 ? ['in wells', 'in roads'] : ['in roads']);
      }
    }
  });

  it('of a damaged file is refused with the place of the fault, and replaces nothing', async () => {
    const { session } = await person();
    const stored = await filesOf(['wells.fgb', 'wells.gpkg']);
    const cut = (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 1);
    const { body: before } = await upload(session, 'wells.topojson', topojson);
    const id = before.data.id;
    const cases: [string, Uint8Array, RegExp][] = [
      [
        'a.fgb',
        cut(stored['wells.fgb']),
        /^file: is cut off: the last feature does not end \(feature 2, byte \d+\)\.$/,
      ],
      ['a.gpkg', cut(stored['wells.gpkg']), /^file: is cut off: it has \d+ pages of 4096 bytes \(byte \d+\)\.$/],
      ['a.kmz', cut(kmz), /^file: is no zip archive, or is cut off/],
      ['a.topojson', cut(topojson), /^file: is cut off: the outermost object does not end \(byte \d+\)\.$/],
    ];
    for (const [name, bytes, message] of cases) {
      const fields = { dataset_id: id, feature_storage: 'features_and_r2' };
      const { status, body } = await upload(session, name, bytes, fields);
      expect([status, body]).toEqual([422, { code: 'invalid_file', message: expect.stringMatching(message) }]);
    }
    expect((await featuresOf(session, id)).length).toBe(2);
  });

  it('has a large feature stored before the next one is read, and small ones together', async () => {
    const versionId = crypto.randomUUID();
    const version = { versionId, key: `datasets/${versionId}`, bytes: 1, maxCounted: 1, caller: 'master' as const };
    await insertStagedVersion(database, { ...version, quota: { maxBytes: 1e9, note: () => undefined } });
    const writer = new FeatureWriter(database, versionId, {
      srid: 4326,
      requireRoom: () => undefined,
      isLong: () => true,
    });
    const feature = (characters: number) => ({
      ...{ type: 0, geometry: null, id: null, names: ['a'] },
      properties: JSON.stringify({ a: 'x'.repeat(characters) }),
    });
    const stored = async () => (await versionOf(versionId)).features;
    await writer.write(feature(10));
    expect(await stored()).toBe(0);
    await writer.write(feature(1_100_000));
    expect(await stored()).toBe(2);
    await writer.write(feature(10));
    await writer.finish();
    expect(await stored()).toBe(3);
  });
});

it('is read in WGS 84 where its format is defined so, and refused with another reference system', async () => {
  const { session } = await person();
  const kml = '<kml><Placemark><Point><coordinates>121,14</coordinates></Point></Placemark></kml>';
  for (const [name, content] of [
    ['a.kml', kml],
    ['a.kmz', zipSync({ 'doc.kml': strToU8(kml) })],
    ['a.gpx', '<gpx><wpt lat="14" lon="121"/></gpx>'],
  ] as const) {
    expect((await upload(session, name, content, { srid: '4326' })).status).toBe(200);
    const srid: Field = ['srid', '32651'];
    const file: Field = ['file', name, content];
    for (const fields of [
      [srid, file],
      [file, srid],
    ]) {
      const { status, body } = await sendForm(session, formOf(fields));
      expect([status, body.code]).toEqual([422, 'invalid_file']);
      expect(body.message).toMatch(
        /^srid: must be left out \(got 32651\): the coordinates of a \w+ are degrees in WGS 84/,
      );
    }
  }
});

it('is not read where the file is stored only, so that how to read it is refused', async () => {
  const { session } = await person();
  const wells = await filesOf(['wells.gpkg']);
  for (const [name, content, given] of [
    ['a.zip', zipSync({ 'a.shp': strToU8('x') }), { layer: 'b' }],
    ['a.bin', 'x', { feature_storage: 'r2_only', encoding: 'latin1' }],
    ['a.gpkg', wells['wells.gpkg'], { feature_storage: 'r2_only', layer: 'wells' }],
  ] as const) {
    const fields: Record<string, string> = { ...given };
    const { status, body } = await upload(session, name, content, fields);
    const [field = ''] = Object.keys(fields).slice(-1);
    expect([status, body.code]).toEqual([422, 'invalid_file']);
    expect(body.message).toMatch(
      new RegExp(`^${field}: must be left out .* Send feature_storage=features_and_r2 to store them`),
    );
  }
});

it('is stored alone by default if it is a shapefile, which is told', async () => {
  const { session } = await person();
  const wells = zipSync({ 'a.shp': strToU8('x') });
  const { body } = await upload(session, 'wells.zip', wells);
  expect(body.data.feature_count).toBe(0);
  expect(body.meta.notices).toMatchObject([{ code: 'features_not_read', parameter: 'feature_storage' }]);
  const asked = await upload(session, 'wells.zip', wells, { feature_storage: 'r2_only' });
  expect(asked.body).toMatchObject({ data: { feature_count: 0 } });
  expect(asked.body.meta).toBeUndefined();
});

describe('the encoding of a table', () => {
  const windows = (text: string) => Uint8Array.from(text, (char) => (char === '–' ? 0x96 : char.charCodeAt(0)));
  const namesOf = async (owner: Headers, { body }: Answer) =>
    (await get(`/v1/features/dataset/${body.data.id}`, owner)).body.data.map(({ properties }: Body) => properties.name);

  it('is the one that the form names, before or after the file', async () => {
    const { session } = await person();
    // As UTF-8 these bytes are letters too, so nothing but the form tells.
    const bytes = windows('name,lat,lon\nLas PiÃ±as,14,121\n');
    for (const [encoding, name] of [
      ['', 'Las Piñas'],
      ['windows-1252', 'Las PiÃ±as'],
      ['ISO 8859-1', 'Las PiÃ±as'],
      ['ibm866', 'Las Pi├▒as'],
    ] as const) {
      const before = await upload(session, 'a.csv', bytes, { encoding });
      const after = await sendForm(
        session,
        formOf([
          ['file', 'a.csv', bytes],
          ['encoding', encoding],
        ]),
      );
      expect([encoding, await namesOf(session, before), await namesOf(session, after)]).toEqual([
        encoding,
        [name],
        [name],
      ]);
    }
  });

  it('must be known, and what the table is in', async () => {
    const { session } = await person();
    const unknown = await upload(session, 'a.csv', 'name,lat,lon\na,14,121\n', { encoding: 'Elvish' });
    expect(unknown.status).toBe(422);
    expect(JSON.stringify(unknown.body)).toContain('must name an encoding, such as utf-8, windows-1252 or iso-8859-1');
    const wrong = await upload(session, 'a.csv', windows('name,lat,lon\nñ,14,121\n'), { encoding: 'utf8' });
    expect(wrong.body).toEqual({ code: 'invalid_file', message: 'file: is not UTF-8.' });
  });

  it('is refused for formats that have none to choose', async () => {
    const { session } = await person();
    for (const [name, content] of [
      ['a.geojson', collection(1)],
      ['a.kml', '<kml><Placemark><Point><coordinates>121,14</coordinates></Point></Placemark></kml>'],
    ] as const) {
      const { status, body } = await upload(session, name, content, { encoding: 'latin1' });
      expect([status, body.code]).toEqual([422, 'invalid_file']);
      expect(body.message).toMatch(
        /^encoding: must be left out \(got "windows-1252"\): a \w+ is in UTF-8, or says itself /,
      );
    }
  });

  it('of rows without coordinates is none: how many there are is told', async () => {
    const { session } = await person();
    const { body } = await upload(session, 'a.csv', 'name,lat,lon\nA,14,121\nB,,\nC,,\n');
    expect(body.data.feature_count).toBe(3);
    expect(body.meta.notices).toMatchObject([{ code: 'features_without_geometry', parameter: 'file' }]);
    expect(body.meta.notices[0].message).toMatch(/^file: 2 of 3 features have no geometry, /);
    const one = await upload(session, 'a.geojson', '{"type":"Feature","geometry":null,"properties":{}}');
    expect(one.body.meta.notices[0].message).toMatch(/^file: 1 of 1 feature has no geometry, /);
  });

  it('that lines of one table differ in is told', async () => {
    const { session } = await person();
    const lines = [
      'name,lat,lon\n',
      'Plain,14,121\n',
      'Las PiÃ±as,14,121\n',
      'ParaÃ±aque,14,121\n',
      'Cañas – 1,14,121\n',
      'ñ,1,2\n',
    ];
    const mixed = await upload(session, 'a.csv', windows(lines.join('')));
    expect(await namesOf(session, mixed)).toEqual(['Plain', 'Las Piñas', 'Parañaque', 'Cañas – 1', 'ñ']);
    expect(mixed.body.meta.notices).toMatchObject([{ code: 'lines_in_windows_1252', parameter: 'encoding' }]);
    expect(mixed.body.meta.notices[0].message).toContain('line 5 and 1 more of the table are not UTF-8');
    const [heading = '', plain = '', , , ...latin] = lines;
    const all = await upload(session, 'a.csv', windows([heading, plain, ...latin].join('')));
    expect(all.body.meta).toBeUndefined();
  });
});
