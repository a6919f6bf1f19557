import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { type Body, get, MASTER, ORIGIN } from '../support/api.ts';
import { featuresOf, newDataset, point } from '../support/datasets.ts';
import { square } from '../support/geometries.ts';
import { person } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';
import { database } from '../support/sql.ts';

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

  it('has all of a page whose features are more than one statement reads, also over several datasets', async () => {
    const { session } = await person();
    const large = (from: number) =>
      Array.from({ length: 4 }, (_, i) => ({
        geom: point(i, i),
        properties: { i: from + i, text: 'x'.repeat(900_000) },
      }));
    await newDataset(session, { features: large(4) });
    await newDataset(session, { features: large(0) });
    const page = async (query: string) => (await get(`/v1/features?${query}`, session)).body;
    const numbersOf = ({ data }: Body) => data.map(({ properties }: Body) => properties.i);
    const all = [0, 1, 2, 3, 4, 5, 6, 7];
    const whole = await page('limit=8');
    expect([numbersOf(whole).sort(), whole.meta.total]).toEqual([all, 8]);
    const inOrder = numbersOf(whole);
    const second = await page('limit=5&page=1');
    expect([numbersOf(second), second.meta]).toMatchObject([inOrder.slice(0, 5), { total: 8, page: 1, limit: 5 }]);
    expect(numbersOf(await page('limit=6&page=2'))).toEqual(inOrder.slice(6));
    expect(numbersOf(await page('limit=5&bbox=0.5,0.5,9,9')).length).toBe(5);
  });

  it('can be cut to a box', async () => {
    const { session } = await person();
    const features = [point(120, 10), point(121, 15), square(118, 9, 119.5, 11), point(-179, 0), point(179, 0)];
    const { id } = await newDataset(session, { features: features.map((geom) => ({ geom })) });
    const within = async (bbox: string) =>
      (await get(`/v1/features/dataset/${id}?bbox=${bbox}`, session)).body.data.map(({ geom }: Body) => geom);
    expect(await within('119,9.5,120.5,12')).toEqual([features[0], features[2]]);
    expect(await within('1.19e2,9.5,120.50,1.2E1')).toEqual([features[0], features[2]]);
    expect(await within('178,-1,-178,1')).toEqual([features[3], features[4]]);
    const { body } = await get(`/v1/features?bbox=119,9.5,120.5,12&limit=1`, session);
    expect([body.data.length, body.meta.total]).toEqual([1, 2]);
    for (const bbox of [
      '',
      '1,2,3',
      '1,2,3,4,5',
      '1,9,2,8',
      'a,b,c,d',
      '181,0,1,1',
      '0,0,0,91',
      '0x1,0,9,1',
      '1e3,0,0,1',
    ]) {
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
    const { id } = await newDataset(session, { features: [{ geom: point(-170.5, -45.5) }] });
    const { body } = await get('/v1/features?bbox=-171,-46,-170,-45', MASTER);
    expect(body.data.map(({ dataset_id }: Body) => dataset_id)).toContain(id);
  });
});
