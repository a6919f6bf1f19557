import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { type Body, get, MASTER, ORIGIN, post, send } from '../support/api.ts';
import { featuresOf, newDataset, point } from '../support/datasets.ts';
import { type Headers, person } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';
import { database } from '../support/sql.ts';

const square = (w: number, s: number, e: number, n: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [w, s],
      [e, s],
      [e, n],
      [w, n],
      [w, s],
    ],
  ],
});

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
    ['POST', { geom: null, geometry: null }, 'both'],
    ['POST', { geom: point(1, 1), geometry: point(1, 1) }, 'both'],
    ['POST', {}, 'neither'],
    ['PATCH', { geom: null, geometry: null }, 'both'],
  ])('%s with %j is refused: %s of the names', async (method, given, word) => {
    const { session } = await person();
    const { id: dataset_id } = await newDataset(session);
    const { id } = await newFeature(session, dataset_id, point(1, 1));
    const path = method === 'POST' ? '/v1/features' : `/v1/features/${id}`;
    const { status, body } = await send(method, path, session, { dataset_id, ...given });
    expect([status, body.error?.issues[0].message]).toEqual([422, expect.stringContaining(`not ${word}`)]);
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
    for (const geom of [{ geom: point(1, 1), geometry: point(1, 1) }, {}]) {
      expect((await post('/v1/features', { dataset_id: id, ...geom }, session)).status).toBe(422);
    }
    expect(await datasetOf(session, id)).toMatchObject({ feature_count: 0 });
  });

  it('is 422 with a number in its properties that is too large for a double', async () => {
    const { session } = await person();
    const { id } = await newDataset(session);
    const raw = `{"dataset_id":"${id}","geom":{"type":"Point","coordinates":[1,2]},"properties":{"a":1e400}}`;
    const { status, body } = await post('/v1/features', raw, session);
    expect([status, body.error?.issues[0].path]).toEqual([422, ['properties']]);
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
    expect(await datasetOf(me.session, to.id)).toMatchObject({ feature_count: 1, bbox: [5, 5, 5, 5] });
  });
});

describe('what a dataset says of its features', () => {
  it('is right after every write', async () => {
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

  it('is computed from all features only where one has left an edge of their box', async () => {
    const { session } = await person();
    const { id } = await newDataset(session);
    const far = await newFeature(session, id, square(10, 10, 12, 12), { name: 'far' });
    await newFeature(session, id, square(1, 1, 2, 2));
    // No feature gives this box, so it shows whether the box was computed from them again.
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

  it('is right after many writes at the same time', async () => {
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

describe('a list of features', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ geom: point(i / 100, 10), properties: { i } }));

  it('is complete and in order, however many portions it is read in', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, { features: many(4500) });
    const features = await featuresOf(session, id);
    expect(features.map(({ properties }) => properties.i)).toEqual(Array.from({ length: 4500 }, (_, i) => i));
    const { body } = await get(`/v1/datasets/${id}?includeFeatures=true`, session);
    expect(body.data.features).toEqual(features);
  });

  it('is complete with features that are larger than a portion', async () => {
    const { session } = await person();
    const features = [700, 10, 600, 500, 30, 900].map((size, i) => ({
      geom: point(i, i),
      properties: { i, text: 'x'.repeat(size * 1000) },
    }));
    const { id } = await newDataset(session, { features });
    expect((await featuresOf(session, id)).map(({ properties }) => properties)).toEqual(
      features.map(({ properties }) => properties),
    );
  });

  it('is complete and in order where the datasets are too many for one statement', async () => {
    const { session } = await person();
    const datasets: Body[] = [];
    for (const features of [many(1), many(2500), many(0), many(1), many(3)])
      datasets.push(await newDataset(session, { features }));
    const ids = datasets.map(({ id }) => id);
    await database.execute(sql`update datasets set feature_count = 15000 where id = any(${`{${ids}}`}::uuid[])`);
    const list = (await get('/v1/features', session)).body.data.map(({ dataset_id, properties }: Body) => [
      dataset_id,
      properties.i,
    ]);
    const counted = [1, 2500, 0, 1, 3].flatMap((count, at) => Array.from({ length: count }, (_, i) => [ids[at], i]));
    expect(list).toEqual(counted);
    expect((await get('/v1/features?bbox=0,9,0.005,11', session)).body.data).toHaveLength(4);
  });

  it('is of all datasets of the caller', async () => {
    const { session } = await person();
    const datasets: Body[] = [];
    for (let i = 0; i < 3; i += 1) datasets.push(await newDataset(session, { features: many(i) }));
    const { body } = await get('/v1/features', session);
    expect(body.data.map(({ dataset_id }: Body) => dataset_id)).toEqual([
      datasets[1].id,
      datasets[2].id,
      datasets[2].id,
    ]);
  });

  it('is empty for a dataset that does not exist, or that the caller may not see', async () => {
    const [owner, other] = [await person(), await person()];
    const { id } = await newDataset(owner.session, { features: many(1) });
    for (const unknown of [id, crypto.randomUUID()]) {
      const { status, body } = await get(`/v1/features/dataset/${unknown}`, other.session);
      expect([status, body]).toEqual([200, { data: [], error: null }]);
    }
    expect((await get('/v1/features/dataset/x', other.session)).status).toBe(422);
  });

  it('has page numbers where a page is asked for', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, { features: many(5) });
    const { body } = await get(`/v1/features/dataset/${id}?limit=2&page=3`, session);
    expect(body.data.map(({ properties }: Body) => properties.i)).toEqual([4]);
    expect(body.meta).toMatchObject({ total: 5, page: 3, limit: 2, totalPages: 3, next: null, prev: 2 });
    const all = await get('/v1/features?page=1&limit=1000', session);
    expect([all.body.data.length, all.body.meta.total]).toEqual([5, 5]);
    for (const query of ['limit=0', 'limit=1001', 'page=0', 'page=x']) {
      expect((await get(`/v1/features?${query}`, session)).status).toBe(422);
    }
  });

  it('can be cut to a box', async () => {
    const { session } = await person();
    const features = [point(120, 10), point(121, 15), square(118, 9, 119.5, 11), point(-179, 0), point(179, 0)];
    const { id } = await newDataset(session, { features: features.map((geom) => ({ geom })) });
    const within = async (bbox: string) =>
      (await get(`/v1/features/dataset/${id}?bbox=${bbox}`, session)).body.data.map(({ geom }: Body) => geom);
    expect(await within('119,9.5,120.5,12')).toEqual([features[0], features[2]]);
    expect(await within('178,-1,-178,1')).toEqual([features[3], features[4]]);
    const { body } = await get(`/v1/features?bbox=119,9.5,120.5,12&limit=1`, session);
    expect([body.data.length, body.meta.total]).toEqual([1, 2]);
    for (const bbox of ['', '1,2,3', '1,2,3,4,5', '1,9,2,8', 'a,b,c,d', '181,0,1,1', '0,0,0,91', '1e1,0,0,1']) {
      expect([bbox, (await get(`/v1/features?bbox=${bbox}`, session)).status]).toEqual([bbox, 422]);
    }
  });

  it('is GeoJSON where that is asked for', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, {
      features: [
        { geom: point(1, 2), properties: { a: 1 } },
        { geom: point(3, 4), properties: 'x' },
      ],
    });
    const { body, headers } = await get(`/v1/features/dataset/${id}?format=geojson`, session);
    expect(headers.get('Content-Type')).toBe('application/geo+json');
    expect(body).toMatchObject({
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', geometry: point(1, 2), properties: { a: 1 } },
        { type: 'Feature', geometry: point(3, 4), properties: { value: 'x' } },
      ],
    });
    const page = await get('/v1/features?format=geojson&limit=1', session);
    expect(page.body.features).toHaveLength(1);
    expect(page.body.meta).toMatchObject({ total: 2, page: 1, limit: 1, totalPages: 2, next: 2, prev: null });
    expect(page.body.meta.links.next).toContain('format=geojson&limit=1&page=2');
  });

  it('says how many features there are, unless it is the plain list, and needs no further statement for that', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, { features: many(2500) });
    const fetched = vi.spyOn(globalThis, 'fetch');
    const metaOf = async (path: string) => {
      const { body, text } = await get(path, session);
      expect(text).toMatch(/\}\](,"meta":\{.+\})?(,"error":null)?\}$/);
      return body.meta;
    };
    const plain = await metaOf(`/v1/features/dataset/${id}`);
    const asked = bodiesOf(fetched).length;
    expect(plain).toBeUndefined();
    for (const list of [`/v1/features/dataset/${id}`, '/v1/features']) {
      for (const [query, total] of [
        ['format=geojson', 2500],
        ['bbox=-1,9,100,11', 2500],
        ['bbox=0,9,0.055,11', 6],
        ['bbox=0,9,0.055,11&format=geojson', 6],
      ] as const) {
        fetched.mockClear();
        const self = `${ORIGIN}${list}?${query}`;
        expect(await metaOf(`${list}?${query}`)).toEqual({
          ...{ total, page: 1, limit: total, totalPages: 1, next: null, prev: null },
          links: { self, next: null, prev: null },
        });
        expect(bodiesOf(fetched).length).toBeLessThanOrEqual(asked);
      }
      const none = await get(`${list}?bbox=-9,-9,-8,-8`, session);
      expect(none.body).toMatchObject({ data: [], meta: { total: 0, page: 1, totalPages: 0, next: null, prev: null } });
      const empty = await get(`${list}?bbox=-9,-9,-8,-8&format=geojson`, session);
      expect(empty.body).toMatchObject({ features: [], meta: { total: 0 } });
    }
    fetched.mockRestore();
  });

  it('of the administrator has the features of everybody', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, { features: many(1) });
    const { body } = await get('/v1/features', MASTER);
    expect(body.data.map(({ dataset_id }: Body) => dataset_id)).toContain(id);
  });
});
