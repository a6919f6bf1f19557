import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, inject, it, type MockInstance, vi } from 'vitest';
import worker from '../../src/worker.ts';
import { type Answer, type api, MASTER, ON_TIME, workerWith } from '../support/api.ts';
import { bucket } from '../support/bucket.ts';
import { eventually } from '../support/eventually.ts';
import { faultyBucket, half } from '../support/faulty-bucket.ts';
import { call, failure } from '../support/mcp.ts';
import { like, publish, SNAPSHOTS } from '../support/snapshot.ts';
import { collection, type Field, feature, formOf, upload } from '../support/uploads.ts';
import { type Headers, type Targets, targets } from './families.ts';

// How long one request alone waits for what hangs, and what comes of a copy at the edge that is cut.

/** An answer of which the edge keeps a copy. */
const PATH = '/v1/provinces/0702200000?format=geojson';

vi.spyOn(console, 'log').mockImplementation(() => undefined);
const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);

let given: Targets;
beforeAll(async () => {
  await publish({ active: true });
  given = await targets();
});

/** How long a request takes, milliseconds, with its status. */
async function timed(settings: object, path: string, headers: Record<string, string>) {
  const started = Date.now();
  const { status } = await workerWith({ ...ON_TIME, ...settings })(path, { headers });
  return { status, took: Date.now() - started };
}

describe('one request alone', () => {
  it('leaves within five seconds where the database hangs', async () => {
    const { status, took } = await timed(
      { DATABASE_URL: inject('faultyDatabases').hangs },
      '/v1/datasets',
      given.session,
    );
    expect(status).toBe(503);
    expect(took).toBeLessThan(5000);
  });

  it('leaves within five seconds where the bucket hangs, and where the database is late besides', async () => {
    const FILES = faultyBucket(bucket, 'hangs');
    const path = `/v1/datasets/${given.dataset}/file`;
    for (const settings of [{ FILES }, { FILES, DATABASE_URL: inject('faultyDatabases')['is late'] }]) {
      const { status, took } = await timed(settings, path, given.session);
      expect(status).toBe(503);
      expect(took).toBeLessThan(5000);
    }
  });

  it('has time for all of a dataset that a filter of OGC API looks through', async () => {
    // The session, the dataset and its five parts need ten seconds of a database that answers after a second and a half.
    const { body } = await upload(given.session, 'points.geojson', collection(20_001));
    const late = workerWith({ REQUEST_WAIT_MS: '6000', DATABASE_URL: inject('faultyDatabases')['is late'] });
    const items = `/ogc/collections/dataset-${body.data.id}/items?i=20000`;
    const { status, body: page } = await late(items, { headers: given.session, undeclared: true });
    expect([status, page.numberReturned]).toEqual([200, 1]);
  });

  it('has the time of one request for all that a tool asks', async () => {
    // The database answers after a second and a half: one question comes in time, two after another do not.
    const settings = { FILES: faultyBucket(bucket, 'refuses'), DATABASE_URL: inject('faultyDatabases')['is late'] };
    const late = workerWith({ ...settings, REQUEST_WAIT_MS: '2800' });
    expect((await call('get_place', { code: '0702200000' }, MASTER, late)).level).toBe('province');
    const said = await failure('get_place', { code: '0702200000', include: ['ancestors'] }, MASTER, late);
    expect(said).toMatch(/\((database_timeout|database_unavailable)\)$/);
  });

  it('waits for the next part of a body as long as REQUEST_WAIT_MS says', async () => {
    const started = Date.now();
    const settings = { FILES: faultyBucket(bucket, 'stands still'), REQUEST_WAIT_MS: '2000' };
    const path = `/v1/datasets/${given.dataset}/file`;
    await expect(workerWith(settings)(path, { headers: given.session })).rejects.toThrow();
    expect(Date.now() - started).toBeLessThan(3500);
  });

  it('reads geography from a bucket that is late by a second, and asks no database', async () => {
    let pause = 0;
    const get = async (...given: [string, R2GetOptions]) => {
      await scheduler.wait(pause);
      return SNAPSHOTS.get(...given);
    };
    const settings = { FILES: like(SNAPSHOTS, { get }), DATABASE_URL: inject('faultyDatabases').fails };
    const read = async (code: string) => {
      const { status } = await timed(settings, `/v1/provinces/${code}?format=geojson&geometry=detailed`, MASTER);
      return status;
    };
    // An instance that has just begun reads three objects one after another, for which there is no time then.
    expect(await read('0702200000')).toBe(200);
    pause = 1000;
    expect(await read('1804500000')).toBe(200);
  });

  it('waits for the cache a fifth of a second', async () => {
    await timed({}, PATH, MASTER);
    const match = vi.spyOn(caches.default, 'match').mockResolvedValue(undefined);
    const usual = await timed({}, PATH, MASTER);
    match.mockImplementation(() => new Promise(() => undefined));
    const hanging = await timed({}, PATH, MASTER);
    expect(match).toHaveBeenCalledTimes(2);
    match.mockRestore();
    expect([usual.status, hanging.status]).toEqual([200, 200]);
    expect(hanging.took - usual.took).toBeGreaterThan(100);
    expect(hanging.took - usual.took).toBeLessThan(900);
  });
});

describe('everything outside that is late by the same', () => {
  type Late = typeof api;
  const headers = (owner: Headers, type = 'application/json') => ({ ...owner, 'Content-Type': type });
  const sendFile = (ask: Late, owner: Headers, file: [name: string, content: string], id?: string) =>
    ask('/v1/datasets/upload', {
      method: 'POST',
      headers: {
        ...headers(owner, 'multipart/form-data; boundary=boundary-of-the-test'),
        'Idempotency-Key': crypto.randomUUID(),
      },
      body: formOf([
        ...(id === undefined
          ? []
          : ([
              ['dataset_id', id],
              ['feature_storage', 'features_and_r2'],
            ] as Field[])),
        ['file', ...file],
      ]),
    });
  const table = (rows: number) => `province\n${'Cebu\n'.repeat(rows)}`;
  const get = (path: string, owner: Headers) => (ask: Late) => ask(path, { headers: owner });

  /** What asks for several things, one after another, before its answer begins. */
  const REQUESTS: Record<string, (ask: Late, given: Targets & { large: string }) => Promise<Answer>> = {
    'an upload of 1,500 features': (ask, { session }) => sendFile(ask, session, ['a.geojson', collection(1500)]),
    'an upload of 4,000 features in the place of others': (ask, { session, once }) =>
      sendFile(ask, session, ['a.geojson', collection(4000)], once.replaced),
    'an upload of 1,500 features with a key': (ask, { key }) => sendFile(ask, key, ['a.geojson', collection(1500)]),
    'an upload of a table': (ask, { session }) =>
      sendFile(ask, session, ['a.csv', `lat,lon\n${'9.1,120.1\n'.repeat(1500)}`]),
    'an export as GeoParquet': (ask, { session, dataset }) =>
      get(`/v1/datasets/${dataset}/export?format=parquet`, session)(ask),
    'an export as Shapefile': (ask, { key, dataset }) => get(`/v1/datasets/${dataset}/export?format=shp`, key)(ask),
    'an export as FlatGeobuf': (ask, { key, dataset }) => get(`/v1/datasets/${dataset}/export?format=fgb`, key)(ask),
    'an export as GeoPackage': (ask, { key, large }) => get(`/v1/datasets/${large}/export?format=gpkg`, key)(ask),
    'datasets with their features': (ask, { key }) => get('/v1/datasets?includeFeatures=true', key)(ask),
    'the file of a dataset': (ask, { key, dataset }) => get(`/v1/datasets/${dataset}/file`, key)(ask),
    'a new dataset': (ask, { key }) =>
      ask('/v1/datasets', {
        method: 'POST',
        headers: { ...headers(key), 'Idempotency-Key': crypto.randomUUID() },
        body: JSON.stringify({ name: 'Wells', features: [{ geom: { type: 'Point', coordinates: [121, 14] } }] }),
      }),
    'a matched table': (ask, { key }) =>
      ask('/v1/match', { method: 'POST', headers: headers(key, 'text/csv'), body: table(150) }),
    'a rotated key': (ask, { session, once }) =>
      ask(`/v1/api-keys/${once.rotated}/rotate`, { method: 'POST', headers: session }),
    'a tile': (ask, { key, slug }) => get(`/v1/tiles/${slug}/0/0/0.mvt`, key)(ask),
    boundaries: (ask, { key }) => get('/v1/municities?province_code=0702200000&geometry=medium', key)(ask),
  };

  const real = globalThis.fetch;
  let fetched: MockInstance | undefined;
  afterEach(() => fetched?.mockRestore());

  /** @returns what makes other things late by the same */
  function databaseLateBy(pause: number) {
    const late = async <T>(ask: () => Promise<T>, signal?: AbortSignal | null): Promise<T> => {
      const aborted = new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
      await Promise.race([scheduler.wait(pause), aborted]);
      return ask();
    };
    fetched = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation((input, init) => late(() => real(input, init), init?.signal));
    return late;
  }

  it.each([400, 900, 1300, 2000])('%i ms: each answer leaves within five seconds', async (pause) => {
    const given = await targets();
    const { body } = await upload(given.session, 'large.geojson', collection(3000));
    const some = { ...given, large: body.data.id };
    const late = databaseLateBy(pause);
    const slow =
      (name: keyof R2Bucket) =>
      (...given: never[]) =>
        late(() => (bucket[name] as (...given: never[]) => Promise<unknown>).bind(bucket)(...given));
    const FILES = like(
      bucket,
      Object.fromEntries((['get', 'head', 'put', 'delete'] as const).map((name) => [name, slow(name)])),
    );
    const METER = {
      idFromName: (name: string) => env.METER.idFromName(name),
      get: (id: DurableObjectId) =>
        new Proxy(env.METER.get(id), {
          get:
            (meter, name) =>
            (...given: never[]) =>
              late(() => Reflect.get(meter, name)(...given)),
        }),
    };
    const took = await Promise.all(
      Object.entries(REQUESTS).map(async ([name, request]) => {
        const started = Date.now();
        let began = 0;
        // The headers leave once the first of the body is there.
        const fetch: typeof worker.fetch = async (...given) => {
          const response = await worker.fetch(...given);
          began = Date.now() - started;
          return response;
        };
        const { status, body } = await request(workerWith({ ...ON_TIME, FILES, METER }, { ...worker, fetch }), some);
        expect([200, 503], name).toContain(status);
        // Where the file was not stored, nothing took effect.
        if (name === 'an upload of 1,500 features' && /^database/.test(body.code)) {
          expect(body.message).toContain(
            'Whether it took effect is not known: send it again with the same Idempotency-Key',
          );
        }
        return [name, began] as const;
      }),
    );
    // They share the processor, and half a second is theirs.
    expect(took.filter(([, milliseconds]) => milliseconds > 5500)).toEqual([]);
  });

  it.each([
    ['shp', 500],
    ['xlsx', 900],
  ] as const)('an archive as %s begins before the pages of its files are read', async (format, pause) => {
    const place = (i: number) => [120 + i / 1000, 10];
    // Two pages, which are read twice for each type.
    const geometries = [
      { type: 'Point', coordinates: place(0) },
      { type: 'LineString', coordinates: [place(0), place(1)] },
      { type: 'MultiPoint', coordinates: [place(0), place(1)] },
    ];
    const features = Array.from({ length: 2500 }, (_, i) => feature(i, { geometry: geometries[i % 3] }));
    const { session } = given;
    const { body } = await upload(session, 'a.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
    databaseLateBy(pause);
    const started = Date.now();
    let began = 0;
    const fetch: typeof worker.fetch = async (...given) => {
      const response = await worker.fetch(...given);
      began = Date.now() - started;
      return response;
    };
    const { status } = await workerWith(ON_TIME, { ...worker, fetch })(
      `/v1/datasets/${body.data.id}/export?format=${format}`,
      { headers: session },
    );
    expect(status).toBe(200);
    expect(began).toBeLessThan(5000);
  });
});

describe('a copy at the edge that is cut', () => {
  const ask = () => workerWith(ON_TIME)(PATH, { headers: MASTER });

  /** Answers with copies as the edge has them, but for their bodies. */
  async function withCopies(change: (bytes: Uint8Array) => ReadableStream): Promise<MockInstance> {
    const real = caches.default.match.bind(caches.default);
    const changed = vi.fn(change);
    const match = vi.spyOn(caches.default, 'match').mockImplementation(async (key) => {
      const copy = await real(key);
      if (!copy) return undefined;
      return new Response(changed(new Uint8Array(await copy.arrayBuffer())), { headers: copy.headers });
    });
    // The first answer is put there while it is sent.
    await eventually(async () => {
      await ask().catch(() => undefined);
      expect(changed).toHaveBeenCalled();
    });
    return match;
  }

  const lost = (body: ReadableByteStreamController) => body.error(new Error('Network connection lost.'));

  it('before its first chunk is none: the answer is made', async () => {
    const match = await withCopies(() => new ReadableStream({ type: 'bytes', pull: lost }));
    const { status, body } = await ask();
    match.mockRestore();
    expect([status, body.type]).toEqual([200, 'Feature']);
  });

  it('after half of it breaks the answer off, and leaves a line in the log', async () => {
    const match = await withCopies((bytes) => half(bytes, lost));
    printed.mockClear();
    await expect(ask()).rejects.toThrow();
    match.mockRestore();
    expect(printed.mock.calls.join()).toContain('copy_broke_off');
  });
});
