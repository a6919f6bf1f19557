import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type Answer, type api, MASTER, ON_TIME, workerWith } from '../support/api.ts';
import { bucket } from '../support/bucket.ts';
import { BUCKET_FAULTS, faultyBucket } from '../support/faulty-bucket.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { publish, SNAPSHOTS, snapshotBytes } from '../support/snapshot.ts';
import { some } from '../support/some.ts';
import { archiveBytes, freshSlug, newArchive } from '../support/tiles.ts';
import { formOf, upload } from '../support/uploads.ts';
import { signed } from '../support/webhooks.ts';

// What each thing outside of the Worker can do, with a request of each family. docs/reliability.md has the same as a table.

const DATABASES = some(Object.keys(inject('faultyDatabases')));

/**
 * All waits of a request together end after 4.5 s. A second deadline after the first would end after 8 s at the earliest.
 * It is more than the five seconds in which an answer leaves, because here the requests of all families share the
 * processor, and the time until a body breaks off is in it too.
 */
const BOUND_MS = 7500;

/** Where answers are late, the time may end while another thing is waited for. */
const ANY_OF_LATE = expect.stringMatching(/^(200|503 (database|storage_unavailable))$/);

/** Nothing of it may stand in an answer. */
const INTERNAL =
  /secret|password|select |127\.0\.0\.1|neon|sqlstate|datasets\/|tiles\/[0-9a-f]{8}-|\(10001\)|at .*\.ts/i;

type Ask = typeof api;
type Headers = Record<string, string>;

/** What requests of a fault are made of: things that work before it begins. */
interface Targets {
  readonly session: Headers;
  readonly key: Headers;
  readonly dataset: string;
  readonly slug: string;
}

/**
 * What a family needs: `-` nothing, `read` or `write` an answer, `or` what answers in its place. An exception is said by
 * the name of the fault.
 */
type Need = '-' | 'read' | 'write';

interface Family {
  readonly database: Need;
  readonly bucket: Need;
  readonly ask: (ask: Ask, targets: Targets) => Promise<Answer>;
  /** The status where everything works; 200 where it is left out. */
  readonly healthy?: number;
  /** The outcomes of faults of the bucket that its need doesn't say. */
  readonly except?: Record<string, string>;
  /** It is answered from a snapshot. */
  readonly snapshot?: boolean;
  /** It needs more answers than come in time where each is late. */
  readonly long?: boolean;
}

const JSON_BODY = { 'Content-Type': 'application/json' };
const get =
  (path: string, headers: Headers = {}) =>
  (ask: Ask) =>
    ask(path, { headers });
const write = (ask: Ask, method: string, path: string, headers: Headers, body?: unknown) =>
  ask(path, { method, headers: { ...JSON_BODY, ...headers }, body: JSON.stringify(body) });

const POINT = { type: 'Point', coordinates: [121, 14] };
const COLLECTION = JSON.stringify({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', geometry: POINT, properties: {} }],
});
const areas = inject('snapshot').objects.find(({ name }) => name === 'areas');
const AREAS = snapshotBytes('areas');
const RELEASE = `/v1/admin/releases/${inject('snapshot').release}`;
const digest = btoa(
  String.fromCharCode(...(areas?.sha256.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))),
);

/** Geography needs no bucket: where no snapshot can be read, PostGIS answers. */
const GEOGRAPHY: [string, Family['ask']][] = [
  ['a list with boundaries', get('/v1/municities?province_code=0702200000&geometry=medium', MASTER)],
  ['a collection', get('/v1/provinces?format=geojson', MASTER)],
  ['an area', get('/v1/provinces/0702200000')],
  ['a search', get('/v1/municities/search?q=naga')],
  ['a search over all levels', get('/v1/search?q=naga')],
  ['a hierarchy', get('/v1/barangays/1381500029/hierarchy')],
  ['a batch', (ask) => write(ask, 'POST', '/v1/regions/search', MASTER, { ids: ['0700000000'] })],
  ['reverse geocoding', get('/v1/geocode/reverse?lat=9.1&lon=120.1&within=5000', MASTER)],
  ['sources', get('/v1/sources')],
];

const FAMILIES: Record<string, Family> = {
  'the index': { database: '-', bucket: '-', ask: get('/') },
  'the version': { database: '-', bucket: '-', ask: get('/version') },
  'the document': { database: '-', bucket: '-', ask: (ask) => ask('/openapi.json', { undeclared: true }) },
  'a page': { database: '-', bucket: '-', ask: (ask) => ask('/dashboard', { undeclared: true }) },
  'the health check': { database: 'read', bucket: '-', ask: get('/healthcheck') },
  ...Object.fromEntries(
    GEOGRAPHY.flatMap(([name, ask]): [string, Family][] => [
      [`${name} of PostGIS`, { database: 'read', bucket: '-', ask }],
      [`${name} of a snapshot`, { database: '-', bucket: '-', ask, snapshot: true }],
    ]),
  ),
  'geography with a session': {
    database: '-',
    bucket: '-',
    snapshot: true,
    ask: (ask, { session }) => get('/v1/regions', session)(ask),
  },
  'my keys': { database: 'read', bucket: '-', ask: (ask, { session }) => get('/v1/api-keys', session)(ask) },
  'my usage': { database: 'read', bucket: '-', ask: (ask, { session }) => get('/v1/api-keys/stats', session)(ask) },
  'a new key': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session }) => write(ask, 'POST', '/v1/api-keys', session, { name: 'Test' }),
  },
  'my datasets': { database: 'read', bucket: '-', ask: (ask, { session }) => get('/v1/datasets', session)(ask) },
  'datasets with a key': { database: 'read', bucket: '-', ask: (ask, { key }) => get('/v1/datasets', key)(ask) },
  'datasets of a new person': {
    database: 'write',
    bucket: '-',
    ask: async (ask) => get('/v1/datasets', (await person()).session)(ask),
  },
  'a dataset': {
    database: 'read',
    bucket: '-',
    ask: (ask, { session, dataset }) => get(`/v1/datasets/${dataset}`, session)(ask),
  },
  'a changed dataset': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session, dataset }) => write(ask, 'PATCH', `/v1/datasets/${dataset}`, session, { name: 'Wells' }),
  },
  'a new dataset': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session }) => write(ask, 'POST', '/v1/datasets', session, { name: 'Wells' }),
  },
  'a new feature': {
    database: 'write',
    bucket: '-',
    ask: (ask, { session, dataset }) =>
      write(ask, 'POST', '/v1/features', session, { dataset_id: dataset, geom: POINT }),
  },
  'a list of features': { database: 'read', bucket: '-', ask: (ask, { session }) => get('/v1/features', session)(ask) },
  'an export': {
    database: 'read',
    bucket: '-',
    ask: (ask, { session, dataset }) => get(`/v1/datasets/${dataset}/export?format=csv`, session)(ask),
  },
  'the file of a dataset': {
    database: 'read',
    bucket: 'read',
    ask: (ask, { session, dataset }) => get(`/v1/datasets/${dataset}/file`, session)(ask),
    except: { 'breaks off': 'cut', 'ends early': 'cut', 'stands still': 'cut', 'has other bytes': '200' },
  },
  'an upload': {
    database: 'write',
    bucket: 'write',
    long: true,
    ask: (ask, { session }) =>
      ask('/v1/datasets/upload', {
        method: 'POST',
        headers: { ...session, 'Content-Type': 'multipart/form-data; boundary=boundary-of-the-test' },
        body: formOf([['file', 'a.geojson', COLLECTION]]),
      }),
  },
  'an event of the identity provider': {
    database: 'write',
    bucket: '-',
    ask: (ask) => {
      const body = JSON.stringify({ type: 'session.created', data: { id: 'sess_1' } });
      return ask('/v1/webhooks/clerk', { method: 'POST', headers: { ...JSON_BODY, ...signed(body) }, body });
    },
  },
  'the catalogue of tiles': { database: 'read', bucket: '-', ask: get('/v1/tiles', MASTER) },
  'a tile session': {
    database: 'read',
    bucket: '-',
    ask: (ask, { slug }) => write(ask, 'POST', '/v1/tiles/sessions', MASTER, { slugs: [slug] }),
  },
  'a TileJSON': { database: 'read', bucket: '-', ask: (ask, { slug }) => get(`/v1/tiles/${slug}.json`, MASTER)(ask) },
  'a tile': {
    database: 'read',
    bucket: 'read',
    ask: (ask, { slug }) => get(`/v1/tiles/${slug}/0/0/0.mvt`, MASTER)(ask),
  },
  'an archive of tiles': {
    database: 'read',
    bucket: 'read',
    ask: (ask, { slug }) => get(`/v1/tiles/pmtiles/${slug}`, MASTER)(ask),
    except: { 'breaks off': 'cut', 'ends early': 'cut', 'stands still': 'cut', 'has other bytes': '200' },
  },
  'a new archive of tiles': {
    database: 'write',
    bucket: 'write',
    ask: (ask) => {
      const body = archiveBytes('regions');
      const headers = { ...MASTER, 'Content-Length': String(body.length) };
      return ask(`/v1/admin/tiles/${freshSlug()}`, { method: 'PUT', headers, body });
    },
    except: { 'ends early': '503', 'stands still': '503', 'has other bytes': '422', 'lost everything': '503' },
  },
  statistics: { database: 'read', bucket: '-', ask: get('/v1/admin/stats', MASTER) },
  users: { database: 'read', bucket: '-', ask: get('/v1/admin/users', MASTER) },
  releases: { database: 'read', bucket: '-', ask: get('/v1/admin/releases', MASTER) },
  'an activated release': {
    database: 'write',
    bucket: 'write',
    ask: (ask) => ask(`${RELEASE}/activate`, { method: 'POST', headers: MASTER }),
  },
  'an object of a snapshot': {
    database: 'read',
    bucket: 'write',
    ask: (ask) =>
      ask(`${RELEASE}/snapshot/areas`, {
        method: 'PUT',
        headers: { ...MASTER, 'Content-Digest': `sha-256=:${digest}:`, 'Content-Length': String(areas?.bytes) },
        body: AREAS,
      }),
  },
  'a published snapshot': {
    database: 'read',
    bucket: 'read',
    snapshot: true,
    ask: get(`${RELEASE}/snapshot`, MASTER),
    except: { 'lost everything': '404' },
  },
};

async function targets(): Promise<Targets> {
  const { session } = await person();
  const { id } = (await upload(session, 'a.geojson', COLLECTION)).body.data;
  const { slug } = await newArchive(archiveBytes('regions'));
  const key = bearer((await newKey(session)).key);
  return { session, key, dataset: id, slug };
}

vi.spyOn(console, 'log').mockImplementation(() => undefined);
const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
const logged = () => printed.mock.calls.map(([line]) => String(line));

/** The outcome of one request: its status, or `cut` where its body broke off. Whatever it is, it came in time. */
async function outcomeOf(family: Family, settings: object, given: Targets): Promise<string> {
  const started = Date.now();
  let outcome: string;
  try {
    const { status, headers, body, text } = await family.ask(workerWith({ ...ON_TIME, ...settings }), given);
    outcome = String(status);
    if (status === 503) {
      const { code } = body;
      outcome = /^database_(unavailable|timeout)$/.test(code) ? '503 database' : `503 ${code}`;
      expect(headers.get('Retry-After')).toMatch(/^\d+$/);
      const id = headers.get('X-Request-Id') as string;
      const lines = logged().filter((line) => line.includes(id));
      expect(lines.join()).toContain('"status":503');
      // The log names the object.
      if (code === 'storage_unavailable') expect(lines.join()).toMatch(/(datasets|tiles|releases)\//);
    }
    if (status >= 400) expect(text).not.toMatch(INTERNAL);
  } catch (error) {
    if ((error as Error).name === 'AssertionError') throw error;
    expect(logged().join()).toMatch(/object_broke_off/);
    outcome = 'cut';
  }
  expect(Date.now() - started).toBeLessThan(BOUND_MS);
  return outcome;
}

/** The outcomes of all families at once, by their names. */
async function outcomes(settings: (family: Family) => object, given = common): Promise<Record<string, string>> {
  const asked = Object.entries(FAMILIES).map(async ([name, family]) => [
    name,
    await outcomeOf(family, settings(family), given),
  ]);
  return Object.fromEntries(await Promise.all(asked));
}

const filesOf = ({ snapshot }: Family) => (snapshot ? SNAPSHOTS : bucket);
const expected = (outcome: (family: Family) => unknown) =>
  Object.fromEntries(Object.entries(FAMILIES).map(([name, family]) => [name, outcome(family)]));

let common: Targets;
beforeAll(async () => {
  await publish({ active: true });
  common = await targets();
});
describe('the database', () => {
  /** What a family answers while the database behaves so. */
  function outcomeWith(fault: string, { database, healthy = 200, long = false }: Family): unknown {
    const works = String(healthy);
    if (database === '-') return works;
    if (fault === 'is read-only') return database === 'read' ? works : '503 database';
    if (fault === 'is late') return long ? expect.stringMatching(/^503/) : ANY_OF_LATE;
    return '503 database';
  }

  async function meets(fault: string): Promise<void> {
    const DATABASE_URL = inject('faultyDatabases')[fault] as string;
    const found = await outcomes((family) => ({ DATABASE_URL, FILES: filesOf(family) }));
    expect(found).toEqual(expected((family) => outcomeWith(fault, family)));
  }

  it.each(DATABASES)('%s', meets);
});

describe('an internal error of the database', () => {
  it.each([
    [500, 'GEOSIntersects: TopologyException: side location conflict'],
    [500, 'transform: latitude or longitude exceeded limits (-14)'],
    [503, 'cache lookup failed for type 16420'],
    [503, 'Control plane request failed: project is not ready'],
  ])('is %i: %s', async (expectedStatus, message) => {
    const refusal = async () => Response.json({ message, code: 'XX000' }, { status: 400 });
    const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(refusal);
    const { status } = await workerWith({})('/v1/datasets', { headers: MASTER });
    asked.mockRestore();
    expect(status).toBe(expectedStatus);
  });
});

describe('the bucket', () => {
  const UNAVAILABLE = '503 storage_unavailable';

  function outcomeWith(fault: string, { bucket: need, healthy = 200, except = {} }: Family): unknown {
    const exception = except[fault];
    if (exception !== undefined) return exception === '503' ? UNAVAILABLE : exception;
    if (fault === 'is late') return need === '-' ? String(healthy) : ANY_OF_LATE;
    const isRefused = {
      '-': false,
      read: fault !== 'is read-only',
      write: ['refuses', 'hangs', 'breaks off', 'stands still', 'is read-only'].includes(fault),
    }[need];
    return isRefused ? UNAVAILABLE : String(healthy);
  }

  async function meets(fault: string): Promise<void> {
    // What is known of the directories of an archive is not read again.
    const given = fault === 'has other bytes' ? await targets() : common;
    const found = await outcomes((family) => ({ FILES: faultyBucket(filesOf(family), fault) }), given);
    expect(found).toEqual(expected((family) => outcomeWith(fault, family)));
  }

  it.each(some(BUCKET_FAULTS))('%s', meets);
});

describe('the counter', () => {
  const answers: Record<string, (method: string) => unknown> = {
    refuses: () => Promise.reject(new Error('Network connection lost.')),
    hangs: () => new Promise(() => undefined),
    'is late': async () => {
      await scheduler.wait(1500);
      return { allowed: true, remaining: 1, resetMs: 1 };
    },
    'says something else': async () => ({ status: 'active' }),
  };

  it.each(Object.entries(answers))('%s', async (_, answer) => {
    const methods = ['admit', 'take', 'record', 'learn', 'forget'].map((name) => [name, () => answer(name)]);
    const METER = { idFromName: () => ({}), get: () => Object.fromEntries(methods) };
    const found = await outcomes((family) => ({ METER, FILES: filesOf(family) }));
    expect(found).toEqual(expected(({ healthy = 200 }) => String(healthy)));
  });

  it('hangs: no key is changed without it', async () => {
    const { session } = await person();
    const { id } = await newKey(session);
    const METER = { idFromName: () => ({}), get: () => ({ forget: answers.hangs, take: answers.hangs }) };
    const started = Date.now();
    const ask = workerWith({ ...ON_TIME, METER });
    const { status, body } = await ask(`/v1/api-keys/${id}/revoke`, { method: 'POST', headers: session });
    expect([status, body.code]).toEqual([503, 'counter_unavailable']);
    expect(Date.now() - started).toBeLessThan(BOUND_MS);
  });
});

describe('the cache', () => {
  const kept = (body: BodyInit, headers: Headers) => new Response(body, { headers });
  const ours = { 'X-Data-Release': 'x', 'X-Release-Version': 'another' };
  const stalled = () => new ReadableStream({ type: 'bytes', pull: () => new Promise(() => undefined) });
  const answers: Record<string, () => Promise<Response | undefined>> = {
    refuses: () => Promise.reject(new Error('Internal error')),
    hangs: () => new Promise(() => undefined),
    'is late': async () => {
      await scheduler.wait(1500);
      return kept('late', ours);
    },
    'stands still': async () => kept(stalled(), ours),
    'has something else': async () => kept('<h1>It works!</h1>', {}),
    'has another release': async () => kept('[]', ours),
  };

  it.each(Object.entries(answers))('%s: the answer is made without it', async (_, answer) => {
    const match = vi.spyOn(caches.default, 'match').mockImplementation(answer);
    const put = vi.spyOn(caches.default, 'put').mockImplementation(() => Promise.reject(new Error('Internal error')));
    const found = await outcomes(() => ({}));
    expect(match).toHaveBeenCalled();
    match.mockRestore();
    put.mockRestore();
    expect(found).toEqual(
      expected(({ healthy = 200, snapshot, bucket: need }) => (snapshot && need === 'read' ? '404' : String(healthy))),
    );
  });
});

describe('everything at once', () => {
  it('hangs', async () => {
    const never = () => new Promise<never>(() => undefined);
    const match = vi.spyOn(caches.default, 'match').mockImplementation(never);
    const METER = { idFromName: () => ({}), get: () => ({ admit: never, take: never, record: never, learn: never }) };
    const DATABASE_URL = inject('faultyDatabases').hangs;
    const found = await outcomes((family) => ({ METER, DATABASE_URL, FILES: faultyBucket(filesOf(family), 'hangs') }));
    match.mockRestore();
    const needsNothing = ({ database, bucket, snapshot }: Family) => database === '-' && bucket === '-' && !snapshot;
    expect(found).toEqual(expected((family) => (needsNothing(family) ? '200' : expect.stringMatching(/^503 /))));
  });
});
