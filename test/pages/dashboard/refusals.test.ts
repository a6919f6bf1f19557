import { describe, expect, it } from 'vitest';
import { uploadFormatOf } from '../../../pages/dashboard/upload-formats.ts';
import { refusalOf } from '../../../pages/dashboard/upload-refusals.ts';
import { PsgcError, unanswered } from '../../../pages/shared/api.ts';

function refused(fault: PsgcError, name = 'wells.geojson', text = '') {
  return refusalOf(fault, { file: new File([text], name), format: uploadFormatOf(name) });
}

const fault = (status: number, code: string, message: string, facts = {}) =>
  new PsgcError({ code, message, status, details: facts, retryAfter: status === 503 ? 5 : undefined });

describe('a refusal of a file', () => {
  it('names the line of a byte, and what stands there', async () => {
    const text = '{"type":"FeatureCollection",\n"features":[\n{"type" "Feature"}]}';
    const message = `file: features[0]: is no valid JSON (byte ${text.indexOf(' "Feature"')}).`;
    expect(await refused(fault(422, 'invalid_file', message), 'wells.geojson', text)).toMatchObject({
      location: 'feature 1, line 3',
      detail: 'is no valid JSON.',
      excerpt: expect.stringContaining('{"type" "Feature"}'),
      next: 'file-only',
    });
  });

  it('takes no byte of an archive for one of a text', async () => {
    const message = 'file: the .shp file is cut off (byte 100).';
    expect(await refused(fault(422, 'invalid_file', message), 'wells.zip', 'PK')).toMatchObject({
      title: 'wells.zip can’t be read as zipped shapefile.',
      location: undefined,
      detail: 'the .shp file is cut off (byte 100).',
    });
  });

  it.each([
    [
      fault(413, 'file_too_large', 'file: must have at most 104857600 bytes.'),
      /105 MB that a file may have/,
      undefined,
    ],
    [
      fault(413, 'quota_exceeded', 'No.', { used_bytes: 2e9, allowed_bytes: 21e8 }),
      /2.0 GB of 2.1 GB .*Delete/,
      'again',
    ],
    [
      fault(503, 'storage_unavailable', 'The object store does not answer.'),
      /does not answer\. .*in 5 seconds/,
      'again',
    ],
    [unanswered('The connection broke off.'), /broke off.*Check the connection/, 'again'],
  ])('says the way out of $code', async (error, words, next) => {
    const refusal = await refused(error);
    expect(`${refusal.title} ${refusal.detail} ${refusal.remedy}`).toMatch(words);
    expect(refusal.next).toBe(next);
  });
});

it.each([
  ['2 more are not valid. on_invalid=skip stores the other 3.', true],
  ['10000 more are not valid. The rest was not read: at most 10000 can be left out.', false],
  ['1 more is not valid.', false],
])('rows that are not valid are listed, and left out only where they can be: %s', async (rest, canSkip) => {
  const message = `file: lat must be a number (got "n/a") (line 3). ${rest}`;
  const invalid_rows = { count: 3, valid: 3, rows: [] };
  expect(await refused(fault(422, 'invalid_file', message, { invalid_rows }), 'a.csv', 'lat\n1\nn/a')).toMatchObject({
    ...{ detail: 'lat must be a number (got "n/a").', location: 'line 3', invalid: invalid_rows, canSkip },
  });
});

it.each([
  [
    'noplace.csv',
    'must have columns of coordinates (lon and lat, or wkt), or of places (such as Province and Municipality), which place_columns may name.',
    'must have columns of coordinates (lon and lat, or wkt), or of places (such as Province and Municipality).',
  ],
  [
    'half.csv',
    'has the column "lat" and none of longitude: add it, or name columns of places in place_columns (line 1).',
    'has the column "lat" and none of longitude.',
  ],
  [
    'a.csv',
    'x must be a longitude from -180 to 180 (got 500000) (line 2). If its coordinates are not in degrees, send the number of their reference system as srid.',
    'x must be a longitude from -180 to 180 (got 500000).',
  ],
  [
    'a.csv',
    'wkt must be in the reference system 4326 (got SRID=32651): send srid=32651 with a file that is in it (line 2).',
    'wkt must be in the reference system 4326 (got SRID=32651).',
  ],
  [
    'a.zip',
    'the .prj file names a reference system that is not known here, "Luzon"; send its EPSG number as srid.',
    'the .prj file names a reference system that is not known here, "Luzon".',
  ],
])('a page names no parameter of the API, and says what to do there: %s %s', async (name, said, detail) => {
  const refusal = await refused(fault(422, 'invalid_file', `file: ${said}`), name, 'lat,lon\n1,2\n');
  expect(refusal.detail).toBe(detail);
  expect(refusal.remedy).toMatch(refusal.lacksColumns ? /^Choose the columns on Match/ : /^Save it in WGS 84/);
  expect(refusal.remedy).not.toMatch(/place_columns|srid/);
});
