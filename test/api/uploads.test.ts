import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { get, MASTER } from '../support/api.ts';
import { isStored } from '../support/bucket.ts';
import { featuresOf, point } from '../support/datasets.ts';
import { person } from '../support/people.ts';
import { database } from '../support/sql.ts';
import {
  collection,
  type Field,
  feature,
  fileOf,
  formOf,
  leavesNoFiles,
  sendForm,
  textOf,
  unpublishedFiles,
  upload,
} from '../support/uploads.ts';

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
    expect(textOf(await fileOf(session, body.data.id))).toBe('lat,lon\n1,2\n');
  });

  it('larger than a part is stored in parts', async () => {
    const { session } = await person();
    const large = JSON.stringify({
      type: 'FeatureCollection',
      features: Array.from({ length: 6 }, (_, i) => feature(i, { properties: { text: 'é'.repeat(500_000) } })),
    });
    const { body } = await upload(session, 'large.json', large);
    expect(body.data.feature_count).toBe(6);
    expect(textOf(await fileOf(session, body.data.id))).toBe(large);
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
        const { status, body, headers } = await sendForm(session, formOf(order));
        expect(headers.get('Deprecation')).toBe(field[0] === 'materialize_features' ? '@1767225600' : null);
        expect([status, body.data?.feature_count]).toEqual([200, storage === 'r2_only' ? 0 : 3]);
        expect(textOf(await fileOf(session, body.data.id))).toBe(collection(3));
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
        expect(textOf(await fileOf(session, body.data.id))).toBe(content);
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

  it('name a reference system that there is, also behind a file whose features are not wanted', async () => {
    const { session } = await person();
    const before = await unpublishedFiles();
    const form = formOf([
      ['file', 'a.geojson', collection(1)],
      ['feature_storage', 'r2_only'],
      ['srid', '94327'],
    ]);
    const { status, body } = await sendForm(session, form);
    expect([status, body.code]).toEqual([422, 'unsupported_srid']);
    await leavesNoFiles(before);
  });

  it('name no other owner but for the administrator', async () => {
    const [me, other] = [await person(), await person()];
    const refused = await upload(me.session, 'a.geojson', collection(1), { user_email: other.email });
    expect([refused.status, refused.body.code]).toEqual([422, 'owner_not_allowed']);
    const { body } = await upload(MASTER, 'a.geojson', collection(1), { user_email: other.email });
    expect((await get(`/v1/datasets/${body.data.id}`, other.session)).status).toBe(200);
  });
});
