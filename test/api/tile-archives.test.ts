import { exports } from 'cloudflare:workers';
import { FetchSource, PMTiles } from 'pmtiles';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { api, type Body, get, MASTER, ORIGIN } from '../support/api.ts';
import { bucket } from '../support/bucket.ts';
import { archiveBytes, newArchive, putArchive } from '../support/tiles.ts';
import { featuresOf } from '../support/vector-tile.ts';

const bytes = archiveBytes('regions');
const size = bytes.length;
let record: Body;
let path: string;
let etag: string;

beforeAll(async () => {
  record = await newArchive(bytes);
  path = `/v1/tiles/pmtiles/${record.slug}`;
  etag = (await api(path, { method: 'HEAD', headers: MASTER })).headers.get('ETag') as string;
});

const ask = (headers: Record<string, string> = {}) => get(path, { ...MASTER, ...headers });

describe('a whole archive', () => {
  it('is byte for byte what was uploaded, at both addresses', async () => {
    for (const address of [path, `/tiles/pmtiles/${record.slug}`]) {
      const { status, headers, bytes: got } = await get(address, MASTER);
      expect(status).toBe(200);
      expect(got).toEqual(bytes);
      expect(headers.get('Content-Length')).toBe(String(size));
      expect(headers.get('Content-Type')).toBe('application/vnd.pmtiles');
      expect(headers.get('Accept-Ranges')).toBe('bytes');
      expect(headers.get('Content-Range')).toBeNull();
      expect(headers.get('Cache-Control')).toMatch(/^private, max-age=\d+, no-transform$/);
      expect(headers.get('Vary')).toContain('Authorization');
      expect(headers.get('ETag')).toMatch(/^"[^"]+"$/);
      expect(headers.get('X-Data-Release')).toBe('2026-3q-1');
    }
  });

  it('has the same headers for HEAD, which reads nothing from the bucket', async () => {
    const read = vi.spyOn(Object.getPrototypeOf(bucket), 'get');
    const whole = await ask();
    read.mockClear();
    const {
      status,
      headers,
      bytes: got,
    } = await api(path, { method: 'HEAD', headers: { ...MASTER, Range: 'bytes=0-9' } });
    expect({ status, length: got.length }).toEqual({ status: 200, length: 0 });
    for (const name of ['Content-Length', 'Content-Type', 'Accept-Ranges', 'Cache-Control', 'ETag', 'Last-Modified']) {
      expect(headers.get(name), name).toBe(whole.headers.get(name));
    }
    expect(read).not.toHaveBeenCalled();
    read.mockRestore();
  });
});

describe('a range', () => {
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-126', 0, 126],
    ['bytes=127-16383', 127, 16_383],
    ['BYTES=5-9', 5, 9],
    [`bytes=${size - 1}-${size - 1}`, size - 1, size - 1],
    ['bytes=1000-', 1000, size - 1],
    ['bytes=0-', 0, size - 1],
    ['bytes=-1', size - 1, size - 1],
    ['bytes=-500', size - 500, size - 1],
    [`bytes=-${size + 1}`, 0, size - 1],
    [`bytes=10-${size + 1000}`, 10, size - 1],
    ['bytes=10-99999999999999999999999999', 10, size - 1],
  ])('%s is answered with those bytes and no others', async (range, first, last) => {
    const { status, headers, bytes: got } = await ask({ Range: range });
    expect(status).toBe(206);
    expect(got).toEqual(bytes.slice(first, last + 1));
    expect(headers.get('Content-Range')).toBe(`bytes ${first}-${last}/${size}`);
    expect(headers.get('Content-Length')).toBe(String(last - first + 1));
    expect(headers.get('ETag')).toBe(etag);
  });

  it.each([`bytes=${size}-`, `bytes=${size}-${size + 5}`, 'bytes=-0', 'bytes=99999999999999999999999999-'])(
    '%s lies outside of the archive: 416 with its size',
    async (range) => {
      const { status, headers, body } = await ask({ Range: range });
      expect(status).toBe(416);
      expect(headers.get('Content-Range')).toBe(`bytes */${size}`);
      expect(body.code).toBe('range_not_satisfiable');
      // Headers that describe the archive are not sent with the error.
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('ETag')).toBeNull();
      expect(headers.get('Last-Modified')).toBeNull();
    },
  );

  it.each([
    'bytes=9-5',
    'bytes=a-b',
    'bytes=-',
    'bytes=',
    'bytes 0-5',
    'lines=0-5',
    'bytes=0-1,5-9',
    'bytes=0x1-5',
    '0-5',
  ])('%s is malformed or asks for several ranges: the whole archive is answered', async (range) => {
    const { status, bytes: got } = await ask({ Range: range });
    expect(status).toBe(200);
    expect(got.length).toBe(size);
  });

  it('is answered under If-Range only if its tag is that of the archive', async () => {
    expect((await ask({ Range: 'bytes=0-9', 'If-Range': etag })).status).toBe(206);
    for (const other of ['"other"', `W/${etag}`, (await ask()).headers.get('Last-Modified') as string]) {
      const { status, bytes: got } = await ask({ Range: 'bytes=0-9', 'If-Range': other });
      expect({ status, length: got.length }, other).toEqual({ status: 200, length: size });
    }
    // The range may lie inside of the other archive, so it is no error: the whole archive is answered.
    expect((await ask({ Range: `bytes=${size}-`, 'If-Range': '"other"' })).status).toBe(200);
  });
});

describe('preconditions', () => {
  it('If-Match: 412 unless it names this archive', async () => {
    for (const match of [etag, `"other", ${etag}`, '*']) {
      expect((await ask({ 'If-Match': match, Range: 'bytes=0-9' })).status, match).toBe(206);
    }
    for (const match of ['"other"', `W/${etag}`, etag.slice(1, -1), 'x']) {
      const { status, body } = await ask({ 'If-Match': match, Range: 'bytes=0-9' });
      expect({ status, code: body?.code }, match).toEqual({ status: 412, code: 'precondition_failed' });
    }
  });

  it('If-None-Match: 304 where it names this archive, even weakly', async () => {
    for (const match of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, headers, bytes: got } = await ask({ 'If-None-Match': match });
      expect({ status, length: got.length }, match).toEqual({ status: 304, length: 0 });
      expect(headers.get('ETag')).toBe(etag);
      expect(headers.get('Cache-Control')).toContain('private');
    }
    expect((await ask({ 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('dates: are compared to the second, and only if no entity tag is sent', async () => {
    const modified = (await ask()).headers.get('Last-Modified') as string;
    const moved = (seconds: number) => new Date(Date.parse(modified) + seconds * 1000).toUTCString();
    expect((await ask({ 'If-Modified-Since': modified })).status).toBe(304);
    expect((await ask({ 'If-Modified-Since': moved(5) })).status).toBe(304);
    expect((await ask({ 'If-Modified-Since': moved(-1) })).status).toBe(200);
    expect((await ask({ 'If-Modified-Since': modified, 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await ask({ 'If-Modified-Since': 'yesterday' })).status).toBe(200);
    expect((await ask({ 'If-Unmodified-Since': modified })).status).toBe(200);
    expect((await ask({ 'If-Unmodified-Since': moved(-1) })).status).toBe(412);
    expect((await ask({ 'If-Unmodified-Since': moved(-1), 'If-Match': etag })).status).toBe(200);
    expect((await ask({ 'If-Match': '"other"', 'If-None-Match': etag })).status).toBe(412);
  });

  it('dates: may have the two obsolete forms of RFC 9110', async () => {
    const modified = (await ask()).headers.get('Last-Modified') as string;
    const [, day, month, year, time] = /^\w{3}, (\d{2}) (\w{3}) (\d{4}) (.{8}) GMT$/.exec(modified) ?? [];
    const asctime = (inYear = year) => `Sun ${month} ${day?.replace(/^0/, ' ')} ${time} ${inYear}`;
    const rfc850 = (inYear = Number(year)) => `Wednesday, ${day}-${month}-${String(inYear).slice(2)} ${time} GMT`;
    const statusSince = async (date: string) => (await ask({ 'If-Modified-Since': date })).status;
    expect(await statusSince(asctime())).toBe(304);
    expect(await statusSince(asctime('1994'))).toBe(200);
    expect(await statusSince(rfc850())).toBe(304);
    expect(await statusSince(rfc850(Number(year) + 50))).toBe(304);
    // A year of two digits that would be more than fifty years ahead is the one a century before (RFC 9110, 5.6.7).
    expect(await statusSince(rfc850(Number(year) + 51))).toBe(200);
    expect(await statusSince(rfc850(1994))).toBe(200);
  });

  it('are evaluated for HEAD too', async () => {
    const head = (headers: Record<string, string>) => api(path, { method: 'HEAD', headers: { ...MASTER, ...headers } });
    expect((await head({ 'If-None-Match': etag })).status).toBe(304);
    expect((await head({ 'If-Match': '"other"' })).status).toBe(412);
  });
});

describe('an independent reader', () => {
  afterEach(() => vi.restoreAllMocks());

  /** Sends requests for the service to the tested Worker. It has no browser cache, so the option `cache` is left out. */
  function routeToWorker() {
    const outside = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      if (!String(input).startsWith(ORIGIN)) return outside(input, init);
      const { cache: _, ...rest } = init ?? {};
      return exports.default.fetch(new Request(input, rest));
    });
  }

  const reader = () => new PMTiles(new FetchSource(`${ORIGIN}${path}`, new Headers(MASTER)));

  it('opens the archive over HTTP and finds the regions in its tiles', async () => {
    routeToWorker();
    const archive = reader();
    expect(await archive.getHeader()).toMatchObject({ minZoom: 0, maxZoom: 8, tileType: 1, clustered: true });
    expect(await archive.getMetadata()).toMatchObject({ name: 'Regions', data_release: '2026-3q-1' });
    const tile = await archive.getZxy(0, 0, 0);
    const features = featuresOf(new Uint8Array(tile?.data as ArrayBuffer), 'regions');
    expect(features.length).toBeGreaterThan(10);
    expect(features.map(({ properties }) => properties)).toContainEqual({
      code: '0700000000',
      name: 'Region VII (Central Visayas)',
    });
    expect(await archive.getZxy(8, 0, 0)).toBeUndefined();
  });

  it('notices that another archive has replaced the first, and reads that one', async () => {
    routeToWorker();
    const archive = reader();
    expect((await archive.getHeader()).maxZoom).toBe(8);
    expect((await putArchive(record.slug, archiveBytes('many'))).status).toBe(200);
    const tile = await archive.getZxy(0, 0, 0);
    const [feature] = featuresOf(new Uint8Array(tile?.data as ArrayBuffer), 'many');
    expect(feature?.properties).toMatchObject({ id: 0 });
    expect((await archive.getHeader()).maxZoom).toBe(9);
    expect((await putArchive(record.slug, bytes)).status).toBe(200);
  });
});
