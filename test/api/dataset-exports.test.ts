import { describe, expect, it } from 'vitest';
import { get } from '../support/api.ts';
import { newDataset, point, send } from '../support/datasets.ts';
import { person } from '../support/people.ts';

describe('an export', () => {
  it('is GeoJSON, newline-delimited GeoJSON or CSV', async () => {
    const { session } = await person();
    const features = [
      { geom: point(121, 14), properties: { name: 'a, "b"', n: 1 } },
      {
        geom: {
          type: 'LineString',
          coordinates: [
            [1, 2, 3],
            [4, 5, 6],
          ],
        },
        properties: { n: null, list: [1], name: 'x\ny' },
      },
      {
        geom: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, 0],
              [1, 1],
              [0, 0],
            ],
          ],
        },
        properties: null,
      },
      { geom: { type: 'GeometryCollection', geometries: [point(1, 1)] } },
    ];
    const { id } = await newDataset(session, { name: 'Wells "of" Ñ', features });
    const ids = (await get(`/v1/features/dataset/${id}`, session)).body.data.map(
      (feature: { id: string }) => feature.id,
    );

    const collection = await get(`/v1/datasets/${id}/export`, session);
    expect(collection.headers.get('Content-Disposition')).toBe(
      'attachment; filename="Wells _of_ _.geojson"; filename*=UTF-8\'\'Wells%20%22of%22%20%C3%91.geojson',
    );
    expect(collection.body.features.map((feature: { geometry: unknown }) => feature.geometry)).toEqual(
      features.map(({ geom }) => geom),
    );

    const { text } = await get(`/v1/datasets/${id}/export?format=ndjson`, session);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(collection.body.features);

    const csv = await get(`/v1/datasets/${id}/export?format=csv`, session);
    expect(csv.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(csv.text).toBe(
      [
        'id,name,n,list,wkt',
        `${ids[0]},"a, ""b""",1,,POINT (121 14)`,
        `${ids[1]},"x\ny",,[1],"LINESTRING Z (1 2 3, 4 5 6)"`,
        `${ids[2]},,,,"POLYGON ((0 0, 1 0, 1 1, 0 0))"`,
        `${ids[3]},,,,GEOMETRYCOLLECTION (POINT (1 1))`,
        '',
      ].join('\r\n'),
    );
  });

  it('of a dataset without features is empty', async () => {
    const { session } = await person();
    const { id } = await newDataset(session);
    expect((await get(`/v1/datasets/${id}/export`, session)).body.features).toEqual([]);
    expect((await get(`/v1/datasets/${id}/export?format=csv`, session)).text).toBe('id,wkt\r\n');
    expect((await get(`/v1/datasets/${id}/export?format=shp`, session)).status).toBe(422);
    expect((await get(`/v1/datasets/${id}/export`, (await person()).session)).status).toBe(404);
  });
});

describe('deleting a dataset', () => {
  it('removes it with its features, for its owner only', async () => {
    const [owner, other] = [await person(), await person()];
    const { id } = await newDataset(owner.session, { is_public: true, features: [{ geom: point(1, 1) }] });
    const [feature] = (await get(`/v1/features/dataset/${id}`, owner.session)).body.data;
    expect((await send('DELETE', `/v1/datasets/${id}`, other.session)).body.code).toBe('forbidden');
    const { status, body } = await send('DELETE', `/v1/datasets/${id}`, owner.session);
    expect([status, typeof body.message]).toEqual([200, 'string']);
    for (const path of [`/v1/datasets/${id}`, `/v1/features/${feature.id}`, `/v1/datasets/${id}/export`]) {
      expect((await get(path, owner.session)).status).toBe(404);
    }
    expect((await send('DELETE', `/v1/datasets/${id}`, owner.session)).status).toBe(404);
  });

  it('without a stored file has no file to give', async () => {
    const { session } = await person();
    const { id } = await newDataset(session);
    const { status, body } = await get(`/v1/datasets/${id}/file`, session);
    expect([status, body.code]).toEqual([404, 'file_not_found']);
  });
});
