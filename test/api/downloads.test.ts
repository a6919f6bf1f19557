import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type DownloadKind, downloadName, fileNameOf } from '../../src/areas/snapshot/download-names.ts';
import { AREAS, type Manifest } from '../../src/areas/snapshot/layout.ts';
import { Deadline } from '../../src/deadline.ts';
import { hexOf } from '../../src/hex.ts';
import { Bucket } from '../../src/storage/bucket.ts';
import { freshAddress } from '../support/addresses.ts';
import { type Body, instanceWith, MASTER, ORIGIN, workerWith } from '../support/api.ts';
import {
  CREATED,
  documentOf,
  fileBytes,
  MUNICITY_OVERVIEW,
  nameEditions,
  OVERVIEW,
  publishFiles,
} from '../support/downloads.ts';
import { renewCounter } from '../support/limits.ts';
import { bearer, newKey, person } from '../support/people.ts';
import { bodiesOf } from '../support/requests.ts';
import { apart, like, publish, publishOther, snapshotBytes } from '../support/snapshot.ts';

const original = inject('snapshot');
const FAILING = inject('faultyDatabases').fails as string;
const OLDER = { release: '2023-4q-9', version: '2023-4q-9-abc' };

const FILES = {
  csv: { level: 'province', resolution: null, format: 'csv' },
  packed: { level: 'province', resolution: null, format: 'csv.gz' },
  layer: { level: 'province', resolution: 'detailed', format: 'parquet' },
  index: { level: 'barangay', resolution: 'simple', format: 'fgb' },
} as const satisfies Record<string, DownloadKind>;

const fileName = (kind: DownloadKind) => fileNameOf(downloadName(kind));
const CSV = `${original.release}.provinces.csv`;
const LAYER = `${original.release}.provinces.detailed.parquet`;
const INDEX = `${original.release}.barangays.simple.fgb`;

const bucket = apart();
/** The database fails: whatever succeeds asks nothing of it. */
const ask = workerWith({ FILES: bucket, DATABASE_URL: FAILING });
const askWithDatabase = workerWith({ FILES: bucket });
const files = new Map<string, Omit<Awaited<ReturnType<typeof publishFiles>>[number], 'id'>>();

const publishIn = async (manifest: Manifest, edition: string, kinds: readonly DownloadKind[]) => {
  const hasOverview = manifest === original;
  for (const { id, ...stored } of await publishFiles(bucket, manifest, { edition, kinds, hasOverview }))
    files.set(id, stored);
};
const contentOf = (id: string) => (files.get(id) as { bytes: Uint8Array<ArrayBuffer> }).bytes;

beforeAll(async () => {
  await publish({ active: true, bucket });
  await publishOther(bucket, OLDER);
  const older = { ...OLDER, objects: [] };
  await publishIn(older, '2023-4q', [FILES.csv]);
  await publishIn(original, '2026-3q', Object.values(FILES));
  await nameEditions(bucket, { '2023-4q': OLDER, '2026-3q': original });
});

const file = (id: string, headers: Record<string, string> = {}, method = 'GET') =>
  ask(`/v1/downloads/${id}`, { method, headers });

async function sessionOf(input: object, headers: Record<string, string> = MASTER): Promise<Body> {
  const answer = await askWithDatabase('/v1/downloads/sessions', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(input),
  });
  return answer.body.data ?? answer.body;
}

describe('the list of files', () => {
  it('has what each is, where, how large, and under which terms, the release that is served first', async () => {
    const { status, body, headers } = await ask('/v1/downloads');
    expect(status).toBe(200);
    expect(body.data.map(({ id }: Body) => id)).toEqual([
      ...Object.values(FILES).map((kind) => `${original.release}.${fileName(kind)}`),
      '2023-4q-9.provinces.csv',
    ]);
    expect(headers.get('X-Data-Release')).toBe(original.release);
    const layer = body.data.find(({ id }: Body) => id === LAYER);
    expect(layer).toEqual({
      ...{ id: LAYER, level: 'province', resolution: 'detailed', format: 'parquet' },
      ...{ edition: '2026-3q', release: original.release, size_bytes: contentOf(LAYER).length, rows: 84 },
      sha256: files.get(LAYER)?.sha256,
      href: `${ORIGIN}/v1/downloads/${LAYER}`,
      media_type: 'application/vnd.apache.parquet',
      ...{ licence: 'CC BY-IGO; acknowledge', attribution: '100 % "NAMRIA", Biñan; PSA', created_at: CREATED },
    });
    const table = body.data.find(({ id }: Body) => id === CSV);
    expect(table).toMatchObject({ resolution: null, licence: 'acknowledge', attribution: 'PSA' });
    const again = await ask('/v1/downloads', { headers: { 'If-None-Match': headers.get('ETag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it('is narrowed by level, format, resolution and edition', async () => {
    for (const [query, ids] of [
      ['level=barangay', [INDEX]],
      ['format=csv', [CSV, '2023-4q-9.provinces.csv']],
      ['resolution=detailed', [LAYER]],
      ['edition=2023-4Q', ['2023-4q-9.provinces.csv']],
      ['level=region', []],
    ] as const) {
      const { body } = await ask(`/v1/downloads?${query}`);
      expect(
        body.data.map(({ id }: Body) => id),
        query,
      ).toEqual(ids);
    }
    const { status, body } = await ask('/v1/downloads?edition=2020-1q');
    expect({ status, code: body.code, editions: body.editions }).toEqual({
      ...{ status: 404, code: 'edition_not_found', editions: ['2026-3q', '2023-4q'] },
    });
    expect((await ask('/v1/downloads?format=xlsx')).status).toBe(422);
  });

  it.each(['', `/${CSV}`, '/snapshot', '/overview'])('%s is 503 where the bucket has nothing at all', async (path) => {
    const bare = workerWith({ FILES: apart() });
    const { status, body, headers } = await bare(`/v1/downloads${path}`, { headers: MASTER });
    expect([status, body.code, Number(headers.get('Retry-After')) > 0]).toEqual([503, 'storage_unavailable', true]);
  });

  it('is empty where a release was published without files', async () => {
    const bare = apart();
    await publish({ active: true, bucket: bare });
    const other = workerWith({ FILES: like(bare) });
    expect((await other('/v1/downloads')).body.data).toEqual([]);
    const { status, body } = await other(`/v1/downloads/${CSV}`);
    expect({ status, code: body.code, downloads: body.downloads }).toEqual({
      ...{ status: 404, code: 'download_not_found', downloads: [] },
    });
  });
});

describe('a file', () => {
  it('is sent as it was made, with its digest, to be saved under its name; a table to everybody', async () => {
    for (const [id, type] of [
      [CSV, 'text/csv'],
      [`${CSV}.gz`, 'application/gzip'],
    ] as const) {
      const { status, bytes, headers } = await file(id);
      const expected = contentOf(id);
      expect(status).toBe(200);
      expect(bytes).toEqual(expected);
      const digest = btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', expected))));
      expect(Object.fromEntries(headers)).toMatchObject({
        'accept-ranges': 'bytes',
        'cache-control': 'public, max-age=3600, no-transform',
        'content-disposition': `attachment; filename="${id}"`,
        'content-length': String(expected.length),
        'content-type': type,
        'last-modified': 'Sat, 31 Jan 2026 08:00:00 GMT',
        'repr-digest': `sha-256=:${digest}:`,
        'x-data-release': original.release,
      });
      const head = await file(id, {}, 'HEAD');
      expect(head.bytes).toHaveLength(0);
      for (const name of ['Content-Length', 'ETag', 'Repr-Digest', 'Content-Type']) {
        expect(head.headers.get(name), name).toBe(headers.get(name));
      }
    }
    expect((await file('2023-4q-9.provinces.csv')).status).toBe(200);
  });

  it('answers ranges and conditions, so that a download that broke off goes on', async () => {
    const whole = contentOf(CSV);
    const size = whole.length;
    const etag = (await file(CSV, {}, 'HEAD')).headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const [headers, status, range] of [
      [{ Range: 'bytes=0-0' }, 206, [0, 1]],
      [{ Range: 'bytes=4000-' }, 206, [4000, size]],
      [{ Range: 'bytes=-7' }, 206, [size - 7, size]],
      [{ Range: 'bytes=10-99999' }, 206, [10, size]],
      [{ Range: 'bytes=0-1,5-6' }, 200, [0, size]],
      [{ Range: 'bytes=4000-', 'If-Range': etag }, 206, [4000, size]],
      [{ Range: 'bytes=4000-', 'If-Range': '"another"' }, 200, [0, size]],
      [{ 'If-Match': etag }, 200, [0, size]],
      [{ 'If-Match': '"another"' }, 412, undefined],
      [{ 'If-None-Match': `W/${etag}` }, 304, undefined],
      [{ Range: `bytes=${size}-` }, 416, undefined],
    ] as const) {
      const answer = await file(CSV, headers);
      expect(answer.status, JSON.stringify(headers)).toBe(status);
      if (range) expect(answer.bytes, JSON.stringify(headers)).toEqual(whole.slice(...range));
      if (status === 206) {
        const [first, end] = range ?? [];
        expect(answer.headers.get('Content-Range')).toBe(`bytes ${first}-${(end ?? 0) - 1}/${size}`);
      }
      if (status === 416) expect(answer.headers.get('Content-Range')).toBe(`bytes */${size}`);
    }
    const cut = 1234;
    const parts = [await file(CSV, { Range: `bytes=0-${cut - 1}` }), await file(CSV, { Range: `bytes=${cut}-` })];
    expect(new Uint8Array(parts.flatMap(({ bytes }) => [...bytes]))).toEqual(whole);
  });

  it('with boundaries needs credentials that may read them', async () => {
    const { session } = await person();
    const [reader, other] = [
      await newKey(session, { scopes: ['read:boundaries'] }),
      await newKey(session, { scopes: ['read:datasets'] }),
    ];
    const at = async (headers: Record<string, string>) => {
      const { status, body } = await askWithDatabase(`/v1/downloads/${LAYER}`, { headers });
      return [status, body?.code];
    };
    expect(await at({})).toEqual([401, 'authentication_required']);
    expect(await at(bearer(other.key))).toEqual([403, 'missing_scope']);
    expect(await at(bearer(reader.key))).toEqual([200, undefined]);
    expect(await at(MASTER)).toEqual([200, undefined]);
    const layer = await file(LAYER, MASTER);
    expect(layer.bytes).toEqual(contentOf(LAYER));
    expect(layer.headers.get('Cache-Control')).toBe('private, max-age=3600, no-transform');
  });

  it('that there is none of is 404 and names those there are', async () => {
    const { status, body } = await file('2026-3q-1.provinces.detailed.shp', MASTER);
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'download_not_found' });
    expect(body.downloads).toEqual(Object.values(FILES).map((kind) => `${original.release}.${fileName(kind)}`));
    expect((await file('..%2F..%2Factive')).status).toBe(422);
  });

  it('whose stored bytes are gone or others is 503', async () => {
    const key = files.get(`${CSV}.gz`)?.key ?? '';
    await bucket.put(key, fileBytes(10));
    const altered = await file(`${CSV}.gz`);
    await bucket.delete(key);
    const gone = await file(`${CSV}.gz`);
    await bucket.put(key, contentOf(`${CSV}.gz`));
    for (const { status, body } of [altered, gone]) {
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'storage_unavailable' });
    }
    expect((await file(`${CSV}.gz`)).status).toBe(200);
  });

  it('whose bytes were altered under their entity tag is 503, or breaks off before its end, and the log says so', async () => {
    const altered = (real: R2Bucket) =>
      like(real, {
        get: async (key: string, ...rest: []) => {
          const object = await real.get(key, ...rest);
          if (!object || /(active|editions|manifest.json)$/.test(key)) return object;
          const bytes = new Uint8Array(await object.arrayBuffer());
          bytes[bytes.length - 1] = 255 - (bytes.at(-1) as number);
          const { body } = new Response(bytes);
          return { key, size: bytes.length, etag: object.etag, body, arrayBuffer: async () => bytes.buffer };
        },
      });
    for (const path of [CSV, 'overview']) {
      const { status, body } = await workerWith({ FILES: altered(bucket) })(`/v1/downloads/${path}`);
      expect([path, status, body.code]).toEqual([path, 503, 'storage_unavailable']);
    }
    await expect(workerWith({ FILES: altered(bucket) })('/v1/downloads/snapshot')).rejects.toThrow('SHA-256');
    const long = fileBytes(300_000);
    await bucket.put('long', long);
    const sha256 = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', long)));
    const read = async (from: R2Bucket) => {
      const body = await new Bucket(from, new Deadline('each')).findBody('long', { sha256 });
      return new Response(body).bytes();
    };
    expect(await read(bucket)).toEqual(long);
    const logged = vi.spyOn(console, 'error');
    await expect(read(altered(bucket))).rejects.toThrow();
    expect(logged.mock.calls.join()).toContain('object_broke_off');
  });

  it('is listed and read without a statement', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const other = workerWith({ FILES: like(bucket) });
    const { session } = await sessionOf({});
    const caller = await person();
    fetched.mockClear();
    for (const path of ['', `/${CSV}`, `/${LAYER}?session=${session}`]) {
      expect((await other(`/v1/downloads${path}`)).status).toBe(200);
    }
    for (const headers of [MASTER, caller.session]) {
      expect((await other(`/v1/downloads/${LAYER}`, { headers })).status).toBe(200);
      expect((await other('/v1/downloads/sessions', { method: 'POST', headers })).status).toBe(200);
    }
    expect(bodiesOf(fetched)).toEqual([]);
    fetched.mockRestore();
  });
});

describe('the snapshot', () => {
  it('is the areas of the release that is served, to everybody, with their digest, and not sent to who has them', async () => {
    const { status, bytes, headers } = await ask('/v1/downloads/snapshot');
    expect(status).toBe(200);
    expect(bytes).toEqual(snapshotBytes(AREAS));
    const digest = btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))));
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=3600, no-transform',
      'content-disposition': `attachment; filename="${original.release}.snapshot.gz"`,
      'content-type': 'application/octet-stream',
      'repr-digest': `sha-256=:${digest}:`,
      'x-data-release': original.release,
    });
    const again = await ask('/v1/downloads/snapshot', { headers: { 'If-None-Match': headers.get('ETag') ?? '' } });
    expect(again.status).toBe(304);
    const named = await ask('/v1/downloads/snapshot?edition=2026-3q');
    expect(named.headers.get('ETag')).toBe(headers.get('ETag'));
  });

  it('is never that of another edition than the one that is asked for or served', async () => {
    const codeOf = async (query: string, of = ask) => (await of(`/v1/downloads/snapshot${query}`)).body?.code;
    expect(await codeOf('?edition=2020-1q')).toBe('edition_not_found');
    expect(await codeOf('?edition=2023-4q')).toBe('snapshot_not_found');
    const bare = apart();
    await publish({ active: true, bucket: bare });
    await publishFiles(bare, { ...OLDER, objects: original.objects }, { edition: '2023-4q', kinds: [] });
    await nameEditions(bare, { '2023-4q': OLDER });
    expect(await codeOf('', workerWith({ FILES: like(bare) }))).toBe('snapshot_not_found');
  });
});

describe('the document of a release', () => {
  const text = documentOf(original, '2026-3q');
  const signature = 'untrusted comment: a\nUg==\ntrusted comment: b\nUg==\n';
  const own = apart();
  const askOwn = workerWith({ FILES: own, DATABASE_URL: FAILING });

  beforeAll(async () => {
    await publish({ active: true, bucket: own });
    await publishOther(own, OLDER);
    await publishFiles(own, original, { edition: '2026-3q', kinds: [FILES.csv], document: { text, signature } });
    await publishFiles(
      own,
      { ...OLDER, objects: [] },
      { edition: '2023-4q', kinds: [FILES.csv], document: { text: documentOf(OLDER, '2023-4q') } },
    );
    await nameEditions(own, { '2023-4q': OLDER, '2026-3q': original });
  });

  const bytesOf = async (path: string, headers: Record<string, string> = {}) =>
    askOwn(`/v1/releases/${path}`, { headers });

  it('is sent byte for byte as it was signed, to everybody, beside its signature', async () => {
    const answer = await bytesOf(original.release);
    expect([answer.status, new TextDecoder().decode(answer.bytes)]).toEqual([200, text]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'public, no-cache, no-transform',
      'content-disposition': `attachment; filename="${original.release}.json"`,
      'content-type': 'application/json',
    });
    const signed = await bytesOf(`${original.release}/signature`);
    expect([signed.status, new TextDecoder().decode(signed.bytes)]).toEqual([200, signature]);
    expect(signed.headers.get('Content-Disposition')).toBe(`attachment; filename="${original.release}.json.minisig"`);
    const again = await bytesOf(original.release, { 'If-None-Match': answer.headers.get('ETag') ?? '' });
    expect(again.status).toBe(304);
  });

  it('that is not there is 404, and so is a signature that nobody made', async () => {
    const other = await bytesOf('2020-1q-1');
    expect([other.status, other.body.code]).toEqual([404, 'release_not_found']);
    expect(other.body.message).toContain(`Published are ${original.release}, ${OLDER.release}.`);
    expect((await bytesOf(OLDER.release)).status).toBe(200);
    const unsigned = await bytesOf(`${OLDER.release}/signature`);
    expect([unsigned.status, unsigned.body.code]).toEqual([404, 'signature_not_found']);
  });
});

describe('the overview', () => {
  const overview = (headers: Record<string, string> = {}, query = '') =>
    ask(`/v1/downloads/overview${query}`, { headers });

  it('is a map for everybody, packed as the caller likes it best, each with a tag of its own', async () => {
    const tags = new Set<string>();
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const { status, text, headers } = await overview({ 'Accept-Encoding': accepted });
      expect([status, headers.get('Content-Encoding')], accepted).toEqual([200, encoding]);
      expect(text).toBe(OVERVIEW);
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'public, max-age=3600, no-transform',
        'content-disposition': `attachment; filename="${original.release}.overview.topojson"`,
        'content-type': 'application/json',
        vary: expect.stringContaining('Accept-Encoding'),
        'x-data-release': original.release,
        'x-attribution': '%"100 %25 %22NAMRIA%22, Bi%c3%b1an; PSA"',
      });
      const etag = headers.get('ETag') ?? '';
      tags.add(etag);
      const again = await overview({ 'Accept-Encoding': accepted, 'If-None-Match': etag });
      expect([again.status, again.headers.get('Content-Encoding')]).toEqual([304, null]);
    }
    expect(tags.size).toBe(3);
  });

  it('is one of cities and municipalities where they are asked for, and of no other level', async () => {
    const { status, text, headers } = await overview({}, '?level=municity');
    expect([status, text]).toEqual([200, MUNICITY_OVERVIEW]);
    expect(headers.get('Content-Disposition')).toBe(
      `attachment; filename="${original.release}.overview-municities.topojson"`,
    );
    const older = await overview({}, '?level=municity&edition=2023-4q');
    expect([older.status, older.body]).toEqual([
      404,
      expect.objectContaining({
        code: 'overview_not_found',
        message: expect.stringContaining('of municities. GET /v1/municities has'),
      }),
    ]);
    expect((await overview({}, '?level=barangay')).status).toBe(422);
  });

  it('is not counted without credentials, and is read from the bucket once', async () => {
    const reads = vi.fn(bucket.get);
    const settings = { FILES: like(bucket, { get: reads }), DATABASE_URL: FAILING, FREE_TIER_RPM: '1' };
    const other = await instanceWith(settings);
    const address = freshAddress();
    await renewCounter(address);
    const headers = { 'CF-Connecting-IP': address, 'Accept-Encoding': 'identity' };
    const bytes = [];
    for (const Range of ['bytes=0-', 'bytes=1-4', 'bytes=1-4']) {
      const { status, text, headers: got } = await other('/v1/downloads/overview', { headers: { ...headers, Range } });
      expect([status, got.get('RateLimit')]).toEqual([206, null]);
      bytes.push(text);
    }
    expect(bytes).toEqual([OVERVIEW, OVERVIEW.slice(1, 5), OVERVIEW.slice(1, 5)]);
    expect(reads.mock.calls.filter(([key]) => key.includes('overview'))).toHaveLength(1);
    // One of an edition is counted, and so is a request with a key.
    const named = async () => (await other('/v1/downloads/overview?edition=2026-3q', { headers })).status;
    expect([await named(), await named()]).toEqual([200, 429]);
    expect((await other('/v1/downloads/overview', { headers })).status).toBe(200);
    const { key } = await newKey((await person()).session, { scopes: ['read:boundaries'] });
    const keyed = await askWithDatabase('/v1/downloads/overview', { headers: bearer(key) });
    expect(keyed.headers.get('RateLimit')).toContain('"key"');
  });

  it('that a release was published without is 404, as is that of an unknown edition', async () => {
    const codeOf = async (query: string, of = ask) => {
      const { status, body } = await of(`/v1/downloads/overview${query}`);
      return [status, body.code];
    };
    expect(await codeOf('?edition=2023-4q')).toEqual([404, 'overview_not_found']);
    expect(await codeOf('?edition=2020-1q')).toEqual([404, 'edition_not_found']);
    const bare = apart();
    await publish({ active: true, bucket: bare });
    expect(await codeOf('', workerWith({ FILES: bare }))).toEqual([404, 'overview_not_found']);
  });
});

describe('a session of downloads', () => {
  it('opens the files that it was asked for to whoever has their addresses, and counts against no limit', async () => {
    const { session, expires_at, files: opened } = await sessionOf({ ids: [LAYER], ttl_seconds: 60 });
    expect(opened).toEqual([{ id: LAYER, href: `${ORIGIN}/v1/downloads/${LAYER}?session=${session}` }]);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(60_000);
    const read = await ask(opened[0].href.slice(ORIGIN.length), { headers: { Range: 'bytes=0-3' } });
    expect([read.status, read.headers.get('RateLimit')]).toEqual([206, null]);
    const { status, body } = await file(`${INDEX}?session=${session}`);
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'download_session_not_for_file' });
    const all = await sessionOf({});
    expect(all.files).toHaveLength(5);
    expect((await file(`${INDEX}?session=${all.session}`)).status).toBe(200);
  });

  it('ends by itself and with the key that asked for it, and is no other credential', async () => {
    const { session: owner } = await person();
    const end = new Date(Date.now() + 120_000).toISOString();
    const { key } = await newKey(owner, { expires_at: end });
    const { session, expires_at } = await sessionOf({ ids: [LAYER] }, bearer(key));
    expect(Date.parse(expires_at)).toBe(Math.floor(Date.parse(end) / 1000) * 1000);
    const codeOf = async (id: string) => (await file(id)).body?.code;
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.parse(end) + 1000);
    expect(await codeOf(`${LAYER}?session=${session}`)).toBe('download_session_expired');
    vi.useRealTimers();
    expect(await codeOf(`${LAYER}?session=${session.slice(0, -2)}`)).toBe('invalid_download_session');
    const tiles = await askWithDatabase('/v1/tiles/sessions', { method: 'POST', headers: MASTER });
    expect(await codeOf(`${LAYER}?session=${tiles.body.data.session}`)).toBe('invalid_download_session');
    expect((await ask('/v1/provinces?format=geojson', { headers: bearer(session) })).status).toBe(401);
  });

  it('is refused for files that there are none of, and to callers without credentials', async () => {
    expect(await sessionOf({ ids: [LAYER, 'nothing.csv'] })).toMatchObject({ code: 'download_not_found' });
    expect(await sessionOf({ ids: [] })).toMatchObject({ success: false });
    expect(await sessionOf({}, {})).toMatchObject({ code: 'authentication_required' });
  });
});

describe('the catalogue', () => {
  it('has a dataset for each level of each release, and a distribution with the hash of each file', async () => {
    const { status, body, headers } = await ask('/v1/catalog');
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/ld+json']);
    expect(body).toMatchObject({ '@id': `${ORIGIN}/v1/catalog`, '@type': 'dcat:Catalog' });
    const datasets = body['dcat:dataset'];
    expect(datasets.map((dataset: Body) => dataset['dct:identifier'])).toEqual([
      `${original.release}.provinces`,
      `${original.release}.barangays`,
      '2023-4q-9.provinces',
    ]);
    expect(datasets[0]).toMatchObject({
      'dcat:version': original.release,
      'dct:temporal': { 'dcat:startDate': { '@value': '2026-07-01' }, 'dcat:endDate': { '@value': '2026-09-30' } },
      'dct:license': { 'rdfs:label': { '@value': 'CC BY-IGO; acknowledge' } },
    });
    const distributions = datasets.flatMap((dataset: Body) => dataset['dcat:distribution']);
    expect(distributions).toHaveLength(5);
    const packed = distributions.find((it: Body) => it['@id'].endsWith('.csv.gz'));
    expect(packed).toMatchObject({
      'dcat:downloadURL': { '@id': `${ORIGIN}/v1/downloads/${CSV}.gz` },
      'dcat:byteSize': { '@value': String(contentOf(`${CSV}.gz`).length) },
      'dcat:mediaType': { '@id': expect.stringMatching(/text\/csv$/) },
      'dcat:compressFormat': { '@id': expect.stringMatching(/application\/gzip$/) },
      'spdx:checksum': { 'spdx:checksumValue': { '@value': files.get(`${CSV}.gz`)?.sha256 } },
      'dct:license': { 'rdfs:label': { '@value': 'acknowledge' } },
    });
    // Every prefix of a term is one that the context knows.
    const terms = JSON.stringify(body).matchAll(/"([a-z]+):[A-Za-z]+"/g);
    for (const [, prefix = ''] of terms) expect(Object.keys(body['@context'])).toContain(prefix);
    expect((await ask('/v1/catalog', { headers: { 'If-None-Match': headers.get('ETag') ?? '' } })).status).toBe(304);
  });

  it('has every property that DCAT-AP 3 makes mandatory, and says what a reader needs', async () => {
    const { body: catalog } = await ask('/v1/catalog');
    const datasets: Body[] = catalog['dcat:dataset'];
    const distributions = datasets.flatMap((dataset: Body) => dataset['dcat:distribution']);
    const english = { '@value': expect.stringMatching(/./), '@language': 'en' };
    const address = { '@id': expect.stringMatching(/^https?:/) };
    const named = { 'dct:title': english, 'dct:description': english };
    const publisher = { '@type': 'foaf:Agent', 'foaf:name': expect.stringMatching(/./) };
    expect(catalog).toMatchObject({ '@type': 'dcat:Catalog', ...named, 'dct:publisher': publisher });
    for (const dataset of datasets) expect(dataset).toMatchObject({ '@type': 'dcat:Dataset', ...named });
    for (const distribution of distributions) {
      expect(distribution).toMatchObject({
        '@type': 'dcat:Distribution',
        'dcat:accessURL': address,
        'spdx:checksum': {
          'spdx:algorithm': address,
          'spdx:checksumValue': { '@type': 'xsd:hexBinary', '@value': expect.stringMatching(/^[0-9a-f]{64}$/) },
        },
      });
    }
    const access = (right: string) => ({
      'dct:accessRights': { '@id': expect.stringMatching(`/access-right/${right}$`) },
    });
    const layers = distributions.filter((it: Body) => /\.(simple|medium|detailed)\./.test(it['@id']));
    expect([layers.length > 0, layers.length < distributions.length]).toEqual([true, true]);
    for (const distribution of distributions) {
      const isLayer = layers.includes(distribution);
      const rights = {
        'rdfs:label': { '@value': expect.stringMatching(isLayer ? /POST http.*\/v1\/downloads\/sessions/ : /PSA$/) },
      };
      expect(distribution).toMatchObject({ ...access(isLayer ? 'RESTRICTED' : 'PUBLIC'), 'dct:rights': rights });
    }
    for (const dataset of datasets) {
      const isOpen = dataset['dcat:distribution'].some((it: Body) => !layers.includes(it));
      expect(dataset).toMatchObject(access(isOpen ? 'PUBLIC' : 'RESTRICTED'));
    }
  });
});
