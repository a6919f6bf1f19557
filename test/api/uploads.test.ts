import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { type Body, get, MASTER, send } from '../support/api.ts';
import { isStored } from '../support/bucket.ts';
import { featuresOf, newDataset, point } from '../support/datasets.ts';
import { newKey, person } from '../support/people.ts';
import { database } from '../support/sql.ts';
import { type Field, fileOf, formOf, leavesNoFiles, sendForm, unpublishedFiles, upload } from '../support/uploads.ts';

const feature = (i: number, more: object = {}) => ({
  type: 'Feature',
  id: `f${i}`,
  geometry: point(120 + i / 1000, 10),
  properties: { i, name: `Ñ ${i}` },
  ...more,
});
const collection = (count: number) =>
  JSON.stringify({ type: 'FeatureCollection', features: Array.from({ length: count }, (_, i) => feature(i)) });

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('an uploaded GeoJSON file', () => {
  it('becomes a dataset with its features, and comes back byte for byte', async () => {
    const { session } = await person();
    const content = `\ufeff${collection(1100)}\n`;
    const { status, body } = await upload(session, 'Wells of Ñueva.geojson', content);
    expect([status, body.error]).toEqual([200, null]);
    expect(body.data).toMatchObject({
      name: 'Wells of Ñueva.geojson',
      status: 'ready',
      srid: 4326,
      data_type: 'vector',
      feature_count: 1100,
      geometry_type: 'POINT',
      bbox: [120, 10, 121.099, 10],
      size_bytes: new TextEncoder().encode(content).length,
    });
    expect(await isStored(body.data.storage_ref)).toBe(true);
    const features = await featuresOf(session, body.data.id);
    expect(features.map(({ geom, properties }) => [geom, properties])).toEqual(
      Array.from({ length: 1100 }, (_, i) => [feature(i).geometry, feature(i).properties]),
    );
    expect(await fileOf(session, body.data.id)).toEqual(new TextEncoder().encode(content));
    const exported = await get(`/v1/datasets/${body.data.id}/export`, session);
    expect(exported.body).toEqual(JSON.parse(collection(1100)));
  });

  it('has a name that is never cut within a character', async () => {
    const { session } = await person();
    const { status, body } = await upload(session, `${'😀'.repeat(130)}.csv`, 'lat,lon\n1,2\n');
    expect([status, body.data.name.length, body.data.name.isWellFormed()]).toEqual([200, 255, true]);
    expect(text(await fileOf(session, body.data.id))).toBe('lat,lon\n1,2\n');
  });

  it('larger than a part is stored in parts', async () => {
    const { session } = await person();
    const large = JSON.stringify({
      type: 'FeatureCollection',
      features: Array.from({ length: 6 }, (_, i) => feature(i, { properties: { text: 'é'.repeat(500_000) } })),
    });
    const { body } = await upload(session, 'large.json', large);
    expect(body.data.feature_count).toBe(6);
    expect(text(await fileOf(session, body.data.id))).toBe(large);
  });

  it.each<[string, object | string, number]>([
    ['a single Feature', feature(1), 1],
    ['a geometry', point(1, 2), 1],
    [
      'a collection whose type comes last',
      `{"features":[${JSON.stringify(feature(1))}],"type":"FeatureCollection"}`,
      1,
    ],
    ['an empty collection', { type: 'FeatureCollection', features: [] }, 0],
    [
      'features without geometry',
      { type: 'FeatureCollection', features: [feature(1, { geometry: null, properties: null })] },
      1,
    ],
    [
      'a crs that is WGS 84',
      {
        type: 'FeatureCollection',
        crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } },
        features: [feature(1)],
      },
      1,
    ],
  ])('may be %s', async (_, content, count) => {
    const { session } = await person();
    const json = typeof content === 'string' ? content : JSON.stringify(content);
    const { status, body } = await upload(session, 'a.geojson', json);
    expect([status, body.data?.feature_count]).toEqual([200, count]);
  });

  it('keeps numbers and members as they are written', async () => {
    const { session } = await person();
    const raw = '{"big":12345678901234567890, "tiny":1e-400,\n "u":"\\u00f1\\ud83c\\uddf5"}';
    const content = `{"type":"Feature","properties":${raw},"geometry":{"type":"Point","coordinates":[ 1.10, -0 ]}}`;
    const { body } = await upload(session, 'a.geojson', content);
    const { text: answer } = await get(`/v1/features/dataset/${body.data.id}`, session);
    expect(answer).toContain('"big":12345678901234567890, "tiny":1e-400, "u":"\\u00f1\\ud83c\\uddf5"');
    expect(answer).toContain('"coordinates":[1.10,-0]');
  });

  it('in another reference system is transformed', async () => {
    const { session } = await person();
    const content = JSON.stringify(feature(1, { geometry: point(500_000, 1_600_000) }));
    for (const fields of [
      [
        ['srid', '32651'],
        ['file', 'a.geojson', content],
      ],
      [
        ['file', 'a.geojson', content],
        ['srid', '32651'],
      ],
    ] satisfies Field[][]) {
      const { status, body } = await sendForm(session, formOf(fields));
      expect([status, body.data?.srid, body.data?.feature_count]).toEqual([200, 32651, 1]);
      expect(body.data.bbox[0]).toBeCloseTo(123, 8);
    }
  });

  it('may be newline-delimited, with blank lines and record separators', async () => {
    const { session } = await person();
    const lines = [0, 1, 2].map((i) => JSON.stringify(feature(i)));
    for (const content of [
      lines.join('\n'),
      `${lines.join('\r\n\r\n')}\r\n`,
      lines.map((line) => `\u001e${line}\n`).join(''),
    ]) {
      const { status, body } = await upload(session, 'a.ndjson', content);
      expect([status, body.data?.feature_count]).toEqual([200, 3]);
    }
  });
});

describe('the fields of an upload', () => {
  it('may stand before the file or behind it', async () => {
    const { session } = await person();
    const fields: Field[] = [
      ['name', 'Wells'],
      ['description', 'Deep ones'],
      ['data_type', 'data'],
      ['geometry_type', 'WELL'],
      ['status', 'checked'],
      ['feature_storage', 'features_and_r2'],
    ];
    const file: Field = ['file', 'a.geojson', collection(3)];
    for (const order of [
      [...fields, file],
      [file, ...fields],
      [...fields.slice(0, 3), file, ...fields.slice(3)],
    ]) {
      const { body } = await sendForm(session, formOf(order));
      expect(body.data).toMatchObject({
        name: 'Wells',
        description: 'Deep ones',
        data_type: 'data',
        geometry_type: 'WELL',
        status: 'checked',
        feature_count: 3,
      });
    }
  });

  it.each(['r2_only', 'features_and_r2'])('decide whether features are stored: %s', async (storage) => {
    const { session } = await person();
    const file: Field = ['file', 'a.geojson', collection(3)];
    const alias = storage === 'r2_only' ? 'no' : 'yes';
    for (const field of [
      ['feature_storage', storage],
      ['materialize_features', alias],
    ] satisfies Field[]) {
      for (const order of [
        [field, file],
        [file, field],
      ]) {
        const { status, body } = await sendForm(session, formOf(order));
        expect([status, body.data?.feature_count]).toEqual([200, storage === 'r2_only' ? 0 : 3]);
        expect(text(await fileOf(session, body.data.id))).toBe(collection(3));
      }
    }
  });

  it('allow any file where they say that features are not wanted', async () => {
    const { session } = await person();
    const field: Field = ['feature_storage', 'r2_only'];
    for (const [name, content] of [
      ['a.geojson', '{ not JSON'],
      ['photo.tif', 'x'],
      ['', 'y'],
    ] as const) {
      for (const order of [
        [field, ['file', name, content]],
        [['file', name, content], field],
      ] as Field[][]) {
        const { status, body } = await sendForm(session, formOf(order));
        expect([status, body.data?.feature_count]).toEqual([200, 0]);
        expect(text(await fileOf(session, body.data.id))).toBe(content);
      }
    }
  });

  it('refuse the upload where features are not wanted and statements that store them may still arrive', async () => {
    const { session } = await person();
    const mark = crypto.randomUUID();
    // A little more than one statement stores, so that one is sent before the field arrives.
    const lines = Array.from({ length: 1001 }, (_, i) => `${JSON.stringify(feature(i, { properties: { mark } }))}\n`);
    const form = formOf([
      ['file', 'a.ndjson', lines.join('')],
      ['feature_storage', 'r2_only'],
    ]);
    const before = await unpublishedFiles();
    const original = globalThis.fetch;
    const late: (() => Promise<Response>)[] = [];
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      if (!String(init?.body).includes(mark)) return original(input, init);
      late.push(() => original(input, { ...init, signal: null }));
      return Promise.reject(new DOMException('The operation timed out', 'TimeoutError'));
    });
    const { status, body } = await sendForm(session, form);
    fetched.mockRestore();
    expect([status, body.code]).toEqual([503, 'database_timeout']);
    expect(late).toHaveLength(1);
    await late[0]?.();
    expect((await get('/v1/datasets', session)).body.meta.total).toBe(0);
    const { rows } = await database.execute(sql`select from features where properties like ${`%${mark}%`}`);
    expect(rows).toEqual([]);
    await leavesNoFiles(before);
  });

  it.each([
    [{ srid: 'x' }, 'srid'],
    [{ srid: '0' }, 'srid'],
    [{ data_type: 'map' }, 'data_type'],
    [{ user_email: 'me' }, 'user_email'],
    [{ dataset_id: 'x' }, 'dataset_id'],
    [{ feature_storage: 'both' }, 'feature_storage'],
    [{ materialize_features: 'maybe' }, 'materialize_features'],
    [{ name: ' ' }, 'name'],
    [{ dataset_id: crypto.randomUUID() }, 'feature_storage'],
  ])('are refused where they are wrong: %j', async (fields, at) => {
    const { session } = await person();
    for (const order of [
      [...Object.entries(fields), ['file', 'a.geojson', collection(1)]],
      [['file', 'a.geojson', collection(1)], ...Object.entries(fields)],
    ] as Field[][]) {
      const { status, body } = await sendForm(session, formOf(order));
      expect([status, body.error?.issues[0].path]).toEqual([422, [at]]);
    }
    expect((await get('/v1/datasets', session)).body.meta.total).toBe(0);
  });

  it('name no other owner but for the administrator', async () => {
    const [me, other] = [await person(), await person()];
    const refused = await upload(me.session, 'a.geojson', collection(1), { user_email: other.email });
    expect([refused.status, refused.body.code]).toEqual([422, 'owner_not_allowed']);
    const { body } = await upload(MASTER, 'a.geojson', collection(1), { user_email: other.email });
    expect((await get(`/v1/datasets/${body.data.id}`, other.session)).status).toBe(200);
  });
});

describe('an upload into a dataset', () => {
  const replace = { feature_storage: 'features_and_r2' };

  it('sets the type of geometry, also if the record was sent back unchanged before', async () => {
    const { session } = await person();
    const { id } = (await upload(session, 'a.geojson', collection(1))).body.data;
    const { data: record } = (await get(`/v1/datasets/${id}`, session)).body;
    expect(record.geometry_type).toBe('POINT');
    const { body: same } = await send('PATCH', `/v1/datasets/${id}`, session, record);
    expect(same.data.geometry_type).toBe('POINT');
    const line = JSON.stringify(
      feature(1, {
        geometry: {
          type: 'LineString',
          coordinates: [
            [1, 2],
            [3, 4],
          ],
        },
      }),
    );
    const { body } = await upload(session, 'b.geojson', line, { ...replace, dataset_id: id });
    expect(body.data.geometry_type).toBe('LINESTRING');
  });

  it('replaces its features and its file, and nothing else', async () => {
    const { session } = await person();
    const { body: first } = await upload(session, 'a.geojson', collection(3), { name: 'Wells', description: 'x' });
    const { id, created_at } = first.data;
    const said = { is_public: true, metadata: { a: 1 }, data_type: 'data', geometry_type: 'WELL', status: 'checked' };
    await send('PATCH', `/v1/datasets/${id}`, session, said);
    const { body, status } = await upload(session, 'b.geojson', collection(2), { ...replace, dataset_id: id });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id,
      created_at,
      name: 'Wells',
      description: 'x',
      ...said,
      feature_count: 2,
    });
    expect(body.data.storage_ref).not.toBe(first.data.storage_ref);
    expect(await featuresOf(session, id)).toHaveLength(2);
    expect(text(await fileOf(session, id))).toBe(collection(2));
    expect((await get('/v1/features', session)).body.data).toHaveLength(2);
  });

  it.each(['draft', 'processing', 'failed'])(
    'turns a dataset that is %s to ready, unless it says otherwise',
    async (status) => {
      const { session } = await person();
      const { id } = await newDataset(session, { status });
      const statusAfter = async (fields: object) =>
        (await upload(session, 'a.geojson', collection(1), { ...replace, dataset_id: id, ...fields })).body.data.status;
      expect(await statusAfter({})).toBe('ready');
      expect(await statusAfter({ status })).toBe(status);
    },
  );

  it('deletes the features where only the file is wanted', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, { features: [{ geom: point(1, 1) }] });
    const { body } = await upload(session, 'b.geojson', collection(2), { feature_storage: 'r2_only', dataset_id: id });
    expect(body.data).toMatchObject({ id, feature_count: 0, bbox: null, geometry_type: null });
    expect(await featuresOf(session, id)).toEqual([]);
  });

  it('leaves the dataset as it was when the file is wrong', async () => {
    const { session } = await person();
    const { body: first } = await upload(session, 'a.geojson', collection(3));
    const { id } = first.data;
    const broken = collection(2000).slice(0, -3);
    for (const fields of [
      [
        ['dataset_id', id],
        ['feature_storage', 'features_and_r2'],
        ['file', 'b.geojson', broken],
      ],
      [
        ['file', 'b.geojson', broken],
        ['dataset_id', id],
        ['feature_storage', 'features_and_r2'],
      ],
    ] as Field[][]) {
      const files = await unpublishedFiles();
      const { status, body } = await sendForm(session, formOf(fields));
      expect([status, body.code]).toEqual([422, 'invalid_file']);
      await leavesNoFiles(files);
      expect((await get(`/v1/datasets/${id}`, session)).body.data).toEqual(first.data);
      expect(await featuresOf(session, id)).toHaveLength(3);
      expect(text(await fileOf(session, id))).toBe(collection(3));
    }
  });

  it('of somebody else is 404, and 403 where it is public', async () => {
    const [owner, other] = [await person(), await person()];
    const { id } = await newDataset(owner.session, { features: [{ geom: point(1, 1) }] });
    const file: Field = ['file', 'b.geojson', collection(2)];
    const fields: Field[] = [
      ['dataset_id', id],
      ['feature_storage', 'features_and_r2'],
    ];
    const codes = async () => {
      const answers = [
        await sendForm(other.session, formOf([...fields, file])),
        await sendForm(other.session, formOf([file, ...fields])),
      ];
      return answers.map(({ status, body }) => [status, body.code]);
    };
    const files = await unpublishedFiles();
    expect(await codes()).toEqual(Array(2).fill([404, 'dataset_not_found']));
    await send('PATCH', `/v1/datasets/${id}`, owner.session, { is_public: true });
    expect(await codes()).toEqual(Array(2).fill([403, 'forbidden']));
    expect(await featuresOf(owner.session, id)).toHaveLength(1);
    await leavesNoFiles(files);
  });

  it('needs the scope to write', async () => {
    const { session } = await person();
    const { key } = await newKey(session, { scopes: ['read:datasets'] });
    const { status, body } = await upload({ Authorization: `Bearer ${key}` }, 'a.geojson', collection(1));
    expect([status, body.code]).toEqual([403, 'missing_scope']);
  });

  it('and other writes at the same time leave the features of one upload, complete', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, { features: [{ geom: point(1, 1) }] });
    await Promise.all([
      upload(session, 'a.geojson', collection(40), { ...replace, dataset_id: id }),
      upload(session, 'b.geojson', collection(60), { ...replace, dataset_id: id }),
      ...Array.from({ length: 5 }, () => send('POST', '/v1/features', session, { dataset_id: id, geom: point(2, 2) })),
    ]);
    const { body } = await get(`/v1/datasets/${id}?includeFeatures=1`, session);
    const sources = new Set(body.data.features.map(({ properties }: Body) => typeof properties?.i));
    expect(body.data.features).toHaveLength(body.data.feature_count);
    const uploaded = body.data.features.filter(({ properties }: Body) => properties).length;
    expect([40, 60]).toContain(uploaded);
    expect(sources.has('number')).toBe(true);
  });
});

describe('a file that can not be read', () => {
  const featureWith = (members: string) => `{"type":"Feature",${members}}`;
  const located = '"geometry":{"type":"Point","coordinates":[1,2]}';
  const inCollection = (members: string) =>
    `{"type":"FeatureCollection","features":[${JSON.stringify(feature(0))},${featureWith(members)}]}`;
  const before = inCollection('').slice(0, inCollection('').lastIndexOf('{'));
  const from = `from byte ${new TextEncoder().encode(before).length}`;

  it.each<[string, string, string]>([
    ['a.geojson', inCollection(located), `features[1]: properties must be an object or null (RFC 7946, 3.2) (${from})`],
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
    ['a.csv', 'lat,lon,n\n1,2,3\n1,2\n', 'must have 3 values, as the first line has (got 2) (line 3)'],
    ['a.csv', 'lat,lon,n\n1,2,\0\n', 'a property must not contain the character U+0000 (line 2)'],
    ['a.kml', '<kml>\n<Placemark>&x;</Placemark></kml>', 'is no well-formed XML: undefined entity (line 2, column 14)'],
  ])('(%s) for what is no fault of a geometry: %#', async (name, content, message) => {
    const { session } = await person();
    const { status, body } = await upload(session, name, content);
    expect([status, body]).toEqual([422, { code: 'invalid_file', message: `file: ${message}.` }]);
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
      'coordinates[0]: must be a longitude from -180 to 180 (got 200) (line 3).',
      ['coordinates', 0],
    ],
    [
      'a.csv',
      'x,y\n500000,1600000\n',
      'coordinates[0]: must be a longitude from -180 to 180 (got 500000) (line 2). If its coordinates are not in degrees, send the number of their reference system as srid.',
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
    expect([status, body]).toEqual([422, { code: 'invalid_geometry', message: `file: ${message}`, path }]);
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
