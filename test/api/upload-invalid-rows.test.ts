import { describe, expect, it } from 'vitest';
import { type Body, get } from '../support/api.ts';
import { type Headers, person } from '../support/people.ts';
import { feature, formOf, leavesNoFiles, sendForm, unpublishedFiles, upload } from '../support/uploads.ts';

/** Six rows, of which three are not valid. */
const TABLE = 'name,lat,lon\nA,10,121\nB,n/a,121\nC,11,122\nD,12\nE,13,300\nF,14,123\n';
const INVALID = [
  { place: 'line 3', column: 'lat', value: 'n/a', message: 'lat must be a number (got "n/a")' },
  { place: 'line 5', column: null, value: null, message: 'must have 3 values, as the headings in line 1 (got 2)' },
  { place: 'line 6', column: 'lon', value: '300', message: 'lon must be a longitude from -180 to 180 (got 300)' },
];

const namesIn = async (owner: Headers, id: string) =>
  (await get(`/v1/datasets/${id}?includeFeatures=true`, owner)).body.data.features.map(
    ({ properties }: Body) => properties.name,
  );

describe('a table with rows that are not valid', () => {
  it.each([{}, { on_invalid: 'refuse' }, { on_invalid: '', feature_storage: 'features_and_r2' }])(
    'is refused with all of them: %j',
    async (fields) => {
      const { session } = await person();
      const before = await unpublishedFiles();
      const { status, body } = await upload(session, 'health.csv', TABLE, fields as Record<string, string>);
      expect([status, body]).toEqual([
        422,
        {
          code: 'invalid_file',
          message:
            'file: lat must be a number (got "n/a") (line 3). 2 more are not valid. on_invalid=skip stores the other 3.',
          invalid_rows: { count: 3, valid: 3, rows: INVALID },
        },
      ]);
      await leavesNoFiles(before);
      expect((await get('/v1/datasets', session)).body.data).toEqual([]);
    },
  );

  it('is refused with all cells of a row that are wrong, and with what is empty', async () => {
    const { session } = await person();
    const { body } = await upload(session, 'health.csv', 'name,lat,lon\nA,n/a,east\nB,10,\nC,10,121\n');
    expect(body.invalid_rows).toEqual({
      count: 2,
      valid: 1,
      rows: [
        { place: 'line 2', column: 'lat', value: 'n/a', message: 'lat must be a number (got "n/a")' },
        { place: 'line 2', column: 'lon', value: 'east', message: 'lon must be a number (got "east")' },
        { place: 'line 3', column: 'lon', value: '', message: 'lon is empty' },
      ],
    });
  });

  it('is refused with the column of a latitude that is a longitude', async () => {
    const { session } = await person();
    const { body } = await upload(session, 'health.csv', 'name,lat,lon\nA,121.01,14.5\nB,10,121\n');
    const message = 'lat must be a latitude from -90 to 90 (got 121.01, as if longitude and latitude were swapped)';
    expect(body.invalid_rows.rows).toEqual([{ place: 'line 2', column: 'lat', value: '121.01', message }]);
  });

  it.each([
    ['before', [['on_invalid', 'skip']], []],
    [
      'before, where features are required,',
      [
        ['on_invalid', 'skip'],
        ['feature_storage', 'features_and_r2'],
      ],
      [],
    ],
    ['behind', [], [['on_invalid', 'skip']]],
    ['behind, where features are required,', [['feature_storage', 'features_and_r2']], [['on_invalid', 'skip']]],
  ] as [string, [string, string][], [string, string][]][])(
    'is stored without them, where the field stands %s the file',
    async (_, before, behind) => {
      const { session } = await person();
      const { status, body } = await sendForm(session, formOf([...before, ['file', 'health.csv', TABLE], ...behind]));
      expect([status, body.data.feature_count, body.meta]).toEqual([
        200,
        3,
        { skipped: { count: 3, valid: 3, rows: INVALID } },
      ]);
      expect(await namesIn(session, body.data.id)).toEqual(['A', 'C', 'F']);
    },
  );

  it('tells a hundred of them, and counts all', async () => {
    const { session } = await person();
    const rows = Array.from({ length: 3000 }, (_, i) => `${i},${i % 10 === 0 ? 'north' : 10},121`);
    const { body } = await upload(session, 'a.csv', ['n,lat,lon', ...rows].join('\n'), { on_invalid: 'skip' });
    expect([body.data.feature_count, body.meta.skipped.count, body.meta.skipped.rows.length]).toEqual([2700, 300, 100]);
  });

  it.each([{ on_invalid: 'skip' }, { on_invalid: 'refuse', feature_storage: 'features_and_r2' }])(
    'is refused without reading on where too many rows are not valid: %j',
    async (fields) => {
      const { session } = await person();
      const rows = Array.from({ length: 30_000 }, (_, i) => (i === 0 ? '10,121' : 'north,121'));
      const { status, body } = await upload(
        session,
        'a.csv',
        ['lat,lon', ...rows].join('\n'),
        fields as Record<string, string>,
      );
      expect([status, body.code, body.invalid_rows.count, body.invalid_rows.rows.length]).toEqual([
        422,
        'invalid_file',
        10_001,
        100,
      ]);
      expect(body.message).toMatch(/The rest was not read: at most 10000 can be left out\.$/);
    },
  );

  it('of a file that is refused no more rows are read than one may have', async () => {
    const { session } = await person();
    const { status, body } = await upload(session, 'a.csv', `lat,lon\nnorth,1\n${'1,2\n'.repeat(1_000_001)}`);
    expect([status, body.message]).toEqual([422, 'file: has more than 1000000 features.']);
  });

  it('says that rows may have been left out where it is sent again with its Idempotency-Key', async () => {
    const { session } = await person();
    const owner = { ...session, 'Idempotency-Key': crypto.randomUUID() };
    const first = await upload(owner, 'a.csv', TABLE, { on_invalid: 'skip' });
    const again = await upload(owner, 'a.csv', TABLE, { on_invalid: 'skip' });
    expect([first.body.meta.skipped.count, again.body.data.id]).toEqual([3, first.body.data.id]);
    expect(again.body.meta.notices).toEqual([
      expect.objectContaining({ code: 'rows_maybe_skipped', parameter: 'on_invalid' }),
    ]);
    const whole = { ...session, 'Idempotency-Key': crypto.randomUUID() };
    await upload(whole, 'b.csv', 'lat,lon\n1,2\n');
    expect((await upload(whole, 'b.csv', 'lat,lon\n1,2\n')).body).not.toHaveProperty('meta');
  });

  it('is refused where no row is valid, though they are to be left out', async () => {
    const { session } = await person();
    const { status, body } = await upload(session, 'a.csv', 'lat,lon\nx,1\ny,2\n', { on_invalid: 'skip' });
    expect([status, body.code, body.message, body.invalid_rows.count]).toEqual([
      422,
      'invalid_file',
      'file: lat must be a number (got "x") (line 2). 1 more is not valid.',
      2,
    ]);
  });

  it('is stored as a file with all of them', async () => {
    const { session } = await person();
    const fields = { on_invalid: 'skip', feature_storage: 'r2_only' };
    const { status, body } = await upload(session, 'a.csv', TABLE, fields);
    expect([status, body.data.feature_count, body.meta]).toEqual([200, 0, undefined]);
  });
});

it('features that are not valid are named by their number and member', async () => {
  const { session } = await person();
  const at = (coordinates: unknown) => feature(1, { geometry: { type: 'Point', coordinates } });
  const texts = [feature(0), at([14.6, 121]), at([121])].map((it) => JSON.stringify(it));
  const { body } = await upload(session, 'a.geojson', `{"type":"FeatureCollection","features":[${texts.join(',')}]}`);
  const reason = 'must be a latitude from -90 to 90 (got 121, as if longitude and latitude were swapped)';
  expect(body.invalid_rows.rows).toEqual([
    { place: 'feature 2', column: 'geometry.coordinates[1]', value: '121', message: reason },
    {
      ...{ place: 'feature 3', column: 'geometry.coordinates', value: null },
      message: 'must have two or three numbers (got 1)',
    },
  ]);
});

it('a table of WKT has its column and what is in it', async () => {
  const { session } = await person();
  const { body } = await upload(session, 'a.csv', 'wkt\nPOINT (1 2)\n"LINESTRING (1 2, 3 95)"\n');
  expect(body.invalid_rows.rows).toEqual([
    {
      ...{ place: 'line 3', column: 'wkt', value: 'LINESTRING (1 2, 3 95)' },
      message:
        'wkt coordinates[1][1] must be a latitude from -90 to 90 (got 95, as if longitude and latitude were swapped)',
    },
  ]);
});

it.each([
  ['a.geojson', (texts: string[]) => `{"type":"FeatureCollection","features":[${texts.join(',')}]}`, 'features[1]'],
  ['a.ndjson', (texts: string[]) => texts.join('\n'), '(line 2)'],
])('features of %s that are not valid are left out', async (name, fileOf, place) => {
  const { session } = await person();
  const wrong = feature(1, { geometry: { type: 'Point', coordinates: [121] } });
  const file = fileOf([feature(0), wrong, feature(2), feature(3, { properties: 7 })].map((it) => JSON.stringify(it)));
  const refused = await upload(session, name, file);
  expect([refused.status, refused.body.code, refused.body.invalid_rows.count]).toEqual([422, 'invalid_geometry', 2]);
  expect(refused.body.message).toContain(place);
  const { body } = await upload(session, name, file, { on_invalid: 'skip' });
  expect([body.data.feature_count, body.meta.skipped.count]).toEqual([2, 2]);
  expect(await namesIn(session, body.data.id)).toEqual(['Ñ 0', 'Ñ 2']);
});

it('of other formats nothing is left out, and the answer says so', async () => {
  const { session } = await person();
  const kml = '<kml><Placemark><Point><coordinates>121,14</coordinates></Point></Placemark></kml>';
  const { status, body } = await upload(session, 'a.kml', kml, { on_invalid: 'skip' });
  expect([status, body.code]).toEqual([422, 'invalid_file']);
  expect(body.message).toMatch(/^on_invalid: must be left out \(got "skip"\): a KML /);
  const unknown = await upload(session, 'a.csv', TABLE, { on_invalid: 'drop' });
  expect(unknown.status).toBe(422);
  expect(JSON.stringify(unknown.body)).toContain('must be one of refuse, skip');
});

it('fields of a form that no upload has are named, and change nothing', async () => {
  const { session } = await person();
  const csv = 'name,lat,lon\na,14,121\n';
  const { status, headers, body } = await upload(session, 'a.csv', csv, { visibility: 'everyone', oninvalid: 'skip' });
  expect([status, body.data.visibility]).toEqual([200, 'private']);
  expect(headers.get('X-Unknown-Parameters')).toBe('visibility, oninvalid');
  expect(body.meta.notices).toMatchObject([
    { code: 'parameter_unknown', parameter: 'visibility' },
    { code: 'parameter_unknown', parameter: 'oninvalid' },
  ]);
  expect((await upload(session, 'a.csv', csv)).body.meta).toBeUndefined();
});
