import { describe, expect, it } from 'vitest';
import { type Body, get, send } from '../support/api.ts';
import { featuresOf, newDataset, point } from '../support/datasets.ts';
import { newKey, person } from '../support/people.ts';
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
    expect(textOf(await fileOf(session, id))).toBe(collection(2));
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
      expect(textOf(await fileOf(session, id))).toBe(collection(3));
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
    // Whose dataset it is comes before what is wrong with the file.
    const unread = await sendForm(other.session, formOf([['file', 'b.txt', 'x'], ...fields]));
    expect([unread.status, unread.body.code]).toEqual([403, 'forbidden']);
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
