import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { api, type Body, get, MASTER, ORIGIN, post, undeclared, workerWith } from '../support/api.ts';
import { bucket } from '../support/bucket.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';
import { some } from '../support/some.ts';
import { archiveBytes, newArchive, putArchive } from '../support/tiles.ts';
import { featuresOf } from '../support/vector-tile.ts';

let regions: Body;
let many: Body;

beforeAll(async () => {
  regions = await newArchive(archiveBytes('regions'));
  many = await newArchive(archiveBytes('many'));
});

describe('the catalogue', () => {
  it('has the contents and the addresses of every archive', async () => {
    const { status, body } = await get('/v1/tiles', MASTER);
    expect(status).toBe(200);
    const record = body.data.find(({ slug }: Body) => slug === regions.slug);
    expect(record).toEqual(regions);
    expect(record).toMatchObject({
      name: 'Regions',
      minzoom: 0,
      maxzoom: 8,
      size_bytes: archiveBytes('regions').length,
      data_release: '2026-3q-1',
      tilejson: `${ORIGIN}/v1/tiles/${regions.slug}.json`,
      pmtiles: `${ORIGIN}/tiles/pmtiles/${regions.slug}`,
    });
    expect(record.attribution).toContain('Philippine Statistics Authority');
    expect(record.vector_layers.map(({ id }: Body) => id)).toEqual(['regions', 'labels']);
    expect(record.bounds).toEqual([117, 6, 125.75, 18]);
    expect(Date.now() - Date.parse(record.updated_at)).toBeLessThan(60_000);
    expect(body.data.map(({ slug }: Body) => slug)).toEqual(body.data.map(({ slug }: Body) => slug).sort());
  });

  it('describes an archive as TileJSON', async () => {
    const { status, body } = await get(`/v1/tiles/${regions.slug}.json`, MASTER);
    expect(status).toBe(200);
    const { name, description, attribution, minzoom, maxzoom, bounds, center, vector_layers } = regions;
    expect(body).toEqual({
      tilejson: '3.0.0',
      scheme: 'xyz',
      tiles: [expect.stringMatching(`^${ORIGIN}/v1/tiles/${regions.slug}/{z}/{x}/{y}\\.mvt\\?v=[0-9a-f]{12}$`)],
      ...{ name, description, attribution, minzoom, maxzoom, bounds, center, vector_layers },
    });
  });
});

describe('one tile', () => {
  const tile = (path: string, headers: Record<string, string> = {}) =>
    get(`/v1/tiles/${path}`, { ...MASTER, ...headers });

  it('has the areas with their codes, names and parents, and a label for each that is large enough', async () => {
    const { status, headers, bytes } = await tile(`${regions.slug}/6/53/29.mvt`);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('application/vnd.mapbox-vector-tile');
    expect(headers.get('Vary')).toMatch(/Authorization.*Accept-Encoding/);
    expect(headers.get('X-Data-Release')).toBe('2026-3q-1');
    const drawn = featuresOf(bytes, 'regions');
    const named = featuresOf(bytes, 'labels');
    expect(drawn.length).toBeGreaterThan(5);
    expect(drawn[0]).toMatchObject({ type: 3, extent: 4096 });
    const { id, properties } = drawn[0] as (typeof drawn)[0];
    expect(id).toBe(Number(properties.code));
    expect(Object.keys(properties)).toEqual(['code', 'name']);
    expect(drawn.map(({ properties }) => properties.code)).toEqual(
      expect.arrayContaining(some(named).map(({ properties }) => properties.code)),
    );
  });

  it('is sent as it is stored, in gzip, and unpacked for callers who do not take gzip', async () => {
    const path = `${many.slug}/3/5/2.mvt`;
    const packed = await tile(path, { 'Accept-Encoding': 'gzip' });
    expect(packed.headers.get('Content-Encoding')).toBe('gzip');
    const plain = await tile(path, { 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('Content-Encoding')).toBeNull();
    const refused = await tile(path, { 'Accept-Encoding': 'br, gzip;q=0' });
    expect(refused.headers.get('Content-Encoding')).toBeNull();
    const any = await tile(path, { 'Accept-Encoding': '*' });
    expect(any.headers.get('Content-Encoding')).toBe('gzip');
    const tag = packed.headers.get('ETag') as string;
    expect([plain, refused, any].map(({ headers }) => headers.get('ETag') === tag)).toEqual([false, false, true]);
    const ifNoneMatch = { 'If-None-Match': tag };
    expect((await tile(path, { 'Accept-Encoding': 'gzip', ...ifNoneMatch })).status).toBe(304);
    expect((await tile(path, { 'Accept-Encoding': 'identity', ...ifNoneMatch })).status).toBe(200);
    for (const { bytes } of [plain, refused, packed, any]) {
      expect(featuresOf(bytes, 'many')).toHaveLength(1);
    }
  });

  it('is packed or not by what the caller accepts, where the platform rewrites the header Accept-Encoding', async () => {
    const ask = (fromCaller: string | undefined) =>
      api(`/v1/tiles/${many.slug}/3/5/2.mvt`, {
        headers: { ...MASTER, 'Accept-Encoding': 'br, gzip' },
        ...{ cf: fromCaller === undefined ? {} : { clientAcceptEncoding: fromCaller } },
      });
    for (const fromCaller of ['', 'identity', 'deflate, br']) {
      const { headers, bytes } = await ask(fromCaller);
      expect(headers.get('Content-Encoding'), fromCaller).toBeNull();
      expect(featuresOf(bytes, 'many')).toHaveLength(1);
    }
    for (const fromCaller of ['gzip', '*', undefined]) {
      expect((await ask(fromCaller)).headers.get('Content-Encoding'), fromCaller).toBe('gzip');
    }
  });

  it.each(['05/1/1', '1/01/1', '1/1/00', '+1/1/1', '1/1/1.0', '1/ 1/1'])(
    'has one address: %s is no other spelling of it',
    async (address) => {
      const { status, body } = await get(`/v1/tiles/${many.slug}/${encodeURI(address)}.mvt`, MASTER);
      expect([status, body.error.issues[0].message]).toEqual([422, expect.stringContaining('must be a whole number')]);
    },
  );

  it('is 204 where nothing is drawn, 404 outside of the zooms, rows and columns', async () => {
    expect(await tile(`${regions.slug}/8/0/0.mvt`)).toMatchObject({ status: 204, text: '' });
    const far = [
      '20/0/0',
      '25/0/0',
      '1/16777216/0',
      '3/99999999/0',
      '3/0/99999999',
      `999/0/0`,
      `3/0/${'9'.repeat(15)}`,
    ];
    for (const outside of ['9/0/0', '3/8/0', '3/0/8', '0/1/0', '24/0/0', ...far]) {
      const { status, body } = await tile(`${regions.slug}/${outside}.mvt`);
      expect({ status, code: body.code }, outside).toEqual({ status: 404, code: 'tile_not_found' });
    }
  });

  it.each([
    '1/0/x.mvt',
    '1/0/-1.mvt',
    '1/-1/0.mvt',
    '1.5/0/0.mvt',
    '1/0/1e3.mvt',
    '1/0/٣.mvt',
    `1/${'9'.repeat(16)}/0.mvt`,
    `1/0/${'0'.repeat(16)}.mvt`,
  ])('%s is not a tile: 422', async (path) => {
    expect((await tile(`${regions.slug}/${path}`)).status).toBe(422);
  });

  it.each(['1/0/0.png', '1/0/0', '1/0/0.mvt/', '1/0.mvt'])('%s is not a path of the service: 404', async (path) => {
    const { body } = await undeclared(`/v1/tiles/${regions.slug}/${path}`, { headers: MASTER });
    expect(body.code).toBe('route_not_found');
  });

  it('costs one read of the bucket once its directories are known, and none if the caller has the tile', async () => {
    const { slug } = await newArchive(archiveBytes('many'));
    const read = vi.spyOn(Object.getPrototypeOf(bucket), 'get');
    const reads = async (path: string, headers: Record<string, string> = {}) => {
      read.mockClear();
      const answer = await tile(`${slug}/${path}.mvt`, headers);
      return { reads: read.mock.calls.length, answer };
    };
    // The header and the root in one read, then a leaf, then the tile.
    const cold = await reads('4/10/10');
    expect(cold.reads).toBe(3);
    expect((await reads('4/11/10')).reads).toBe(1);
    expect((await reads('4/10/10')).reads).toBe(1);
    const [feature] = featuresOf(cold.answer.bytes, 'many');
    const etag = cold.answer.headers.get('ETag') as string;
    const fetched = vi.spyOn(globalThis, 'fetch');
    await reads('4/10/10');
    expect(bodiesOf(fetched)).toHaveLength(1);
    fetched.mockRestore();
    const unchanged = await reads('4/10/10', { 'If-None-Match': etag });
    expect(unchanged).toMatchObject({ reads: 0, answer: { status: 304 } });
    expect((await reads('4/11/10', { 'If-None-Match': etag })).answer.status).toBe(200);

    // Another archive that replaces it has other directories. The kept ones are not used for it.
    expect((await putArchive(slug, archiveBytes('regions'))).status).toBe(200);
    expect((await reads('6/53/29')).answer.status).toBe(200);
    expect((await reads('4/10/10')).answer.status).toBe(204);
    expect(feature?.properties.id).toBeGreaterThanOrEqual(85);
    read.mockRestore();
  });

  it('may be kept for a minute, and only by the browser', async () => {
    const { headers } = await tile(`${regions.slug}/0/0/0.mvt`);
    expect(headers.get('Cache-Control')).toBe('private, max-age=60, no-transform');
    expect((await tile(`${regions.slug}/0/0/0.mvt`, { 'If-Match': '"other"' })).status).toBe(412);
  });

  it('may be kept for an hour under its address in TileJSON, which changes with the archive', async () => {
    const { slug } = await newArchive(archiveBytes('many'));
    const addressOf = async () => {
      const [template] = (await get(`/v1/tiles/${slug}.json`, MASTER)).body.tiles;
      return template.slice(`${ORIGIN}/v1/tiles/`.length).replace('{z}/{x}/{y}', '0/0/0');
    };
    const kept = async (path: string) => (await tile(path)).headers.get('Cache-Control');
    const before = await addressOf();
    expect(await addressOf()).toBe(before);
    expect(await kept(before)).toBe('private, max-age=3600, no-transform');
    expect((await putArchive(slug, archiveBytes('regions'))).status).toBe(200);
    expect(await addressOf()).not.toBe(before);
    expect(await kept(await addressOf())).toBe('private, max-age=3600, no-transform');
    // A map that has the old address is answered too, for a minute.
    expect(await kept(before)).toBe('private, max-age=60, no-transform');
    expect((await tile(`${slug}/0/0/0.mvt?v=${'x'.repeat(65)}`)).status).toBe(422);
  });
});

describe('who may read tiles', () => {
  const paths = () => [
    `/v1/tiles/${regions.slug}.json`,
    `/v1/tiles/${regions.slug}/0/0/0.mvt`,
    `/v1/tiles/pmtiles/${regions.slug}`,
    `/tiles/pmtiles/${regions.slug}`,
  ];

  it('nobody without credentials', async () => {
    for (const path of ['/v1/tiles', ...paths()]) {
      expect((await get(path)).body.code, path).toBe('authentication_required');
    }
    expect((await post('/v1/tiles/sessions', {}, {})).status).toBe(401);
  });

  it('a session of the identity provider, and a key with the scope read:boundaries', async () => {
    const { session } = await person();
    const reader = bearer((await newKey(session, { scopes: ['read:boundaries'] })).key);
    const other = bearer((await newKey(session, { scopes: ['read:datasets'] })).key);
    for (const path of ['/v1/tiles', ...paths()]) {
      expect((await get(path, session)).status, path).toBe(200);
      expect((await get(path, reader)).status, path).toBe(200);
      expect((await get(path, other)).body.code, path).toBe('missing_scope');
    }
    expect((await post('/v1/tiles/sessions', {}, reader)).status).toBe(200);
    expect((await post('/v1/tiles/sessions', {}, other)).status).toBe(403);
  });
});

describe('slugs', () => {
  const hostile = ['..%2fdatasets', 'Regions', 'a'.repeat(65), 'a_b', 'é', '%00', "'%20or%201=1--", 'a%2fb'];

  it.each(hostile)('%s is not a slug: nothing is read from the bucket', async (slug) => {
    const read = vi.spyOn(Object.getPrototypeOf(bucket), 'get');
    for (const path of [`/v1/tiles/${slug}.json`, `/v1/tiles/${slug}/0/0/0.mvt`, `/tiles/pmtiles/${slug}`]) {
      expect([404, 422], path).toContain((await get(path, MASTER)).status);
    }
    expect(read).not.toHaveBeenCalled();
    read.mockRestore();
  });

  // Dots are resolved before the address is sent, so that another one is asked for.
  it.each(['..', '%2e%2e'])('%s leads to no address: nothing is read', async (dots) => {
    const read = vi.spyOn(Object.getPrototypeOf(bucket), 'get');
    for (const path of [`/v1/tiles/${dots}/0/0/0.mvt`, `/tiles/pmtiles/${dots}`]) {
      expect((await undeclared(path, { headers: MASTER })).body.code, path).toBe('route_not_found');
    }
    expect((await get(`/v1/tiles/${dots}.json`, MASTER)).status).toBe(422);
    expect(read).not.toHaveBeenCalled();
    read.mockRestore();
  });

  it('of no archive are 404', async () => {
    for (const path of ['/v1/tiles/none.json', '/v1/tiles/none/0/0/0.mvt', '/tiles/pmtiles/none']) {
      expect((await get(path, MASTER)).body.code, path).toBe('tile_archive_not_found');
    }
  });

  it('are not keys of objects: an object in the bucket is not served by its key', async () => {
    const key = `tiles/${crypto.randomUUID()}`;
    await bucket.put(key, archiveBytes('regions'));
    for (const name of [key, key.slice('tiles/'.length)]) {
      expect((await get(`/tiles/pmtiles/${encodeURIComponent(name)}`, MASTER)).status).not.toBe(200);
    }
  });
});

it('are 503 while a server for development makes them, and 404 where it makes none', async () => {
  const body = JSON.stringify({ slugs: ['not-there'] });
  const headers = { ...MASTER, 'Content-Type': 'application/json' };
  for (const [file, expected] of [
    ['preparing-tiles.json', [503, 'storage_unavailable', '5']],
    ['preparing.json', [404, 'tile_archive_not_found', null]],
  ] as const) {
    const ask = workerWith({ LOCAL_PROGRESS_URL: `${inject('files')}${file}` });
    for (const answer of [
      await ask('/v1/tiles/not-there.json', { headers }),
      await ask('/v1/tiles/pmtiles/not-there', { headers }),
      await ask('/v1/tiles/not-there/0/0/0.mvt', { headers }),
      await ask('/v1/tiles/sessions', { method: 'POST', headers, body }),
    ]) {
      expect([answer.status, answer.body.code, answer.headers.get('Retry-After')]).toEqual(expected);
    }
  }
});
