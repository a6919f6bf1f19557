import { expect, it } from 'vitest';
import { api, type Body, MASTER, ORIGIN, post, send, undeclared } from '../support/api.ts';
import { newDataset, point } from '../support/datasets.ts';
import { bearer, type Headers, newKey, person } from '../support/people.ts';
import { collection, upload } from '../support/uploads.ts';

// Datasets as collections of OGC API.

const ogc = (path: string, headers: Headers) => undeclared(`/ogc${path}`, { headers });

const NAMES = ['Ana', 'Ben', 'ben', 'Cora', 'Dan'];

/** A dataset of points along a parallel, with properties of several types. */
async function dataset(owner: Headers, input: object = {}) {
  const features = NAMES.map((name, i) => ({
    geom: point(121 + i / 10, 14),
    properties: { name, size: i, big: i > 2, note: i === 1 ? null : { deep: i }, mixed: i % 2 ? 'x' : i },
  }));
  const { id } = await newDataset(owner, { features, ...input });
  const items = `/collections/dataset-${id}/items`;
  const found = async (filter: string, others: Record<string, string> = {}) => {
    const { status, body, text } = await ogc(`${items}?${new URLSearchParams({ filter, ...others })}`, owner);
    expect(status, text).toBe(200);
    return body.features.map(({ properties }: Body) => properties.name);
  };
  return { id, items, found };
}

it('lists the datasets of its caller, and those for everyone to all', async () => {
  const owner = (await person()).session;
  const own = await dataset(owner);
  const open = await dataset(owner, { visibility: 'everyone' });
  const idsFor = async (headers: Headers) =>
    (await ogc('/collections', headers)).body.collections.map(({ id }: Body) => id);
  expect(await idsFor(owner)).toEqual(expect.arrayContaining([`dataset-${own.id}`, `dataset-${open.id}`]));
  for (const headers of [{}, (await person()).session]) {
    const ids = await idsFor(headers);
    expect(ids).toContain(`dataset-${open.id}`);
    expect(ids).not.toContain(`dataset-${own.id}`);
  }
});

it('keeps private datasets from everybody else', async () => {
  const owner = (await person()).session;
  const { id, items } = await dataset(owner);
  const { body } = await ogc(items, owner);
  const stranger = (await person()).session;
  for (const path of ['', '/queryables', '/schema', '/items', `/items/${body.features[0].id}`]) {
    for (const headers of [stranger, {}]) {
      const answer = await ogc(`/collections/dataset-${id}${path}`, headers);
      expect(answer.status, path).toBe(404);
      expect(answer.body.code).toBe('collection_not_found');
    }
    expect((await ogc(`/collections/dataset-${id}${path}`, owner)).status, path).toBe(200);
  }
  expect((await ogc('/collections/dataset-1/items', MASTER)).status).toBe(404);
});

it('pages through features, each once', async () => {
  const owner = (await person()).session;
  const { items } = await dataset(owner);
  const names: string[] = [];
  let pages = 0;
  for (let next: string | undefined = `${items}?limit=2`; next; pages += 1) {
    const { body } = await ogc(next, owner);
    expect(body).toMatchObject({ numberMatched: 5, numberReturned: body.features.length });
    names.push(...body.features.map(({ properties }: Body) => properties.name));
    next = body.links.find(({ rel }: Body) => rel === 'next')?.href.slice(`${ORIGIN}/ogc`.length);
  }
  expect(names).toEqual(NAMES);
  expect(pages).toBe(3);
});

it('loses no feature where others are deleted between pages', async () => {
  const owner = (await person()).session;
  const { items } = await dataset(owner);
  const first = await ogc(`${items}?limit=2`, owner);
  for (const { id } of first.body.features) await api(`/v1/features/${id}`, { method: 'DELETE', headers: owner });
  const names: string[] = [];
  for (let page: Body = first.body; page; ) {
    const next = page.links.find(({ rel }: Body) => rel === 'next')?.href.slice(`${ORIGIN}/ogc`.length);
    if (!next) break;
    page = (await ogc(next, owner)).body;
    names.push(...page.features.map(({ properties }: Body) => properties.name));
  }
  expect(names).toEqual(NAMES.slice(2));
});

it('lists at most twenty datasets of another owner, and all of its own, with short descriptions', async () => {
  const owner = await person();
  const description = 'x'.repeat(2000);
  const ids = await Promise.all(
    Array.from({ length: 22 }, async () => {
      const given = { visibility: 'everyone', description, features: [{ geom: point(121, 14) }] };
      return `dataset-${(await newDataset(owner.session, given)).id}`;
    }),
  );
  const listed = async (headers: Headers): Promise<Body[]> =>
    (await ogc('/collections', headers)).body.collections.filter(({ id }: Body) => ids.includes(id));
  expect(await listed({})).toHaveLength(20);
  const own = await listed(owner.session);
  expect(own).toHaveLength(22);
  expect(own[0]?.description).toHaveLength(500);
});

it('opens to a session the dataset of an owner who is known by address only', async () => {
  const owner = await person();
  await api('/v1/datasets', { headers: owner.session });
  const { id } = await newDataset(MASTER, { user_email: owner.email, features: [{ geom: point(121, 14) }] });
  const { body } = await post('/v1/ogc/sessions', { collections: [`dataset-${id}`] }, owner.session);
  const { status, body: page } = await ogc(`/collections/dataset-${id}/items?session=${body.data.session}`, {});
  expect([status, page.features?.length]).toEqual([200, 1]);
  const { body: list } = await ogc(`/collections?session=${body.data.session}`, {});
  expect(list.collections.map((one: Body) => one.id)).toContain(`dataset-${id}`);
});

it('does not let a cursor name the contents of another dataset', async () => {
  const owner = (await person()).session;
  const stranger = (await person()).session;
  const { items } = await dataset(owner);
  const other = await dataset(stranger);
  const { body } = await ogc(`${items}?limit=2`, owner);
  const cursor = new URL(body.links.find(({ rel }: Body) => rel === 'next').href).searchParams.get('cursor');
  const answer = await ogc(`${other.items}?cursor=${cursor}`, stranger);
  expect(answer.status).toBe(400);
  expect(answer.body.message).toMatch(/^cursor: /);
});

it('filters features by their properties, of whatever type they are', async () => {
  const { found } = await dataset((await person()).session);
  expect(await found("name = 'Ben'")).toEqual(['Ben']);
  expect(await found("CASEI(name) = CASEI('BEN')")).toEqual(['Ben', 'ben']);
  expect(await found('size >= 3')).toEqual(['Cora', 'Dan']);
  expect(await found('big = TRUE')).toEqual(['Cora', 'Dan']);
  expect(await found("mixed = 'x'")).toEqual(['Ben', 'Cora']);
  expect(await found('mixed > 0')).toEqual(['ben', 'Dan']);
  expect(await found('note IS NULL')).toEqual(['Ben']);
  expect(await found("NOT name LIKE '%n'")).toEqual(['Ana', 'Cora']);
  expect(await found('size IN (0, 4)')).toEqual(['Ana', 'Dan']);
  expect(await found("name = 'x'' or 1=1'")).toEqual([]);
});

it('compares with few geometries, and goes on behind large ones', async () => {
  const owner = (await person()).session;
  // Each has a megabyte, so that a statement compares some of them only.
  const ring = (step: number) => {
    const edge = Array.from({ length: 30_000 }, (_, i) => [121 + (i * step) / 30_000, 14 + (i % 2) / 1e6]);
    return [[...edge, [121, 15], edge[0]]];
  };
  const rows = Array.from({ length: 24 }, (_, i) => ({
    type: 'Feature',
    properties: { n: i },
    geometry: { type: 'Polygon', coordinates: ring(i === 20 ? 0.5 : 0.1) },
  }));
  const file = JSON.stringify({ type: 'FeatureCollection', features: rows });
  const { body } = await upload(owner, 'large.geojson', file);
  const items = `/collections/dataset-${body.data.id}/items`;
  const filter = 'S_INTERSECTS(geometry, POINT(121.4 14.0001))';
  const { status, body: page } = await ogc(`${items}?${new URLSearchParams({ filter })}`, owner);
  expect([status, page.features?.map(({ properties }: Body) => properties.n)]).toEqual([200, [20]]);
  for (const [geometry, count] of [
    ['POINT(121 14)', 21],
    ['BBOX(120, 13, 122, 15)', 4],
    ['LINESTRING(121 14, 122 15)', 4],
  ] as const) {
    const many = Array(count).fill(`S_INTERSECTS(geometry, ${geometry})`).join(' OR ');
    const refused = await ogc(`${items}?${new URLSearchParams({ filter: many })}`, owner);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(/at most \d+ .*\(got \d+\)/)]);
  }
});

it('filters features by where they are', async () => {
  const { found, items } = await dataset((await person()).session);
  expect(await found('S_INTERSECTS(geometry, POINT(121.1 14))')).toEqual(['Ben']);
  expect(await found('S_INTERSECTS(geometry, BBOX(121.05, 13, 121.25, 15))')).toEqual(['Ben', 'ben']);
  expect(await found('S_INTERSECTS(geometry, LINESTRING(121.2 13, 121.2 15))')).toEqual(['ben']);
  expect(await found('size > 1', { bbox: '121.05,13,121.25,15' })).toEqual(['ben']);
  expect(items).toMatch(/^\/collections\/dataset-/);
});

it('compares numbers that no double can hold, and refuses U+0000', async () => {
  const owner = (await person()).session;
  const sizes = ['1e-400', '0.1', '12345678901234567890'];
  const features = sizes.map((size) => `{"geom":null,"properties":{"size":${size}}}`).join();
  const { body: made } = await send('POST', '/v1/datasets', owner, `{"name":"Test","features":[${features}]}`);
  const items = `/collections/dataset-${made.data.id}/items`;
  const count = async (filter: string) =>
    (await ogc(`${items}?${new URLSearchParams({ filter })}`, owner)).body.features.length;
  expect(await count('size > 0')).toBe(3);
  expect(await count('size = 0.1')).toBe(1);
  expect(await count('size > 1e15')).toBe(1);
  expect((await ogc(`${items}?size=%00`, owner)).status).toBe(400);
});

it('goes through a large dataset for the few that a filter lets through', async () => {
  const owner = (await person()).session;
  const rows = Array.from({ length: 25_000 }, (_, i) => `${i},121,14,${i % 9000 === 8999 ? 'yes' : 'no'}`);
  const { body } = await upload(owner, 'many.csv', `n,lon,lat,picked\n${rows.join('\n')}\n`);
  const items = `/collections/dataset-${body.data.id}/items`;
  const numbers: unknown[] = [];
  for (let next: string | undefined = `${items}?picked=yes&limit=1`; next; ) {
    const { body: page } = await ogc(next, owner);
    numbers.push(...page.features.map(({ properties }: Body) => Number(properties.n)));
    next = page.links.find(({ rel }: Body) => rel === 'next')?.href.slice(`${ORIGIN}/ogc`.length);
  }
  expect(numbers).toEqual([8999, 17_999]);
  const filter = `${Array(99).fill('n >= -1').join(' AND ')} AND n = -1`;
  expect((await ogc(`${items}?${new URLSearchParams({ filter })}`, owner)).body.features).toEqual([]);
});

it('knows which features have no geometry', async () => {
  const owner = (await person()).session;
  const features = [
    { geom: point(121, 14), properties: { name: 'here', geometry: null } },
    { geom: null, properties: { name: 'nowhere', geometry: 'x' } },
  ];
  const { id } = await newDataset(owner, { features });
  const found = async (filter: string) =>
    (await ogc(`/collections/dataset-${id}/items?${new URLSearchParams({ filter })}`, owner)).body.features.map(
      ({ properties }: Body) => properties.name,
    );
  expect(await found('geometry IS NULL')).toEqual(['nowhere']);
  expect(await found('geometry IS NOT NULL')).toEqual(['here']);
  expect(await found('NOT S_INTERSECTS(geometry, POINT(0 0))')).toEqual(['here']);
});

it('finds features by the boundaries that they have by reference', async () => {
  const owner = (await person()).session;
  const { status, body } = await upload(owner, 'rates.csv', 'province,rate\nCebu,1\nBohol,2\n');
  expect(status).toBe(200);
  const path = `/collections/dataset-${body.data.id}/items`;
  const [cebu] = (await ogc(path, owner)).body.features;
  expect(cebu.geometry.type).toMatch(/Polygon$/);
  const found = async (lon: number, lat: number) => {
    const filter = `S_INTERSECTS(geometry, POINT(${lon} ${lat}))`;
    return (await ogc(`${path}?${new URLSearchParams({ filter })}`, owner)).body.features.map(({ id }: Body) => id);
  };
  const [lon, lat] = cebu.geometry.coordinates.flat(9);
  expect(await found(lon, lat)).toContain(cebu.id);
  expect(await found(0, 0)).toEqual([]);
});

it('takes properties as parameters, and refuses others', async () => {
  const owner = (await person()).session;
  const { items } = await dataset(owner);
  expect((await ogc(`${items}?name=Ana`, owner)).body.features).toHaveLength(1);
  expect((await ogc(`${items}?size=4`, owner)).body.features).toHaveLength(1);
  expect((await ogc(`${items}?big=true`, owner)).body.features).toHaveLength(2);
  expect((await ogc(`${items}?datetime=foo`, owner)).status).toBe(400);
  const refused = await ogc(`${items}?nam=Ana`, owner);
  expect(refused.status).toBe(400);
  expect(refused.body.message).toContain('"nam"');
});

it('compares integers with all their digits, which a double would round', async () => {
  const owner = (await person()).session;
  const numbers = ['9007199254740992', '9007199254740993', '123456789012345678', '-123456789012345679', '5'];
  const features = numbers.map((n) => `{"type":"Feature","geometry":null,"properties":{"n":${n},"name":"${n}"}}`);
  const { body } = await upload(owner, 'a.geojson', `{"type":"FeatureCollection","features":[${features}]}`);
  const found = async (query: Record<string, string>) => {
    const answer = await ogc(`/collections/dataset-${body.data.id}/items?${new URLSearchParams(query)}`, owner);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.features.map(({ properties }: Body) => properties.name);
  };
  const [even, odd, large, negative, five] = numbers;
  const equal = (n = '') => `{"op":"=","args":[{"property":"n"},${n}]}`;
  for (const n of numbers) {
    expect(await found({ filter: `n = ${n}` })).toEqual([n]);
    expect(await found({ filter: equal(n) })).toEqual([n]);
    expect(await found({ n })).toEqual([n]);
  }
  expect(await found({ filter: `n <> ${odd}` })).toEqual([even, large, negative, five]);
  expect(await found({ filter: `n < ${odd}` })).toEqual([even, negative, five]);
  expect(await found({ filter: `n BETWEEN ${odd} AND ${large}` })).toEqual([odd, large]);
  expect(await found({ filter: `n IN (${large}, ${negative})` })).toEqual([large, negative]);
});

it('names the properties with the types that they have', async () => {
  const owner = (await person()).session;
  const { id } = await dataset(owner);
  const { body } = await ogc(`/collections/dataset-${id}/queryables`, owner);
  expect(body.properties).toMatchObject({
    name: { type: 'string' },
    size: { type: 'integer' },
    big: { type: 'boolean' },
    geometry: { $ref: 'https://geojson.org/schema/Geometry.json' },
  });
});

it('names the types of a dataset without the features that have very many properties', async () => {
  const owner = (await person()).session;
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, 'text']));
  const features = [many, { k1: 1 }].map((properties) => ({ geom: point(121, 14), properties }));
  const { id } = await newDataset(owner, { features });
  const { body } = await ogc(`/collections/dataset-${id}/queryables`, owner);
  expect(body.properties).toMatchObject({ k1: { type: 'integer' }, k2: { type: 'string' } });
});

it('answers features in Web Mercator without touching their properties', async () => {
  const owner = (await person()).session;
  const features = [{ geom: point(121, 14), properties: { pair: [121, 14], text: '"geometry":[1,2]' } }];
  const { id } = await newDataset(owner, { features });
  const crs = 'http://www.opengis.net/def/crs/EPSG/0/3857';
  const { body } = await ogc(`/collections/dataset-${id}/items?${new URLSearchParams({ crs })}`, owner);
  const [feature] = body.features;
  expect(feature.properties).toEqual({ pair: [121, 14], text: '"geometry":[1,2]' });
  expect(feature.geometry.coordinates[0]).toBeCloseTo(13_469_658.4, 0);
  const one = await ogc(`/collections/dataset-${id}/items/${feature.id}?${new URLSearchParams({ crs })}`, owner);
  expect(one.body).toMatchObject({ geometry: feature.geometry, properties: feature.properties });
  expect(one.headers.get('Content-Crs')).toBe(`<${crs}>`);
});

it('goes on where a condition lets nothing through for long, and is JSON still', async () => {
  const owner = (await person()).session;
  const { body } = await upload(owner, 'points.geojson', collection(10_002));
  const items = `/collections/dataset-${body.data.id}/items`;
  const crs = 'crs=http://www.opengis.net/def/crs/EPSG/0/4326';
  for (const query of ['i=10001', `i=10001&${crs}`]) {
    const found = await ogc(`${items}?${query}`, owner);
    // A space for each part of the dataset without any.
    expect(found.text).toMatch(/^\{"type":"FeatureCollection","features":\[ {2}\{/);
    expect(found.body.features.map(({ properties }: Body) => properties.i)).toEqual([10_001]);
    expect(found.body.links.map(({ rel }: Body) => rel)).not.toContain('next');
  }
  expect((await ogc(`${items}?i=-1`, owner)).body).toMatchObject({ features: [], numberReturned: 0 });
});

it('refuses a filter that would look through too much of a large dataset, and counts what it looks through', async () => {
  const owner = (await person()).session;
  const { body } = await upload(owner, 'points.geojson', collection(20_000));
  const items = `/collections/dataset-${body.data.id}/items`;
  const or = (count: number, one: string) => Array.from({ length: count }, (_, i) => `${one} ${i}`).join(' OR ');
  const ask = (filter: string, headers: Headers) =>
    ogc(`${items}?${new URLSearchParams({ filter, limit: '1' })}`, headers);
  const refused = await ask(or(50, "name NOT BETWEEN DATE('2024-01-01') AND DATE('2025-01-01') AND i ="), owner);
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'filter: must compare less: of 20000 features, at most 1000 plain comparisons each (got 1250). One without case or accents is worth six, one of dates twelve, BETWEEN two, and LIKE one more for each %.',
  ]);
  // A pattern is searched anew behind each percent sign.
  const pattern = `${'%a'.repeat(19)}%z`;
  const slow = await ask(or(20, `casei(name) LIKE casei('${pattern}') OR i =`), owner);
  expect([slow.status, slow.body.message]).toEqual([400, expect.stringContaining('(got 2540)')]);
  const { key } = await newKey(owner, { rate_limit_rpm: 60 });
  const left = async (filter: string) => {
    const answer = await ask(filter, bearer(key));
    expect(answer.status).toBe(200);
    return Number(/r=(\d+)/.exec(answer.headers.get('RateLimit') ?? '')?.[1]);
  };
  const first = await left('i = 1');
  // A hundred comparisons of twenty thousand features are two million.
  expect(first - (await left(or(100, 'i =')))).toBe(2);
});
