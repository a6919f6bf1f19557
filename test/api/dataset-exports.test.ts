import { describe, expect, it, vi } from 'vitest';
import { get, send } from '../support/api.ts';
import { featuresOf, newDataset, point } from '../support/datasets.ts';
import { triangle } from '../support/geometries.ts';
import { person } from '../support/people.ts';
import { upload } from '../support/uploads.ts';

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
        geom: triangle(),
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

  it.each(['geojson', 'ndjson', 'csv'])(
    'of nothing or of a large feature can be uploaded again as %s',
    async (format) => {
      const { session } = await person();
      const large = { geom: point(121, 14), properties: { text: 'x "y", '.repeat(200_000) } };
      for (const features of [[], [large]]) {
        const { id } = await newDataset(session, { features });
        const { text } = await get(`/v1/datasets/${id}/export?format=${format}`, session);
        const { status, body } = await upload(session, `a.${format}`, text);
        expect([status, body.data?.feature_count]).toEqual([200, features.length]);
      }
    },
  );

  it('of a dataset without features is empty', async () => {
    const { session } = await person();
    const { id } = await newDataset(session);
    expect((await get(`/v1/datasets/${id}/export`, session)).body.features).toEqual([]);
    expect((await get(`/v1/datasets/${id}/export?format=csv`, session)).text).toBe('id,wkt\r\n');
    expect((await get(`/v1/datasets/${id}/export?format=kml`, session)).status).toBe(422);
    expect((await get(`/v1/datasets/${id}/export`, (await person()).session)).status).toBe(404);
  });
});

describe('a table', () => {
  it('has every value as it is stored, and can be uploaded as it is', async () => {
    const { session } = await person();
    const properties = [
      '{"constructor":1,"n":9007199254740993,"id":"mine","wkt":"POINT (0 0)","geometry":null}',
      '{"toString":"x","n":1.10,"list":[12345678901234567890,1.0],"a;b;c|d":"e;f"}',
      '{" n":"other","__proto__":3,"n":-1e3}',
    ];
    const lines = properties.map(
      (text, i) => `{"type":"Feature","id":${12345678901234567890n + BigInt(i)},"geometry":null,"properties":${text}}`,
    );
    const { body } = await upload(session, 'a.ndjson', `${lines.join('\n')}\n`);
    const { text, headers } = await get(`/v1/datasets/${body.data.id}/export?format=csv`, session);
    expect(headers.get('X-Renamed-Columns')).toBe(
      'id=property_id; wkt=property_wkt; geometry=property_geometry; %20n=n_2',
    );
    expect(headers.get('Access-Control-Expose-Headers')).toContain('X-Renamed-Columns');
    expect(text.split('\r\n')).toEqual([
      'id,constructor,n,property_id,property_wkt,property_geometry,toString,list,"a;b;c|d",n_2,__proto__,wkt',
      '12345678901234567890,1,9007199254740993,mine,POINT (0 0),,,,,,,',
      '12345678901234567891,,1.10,,,,x,"[12345678901234567890,1.0]",e;f,,,'.replace('e;f', '"e;f"'),
      '12345678901234567892,,-1e3,,,,,,,other,3,',
      '',
    ]);
    const again = await upload(session, 'a.csv', text);
    expect([again.status, again.body.data?.feature_count]).toEqual([200, 3]);
    const [first] = await featuresOf(session, again.body.data.id);
    expect(first).toMatchObject({ geom: null, properties: { n: '9007199254740993', property_wkt: 'POINT (0 0)' } });
  });

  it('names as many renamed columns as a header takes, and none where there is none', async () => {
    const { session } = await person();
    const long = Array.from({ length: 60 }, (_, i) => [`${' '.repeat(i + 1)}${'ñ'.repeat(100)}`, i]);
    const { id } = await newDataset(session, { features: [{ geom: null, properties: Object.fromEntries(long) }] });
    const renamed = async (format: string) =>
      (await get(`/v1/datasets/${id}/export?format=${format}`, session)).headers.get('X-Renamed-Columns');
    expect(await renamed('csv')).toMatch(/^%20%C3%B1.{100,4000}; \.\.\.$/);
    expect(await renamed('geojson')).toBeNull();
    const ofOne = async (name: string) => {
      const dataset = await newDataset(session, { features: [{ geom: null, properties: { [name]: 1 } }] });
      return (await get(`/v1/datasets/${dataset.id}/export?format=csv`, session)).headers.get('X-Renamed-Columns');
    };
    expect(await ofOne(` ${'地'.repeat(250)}`)).toBe('...');
    expect(await ofOne('n')).toBeNull();
  });

  it('is made without reading what stands within properties', async () => {
    const { session } = await person();
    const numbers = `[${'1.50,'.repeat(200_000)}9]`;
    const feature = `{"type":"Feature","geometry":null,"properties":{"numbers":${numbers},"name":"\\u00d1"}}`;
    const { body } = await upload(session, 'a.ndjson', feature);
    const parse = vi.spyOn(JSON, 'parse');
    const { text } = await get(`/v1/datasets/${body.data.id}/export?format=csv`, session);
    const parsed = parse.mock.calls.map(([json]) => json);
    parse.mockRestore();
    expect(text.split('\r\n')[1]?.replace(/^[\da-f-]+,/, '')).toBe(`"${numbers}",Ñ,`);
    expect(parsed).toContain('"\\u00d1"');
    expect(parsed.filter((json) => json.includes('1.50,1.50'))).toEqual([]);
  });

  it('has properties that are no object as their value', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, {
      features: [{ geom: point(1, 1), properties: [1, 'a'] }, { geom: point(2, 2) }],
    });
    const [, plain] = await featuresOf(session, id);
    await send('PATCH', `/v1/features/${plain.id}`, session, { properties: 'text' });
    const { text } = await get(`/v1/datasets/${id}/export?format=csv`, session);
    const rows = text.split('\r\n').map((row) => row.replace(/^[\da-f-]{36},/, ''));
    expect(rows).toEqual(['id,value,wkt', '"[1,""a""]",POINT (1 1)', 'text,POINT (2 2)', '']);
  });

  it('goes on over several pages', async () => {
    const { session } = await person();
    const features = Array.from({ length: 4500 }, (_, i) => ({ geom: point(1, 1), properties: { i } }));
    const { id } = await newDataset(session, { features });
    const { text } = await get(`/v1/datasets/${id}/export?format=csv`, session);
    const rows = text.split('\r\n').slice(1, -1);
    expect(rows.map((row) => Number(row.split(',')[1]))).toEqual(features.map((_, i) => i));
  });
});

describe('deleting a dataset', () => {
  it('deletes it with its features, and only its owner may', async () => {
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
