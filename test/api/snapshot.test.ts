import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { deleteOldSnapshots, servePublished } from '../../src/areas/snapshot/housekeeping.ts';
import type { SnapshotObject } from '../../src/areas/snapshot/layout.ts';
import { EDITIONS_KEY, manifestKey, objectKey, POINTER_KEY } from '../../src/areas/snapshot/layout.ts';
import { byteCache } from '../../src/areas/snapshot/objects.ts';
import { snapshotAreas } from '../../src/areas/snapshot/store.ts';
import { MASTER, ON_TIME, ORIGIN, workerWith } from '../support/api.ts';
import { jobContext } from '../support/context.ts';
import { eventually } from '../support/eventually.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';
import {
  apart,
  gzip,
  keyOf,
  like,
  openedSnapshot,
  publish,
  publishOther,
  SNAPSHOTS,
  snapshotBytes,
} from '../support/snapshot.ts';
import { TurnCount } from '../support/turns.ts';

/** A bucket beside that of the other tests, which go on asking PostGIS. */

const manifest = inject('snapshot');
const RELEASE = manifest.release;
const FAILING = inject('faultyDatabases').fails as string;
const HANGING = inject('faultyDatabases').hangs as string;

/** What is asked of geography; the master token needs no statement to be known. */
const PATHS = [
  '/v1/regions',
  '/v1/provinces?region=0700000000&limit=3',
  '/v1/provinces/0604500000',
  '/v1/provinces?format=geojson',
  '/v1/provinces?format=geojson&geometry=detailed',
  '/v1/provinces/0702200000?geometry=true',
  '/v1/municities?province_code=0702200000&geometry=medium',
  '/v1/municities/search?q=naga',
  '/v1/barangays/search?q=zambonga',
  '/v1/search?q=san+fernado,+pampanga&limit=50',
  '/v1/barangays/1380601001/hierarchy',
  '/v1/municities/0730600000/neighbors',
  '/v1/geocode/reverse?lat=9.1&lon=120.1&within=5000&geometry=simple',
  '/v1/sources',
];

const original = globalThis.fetch;
const fetched = vi.spyOn(globalThis, 'fetch');

async function statementsOf(ask: () => Promise<unknown>): Promise<number> {
  fetched.mockClear();
  await ask();
  return bodiesOf(fetched).length;
}

beforeAll(() => publish({ active: true }));

describe('with a snapshot', () => {
  // A bucket of its own has an instance of its own, which opens the snapshot first.
  const ask = workerWith({ FILES: like(SNAPSHOTS) });

  it.each(PATHS)('%s is answered as PostGIS answers it, without a statement', async (path) => {
    const fromPostgis = await workerWith({})(path, { headers: MASTER });
    let answer = fromPostgis;
    // A bucket that a busy machine keeps waiting counts as unreadable for some seconds.
    await eventually(async () => {
      const statements = await statementsOf(async () => {
        answer = await ask(path, { headers: MASTER });
      });
      expect(statements).toBe(0);
    });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(fromPostgis.text);
    for (const name of ['ETag', 'Content-Type', 'Content-Location', 'X-Data-Release', 'Cache-Control']) {
      expect(answer.headers.get(name), name).toBe(fromPostgis.headers.get(name));
    }
  });

  it.each([
    ['the snapshot', { FILES: like(SNAPSHOTS) }],
    ['PostGIS', {}],
  ])('the age of the list is that of the day, also for who has an older answer, from %s', async (_, settings) => {
    const asking = workerWith(settings);
    const asked = (etag?: string) =>
      asking('/v1/sources', etag === undefined ? {} : { headers: { 'If-None-Match': etag } });
    vi.useFakeTimers({ now: Date.parse('2026-12-31T23:59:50Z'), toFake: ['Date'] });
    try {
      const before = await asked();
      expect(before.body.data).toMatchObject({ as_of: '2026-09-30', age_days: 92, newer_likely: false });
      const etag = before.headers.get('ETag') ?? '';
      expect((await asked(etag)).status).toBe(304);
      vi.setSystemTime(Date.parse('2027-01-01T00:00:05Z'));
      const after = await asked(etag);
      expect([after.status, after.body?.data]).toMatchObject([
        200,
        {
          age_days: 93,
          newer_likely: true,
          notice: 'PSGC list of 30 Sep 2026, 3 months old; a newer one is likely.',
        },
      ]);
      expect((await asked()).body.data.age_days).toBe(93);
    } finally {
      vi.useRealTimers();
    }
  });

  it('another edition is answered from its own snapshot, beside the active one and without a statement', async () => {
    const bucket = apart();
    await publish({ active: true, bucket });
    const other = { release: '2023-4q-9', version: '2023-4q-9-abc' };
    await publishOther(bucket, other);
    const editions = { '2026-3q': inject('snapshot'), '2023-4q': other };
    await bucket.put(EDITIONS_KEY, JSON.stringify({ editions }));
    const ask = workerWith({ FILES: bucket, DATABASE_URL: FAILING });
    const nameIn = async (query: string) => {
      const { body, headers } = await ask(`/v1/provinces/0401000000?geometry=simple${query}`, { headers: MASTER });
      const [[[[lon]]]] =
        body.data.geometry.type === 'Polygon' ? [body.data.geometry.coordinates] : body.data.geometry.coordinates;
      return [body.data.name, headers.get('X-Data-Release'), lon < 110];
    };
    for (let i = 0; i < 2; i += 1) {
      expect(await nameIn('&edition=2023-4q')).toEqual(['Betenges', '2023-4q-9', true]);
      expect(await nameIn('')).toEqual(['Batangas', RELEASE, false]);
      expect(await nameIn('&edition=2026-3q')).toEqual(['Batangas', RELEASE, false]);
    }
    const found = await ask('/v1/search?q=Betenges&edition=2023-4q');
    expect(found.body.data[0].code).toBe('0401000000');
  });

  it.each([
    ['fails', FAILING],
    ['hangs', HANGING],
  ])('geography is 200 while the database %s', async (_, DATABASE_URL) => {
    const ask = workerWith({ ...ON_TIME, FILES: like(SNAPSHOTS), DATABASE_URL });
    for (const path of PATHS) expect((await ask(path, { headers: MASTER })).status, path).toBe(200);
    expect((await ask('/v1/regions')).status).toBe(200);
    const points = { points: [{ lat: 9.1, lon: 120.1 }] };
    const batch = await ask('/v1/geocode/reverse', {
      method: 'POST',
      headers: { ...MASTER, 'Content-Type': 'application/json' },
      body: JSON.stringify(points),
    });
    expect(batch.status).toBe(200);
  });

  it('nothing is read of the bucket for a caller who has the answer', async () => {
    const get = vi.fn((...given: unknown[]) => (SNAPSHOTS.get as (...given: unknown[]) => unknown)(...given));
    const ask = workerWith({ FILES: like(SNAPSHOTS, { get }) });
    const path = '/v1/municities?province_code=0702200000&geometry=detailed&beside=the-edge';
    const { headers } = await ask(path, { headers: MASTER });
    get.mockClear();
    const again = await ask(path, { headers: { ...MASTER, 'If-None-Match': headers.get('ETag') ?? '' } });
    expect(again.status).toBe(304);
    expect(get).not.toHaveBeenCalled();
  });
});

describe('an answer with boundaries', () => {
  const path = '/v1/municities?format=geojson&geometry=medium&province_code=0702200000';
  const key = `${ORIGIN}/v1/municities?format=geojson&geometry=medium&province_code=0702200000`;
  const ask = workerWith({ FILES: like(SNAPSHOTS, {}) });
  const remembered = () => byteCache.get(key) as { version: string; body: Uint8Array } | undefined;

  it('is made once and then remembered, under one name for any order of its parameters', async () => {
    const first = await ask(path, { headers: MASTER });
    await eventually(() => expect(new TextDecoder().decode(remembered()?.body)).toBe(first.text));
    const { body = new Uint8Array() } = remembered() ?? {};
    // Whoever is given another name has been given what is remembered.
    body[first.text.indexOf('"name":"') + '"name":"'.length] = 'X'.charCodeAt(0);
    const again = await ask('/v1/municities?province_code=0702200000&geometry=medium&format=geojson', {
      headers: MASTER,
    });
    expect(again.text).toBe(first.text.replace(/"name":"./, '"name":"X'));
    expect(again.headers.get('Content-Type')).toBe('application/geo+json');
    expect((await ask(path, { headers: { ...MASTER, 'If-None-Match': first.headers.get('ETag') ?? '' } })).status).toBe(
      304,
    );
    expect((await ask(path)).status).toBe(401);
  });

  it('is made anew where it is remembered of another release', async () => {
    expect((await ask(path, { headers: MASTER })).text).toContain('"name":"X');
    byteCache.set(key, { ...remembered(), version: 'another', byteLength: 1 } as never);
    expect((await ask(path, { headers: MASTER })).text).not.toContain('"name":"X');
  });
});

describe('where the snapshot can not be read', () => {
  const path = '/v1/provinces?format=geojson&geometry=detailed&beside=the-edge';
  const faults: [string, () => R2Bucket][] = [
    ['the pointer leads to no manifest', () => pointing({ version: 'gone-1' })],
    ['the pointer is no pointer', () => pointing(['x'])],
    ['the areas are missing', () => answering('areas', async () => null)],
    ['the areas are cut short', () => answering('areas', async () => short('areas'))],
    ['a boundary object is missing', () => answering('boundaries-province-detailed', async () => null)],
    ['a boundary object was altered', () => altered('boundaries-province-detailed')],
  ];

  it.each(faults)('%s: PostGIS answers', async (_, bucket) => {
    const ask = workerWith({ FILES: bucket() });
    const [answer, expected] = [await ask(path, { headers: MASTER }), await workerWith({})(path, { headers: MASTER })];
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(expected.text);
  });

  it('by one request that lacks the time, that one alone asks PostGIS', async () => {
    const { key } = await newKey((await person()).session);
    const ask = workerWith({ ...ON_TIME, FILES: like(SNAPSHOTS) });
    fetched.mockImplementationOnce(async (...given) => {
      await scheduler.wait(2600);
      return original(...given);
    });
    expect((await ask('/v1/regions', { headers: bearer(key) })).status).toBe(200);
    expect(await statementsOf(() => ask('/v1/regions', { headers: MASTER }))).toBe(0);
  });

  it('and the database neither: 503 within five seconds', async () => {
    const ask = workerWith({
      ...ON_TIME,
      FILES: like(SNAPSHOTS, { get: () => new Promise(() => undefined) }),
      DATABASE_URL: HANGING,
    });
    const { status, body } = await ask('/v1/regions');
    expect(status).toBe(503);
    expect(body.code).toBe('database_timeout');
  });

  /** A bucket that answers otherwise for one object of the snapshot. */
  function answering(name: string, get: () => Promise<unknown>): R2Bucket {
    const key = keyOf(name);
    return like(SNAPSHOTS, {
      get: (asked: string, ...rest: []) => (asked === key ? get() : SNAPSHOTS.get(asked, ...rest)),
    });
  }

  function pointing(pointer: unknown): R2Bucket {
    const object = new Response(JSON.stringify(pointer));
    return like(SNAPSHOTS, {
      get: async (asked: string, ...rest: []) => (asked === POINTER_KEY ? object : SNAPSHOTS.get(asked, ...rest)),
    });
  }

  function short(name: 'areas') {
    const bytes = snapshotBytes(name).slice(0, 1000);
    return { body: {}, arrayBuffer: async () => bytes.buffer };
  }

  /** A bucket in which other bytes are stored under a name. */
  function altered(name: string): R2Bucket {
    const other = `releases/altered/${name}`;
    const key = keyOf(name);
    return like(SNAPSHOTS, {
      get: async (asked: string, options: R2GetOptions) => {
        if (asked !== key) return SNAPSHOTS.get(asked, options);
        await SNAPSHOTS.put(other, new Uint8Array(10_000_000));
        return SNAPSHOTS.get(other, options);
      },
    });
  }
});

describe('publishing', () => {
  const base = `/v1/admin/releases/${RELEASE}`;
  const digest = (sha256: string) => {
    const bytes = sha256.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
    return { 'Content-Digest': `sha-256=:${btoa(String.fromCharCode(...bytes))}:` };
  };
  const areas = manifest.objects.find(({ name }) => name === 'areas');
  if (!areas) throw new Error('A snapshot has areas');

  const hexOf = (bytes: ArrayBuffer) =>
    [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

  function putter(FILES: R2Bucket) {
    const ask = workerWith({ FILES });
    return {
      ask,
      put: (name: string, body: BodyInit, headers: Record<string, string>) =>
        ask(`${base}/snapshot/${name}`, { method: 'PUT', headers: { ...MASTER, ...headers }, body }),
      publish: (body: object) =>
        ask(`${base}/snapshot`, {
          method: 'PUT',
          headers: { ...MASTER, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
    };
  }

  it('every object and then the manifest makes the active release be served from them', async () => {
    const { ask, put, publish: send } = putter(apart());
    expect((await ask(`${base}/snapshot`, { headers: MASTER })).body.code).toBe('snapshot_not_found');
    for (const { name, sha256, bytes } of manifest.objects) {
      const body = snapshotBytes(name);
      const { status, body: answer } = await put(name, body, { ...digest(sha256), 'Content-Length': String(bytes) });
      expect(answer.data ?? answer).toEqual({ name, bytes });
      expect(status).toBe(200);
    }
    const { version, objects } = manifest;
    const { body } = await send({ version, objects });
    expect(body.data).toEqual({ release: RELEASE, version, served: true });
    expect((await ask(`${base}/snapshot`, { headers: MASTER })).body.data).toEqual({ version, objects });
    expect(await statementsOf(() => ask('/v1/regions'))).toBe(0);
  });

  it('is refused where an object is missing, and what was served stays', async () => {
    const bucket = apart();
    const { put, publish: send } = putter(bucket);
    await bucket.put(POINTER_KEY, '{"version":"before-1"}');
    await put('areas', snapshotBytes('areas'), { ...digest(areas.sha256), 'Content-Length': String(areas.bytes) });
    const { status, body } = await send({ version: manifest.version, objects: manifest.objects });
    expect([status, body.code]).toEqual([422, 'invalid_snapshot']);
    expect(body.message).toMatch(/boundaries-region-simple is missing/);
    expect(await (await bucket.get(POINTER_KEY))?.text()).toBe('{"version":"before-1"}');
    expect(await bucket.head(manifestKey(manifest.version))).toBeNull();
  });

  it('is refused where the areas are missing, are no areas, unpack to too much, or are of other boundaries', async () => {
    const others = manifest.objects.filter(({ name }) => name !== 'areas');
    const bomb = await gzip(new Uint8Array(30_000_000));
    const noise = await gzip(new TextEncoder().encode('PGDSA001 and nothing else'));
    const cases: [Uint8Array<ArrayBuffer> | undefined, SnapshotObject[], RegExp][] = [
      [undefined, others, /has no object areas/],
      [bomb, others, /unpack to more than/],
      [noise, others, /can't be opened/],
      [snapshotBytes('areas').slice(0, -500), others, /can't be opened/],
      [snapshotBytes('areas'), others.slice(1), /boundaries-region-simple has 0 bytes and the areas say \d+/],
      [snapshotBytes('areas'), others.filter(({ name }) => name !== 'points'), /points has 0 bytes/],
    ];
    const bucket = apart();
    await publish({ active: false, bucket });
    await bucket.delete(manifestKey(manifest.version));
    const { put, publish: send } = putter(bucket);
    for (const [bytes, rest, reason] of cases) {
      const objects = [...rest];
      if (bytes) {
        const sha256 = hexOf(await crypto.subtle.digest('SHA-256', bytes));
        const length = { 'Content-Length': String(bytes.length) };
        expect((await put('areas', bytes, { ...digest(sha256), ...length })).status).toBe(200);
        const etag = hexOf(await crypto.subtle.digest('MD5', bytes));
        objects.push({ name: 'areas', bytes: bytes.length, sha256, etag });
      }
      const { status, body } = await send({ version: manifest.version, objects });
      expect([status, body.code]).toEqual([422, 'invalid_snapshot']);
      expect(body.message).toMatch(reason);
      expect(await bucket.head(manifestKey(manifest.version))).toBeNull();
    }
  });

  it('of a version that the database need not have may leave boundaries for later, and only these', async () => {
    const bucket = apart();
    await publish({ active: false, bucket });
    await bucket.delete(manifestKey(manifest.version));
    const { ask } = putter(bucket);
    const { version } = manifest;
    const isLower = ({ name }: SnapshotObject) => /^boundaries-(municity|submunicipality|barangay)/.test(name);
    const first = manifest.objects.filter((object) => !isLower(object));
    const send = (query: string, objects: readonly SnapshotObject[]) =>
      ask(`${base}/snapshot${query}`, {
        method: 'PUT',
        headers: { ...MASTER, 'Content-Type': 'application/json' },
        body: JSON.stringify({ version, objects }),
      });
    const told = `?version=${version}`;
    const withoutPoints = first.filter(({ name }) => name !== 'points');
    for (const [query, objects, reason] of [
      ['', first, /boundaries-municity-simple has 0 bytes and the areas say \d+/],
      [told, withoutPoints, /points has 0 bytes/],
    ] as const) {
      const { status, body } = await send(query, objects);
      expect([status, body.code]).toEqual([422, 'invalid_snapshot']);
      expect(body.message).toMatch(reason);
    }
    expect((await send(told, first)).body.data).toMatchObject({ version, served: true });
    const drawn = (path: string) => async () => {
      expect((await ask(path, { headers: MASTER })).body.data.geometry).not.toBeNull();
    };
    expect(await statementsOf(drawn('/v1/provinces/0702200000?geometry=simple&first'))).toBe(0);
    // What is not there yet is answered by PostGIS.
    expect(await statementsOf(drawn('/v1/municities/0702201000?geometry=simple&first'))).toBeGreaterThan(0);
  });

  it('of other bytes of the same release leaves what is served until they are published', async () => {
    const bucket = apart();
    await publish({ active: true, bucket });
    const { ask, put } = putter(bucket);
    const path = '/v1/provinces?geometry=simple&limit=3&beside=the-edge';
    const before = await ask(path, { headers: MASTER });
    const other = new TextEncoder().encode('bytes of another build');
    const hex = hexOf(await crypto.subtle.digest('SHA-256', other));
    for (const name of ['areas', 'boundaries-province-simple']) {
      const { status } = await put(name, other, { ...digest(hex), 'Content-Length': String(other.length) });
      expect(status).toBe(200);
    }
    // The publication breaks off here. An instance that starts now answers without a statement all the same.
    byteCache.delete(`${keyOf('boundaries-province-simple')}#0`);
    const later = workerWith({ FILES: like(bucket) });
    expect(
      await statementsOf(async () => expect((await later(path, { headers: MASTER })).text).toBe(before.text)),
    ).toBe(0);
  });

  it('again is followed by instances whose objects were deleted then', async () => {
    const bucket = apart();
    await publish({ active: true, bucket });
    const { ask } = putter(bucket);
    expect(await statementsOf(() => ask('/v1/regions'))).toBe(0);
    const name = 'boundaries-province-medium';
    const path = '/v1/provinces?geometry=medium&limit=3&beside=the-edge';
    const stored = manifest.objects.find((object) => object.name === name) as SnapshotObject;
    const objects = manifest.objects.filter((object) => object !== stored);
    // The same bytes under another key, as of another build.
    const moved = { ...stored, sha256: `0${stored.sha256.slice(1)}` };
    await bucket.put(objectKey(manifest.version, moved), snapshotBytes(name));
    await bucket.put(manifestKey(manifest.version), JSON.stringify({ ...manifest, objects: [...objects, moved] }));
    await bucket.delete(keyOf(name));
    byteCache.delete(`${keyOf(name)}#0`);
    await statementsOf(() => ask(path, { headers: MASTER }));
    // Work that other tests have left to be done later may have statements of its own.
    expect(bodiesOf(fetched).filter((body) => body.includes('with release as'))).toHaveLength(1);
    expect(await statementsOf(() => ask(path, { headers: MASTER }))).toBe(0);
  });

  it('refuses bytes that are not what was announced, and stores nothing', async () => {
    const bucket = apart();
    const { put } = putter(bucket);
    const { status, body } = await put('areas', 'other bytes', { ...digest(areas.sha256), 'Content-Length': '11' });
    expect([status, body.code]).toEqual([422, 'invalid_snapshot']);
    expect(await bucket.head(keyOf('areas'))).toBeNull();
  });

  it.each([
    ['no digest', {}, 422, 'invalid_snapshot'],
    ['a digest of another kind', { 'Content-Digest': 'md5=:AAAA:' }, 422, 'invalid_snapshot'],
    ['too large a size', { 'Content-Length': '999999999999' }, 413, 'payload_too_large'],
  ])('refuses %s', async (_, headers, expected, code) => {
    const { put } = putter(apart());
    const { status, body } = await put('areas', 'x', { 'Content-Length': '1', ...(headers as Record<string, string>) });
    expect([status, body.code]).toEqual([expected, code]);
  });

  it('refuses another version than that of the release, and releases that do not exist', async () => {
    const { ask, publish: send } = putter(apart());
    const other = await send({ version: 'other-1', objects: manifest.objects });
    expect([other.status, other.body.code]).toEqual([422, 'invalid_snapshot']);
    const { status, body } = await ask('/v1/admin/releases/nowhere/snapshot', { headers: MASTER });
    expect([status, body.code]).toEqual([404, 'release_not_found']);
  });

  it('the scheduled job points to what the database says is active, and deletes what is not loaded any more', async () => {
    const bucket = apart();
    const ctx = jobContext({ ...env, FILES: bucket });
    await bucket.put(POINTER_KEY, '{"version":"before-1"}');
    await bucket.put(manifestKey(manifest.version), JSON.stringify(manifest));
    await servePublished(ctx);
    expect(await (await bucket.get(POINTER_KEY))?.json()).toEqual({ version: manifest.version });
    const { release, version } = manifest;
    expect(await (await bucket.get(EDITIONS_KEY))?.json()).toMatchObject({
      editions: {
        '2026-3q': { release, version, published: '2026-09-30', counts: { regions: 18 }, boundary_set: 'full' },
      },
    });

    await SNAPSHOTS.put('releases/gone-1/areas', 'x');
    const leftOver = `releases/${manifest.version}/areas-0123456789abcdef`;
    await SNAPSHOTS.put(leftOver, 'x');
    const own = jobContext({ ...env, FILES: SNAPSHOTS });
    await deleteOldSnapshots(own, { now: new Date() });
    expect(await SNAPSHOTS.head('releases/gone-1/areas')).not.toBeNull();
    const broken = like(SNAPSHOTS, {
      get: async (key: string, ...rest: []) =>
        key === POINTER_KEY ? new Response('["x"]') : SNAPSHOTS.get(key, ...rest),
    });
    const unpointed = deleteOldSnapshots(jobContext({ ...env, FILES: broken }), { now: new Date(Date.now() + 9e7) });
    await expect(unpointed).rejects.toThrow('expected object');
    expect(await SNAPSHOTS.head('releases/gone-1/areas')).not.toBeNull();
    await deleteOldSnapshots(own, { now: new Date(Date.now() + 25 * 3_600_000) });
    expect(await SNAPSHOTS.head('releases/gone-1/areas')).toBeNull();
    expect(await SNAPSHOTS.head(leftOver)).toBeNull();
    expect(await SNAPSHOTS.head(manifestKey(manifest.version))).not.toBeNull();
    for (const { name } of manifest.objects) expect(await SNAPSHOTS.head(keyOf(name)), name).not.toBeNull();
  });

  it('the first publication takes the place of a pointer that names no version', async () => {
    const bucket = apart();
    const { version } = manifest;
    await bucket.put(POINTER_KEY, '["x"]');
    await bucket.put(manifestKey(version), JSON.stringify(manifest));
    // The database does not say which release is active.
    const ctx = jobContext({ ...env, FILES: bucket, DATABASE_URL: FAILING });
    expect(await servePublished(ctx, version)).toBe(version);
    expect(await (await bucket.get(POINTER_KEY))?.json()).toEqual({ version });
  });

  it('activating a release without a snapshot takes the pointer away, with one it points there', async () => {
    const bucket = apart();
    const { ask } = putter(bucket);
    const activate = () => ask(`${base}/activate`, { method: 'POST', headers: MASTER });
    await bucket.put(POINTER_KEY, '{"version":"before-1"}');
    expect((await activate()).status).toBe(200);
    expect(await bucket.head(POINTER_KEY)).toBeNull();
    await bucket.put(manifestKey(manifest.version), JSON.stringify(manifest));
    expect((await activate()).status).toBe(200);
    expect(await (await bucket.get(POINTER_KEY))?.json()).toEqual({ version: manifest.version });
  });
});

describe('an answer that the instance has given before', () => {
  const ask = workerWith({ FILES: like(SNAPSHOTS) });

  it('is remembered, and forgotten with its release', async () => {
    const path = '/v1/regions?limit=4';
    const { text } = await ask(path);
    const key = `json ${ORIGIN}${path}`;
    const known = byteCache.get(key) as { byteLength: number; version: string };
    const other = { ...known, body: text.replace('"error"', ' "error"') };
    byteCache.set(key, other);
    expect((await ask(path)).text).toBe(other.body);
    byteCache.set(key, { ...other, version: 'of-another-load' } as typeof known);
    expect((await ask(path)).text).toBe(text);
  });

  it.each([
    ['/v1/geocode/reverse?lat=9.1&lon=120.1&within=4999', 'json '],
    ['/v1/municities/1830200000?format=geojson&geometry=detailed', ''],
  ])('%s is sent again to whoever may ask, and to nobody else', async (path, kind) => {
    const first = await ask(path, { headers: MASTER });
    await eventually(() => expect(byteCache.get(`${kind}${ORIGIN}${path}`)).toBeDefined());
    const again = await ask(path, { headers: MASTER });
    expect([again.status, again.text]).toEqual([200, first.text]);
    const same = ['Content-Type', 'ETag', 'Cache-Control', 'Vary', 'X-Data-Release'];
    for (const name of same) expect(again.headers.get(name), name).toBe(first.headers.get(name));
    expect((await ask(path)).status).toBe(401);
    const { key } = await newKey((await person()).session, { scopes: ['read:datasets'] });
    expect((await ask(path, { headers: bearer(key) })).body.code).toBe('missing_scope');
  });

  it('is public or private by who asks now, and 304 for who has it', async () => {
    const path = '/v1/provinces?limit=2&page=3';
    const first = await ask(path, { headers: MASTER });
    const again = await ask(path);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('Cache-Control')).toContain('public');
    const held = await ask(path, { headers: { 'If-None-Match': again.headers.get('ETag') ?? '' } });
    expect([held.status, held.text]).toEqual([304, '']);
    const head = await ask(path, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it.each([
    '/v1/municities/072217000',
    '/v1/provinces/0702200000?output=json',
    '/v1/municities/0630200000?format=geojson&geometry=simple',
    '/v1/provinces/0702200000?geometry=simple&output=geojson',
  ])('%s is sent with its own headers again', async (path) => {
    const first = await ask(path, { headers: MASTER });
    if (path.includes('geojson')) await eventually(() => expect(byteCache.get(ORIGIN + path)).toBeDefined());
    const again = await ask(path, { headers: MASTER });
    for (const name of ['Content-Location', 'Deprecation', 'Content-Type']) {
      expect(again.headers.get(name), name).toBe(first.headers.get(name));
    }
    expect(again.headers.get('Content-Location') ?? again.headers.get('Deprecation')).not.toBeNull();
  });

  it('is not sent for another address, nor where its parameters are wrong', async () => {
    expect((await ask('/v1/provinces?limit=2&page=3')).status).toBe(200);
    expect((await ask('/v1/provinces?limit=2&page=3&name=%00')).status).toBe(422);
  });
});

it('the index of names is made for one edition at a time, and others have a turn between', async () => {
  await publish({ active: false });
  const { opened, objects } = await openedSnapshot();
  const others = new TurnCount();
  const editions = Array.from({ length: 4 }, () => snapshotAreas(opened)(objects));
  const asked = editions.flatMap((areas) => [areas.names(), areas.names()]);
  const read = await Promise.all(asked.map(async (names) => ({ ...(await names).value, turns: others.turns })));
  others.end();
  for (let i = 1; i < editions.length; i += 1) {
    const [before, after] = [read[2 * i - 2], read[2 * i]];
    expect(after?.turns).toBeGreaterThan(before?.turns ?? 0);
    expect(read[2 * i + 1]?.index).toBe(after?.index);
  }
});
