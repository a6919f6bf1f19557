import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type Body, get, post, send } from '../support/api.ts';
import { featuresOf, newDataset, point } from '../support/datasets.ts';
import { square } from '../support/geometries.ts';
import { type Headers, person } from '../support/people.ts';
import { database } from '../support/sql.ts';

async function newFeature(owner: Headers, dataset_id: string, geom: object, properties: unknown = null): Promise<Body> {
  const { status, body, text } = await post('/v1/features', { dataset_id, geom, properties }, owner);
  if (status !== 200) throw new Error(`No feature was made: ${text}`);
  return body.data;
}

const datasetOf = async (owner: Headers, id: string) => (await get(`/v1/datasets/${id}`, owner)).body.data;

describe('a feature', () => {
  it('is created, read, changed and deleted', async () => {
    const { session } = await person();
    const { id: dataset } = await newDataset(session);
    const made = await newFeature(session, dataset, point(121, 14.5), { name: 'Ñ', n: 0.1 });
    expect(made).toMatchObject({ dataset_id: dataset, geom: point(121, 14.5), properties: { name: 'Ñ' } });
    expect((await get(`/v1/features/${made.id}`, session)).body).toEqual({ data: made, error: null });

    const { body } = await send('PATCH', `/v1/features/${made.id}`, session, { properties: [1, 2] });
    expect(body.data).toMatchObject({ geom: made.geom, properties: [1, 2] });
    expect((await send('PATCH', `/v1/features/${made.id}`, session, { props: {} })).status).toBe(422);
    const moved = await send('PATCH', `/v1/features/${made.id}`, session, { geometry: square(1, 1, 2, 2) });
    expect(moved.body.data).toMatchObject({ geom: square(1, 1, 2, 2), properties: [1, 2] });

    const gone = await send('DELETE', `/v1/features/${made.id}`, session);
    expect([gone.status, typeof gone.body.message]).toEqual([200, 'string']);
    expect((await get(`/v1/features/${made.id}`, session)).body.code).toBe('feature_not_found');
    expect((await send('DELETE', `/v1/features/${made.id}`, session)).status).toBe(404);
  });

  it('may be created without a geometry, and be given one and lose it later', async () => {
    const { session } = await person();
    const { id: dataset } = await newDataset(session);
    for (const name of ['geom', 'geometry']) {
      const { status, body } = await post('/v1/features', { dataset_id: dataset, [name]: null }, session);
      expect([status, body.data?.geom]).toEqual([200, null]);
      const path = `/v1/features/${body.data.id}`;
      expect((await send('PATCH', path, session, { geom: point(121, 14) })).body.data.geom).toEqual(point(121, 14));
      expect((await datasetOf(session, dataset)).bbox).toEqual([121, 14, 121, 14]);
      expect((await send('PATCH', path, session, { [name]: null })).body.data.geom).toBeNull();
      expect((await datasetOf(session, dataset)).bbox).toBeNull();
    }
  });

  it.each([
    ['POST', { geom: null, geometry: null }, 'left out where geometry is null too'],
    ['POST', { geom: point(1, 1), geometry: point(1, 1) }, 'not both'],
    ['POST', {}, 'not neither'],
    ['PATCH', { geom: null, geometry: null }, 'left out where geometry is null too'],
  ])('%s with %j is refused: %s', async (method, given, words) => {
    const { session } = await person();
    const { id: dataset_id } = await newDataset(session);
    const { id } = await newFeature(session, dataset_id, point(1, 1));
    const path = method === 'POST' ? '/v1/features' : `/v1/features/${id}`;
    const { status, body } = await send(method, path, session, { dataset_id, ...given });
    expect([status, body.error?.issues[0].message]).toEqual([422, expect.stringContaining(words)]);
  });

  it.each([
    [{}, 'ready'],
    [{ status: 'checked' }, 'checked'],
  ])('that is the first of a dataset %j leaves it %s', async (input, status) => {
    const { session } = await person();
    const { id } = await newDataset(session, input);
    await newFeature(session, id, point(1, 1));
    expect((await datasetOf(session, id)).status).toBe(status);
  });

  it('keeps the third dimension and the digits of its geometry, and drops members that are no part of one', async () => {
    const { session } = await person();
    const { id } = await newDataset(session);
    const geom = {
      type: 'LineString',
      coordinates: [
        [120.123456789012, 14, 5.5],
        [121, 14.1, -3],
      ],
    };
    expect((await newFeature(session, id, { ...geom, bbox: [1, 2, 3, 4], name: 'x' })).geom).toEqual(geom);
  });

  it.each(['x', 'a b', '%00', 'ffffffff-ffff-4fff-bfff-ffffffffffff'])('is 404 with the id %s', async (id) => {
    const { session } = await person();
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const { status, body } = await send(method, `/v1/features/${id}`, session, method === 'PATCH' ? {} : undefined);
      expect([status, body.code]).toEqual([404, 'feature_not_found']);
    }
  });

  it('of a dataset that is not there is 404', async () => {
    const { session } = await person();
    const body = { dataset_id: crypto.randomUUID(), geom: point(1, 1) };
    const answer = await post('/v1/features', body, session);
    expect([answer.status, answer.body.code]).toEqual([404, 'dataset_not_found']);
  });

  it('is 422 with the path of what is wrong in its geometry', async () => {
    const { session } = await person();
    const { id } = await newDataset(session);
    const bad = { type: 'GeometryCollection', geometries: [point(1, 1), point(14.5, 121)] };
    const { status, body } = await post('/v1/features', { dataset_id: id, geometry: bad }, session);
    expect([status, body.code]).toEqual([422, 'invalid_geometry']);
    expect(body.message).toContain('geometry.geometries[1].coordinates[1]: must be a latitude');
    expect(body.message).toContain('swapped');
    expect(await datasetOf(session, id)).toMatchObject({ feature_count: 0 });
  });

  it('is 422 with a number in its properties that is too large for a double', async () => {
    const { session } = await person();
    const { id } = await newDataset(session);
    const raw = `{"dataset_id":"${id}","geom":{"type":"Point","coordinates":[1,2]},"properties":{"a":1e400}}`;
    const { status, body } = await post('/v1/features', raw, session);
    expect([status, body.error?.issues[0].path]).toEqual([422, ['properties']]);
  });

  it('keeps all digits of the numbers in its properties', async () => {
    const { session } = await person();
    const properties =
      '{"id":12345678901234567890,"a":[0.1234567890123456789,{"b":-9007199254740993}],"c":1.5,"d":-0.1e-500}';
    const geom = '{"type":"Point","coordinates":[120.98420000000002,14.123456789012345678]}';
    const metadata = '{"survey":98765432109876543210}';
    const made = await post(
      '/v1/datasets',
      ` {"name":"x","metadata":${metadata},"features":[{"geom":null},{"properties":${properties},"geom":${geom}}]}`,
      session,
    );
    expect(made.text).toContain(`"metadata":${metadata}`);
    const { id } = made.body.data;
    const [, first] = await featuresOf(session, id);
    expect((await get(`/v1/features/${first.id}`, session)).text).toContain(`"properties":${properties}`);
    expect(first.geom.coordinates).toEqual([120.98420000000002, 14.123456789012346]);
    const other = await post('/v1/features', `{"dataset_id":"${id}","geom":null,"properties":${properties}}`, session);
    expect(other.text).toContain(`"properties":${properties}`);
    const changed = await send('PATCH', `/v1/features/${first.id}`, session, '{"properties":[9007199254740993]}');
    expect(changed.text).toContain('"properties":[9007199254740993]');
    for (const number of ['-0.12345678901234567890', '0.1e-500']) {
      const described = await send('PATCH', `/v1/datasets/${id}`, session, `{"metadata":${number}}`);
      expect(described.text).toContain(`"metadata":${number}`);
    }
    const csv = await get(`/v1/datasets/${id}/export?format=csv`, session);
    expect(csv.text).toContain('12345678901234567890');
    const deep = `{"dataset_id":"${id}","geom":null,"properties":${'['.repeat(50_000)}12345678901234567890${']'.repeat(50_000)}}`;
    expect((await post('/v1/features', deep, session)).status).toBe(422);
  });

  it.each([
    [{ type: 'Point', coordinates: [] }, 'must have two or three numbers (got 0)'],
    [{ type: 'LineString', coordinates: [] }, 'must have 2 positions or more, being a line (got 0)'],
  ])('with %j is refused, because an empty geometry must be null', async (geometry, rule) => {
    const { session } = await person();
    const { id: dataset_id } = await newDataset(session);
    const { id } = await newFeature(session, dataset_id, point(1, 1));
    const one = await post('/v1/features', { dataset_id, geometry }, session);
    const changed = await send('PATCH', `/v1/features/${id}`, session, { geom: geometry });
    const several = await post('/v1/datasets', { name: 'x', features: [{ geom: null }, { geom: geometry }] }, session);
    expect([one, changed, several].map(({ status, body }) => [status, body.code, body.message])).toEqual(
      ['geometry', 'geom', 'features[1].geom'].map((place) => [
        422,
        'invalid_geometry',
        `${place}.coordinates: ${rule}.`,
      ]),
    );
  });

  it('on both sides of the antimeridian makes the bbox of its dataset as wide as the world, and is in a bbox across it', async () => {
    const { session } = await person();
    const ringsBetween = (west: number, east: number) => [
      [
        [west, 1],
        [east, 1],
        [east, 2],
        [west, 2],
        [west, 1],
      ],
    ];
    const geom = { type: 'MultiPolygon', coordinates: [ringsBetween(179, 180), ringsBetween(-180, -179)] };
    const { id } = await newDataset(session, { features: [{ geom }] });
    expect((await datasetOf(session, id)).bbox).toEqual([-180, 1, 180, 2]);
    const { body } = await get(`/v1/features/dataset/${id}?bbox=178,0,-178,3`, session);
    expect(body.data).toHaveLength(1);
  });

  it('has no geometry where a list of positions is empty, and is on the edge of the world where rounding led it beyond', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, {
      features: [
        { geom: { type: 'MultiPoint', coordinates: [] } },
        {
          geom: {
            type: 'LineString',
            coordinates: [
              [180.00001, -90.00001],
              [-180.000001, 1],
            ],
            bbox: null,
          },
        },
      ],
    });
    expect((await featuresOf(session, id)).map(({ geom }) => geom)).toEqual([
      null,
      {
        type: 'LineString',
        coordinates: [
          [180, -90],
          [-180, 1],
        ],
      },
    ]);
    expect(await datasetOf(session, id)).toMatchObject({ geometry_type: 'LINESTRING', bbox: [-180, -90, 180, 1] });
    const mercator = { type: 'Point', coordinates: [20037508.3428, 0] };
    const { id: web } = await newDataset(session, { srid: 3857, features: [{ geom: mercator }] });
    expect((await featuresOf(session, web))[0].geom.coordinates[0]).toBeCloseTo(180, 9);
    const bad = await post('/v1/features', { dataset_id: id, geom: { ...point(1, 2), bbox: [1, 2, 3] } }, session);
    expect([bad.status, bad.body.code]).toEqual([422, 'invalid_geometry']);
    expect(bad.body.message).toContain('geom.bbox: must be a box');
  });

  it('that is no JSON is 400 with the line and the column', async () => {
    const { session } = await person();
    const { status, body } = await post('/v1/features', '{\n  "geom": nil\n}', session);
    expect([status, body.code, body.message]).toEqual([
      400,
      'invalid_json',
      'The body is not valid JSON (line 2, column 11).',
    ]);
  });

  it('has properties with names of at most 256 characters', async () => {
    const { session } = await person();
    const longest = { ['n'.repeat(256)]: 1 };
    const { id } = await newDataset(session, { features: [{ geom: null, properties: longest }] });
    const [made] = await featuresOf(session, id);
    const tooLong = { ok: 1, [`long${'n'.repeat(253)}`]: 2 };
    for (const [method, path, body] of [
      ['POST', '/v1/datasets', { name: 'x', features: [{ geom: null }, { geom: null, properties: tooLong }] }],
      ['POST', '/v1/features', { dataset_id: id, geom: null, properties: tooLong }],
      ['PATCH', `/v1/features/${made?.id}`, { properties: tooLong }],
    ] as const) {
      const { status, body: refusal } = await send(method, path, session, body);
      expect([method, path, status]).toEqual([method, path, 422]);
      const [issue] = refusal.error.issues;
      expect(issue.path.at(-1)).toBe('properties');
      expect(issue.message).toContain('names of at most 256 characters, not of 257 as "longnnn');
      expect(issue.message.length).toBeLessThan(200);
    }
    expect(await featuresOf(session, id)).toEqual([made]);
  });

  it('of somebody else is 404 while private, and 403 to write once public', async () => {
    const [owner, other] = [await person(), await person()];
    const { id: dataset } = await newDataset(owner.session);
    const { id } = await newFeature(owner.session, dataset, point(1, 1));
    const tries = async () => {
      const answers = [
        await get(`/v1/features/${id}`, other.session),
        await send('PATCH', `/v1/features/${id}`, other.session, { properties: 1 }),
        await send('DELETE', `/v1/features/${id}`, other.session),
        await post('/v1/features', { dataset_id: dataset, geom: point(1, 1) }, other.session),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await tries()).toEqual([404, 404, 404, 404]);
    await send('PATCH', `/v1/datasets/${dataset}`, owner.session, { is_public: true });
    expect(await tries()).toEqual([200, 403, 403, 403]);
    expect(await featuresOf(owner.session, dataset)).toMatchObject([{ properties: null }]);
    expect((await get('/v1/features', other.session)).body.data).toEqual([]);
  });

  it('moves to another dataset of its owner, and to nobody else', async () => {
    const [me, other] = [await person(), await person()];
    const [from, to] = [await newDataset(me.session), await newDataset(me.session)];
    const theirs = await newDataset(other.session);
    const { id } = await newFeature(me.session, from.id, point(5, 5), { a: 1 });
    await newFeature(me.session, from.id, point(1, 1));
    const refused = await send('PATCH', `/v1/features/${id}`, me.session, { dataset_id: theirs.id });
    expect([refused.status, refused.body.code]).toEqual([404, 'dataset_not_found']);
    const moved = await send('PATCH', `/v1/features/${id}`, me.session, { dataset_id: to.id });
    expect(moved.body.data).toMatchObject({ dataset_id: to.id, properties: { a: 1 } });
    expect(await datasetOf(me.session, from.id)).toMatchObject({ feature_count: 1, bbox: [1, 1, 1, 1] });
    expect(await datasetOf(me.session, to.id)).toMatchObject({ feature_count: 1, bbox: [5, 5, 5, 5], status: 'ready' });
    const { status, text } = await get(`/v1/datasets/${to.id}/export?format=csv`, me.session);
    expect([status, text.split('\r\n')[0]]).toEqual([200, 'id,a,wkt']);
  });
});

describe('the summary of the features of a dataset', () => {
  it('is correct after every write', async () => {
    const { session } = await person();
    const { id } = await newDataset(session);
    const far = await newFeature(session, id, square(10, 10, 12, 12), { name: 'far' });
    await newFeature(session, id, square(1, 1, 2, 2));
    const before = await datasetOf(session, id);
    expect(before).toMatchObject({ feature_count: 2, bbox: [1, 1, 12, 12], geometry_type: 'POLYGON' });

    await send('PATCH', `/v1/features/${far.id}`, session, { geom: square(3, 0, 4, 5) });
    expect(await datasetOf(session, id)).toMatchObject({ bbox: [1, 0, 4, 5], feature_count: 2 });
    await send('PATCH', `/v1/features/${far.id}`, session, { geom: point(0, 0) });
    expect(await datasetOf(session, id)).toMatchObject({ bbox: [0, 0, 2, 2], geometry_type: 'GEOMETRY' });
    await send('DELETE', `/v1/features/${far.id}`, session);
    const after = await datasetOf(session, id);
    expect(after).toMatchObject({ feature_count: 1, bbox: [1, 1, 2, 2], geometry_type: 'POLYGON' });
    const [last] = await featuresOf(session, id);
    expect(after.size_bytes).toBe(JSON.stringify(last.geom).length + 'null'.length);
    await send('DELETE', `/v1/features/${last.id}`, session);
    expect(await datasetOf(session, id)).toMatchObject({
      feature_count: 0,
      bbox: null,
      geometry_type: null,
      size_bytes: 0,
    });
  });

  it('is computed again only if a feature has left an edge of the bbox', async () => {
    const { session } = await person();
    const { id } = await newDataset(session);
    const far = await newFeature(session, id, square(10, 10, 12, 12), { name: 'far' });
    await newFeature(session, id, square(1, 1, 2, 2));
    // No feature gives this bbox, so it shows whether the bbox was computed from them again.
    await database.execute(sql`update datasets set bbox = '{1.5,1.5,11,11}' where id = ${id}`);
    const change = async (body: object) => {
      await send('PATCH', `/v1/features/${far.id}`, session, body);
      return (await datasetOf(session, id)).bbox;
    };
    expect(await change({ properties: { name: 'farther' } })).toEqual([1.5, 1.5, 11, 11]);
    expect(await change({ geom: square(10, 10, 12, 12) })).toEqual([1.5, 1.5, 11, 11]);
    expect(await change({ geom: square(3, 3, 13, 14), dataset_id: id })).toEqual([1.5, 1.5, 13, 14]);
    expect(await change({ geom: square(3, 3, 4, 14) })).toEqual([1, 1, 4, 14]);
  });

  it('is correct after many concurrent writes', async () => {
    const { session } = await person();
    const { id } = await newDataset(session);
    const made = await Promise.all(Array.from({ length: 12 }, (_, i) => newFeature(session, id, point(i, i), { i })));
    await Promise.all([
      ...made.slice(0, 4).map((feature) => send('DELETE', `/v1/features/${feature.id}`, session)),
      ...made
        .slice(8)
        .map((feature, i) => send('PATCH', `/v1/features/${feature.id}`, session, { geom: point(5, 5 + i) })),
      newFeature(session, id, point(20, 1)),
    ]);
    expect(await datasetOf(session, id)).toMatchObject({ feature_count: 9, bbox: [4, 1, 20, 8] });
    expect(await featuresOf(session, id)).toHaveLength(9);
  });
});
