import { sql } from 'drizzle-orm';
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { freshAddress } from '../support/addresses.ts';
import { api, type Body, get, MASTER, ORIGIN, post, workerWith } from '../support/api.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';
import { database } from '../support/sql.ts';
import { archiveBytes, newArchive } from '../support/tiles.ts';
import { featuresOf } from '../support/vector-tile.ts';

const SECRET = 'test-secret-of-tile-sessions-not-secret';

let regions: Body;
let many: Body;

beforeAll(async () => {
  regions = await newArchive(archiveBytes('regions'));
  many = await newArchive(archiveBytes('many'));
});

const createSession = async (input: object) => (await post('/v1/tiles/sessions', input)).body.data;

function signSession(claims: object, { secret = SECRET, audience = 'tiles', expires = '1h', alg = 'HS256' } = {}) {
  return new SignJWT({ slugs: [regions.slug], ...claims })
    .setProtectedHeader({ alg })
    .setAudience(audience)
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(secret));
}

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

  it('ends with the key that asked for it, and outlives its revocation only by its own time', async () => {
    const { session: owner } = await person();
    const end = new Date(Date.now() + 120_000).toISOString();
    const { id, key } = await newKey(owner, { expires_at: end });
    const ask = async (ttl_seconds: number) =>
      (await post('/v1/tiles/sessions', { slugs: [regions.slug], ttl_seconds }, bearer(key))).body.data;
    const [short, long] = [await ask(60), await ask(3600)];
    expect(Date.parse(short.expires_at)).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(Date.parse(long.expires_at)).toBe(Math.floor(Date.parse(end) / 1000) * 1000);
    expect((await post(`/v1/api-keys/${id}/revoke`, undefined, owner)).status).toBe(200);
    const path = `/v1/tiles/${regions.slug}/0/0/0.mvt?session=${long.session}`;
    expect((await get(path)).status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.parse(end) + 1000);
    expect((await get(path)).body.code).toBe('tile_session_expired');
    vi.useRealTimers();
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

  it('stays open while the secret is replaced, until the old one is left out', async () => {
    const next = 'the-next-secret-of-tile-sessions-not-secret';
    const [before, both, after] = [
      workerWith({}),
      workerWith({ TILE_SESSION_SECRET: `${next},${SECRET}` }),
      workerWith({ TILE_SESSION_SECRET: next }),
    ];
    const opened = async (ask: typeof before) => {
      const init = { method: 'POST', headers: { ...MASTER, 'Content-Type': 'application/json' } };
      const answer = await ask('/v1/tiles/sessions', { ...init, body: JSON.stringify({ slugs: [regions.slug] }) });
      return answer.body.data.session;
    };
    const statuses = async (session: string) =>
      Promise.all(
        [before, both, after].map(async (ask) => {
          const { status } = await ask(`/v1/tiles/${regions.slug}/0/0/0.mvt?session=${session}`);
          return status;
        }),
      );
    expect(await statuses(await opened(before))).toEqual([200, 200, 401]);
    expect(await statuses(await opened(both))).toEqual([401, 200, 200]);
    const expired = await signSession({}, { expires: '-1s' });
    const answer = await both(`/v1/tiles/${regions.slug}/0/0/0.mvt?session=${expired}`);
    expect(answer.body.code).toBe('tile_session_expired');
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
