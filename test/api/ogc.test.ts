import { beforeAll, describe, expect, it } from 'vitest';
import { freshAddress } from '../support/addresses.ts';
import { api, type Body, get, MASTER, ORIGIN, post, workerWith } from '../support/api.ts';
import { newDataset, point } from '../support/datasets.ts';
import { left } from '../support/limits.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { apart, publish } from '../support/snapshot.ts';

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
const EPSG = (code: number) => `http://www.opengis.net/def/crs/EPSG/0/${code}`;

const bucket = apart();
beforeAll(() => publish({ active: true, bucket }));

/** Workers that answer from PostGIS, and from a snapshot. */
const WORKERS = { PostGIS: api, 'a snapshot': workerWith({ FILES: bucket }) };

let ask: typeof api = api;

/** A request to OGC API, whose definition is a document of its own. */
const ogc = (path: string, headers: Record<string, string> = MASTER) =>
  ask(`/ogc${path}`, { headers, undeclared: true });

const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();

const linkOf = ({ links }: Body, rel: string, type?: string): string | undefined =>
  links.find((link: Body) => link.rel === rel && (type === undefined || link.type === type))?.href;

const pathOf = (href: string | undefined) => (href ?? '').slice(`${ORIGIN}/ogc`.length);

const codesOf = ({ features }: Body): string[] => features.map(({ id }: Body) => id);

/** The ids of all pages that the links "next" lead through. */
async function walk(path: string, headers: Record<string, string> = MASTER): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | undefined = path; next; ) {
    const { status, body, text } = await ogc(next, headers);
    expect(status, text).toBe(200);
    expect(body.numberReturned).toBe(body.features.length);
    ids.push(...codesOf(body));
    const href = linkOf(body, 'next', 'application/geo+json');
    next = href && pathOf(href);
  }
  return ids;
}

describe.each(Object.entries(WORKERS))('from %s', (source, worker) => {
  beforeAll(() => {
    ask = worker;
  });

  it('leads from the landing page to everything else', async () => {
    const landing = await ogc('', {});
    expect(landing.status).toBe(200);
    const { body } = landing;
    expect(linkOf(body, 'self', 'application/json')).toBe(`${ORIGIN}/ogc`);
    const api = await ogc(pathOf(linkOf(body, 'service-desc', 'application/vnd.oai.openapi+json;version=3.0')), {});
    expect(api.headers.get('Content-Type')).toBe('application/vnd.oai.openapi+json;version=3.0');
    expect(api.body.openapi).toBe('3.0.3');
    expect(api.body.servers).toEqual([{ url: `${ORIGIN}/ogc` }]);
    const conformance = await ogc(pathOf(linkOf(body, 'conformance')), {});
    expect(conformance.body.conformsTo).toContain('http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core');
    const collections = await ogc(pathOf(linkOf(body, 'data')), {});
    expect(collections.body.collections.map(({ id }: Body) => id)).toEqual(
      expect.arrayContaining(['regions', 'provinces', 'provinces-simple', 'municities-medium', 'barangays']),
    );
    for (const { id, links } of collections.body.collections.slice(0, 3)) {
      const one = await ogc(pathOf(linkOf({ links }, 'self')), {});
      expect(one.body).toMatchObject({ id, itemType: 'feature', storageCrs: CRS84 });
      expect(one.body.extent.spatial.bbox[0]).toHaveLength(4);
      expect(linkOf(one.body, 'describedby', 'application/schema+json')).toBe(`${ORIGIN}/ogc/collections/${id}/schema`);
      expect(linkOf(one.body, 'items', 'application/geo+json')).toBe(`${ORIGIN}/ogc/collections/${id}/items`);
    }
  });

  it('has every path that its definition names, and no parameter that is missing there', async () => {
    const { body: document } = await ogc('/api', {});
    const values: Record<string, string> = {
      ...{ collectionId: 'provinces', featureId: '0702200000', tileMatrix: '6', tileRow: '30', tileCol: '54' },
    };
    for (const [path, { get: operation }] of Object.entries<Body>(document.paths)) {
      const address = path === '/' ? '' : path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] as string);
      if (operation.operationId === 'getTile' || operation.operationId === 'getTileSet') continue;
      const { status, headers, text } = await ogc(address);
      // PostGIS has no versions of areas.
      const isMissing = source === 'PostGIS' && address.endsWith('-history/items');
      expect(status, `${path} ${text}`).toBe(isMissing ? 503 : 200);
      const types = isMissing ? ['application/json'] : Object.keys(operation.responses[200].content);
      expect(types).toContain(headers.get('Content-Type')?.replace('; charset=UTF-8', ''));
      const refused = await ogc(`${address}?unheard=1`);
      expect(refused.status, path).toBe(400);
      expect(refused.body.code).toBe('invalid_parameter');
      expect(refused.body.message).toContain('"unheard"');
    }
  });

  it('needs no credentials for what is said of collections, and some for boundaries', async () => {
    for (const path of ['', '/conformance', '/api', '/collections', '/collections/barangays/queryables']) {
      expect((await ogc(path, {})).status, path).toBe(200);
    }
    const refused = await ogc('/collections/provinces-simple/items', {});
    expect(refused.status).toBe(401);
    expect(refused.body.code).toBe('authentication_required');
    for (const path of ['streets', 'streets/items', 'streets/items/1', 'streets/tiles', 'dataset-streets/items']) {
      for (const Accept of ['application/json', 'text/html']) {
        const unknown = await ogc(`/collections/${path}`, { Accept });
        expect([path, unknown.status, unknown.body.code]).toEqual([path, 404, 'collection_not_found']);
      }
    }
  });

  it('has ten features on a page unless it is asked for others, and each of them once', async () => {
    const { headers, body } = await ogc('/collections/municities-simple/items');
    expect(headers.get('Content-Type')).toBe('application/geo+json');
    expect(headers.get('Content-Crs')).toBe(`<${CRS84}>`);
    expect(body).toMatchObject({ type: 'FeatureCollection', numberReturned: 10 });
    const [first] = body.features;
    expect(first).toMatchObject({ type: 'Feature', properties: { code: first.id } });
    const { body: record } = await get(`/v1/municities/${first.id}?format=geojson&geometry=simple`, MASTER);
    expect(first.geometry).toEqual(record.geometry);

    const provinces = await walk('/collections/provinces-simple/items?limit=7');
    const { body: whole } = await ogc('/collections/provinces-simple/items?limit=10000');
    expect(provinces).toEqual(codesOf(whole));
    expect(new Set(provinces).size).toBe(whole.numberMatched);
    expect(linkOf(whole, 'next')).toBeUndefined();
    const { body: most } = await ogc('/collections/barangays-simple/items?limit=99999999');
    expect([most.numberReturned, most.features.length]).toEqual([10_000, 10_000]);
    expect(most.numberMatched).toBeGreaterThan(10_000);
  });

  it('has sub-municipalities in a collection of their own', async () => {
    const { body } = await ogc('/collections/submunicipalities-simple/items?limit=100');
    expect(body.features.length).toBeGreaterThan(0);
    for (const { properties } of body.features) expect(properties.type).toBe('SubMun');
    const [{ id }] = body.features;
    expect((await ogc(`/collections/submunicipalities/items/${id}`)).body.id).toBe(id);
    expect((await ogc(`/collections/municities/items/${id}`)).status).toBe(404);
  });

  it('gives a single feature by its code, and by no other', async () => {
    const { status, body } = await ogc('/collections/provinces-simple/items/0702200000');
    expect(status).toBe(200);
    expect(body).toMatchObject({ type: 'Feature', id: '0702200000', properties: { name: 'Cebu' } });
    expect(linkOf(body, 'collection')).toBe(`${ORIGIN}/ogc/collections/provinces-simple`);
    for (const id of ['072200000', '0700000000', 'nothing', '9999999999']) {
      const answer = await ogc(`/collections/provinces-simple/items/${id}`);
      expect(answer.status, id).toBe(404);
      expect(answer.body.code).toBe('feature_not_found');
    }
  });

  it('answers in other reference systems, in the order of their axes', async () => {
    const path = '/collections/provinces-simple/items/0702200000';
    const first = ({ geometry }: Body) => geometry.coordinates.flat(5).slice(0, 2) as number[];
    const [lon = 0, lat = 0] = first((await ogc(path)).body);
    const { headers, body } = await ogc(`${path}?${query({ crs: EPSG(4326) })}`);
    expect(headers.get('Content-Crs')).toBe(`<${EPSG(4326)}>`);
    expect(first(body)).toEqual([lat, lon]);
    expect(body.bbox).toBeUndefined();
    const [x = 0, y = 0] = first((await ogc(`${path}?${query({ crs: EPSG(3857) })}`)).body);
    expect(x).toBeCloseTo((lon * 20_037_508.342_789) / 180, 2);
    expect(y).toBeCloseTo(6_378_137 * Math.asinh(Math.tan((lat * Math.PI) / 180)), 2);
    const list = await ogc(`/collections/provinces-simple/items?${query({ crs: EPSG(3857), limit: '100' })}`);
    expect(list.body.features.length).toBe(list.body.numberReturned);
    const refused = await ogc(`${path}?crs=EPSG:4326`);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain(EPSG(4326));
  });

  it('filters by a box in any of its reference systems', async () => {
    const { body: cebu } = await get('/v1/municities/0730600000');
    const [west, south, east, north] = cebu.data.bbox;
    const within = async (parameters: Record<string, string>) =>
      walk(`/collections/municities-simple/items?${query({ limit: '1000', ...parameters })}`);
    const bbox = [west, south, east, north].join(',');
    const found = await within({ bbox });
    expect(found).toContain('0730600000');
    expect(found.length).toBeLessThan(60);
    expect(await within({ bbox: [west, south, 0, east, north, 0].join(',') })).toEqual(found);
    const turned = [south, west, north, east].join(',');
    expect(await within({ bbox: turned, 'bbox-crs': EPSG(4326) })).toEqual(found);
    const metres = (lon: number, lat: number) => [
      (lon * 20_037_508.342_789_244) / 180,
      6_378_137 * Math.asinh(Math.tan((lat * Math.PI) / 180)),
    ];
    const projected = [...metres(west, south), ...metres(east, north)].join(',');
    expect(await within({ bbox: projected, 'bbox-crs': EPSG(3857) })).toEqual(found);
    // The country lies west of the antimeridian.
    expect(await within({ bbox: `${west},${south},-179,${north}` })).toEqual(expect.arrayContaining(found));
    for (const wrong of ['1,2,3', '1,2,3,x', '1,9,3,4', '', '1,2,3,4,5', '120,10,200,11', 'NaN,1,2,3', '1,2,3,91']) {
      const { status, body } = await ogc(`/collections/municities-simple/items?${query({ bbox: wrong })}`);
      expect(status, wrong).toBe(400);
      expect(body.message).toMatch(/^bbox: must .*\(got /);
    }
  });

  it('refuses parameters that it can not read, each by its name', async () => {
    for (const wrong of [
      ...['limit=0', 'limit=-1', 'limit=1.5', 'limit=a', 'limit=1&limit=2', 'f=xml', 'datetime=yesterday'],
      ...[
        'datetime=2026-02-30',
        'datetime=2024-02-29T24:00:00Z',
        'datetime=2026-01-01/2025-01-01',
        'datetime=/',
        'crs=',
        'bbox-crs=x',
        'cursor=abc',
      ],
      ...['cursor=%00', 'filter-lang=ecql', 'code=1&code=2', 'filter-crs=x'],
    ]) {
      const { status, body } = await ogc(`/collections/provinces-simple/items?${wrong}`);
      expect(status, wrong).toBe(400);
      expect(body.code).toBe('invalid_parameter');
      expect(body.message).toContain(wrong.split('=')[0]);
    }
  });

  it('takes properties as parameters', async () => {
    const { body } = await ogc(`/collections/provinces-simple/items?${query({ name: 'Cebu' })}`);
    expect(codesOf(body)).toEqual(['0702200000']);
    expect(body.numberMatched).toBe(1);
    const { body: huc } = await ogc('/collections/municities-simple/items?city_class=HUC&limit=100');
    for (const { properties } of huc.features) expect(properties.city_class).toBe('HUC');
    expect((await ogc('/collections/provinces-simple/items?population=many')).status).toBe(400);
  });

  it('names what can be filtered by, with types', async () => {
    const { headers, body } = await ogc('/collections/barangays/queryables', {});
    expect(headers.get('Content-Type')).toBe('application/schema+json');
    expect(body).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `${ORIGIN}/ogc/collections/barangays/queryables`,
      type: 'object',
      additionalProperties: false,
      properties: { name: { type: 'string' }, population: { type: 'number' }, m_code: { type: 'string' } },
    });
    expect(body.properties.geometry).toMatchObject({ $ref: 'https://geojson.org/schema/Geometry.json' });
    const { body: items } = await ogc('/collections/barangays-simple/items?limit=1');
    for (const name of Object.keys(body.properties)) {
      if (name !== 'geometry') expect(items.features[0].properties).toHaveProperty(name);
    }
  });

  it('lets a tool in by a session in the address, and keeps it on every link', async () => {
    const owner = (await person()).session;
    const { id } = await newDataset(owner, { features: [{ geom: point(121, 14), properties: { name: 'a' } }] });
    const { id: other } = await newDataset(owner, { features: [{ geom: point(121, 14) }] });
    const { body, status } = await post('/v1/ogc/sessions', { collections: [`dataset-${id}`] }, owner);
    expect(status).toBe(200);
    const { session, href } = body.data;
    expect(href).toBe(`${ORIGIN}/ogc?session=${session}`);
    const open = (path: string) => ogc(`${path}${path.includes('?') ? '&' : '?'}session=${session}`, {});
    const { body: landing, headers } = await open('');
    expect(headers.get('Cache-Control')).toMatch(/^private/);
    for (const path of ['/collections', '/collections/regions', '/collections/regions/tiles', '/tileMatrixSets']) {
      const { text } = await open(path);
      const hrefs = [...text.matchAll(/"href":"([^"]+)"/g)].map(([, href = '']) => href);
      expect(hrefs.length, path).toBeGreaterThan(0);
      // The licences are no part of this API.
      for (const href of hrefs) if (!href.endsWith('/v1/sources')) expect(href).toContain(`session=${session}`);
    }
    for (const { href } of landing.links) expect(href).toContain(`session=${session}`);
    const { body: list } = await open('/collections');
    expect(list.collections.map((one: Body) => one.id)).toContain(`dataset-${id}`);
    expect(list.collections.map((one: Body) => one.id)).not.toContain(`dataset-${other}`);
    const items = await open('/collections/provinces-simple/items?limit=1');
    expect(items.status).toBe(200);
    expect(items.headers.get('Cache-Control')).toMatch(/^private/);
    expect(linkOf(items.body, 'next')).toContain(`session=${session}`);
    expect((await open(`/collections/dataset-${id}/items`)).body.features).toHaveLength(1);
    const refused = await open(`/collections/dataset-${other}/items`);
    expect(refused.status).toBe(404);
    expect(refused.body.code).toBe('collection_not_found');
    const { id: everyones } = await newDataset(owner, { visibility: 'everyone', features: [{ geom: point(121, 14) }] });
    expect((await open(`/collections/dataset-${everyones}/items`)).status).toBe(200);
    for (const path of ['', '/api', '/conformance', '/collections', '/collections/regions', '?f=html']) {
      const { headers: kept } = await open(path);
      expect(kept.get('Cache-Control'), path).toMatch(/^private/);
    }
    expect((await ogc('?session=garbage', {})).status).toBe(401);
    expect((await ogc('/collections/provinces/items?session=abc', {})).body.code).toBe('invalid_ogc_session');
  });

  it('asks a key for its scope, and counts sessions by their own limit', async () => {
    const owner = (await person()).session;
    const { id } = await newDataset(owner, { features: [{ geom: point(121, 14) }] });
    const keyFor = async (scopes: string[]) => bearer((await newKey(owner, { scopes })).key);
    const [ofAreas, ofDatasets] = [await keyFor(['read:boundaries']), await keyFor(['read:datasets'])];
    for (const [headers, path, status] of [
      [ofAreas, '/collections/regions-simple/items', 200],
      [ofAreas, `/collections/dataset-${id}/items`, 403],
      [ofDatasets, '/collections/regions-simple/items', 403],
      [ofDatasets, `/collections/dataset-${id}/items`, 200],
    ] as const) {
      const answer = await ogc(path, headers);
      expect(answer.status, path).toBe(status);
      if (status === 403) expect(answer.body.code).toBe('missing_scope');
    }
    // A list has the datasets that everybody may see, where the key may not read others.
    const { body: list } = await ogc('/collections', ofAreas);
    expect(list.collections.map((one: Body) => one.id)).not.toContain(`dataset-${id}`);
    const { body } = await post('/v1/ogc/sessions', {}, owner);
    const counted = await ogc(`/collections/regions-simple/items?session=${body.data.session}`, {});
    expect(counted.headers.get('RateLimit-Policy')).toContain('q=600');
    const ofDataset = await post('/v1/ogc/sessions', { collections: [`dataset-${id}`] }, ofDatasets);
    const refused = await ogc(`/collections/regions-simple/items?session=${ofDataset.body.data.session}`, {});
    expect([refused.status, refused.body.code]).toEqual([403, 'ogc_session_not_for_collection']);
  });

  it('counts a thousand features of a page as one request, and those of boundaries that it transforms', async () => {
    const { body } = await post('/v1/ogc/sessions', {}, (await person()).session);
    const from = { 'CF-Connecting-IP': freshAddress() };
    let before = 600;
    const countOf = async (path: string, headers: Record<string, string> = from, policy = 'session') => {
      const answer = await ogc(path, headers);
      expect([path, answer.status]).toEqual([path, 200]);
      const now = left(answer, policy)?.r ?? Number.NaN;
      const count = before - now;
      before = now;
      return count;
    };
    const session = `session=${body.data.session}`;
    expect(await countOf(`/collections/municities-simple/items?limit=1000&${session}`)).toBe(1);
    expect(await countOf(`/collections/municities-simple/items?limit=1001&${session}`)).toBe(2);
    expect(await countOf(`/collections/municities-simple/items?limit=10000&f=html&${session}`)).toBe(1);
    const plain = await ogc(`/collections/provinces/items?limit=100&${session}`, from);
    before -= 1;
    const text = plain.body.features.reduce((sum: number, it: Body) => sum + JSON.stringify(it.geometry).length, 0);
    const system = 'crs=http://www.opengis.net/def/crs/EPSG/0/3857';
    expect(text).toBeGreaterThan(1024 * 1024);
    const transformed = `/collections/provinces/items?limit=100&${system}&${session}`;
    expect(await countOf(transformed)).toBe(Math.ceil(text / 1024 / 1024));
    const owner = (await person()).session;
    const { id } = await newDataset(owner, { features: [{ geom: point(121, 14) }] });
    const { key } = await newKey(owner, { rate_limit_rpm: 60 });
    before = 60;
    expect(await countOf(`/collections/dataset-${id}/items?limit=5000`, bearer(key), 'key')).toBe(5);
  });

  it('counts requests with sessions by network, and all of them at the account that the session is of', async () => {
    const owner = (await person()).session;
    const sessionOf = async (headers = owner) => (await post('/v1/ogc/sessions', {}, headers)).body.data.session;
    const [first, second, other] = [await sessionOf(), await sessionOf(), await sessionOf((await person()).session)];
    const page = (session: string, limit: number, address: string) =>
      ogc(`/collections/regions-simple/items?limit=${limit}&session=${session}`, { 'CF-Connecting-IP': address });
    const addresses = Array.from({ length: 300 }, freshAddress);
    const [address = ''] = addresses;
    expect(left(await page(first, 10_000, address), 'session')?.r).toBe(590);
    expect(left(await page(second, 10_000, address), 'session')?.r).toBe(580);
    // From other networks each, until less is left of the account than of a network.
    let refused: Body | undefined;
    for (const from of addresses.slice(1)) {
      const answer = await page(second, 10_000, from);
      // A refused request counts for the network no more than for the account.
      const isAnswered = answer.status === 200;
      expect(left(answer, 'session')?.r ?? 600).toBe(isAnswered ? 590 : 600);
      if (isAnswered) continue;
      refused = answer;
      break;
    }
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limit_exceeded' } });
    expect(refused?.body.message).toContain('All sessions of this account together may make 3000 requests');
    expect((await page(other, 10, address)).status).toBe(200);
  });

  it('gives a session what its key may read, and no more', async () => {
    const owner = (await person()).session;
    const { id } = await newDataset(owner, { features: [{ geom: point(121, 14) }] });
    const { key } = await newKey(owner, { scopes: ['read:boundaries'] });
    const refused = await post('/v1/ogc/sessions', { collections: [`dataset-${id}`] }, bearer(key));
    expect(refused.status).toBe(403);
    const stranger = (await person()).session;
    const foreign = await post('/v1/ogc/sessions', { collections: [`dataset-${id}`] }, stranger);
    expect(foreign.status).toBe(404);
    expect(foreign.body.code).toBe('collection_not_found');
  });

  it('answers 304 to a tool that has the page', async () => {
    const path = '/collections/provinces-simple/items?limit=3';
    const { headers } = await ogc(path);
    const etag = headers.get('ETag') ?? '';
    const again = await ogc(path, { ...MASTER, 'If-None-Match': etag });
    expect(again.status).toBe(304);
  });
});

it('answers with the edition that was in force', async () => {
  ask = WORKERS['a snapshot'];
  const edition = async (datetime: string) =>
    (await ogc(`/collections/provinces-simple/items?${new URLSearchParams({ datetime, limit: '100' })}`)).body;
  const today = await edition('2099-01-01');
  expect(await edition('2024-01-01T00:00:00Z/..')).toMatchObject({ numberMatched: today.numberMatched });
  const { body: older } = await ask('/v1/provinces?edition=2023-4q&limit=1', { headers: MASTER });
  expect(await edition('2024-02-01')).toMatchObject({ numberMatched: older.meta.total });
  expect(await edition('2023-12-31/2024-02-01')).toMatchObject({ numberMatched: older.meta.total });
  expect(await edition('1970-01-01')).toMatchObject({ numberMatched: 0, features: [] });
  expect((await ogc('/collections/provinces/items/0702200000?datetime=1970-01-01')).status).toBe(404);
  const { body: collection } = await ogc('/collections/provinces');
  expect(collection.extent.temporal.interval).toEqual([['2023-12-31T00:00:00Z', null]]);
});

it('refuses to go on in a release that is not there any more', async () => {
  ask = WORKERS['a snapshot'];
  const { body } = await ogc('/collections/provinces-simple/items?limit=2');
  const cursor = atob(new URL(linkOf(body, 'next') ?? '').searchParams.get('cursor') ?? '');
  for (const other of [
    ...[cursor.replace(/-\d+\./, '-99.'), cursor.replace(/^[^.]*/, 'foo-1'), `${cursor}9999999999`],
    cursor.replace(/(?<=^[^.]*\.)[^.]*/, 'foo-1'),
  ]) {
    const answer = await ogc(`/collections/provinces-simple/items?limit=2&cursor=${btoa(other).replaceAll('=', '')}`);
    expect(answer.status, other).toBe(400);
    expect(answer.body.message).toMatch(/^cursor: /);
  }
});

it('goes on in the edition that the first page was of', async () => {
  ask = WORKERS['a snapshot'];
  const codes = await walk('/collections/municities-simple/items?limit=500&datetime=2024-02-01');
  const { body: whole } = await ogc('/collections/municities-simple/items?limit=10000&datetime=2024-02-01');
  expect(codes).toEqual(codesOf(whole));
  const today = await walk('/collections/municities-simple/items?limit=5000');
  expect(codes).not.toEqual(today);
});
