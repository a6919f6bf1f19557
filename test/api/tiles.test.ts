import { sql } from 'drizzle-orm';
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { freshAddress } from '../support/addresses.ts';
import { api, type Body, get, MASTER, ORIGIN, post, undeclared } from '../support/api.ts';
import { bucket } from '../support/bucket.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';
import { some } from '../support/some.ts';
import { database } from '../support/sql.ts';
import { archiveBytes, newArchive, putArchive } from '../support/tiles.ts';
import { featuresOf } from '../support/vector-tile.ts';

const SECRET = 'test-secret-of-tile-sessions-not-secret';

let regions: Body;
let many: Body;

beforeAll(async () => {
  regions = await newArchive(archiveBytes('regions'));
  many = await newArchive(archiveBytes('many'));
});

const createSession = async (input: object) => (await post('/v1/tiles/sessions', input)).body.data;

/** A token in the form of a session. The test signs it itself. */
function signSession(claims: object, { secret = SECRET, audience = 'tiles', expires = '1h', alg = 'HS256' } = {}) {
  return new SignJWT({ slugs: [regions.slug], ...claims })
    .setProtectedHeader({ alg })
    .setAudience(audience)
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(secret));
}

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
      data_release: '2025-2q-1',
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
    expect(headers.get('X-Data-Release')).toBe('2025-2q-1');
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

describe('a tile session', () => {
  it('opens the archives that were asked for, at the addresses in the answer', async () => {
    const before = Date.now();
    const { session, expires_at, layers } = await createSession({ slugs: [regions.slug], ttl_seconds: 60 });
    expect(Math.round((Date.parse(expires_at) - before) / 1000)).toBeGreaterThanOrEqual(59);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(60_000);
    expect(layers.map(({ slug }: Body) => slug)).toEqual([regions.slug]);
    const [{ tilejson, tiles, pmtiles }] = layers;
    const local = (address: string) => address.slice(ORIGIN.length);
    const described = await get(local(tilejson));
    expect(described.body.tiles).toEqual([tiles]);
    expect(tiles).toContain(session);
    const tile = await get(local(tiles).replace('{z}/{x}/{y}', '0/0/0'));
    expect(featuresOf(tile.bytes, 'regions').length).toBeGreaterThan(10);
    expect((await get(local(pmtiles), { Range: 'bytes=0-6' })).text).toBe('PMTiles');
    expect((await api(local(pmtiles), { method: 'HEAD' })).status).toBe(200);
    expect((await get(`/v1${local(pmtiles)}`)).status).toBe(200);
  });

  it('opens all archives for an hour by default, and its requests count against no limit', async () => {
    for (const response of [
      await post('/v1/tiles/sessions', {}),
      await api('/v1/tiles/sessions', { method: 'POST', headers: MASTER }),
    ]) {
      const { expires_at, layers } = response.body.data;
      expect(Math.round((Date.parse(expires_at) - Date.now()) / 60_000)).toBe(60);
      expect(layers.map(({ slug }: Body) => slug)).toEqual(expect.arrayContaining([regions.slug, many.slug]));
      expect(response.headers.get('Cache-Control')).toBe('private, no-store');
    }
    const { session } = await createSession({});
    const path = `/v1/tiles/${many.slug}/0/0/0.mvt?session=${session}`;
    const client = { 'CF-Connecting-IP': freshAddress() };
    const answers = await Promise.all(Array.from({ length: 40 }, () => get(path, client)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
    expect(answers[0]?.headers.get('RateLimit')).toBeNull();
  });

  it('is short enough for an address however many archives there are', async () => {
    const slug = sql`'zz-' || lpad(i::text, 61, '0')`;
    await database.execute(
      sql`insert into tile_archives (slug, object_key, etag, size_bytes, name, minzoom, maxzoom, bounds, center, vector_layers)
        select ${slug}, ${slug}, 'x', 1, 'x', 0, 1, '{0,0,1,1}', '{0,0,0}', '[]' from generate_series(1, 200) i`,
    );
    const { session, layers } = await createSession({});
    await database.execute(sql`delete from tile_archives where slug like 'zz-%'`);
    expect(layers).toHaveLength(64);
    expect(session.length).toBeLessThanOrEqual(8192);
  });

  it('does not open other archives', async () => {
    const { session } = await createSession({ slugs: [regions.slug] });
    for (const path of [
      `/v1/tiles/${many.slug}.json`,
      `/v1/tiles/${many.slug}/0/0/0.mvt`,
      `/tiles/pmtiles/${many.slug}`,
    ]) {
      const { status, body } = await get(`${path}?session=${session}`);
      expect({ status, code: body.code }, path).toEqual({ status: 403, code: 'tile_session_not_for_slug' });
    }
    // It does not open anything else, and creates no other session.
    expect((await get(`/v1/tiles?session=${session}`)).status).toBe(401);
    expect((await post(`/v1/tiles/sessions?session=${session}`, {}, {})).status).toBe(401);
    expect((await get('/v1/tiles', bearer(session))).status).toBe(401);
  });

  it('ends when it expires', async () => {
    const path = `/v1/tiles/${regions.slug}/0/0/0.mvt`;
    expect((await get(`${path}?session=${await signSession({})}`)).status).toBe(200);
    const { status, body } = await get(`${path}?session=${await signSession({}, { expires: '-1s' })}`);
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'tile_session_expired' });
    const { session } = await createSession({ slugs: [regions.slug], ttl_seconds: 60 });
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] });
    expect((await get(`${path}?session=${session}`)).body.code).toBe('tile_session_expired');
    vi.useRealTimers();
  });

  it('is refused when it was tampered with, or signed for something else', async () => {
    const { session } = await createSession({ slugs: [regions.slug] });
    const [header, , signature] = session.split('.');
    const encode = (value: object) => btoa(JSON.stringify(value)).replace(/=+$/, '');
    const claims = { aud: 'tiles', exp: 4_102_444_800, slugs: [many.slug] };
    const forgeries = {
      'other claims': `${header}.${encode(claims)}.${signature}`,
      'no signature': `${encode({ alg: 'none' })}.${encode(claims)}.`,
      'a cut signature': session.slice(0, -4),
      'another secret': await signSession({}, { secret: 'another-secret-of-tile-sessions-x' }),
      'another audience': await signSession({}, { audience: 'datasets' }),
      'another algorithm': await signSession({}, { alg: 'HS512' }),
      'no token': 'x',
      nothing: '',
    };
    for (const slug of [regions.slug, many.slug]) {
      for (const [name, forgery] of Object.entries(forgeries)) {
        const { status, body } = await get(`/v1/tiles/${slug}/0/0/0.mvt?session=${forgery}`);
        expect({ status, code: body?.code }, name).toEqual({ status: 401, code: 'invalid_tile_session' });
      }
    }
    const long = await get(`/v1/tiles/${regions.slug}/0/0/0.mvt?session=${'x'.repeat(8193)}`);
    expect([401, 422]).toContain(long.status);
    expect(
      (await get(`/v1/tiles/${regions.slug}/0/0/0.mvt?session=${await signSession({ slugs: 'all' })}`)).status,
    ).toBe(403);
  });

  it('is verified where a bearer is sent as well', async () => {
    expect((await get(`/v1/tiles/${regions.slug}.json?session=x`, MASTER)).status).toBe(401);
  });

  it('does not make up for a bad bearer: credentials that are sent must be valid', async () => {
    const { session } = await createSession({ slugs: [regions.slug] });
    const { session: owner } = await person();
    const { id, key } = await newKey(owner, { scopes: ['read:datasets'] });
    const paths = [
      `/v1/tiles/${regions.slug}.json`,
      `/v1/tiles/${regions.slug}/0/0/0.mvt`,
      `/tiles/pmtiles/${regions.slug}`,
    ];
    const codes = async (headers: Record<string, string>) =>
      Promise.all(
        paths.map(async (path) => {
          const { status, body } = await get(`${path}?session=${session}`, headers);
          return status === 200 ? 200 : body.code;
        }),
      );
    expect(await codes(bearer('wrong'))).toEqual(Array(3).fill('invalid_token'));
    expect(await codes({ Authorization: 'Basic dGVzdA==' })).toEqual(Array(3).fill('unsupported_auth_scheme'));
    // A valid bearer need not open the archive by itself, because the session does.
    expect(await codes(bearer(key))).toEqual([200, 200, 200]);
    // Requests with a session are not counted, so a key whose limit is used up is valid too.
    const { key: spent } = await newKey(owner, { rate_limit_rpm: 1 });
    for (const status of [200, 429]) expect((await get('/v1/regions', bearer(spent))).status).toBe(status);
    expect(await codes(bearer(spent))).toEqual([200, 200, 200]);
    expect((await post(`/v1/api-keys/${id}/revoke`, {}, owner)).status).toBe(200);
    expect(await codes(bearer(key))).toEqual(Array(3).fill('api_key_revoked'));
  });

  it('costs one SQL statement, which finds the archive', async () => {
    const { session } = await createSession({ slugs: [regions.slug] });
    const fetched = vi.spyOn(globalThis, 'fetch');
    expect((await get(`/v1/tiles/${regions.slug}/0/0/0.mvt?session=${session}`)).status).toBe(200);
    expect(bodiesOf(fetched)).toHaveLength(1);
    fetched.mockRestore();
  });

  it('outlives the key that created it, and a revoked key creates no other', async () => {
    const { session: owner } = await person();
    const { id, key } = await newKey(owner);
    const { session } = (await post('/v1/tiles/sessions', { slugs: [regions.slug] }, bearer(key))).body.data;
    expect((await post(`/v1/api-keys/${id}/revoke`, {}, owner)).status).toBe(200);
    const refused = await post('/v1/tiles/sessions', { slugs: [regions.slug] }, bearer(key));
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 401, code: 'api_key_revoked' });
    expect((await get(`/v1/tiles/${regions.slug}/0/0/0.mvt?session=${session}`)).status).toBe(200);
  });

  it.each([
    { ttl_seconds: 59 },
    { ttl_seconds: 86_401 },
    { ttl_seconds: 60.5 },
    { ttl_seconds: '60' },
    { slugs: [] },
    { slugs: 'regions' },
    { slugs: ['../regions'] },
    { slugs: Array.from({ length: 65 }, () => 'regions') },
    { slug: 'regions' },
  ])('is not created from %j: 422', async (input) => {
    expect((await post('/v1/tiles/sessions', input)).status).toBe(422);
  });

  it('is not created for unknown archives, which the answer names', async () => {
    const { status, body } = await post('/v1/tiles/sessions', { slugs: [regions.slug, 'rivers', 'roads'] });
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'tile_archive_not_found' });
    expect(body.message).toContain('"rivers, roads"');
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
