import { describe, expect, it } from 'vitest';
import { get, send } from '../support/api.ts';
import { person } from '../support/people.ts';
import {
  collection,
  type Field,
  feature,
  formOf,
  leavesNoFiles,
  sendForm,
  unpublishedFiles,
  upload,
} from '../support/uploads.ts';

const REMEDY = / on_invalid=skip stores the other \d+\.$/;

describe('a file that can not be read', () => {
  const featureWith = (members: string) => `{"type":"Feature",${members}}`;
  const located = '"geometry":{"type":"Point","coordinates":[1,2]}';
  const inCollection = (members: string) =>
    `{"type":"FeatureCollection","features":[${JSON.stringify(feature(0))},${featureWith(members)}]}`;
  const before = inCollection('').slice(0, inCollection('').lastIndexOf('{'));
  const from = `from byte ${new TextEncoder().encode(before).length}`;

  it.each<[string, string, string]>([
    [
      'a.geojson',
      inCollection(`${located},"properties":3`),
      `features[1]: properties must be an object or null (RFC 7946, 3.2) (${from})`,
    ],
    [
      'a.geojson',
      inCollection(`${located},"properties":{},"id":{}`),
      `features[1]: id must be a string or a number (RFC 7946, 3.2) (${from})`,
    ],
    [
      'a.geojson',
      inCollection(`${located},"properties":{"a":1,"a":2}`),
      `features[1]: properties must not have two members of the same name (${from})`,
    ],
    [
      'a.geojson',
      inCollection(`"geometry":{"type":"Point","coordinates":[1,2],"type":"Point"},"properties":{}`),
      `features[1]: a geometry must not have two members of the same name (${from})`,
    ],
    [
      'a.ndjson',
      `${JSON.stringify(feature(0))}\n${featureWith(`${located},"properties":{"a":"\\u0000"}`)}`,
      'properties and id must not contain the character U+0000 (line 2)',
    ],
    [
      'a.ndjson',
      '{"type":"Feature","geometry":null,"properties":{}}\n{"type":"Feat',
      'is cut off: the last feature does not end (line 2)',
    ],
    ['a.csv', 'lat,lon,n\n1,2,3\n1,2\n', 'must have 3 values, as the headings in line 1 (got 2) (line 3)'],
    ['a.csv', 'lat,lon,n\n1,2,\0\n', 'the property "n" must not contain the character U+0000 (line 2)'],
    ['a.kml', '<kml>\n<Placemark>&x;</Placemark></kml>', 'is no well-formed XML: undefined entity (line 2, column 14)'],
  ])('(%s) for what is no fault of a geometry: %#', async (name, content, message) => {
    const { session } = await person();
    const { status, body } = await upload(session, name, content);
    expect([status, body.code]).toEqual([422, 'invalid_file']);
    expect(body.message.replace(REMEDY, '')).toBe(`file: ${message}.`);
  });

  it.each<[string, string, string, (string | number)[]]>([
    [
      'a.geojson',
      inCollection('"geometry":{"type":"Point","coordinates":[14,121]},"properties":null'),
      'features[1].geometry.coordinates[1]: must be a latitude from -90 to 90 (got 121, as if longitude and latitude were swapped).',
      ['features', 1, 'geometry', 'coordinates', 1],
    ],
    [
      'a.geojson',
      inCollection('"geometry":{"type":"Point","coordinates":[13467850.1,1640000]},"properties":null'),
      'features[1].geometry.coordinates[0]: must be a longitude from -180 to 180 (got 13467850.1). If its coordinates are not in degrees, send the number of their reference system as srid.',
      ['features', 1, 'geometry', 'coordinates', 0],
    ],
    [
      'a.ndjson',
      `\n${featureWith('"geometry":{"type":"Point","coordinates":[200,1]},"properties":null')}`,
      'geometry.coordinates[0]: must be a longitude from -180 to 180 (got 200) (line 2).',
      ['geometry', 'coordinates', 0],
    ],
    [
      'a.csv',
      'lat,lon\n1,2\n1,200\n',
      'lon must be a longitude from -180 to 180 (got 200) (line 3).',
      ['coordinates', 0],
    ],
    [
      'a.csv',
      'x,y\n500000,1600000\n',
      'x must be a longitude from -180 to 180 (got 500000) (line 2). If its coordinates are not in degrees, send the number of their reference system as srid.',
      ['coordinates', 0],
    ],
    [
      'a.gpx',
      '<gpx>\n<wpt lat="91" lon="2"/></gpx>',
      'coordinates[1]: must be a latitude from -90 to 90 (got 91, as if longitude and latitude were swapped) (line 2, column 23).',
      ['coordinates', 1],
    ],
  ])('(%s) for a fault of a geometry: %#', async (name, content, message, path) => {
    const { session } = await person();
    const { status, body } = await upload(session, name, content);
    expect([status, body.code, body.path]).toEqual([422, 'invalid_geometry', path]);
    expect(body.message.replace(REMEDY, '')).toBe(`file: ${message}`);
  });
});

describe('a form that is no upload', () => {
  it.each<[string, string | Uint8Array, number, string]>([
    ['without a file', formOf([['name', 'x']]), 400, 'file_missing'],
    ['without parts', '--boundary-of-the-test--\r\n', 400, 'file_missing'],
    ['with an empty file', formOf([['file', 'a.geojson', '']]), 422, 'invalid_file'],
    [
      'with two files',
      formOf([
        ['file', 'a.geojson', collection(1)],
        ['file', 'a.geojson', collection(1)],
      ]),
      400,
      'invalid_multipart',
    ],
    [
      'with a field twice',
      formOf([
        ['name', 'a'],
        ['name', 'b'],
        ['file', 'a.geojson', collection(1)],
      ]),
      400,
      'invalid_multipart',
    ],
    ['of an unknown type', formOf([['file', 'a.exe', 'MZ']]), 422, 'unsupported_file_type'],
    ['that ends too early', formOf([['file', 'a.geojson', collection(1)]]).subarray(0, -10), 400, 'invalid_multipart'],
    [
      'that ends within the file',
      formOf([['file', 'a.geojson', collection(100)]]).subarray(0, 900),
      400,
      'invalid_multipart',
    ],
    ['without a boundary', 'no boundary at all', 400, 'invalid_multipart'],
    [
      'with a part without a name',
      '--boundary-of-the-test\r\nContent-Type: text/plain\r\n\r\nx\r\n--boundary-of-the-test--',
      400,
      'invalid_multipart',
    ],
    [
      'with a hundred parts',
      formOf(Array.from({ length: 100 }, (_, i): Field => [`x${i}`, ''])),
      400,
      'invalid_multipart',
    ],
    ['with endless headers', `--boundary-of-the-test\r\n${'a: b\r\n'.repeat(10_000)}`, 400, 'invalid_multipart'],
    ['with a huge field', formOf([['name', 'x'.repeat(100_000)]]), 400, 'invalid_multipart'],
    [
      'in an unknown reference system',
      formOf([
        ['srid', '999'],
        ['file', 'a.geojson', collection(1)],
      ]),
      422,
      'unsupported_srid',
    ],
    [
      'in an unknown reference system, said later',
      formOf([
        ['file', 'a.geojson', collection(1)],
        ['srid', '999'],
      ]),
      422,
      'unsupported_srid',
    ],
  ])('%s', async (_, body, status, code) => {
    const { session } = await person();
    const files = await unpublishedFiles();
    const answer = await sendForm(session, body);
    expect([answer.status, answer.body.code ?? '']).toEqual([status, code]);
    await leavesNoFiles(files);
    expect((await get('/v1/datasets', session)).body.meta.total).toBe(0);
  });

  it('is 415 where the body is no multipart form', async () => {
    const { session } = await person();
    for (const type of ['application/json', 'multipart/form-data', 'text/plain; boundary=x']) {
      const { status } = await send('POST', '/v1/datasets/upload', { ...session, 'Content-Type': type }, '{}');
      expect([type, status]).toEqual([type, 415]);
    }
  });
});
