import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { manifestKey } from '../../src/areas/snapshot/layout.ts';
import { byteCache } from '../../src/areas/snapshot/objects.ts';
import worker from '../../src/worker.ts';
import { type Answer, MASTER, ORIGIN, workerWith } from '../support/api.ts';
import { apart, keyOf, like, publish, SNAPSHOTS } from '../support/snapshot.ts';

// FeatureCollections of all areas of a level, which are packed when a release is published and passed on as they are.

const manifest = inject('snapshot');
const RESOLUTIONS = ['simple', 'medium', 'detailed'] as const;
const PATHS = ['regions', 'provinces'].flatMap((plural) =>
  RESOLUTIONS.map((resolution) => `/v1/${plural}?format=geojson&geometry=${resolution}`),
);
const MEDIUM = '/v1/provinces?format=geojson&geometry=medium';

beforeAll(() => publish({ active: true }));

/** An instance with a memory of areas of its own, that counts what it reads of the bucket. */
function counting(bucket: R2Bucket = SNAPSHOTS) {
  const get = vi.fn((...given: [string]) => bucket.get(...given));
  const ask = workerWith({ FILES: like(bucket, { get }) });
  return {
    get,
    ask: (path: string, headers = {}, method = 'GET') => ask(path, { method, headers: { ...MASTER, ...headers } }),
  };
}

/** The answer to a request as it is sent. */
const rawly = (path: string, headers: Record<string, string>) =>
  worker.fetch(
    new Request(ORIGIN + path, { headers: { ...MASTER, ...headers } }),
    { ...env, FILES: SNAPSHOTS } as never,
    createExecutionContext(),
  );

const accepts = (encoding: string) => ({ 'Accept-Encoding': encoding });
const encodingOf = ({ headers }: Answer) => headers.get('Content-Encoding');
const tagOf = ({ headers }: Answer) => headers.get('ETag') as string;

describe('a collection of a whole level', () => {
  it.each(PATHS)('%s is the same byte for byte, packed or not', async (path) => {
    const { ask } = counting();
    // Another parameter keeps the edge away, which has a copy of the body that is not packed.
    const plain = await ask(`${path}&beside=the-edge`, accepts('identity'));
    expect(encodingOf(plain)).toBeNull();
    for (const encoding of ['br', 'gzip']) {
      const packed = await ask(path, accepts(encoding));
      expect([packed.status, encodingOf(packed)]).toEqual([200, encoding]);
      expect(packed.text === plain.text).toBe(true);
      for (const name of ['Content-Type', 'Cache-Control', 'Vary', 'X-Data-Release', 'Access-Control-Allow-Origin']) {
        expect(packed.headers.get(name), name).toBe(plain.headers.get(name));
      }
      expect(packed.headers.get('Vary')).toMatch(/Accept-Encoding.*Authorization/);
      expect(packed.headers.get('Cache-Control')).toMatch(/^private, /);
    }
  });

  it.each([
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['BR', 'br'],
    ['gzip;q=0.5, identity', null],
    ['br;q=0, gzip;q=0.000', null],
    ['deflate', null],
    ['identity', null],
    ['*;q=0', null],
    ['', null],
  ])('for "Accept-Encoding: %s" comes in %s', async (accepted, expected) => {
    const answer = await counting().ask('/v1/regions?format=geojson', accepts(accepted));
    expect([answer.status, encodingOf(answer)]).toEqual([200, expected]);
  });

  it('comes as it is for a caller who says nothing of encodings', async () => {
    expect(encodingOf(await counting().ask('/v1/regions?format=geojson'))).toBeNull();
  });

  it('has a tag per encoding, each of which is answered with 304 and the same tag, without a read', async () => {
    const { ask, get } = counting();
    const tags: string[] = [];
    for (const encoding of ['br', 'gzip', 'identity']) {
      const tag = tagOf(await ask(MEDIUM, accepts(encoding)));
      tags.push(tag);
      get.mockClear();
      const again = await ask(MEDIUM, { ...accepts(encoding), 'If-None-Match': `W/"other", ${tag}` });
      expect([again.status, tagOf(again), again.text]).toEqual([304, tag, '']);
      expect(again.headers.get('Vary')).toMatch(/Accept-Encoding/);
      expect(get).not.toHaveBeenCalled();
    }
    expect(new Set(tags).size).toBe(3);
    const [br = '', gzip = '', identity = ''] = tags;
    // Whoever takes both holds the answer with either; whoever takes none does not.
    expect((await ask(MEDIUM, { ...accepts('br, gzip'), 'If-None-Match': gzip })).status).toBe(304);
    expect((await ask(MEDIUM, { ...accepts('br'), 'If-None-Match': identity })).status).toBe(304);
    expect((await ask(MEDIUM, { ...accepts('identity'), 'If-None-Match': br })).status).toBe(200);
    expect((await ask(MEDIUM, { ...accepts('gzip'), 'If-None-Match': br })).status).toBe(200);
    expect((await ask(MEDIUM, { ...accepts('br'), 'If-None-Match': '*' })).status).toBe(304);
  });

  it('is one read of the bucket the first time and none after that', async () => {
    const { ask, get } = counting();
    await ask('/v1/regions');
    get.mockClear();
    // Instances of the tests share the memory of bytes, so another test may have read it.
    await ask(MEDIUM, accepts('br'));
    expect(get.mock.calls.length).toBeLessThanOrEqual(1);
    get.mockClear();
    for (let i = 0; i < 3; i += 1) expect(encodingOf(await ask(MEDIUM, accepts('br')))).toBe('br');
    expect(get).not.toHaveBeenCalled();
  });

  it('costs no read where the edge has it unpacked', async () => {
    const { ask, get } = counting();
    const path = '/v1/regions?format=geojson&geometry=medium';
    await ask(path);
    await vi.waitFor(async () => {
      get.mockClear();
      expect(encodingOf(await ask(path))).toBeNull();
      expect(get).not.toHaveBeenCalled();
    });
  });

  it('has the same headers for HEAD, which reads nothing', async () => {
    const { ask, get } = counting();
    const whole = await ask(MEDIUM, accepts('gzip'));
    get.mockClear();
    const head = await ask(MEDIUM, accepts('gzip'), 'HEAD');
    expect([head.status, head.text, encodingOf(head), tagOf(head)]).toEqual([200, '', 'gzip', tagOf(whole)]);
    expect(get).not.toHaveBeenCalled();
  });

  it('needs credentials', async () => {
    expect((await workerWith({ FILES: SNAPSHOTS })(MEDIUM, { headers: accepts('br') })).status).toBe(401);
  });
});

describe('a range of a collection', () => {
  const PLAIN = accepts('identity');
  const rangeFrom = (from: number, to: number | '' = '') => ({ Range: `bytes=${from}-${to}` });

  it('goes on from any byte of what is not packed, whatever encodings the caller takes', async () => {
    const { ask } = counting();
    const whole = await ask(MEDIUM, PLAIN);
    const { length } = whole.bytes;
    expect(whole.headers.get('Accept-Ranges')).toBe('bytes');
    const head = await ask(MEDIUM, PLAIN, 'HEAD');
    expect([head.status, head.headers.get('Content-Length'), tagOf(head)]).toEqual([200, `${length}`, tagOf(whole)]);
    // The ends and the middle, and each byte around the first boundary.
    const first = whole.text.indexOf('"geometry":') + 11;
    for (const from of [0, 1, first - 1, first, first + 1, Math.floor(length / 2), length - 1]) {
      const rest = await ask(MEDIUM, { ...accepts('br, gzip'), ...rangeFrom(from) });
      expect([rest.status, encodingOf(rest), tagOf(rest)], `${from}`).toEqual([206, null, tagOf(whole)]);
      expect(rest.headers.get('Content-Range')).toBe(`bytes ${from}-${length - 1}/${length}`);
      expect(Buffer.compare(rest.bytes, whole.bytes.subarray(from)), `${from}`).toBe(0);
    }
    const some = await ask(MEDIUM, { ...rangeFrom(first - 9, first + 9), 'If-Range': tagOf(whole) });
    expect([some.status, some.text]).toEqual([206, whole.text.slice(first - 9, first + 10)]);
    expect(some.headers.get('Cache-Control')).toMatch(/^private, /);
  });

  it('is one of a packed answer for a caller who names its tag and takes its encoding', async () => {
    const { ask } = counting();
    const packed = await SNAPSHOTS.get(keyOf('collection-province-medium-gzip'));
    const stored = new Uint8Array((await packed?.arrayBuffer()) ?? new ArrayBuffer());
    const tag = tagOf(await ask(MEDIUM, accepts('gzip')));
    // The test would unpack what is not the whole of it.
    const rest = await rawly(MEDIUM, { ...accepts('gzip'), ...rangeFrom(100), 'If-Range': tag });
    expect([rest.status, rest.headers.get('Content-Encoding'), rest.headers.get('ETag')]).toEqual([206, 'gzip', tag]);
    expect(rest.headers.get('Content-Range')).toBe(`bytes 100-${stored.length - 1}/${stored.length}`);
    expect(Buffer.compare(new Uint8Array(await rest.arrayBuffer()), stored.subarray(100))).toBe(0);
    const plain = await ask(MEDIUM, { ...PLAIN, ...rangeFrom(100), 'If-Range': tag });
    expect([plain.status, encodingOf(plain)]).toEqual([200, null]);
  });

  it('is all of it where several are asked for, or of another version; 416 behind its end, and 304 where it is held', async () => {
    const { ask } = counting();
    const whole = await ask(MEDIUM, PLAIN);
    for (const headers of [
      { Range: 'bytes=0-1,5-6' },
      { Range: 'bytes=5-4' },
      { ...rangeFrom(5), 'If-Range': `W/${tagOf(whole)}` },
      { ...rangeFrom(5), 'If-Range': '"other"' },
      { ...rangeFrom(5), 'If-Range': new Date().toUTCString() },
    ]) {
      const answer = await ask(MEDIUM, { ...PLAIN, ...headers });
      expect([answer.status, answer.text === whole.text], JSON.stringify(headers)).toEqual([200, true]);
    }
    const behind = await ask(MEDIUM, { ...PLAIN, ...rangeFrom(whole.bytes.length) });
    expect([behind.status, behind.body.code]).toEqual([416, 'range_not_satisfiable']);
    expect(behind.headers.get('Content-Range')).toBe(`bytes */${whole.bytes.length}`);
    expect((await ask(MEDIUM, { ...rangeFrom(0, 9), 'If-None-Match': tagOf(whole) })).status).toBe(304);
    const anonymous = await workerWith({ FILES: SNAPSHOTS })(MEDIUM, { headers: rangeFrom(0, 9) });
    expect(anonymous.status).toBe(401);
    const list = await ask('/v1/regions', rangeFrom(0, 9));
    expect([list.status, list.headers.get('Accept-Ranges')]).toEqual([200, null]);
  });

  it('is all of it where the boundaries in it can not be read', async () => {
    const bucket = apart();
    await publish({ active: true, bucket });
    const { ask } = counting(bucket);
    const path = '/v1/provinces?format=geojson&geometry=detailed';
    const whole = await ask(path, PLAIN);
    for (let block = 0; block < 1000; block += 1) byteCache.delete(`${keyOf('boundaries-province-detailed')}#${block}`);
    await bucket.delete(keyOf('boundaries-province-detailed'));
    const at = whole.text.indexOf('"geometry":') + 20;
    const answer = await ask(path, { ...PLAIN, ...rangeFrom(at, at + 9) });
    expect([answer.status, answer.text === whole.text]).toEqual([200, true]);
  });
});

describe('what is not all of a level', () => {
  it.each([
    '/v1/regions?format=geojson&search=visayas',
    '/v1/regions?format=geojson&codes=0700000000',
    '/v1/provinces?format=geojson&region=0700000000',
    '/v1/provinces?geometry=simple&limit=100',
    '/v1/regions?geometry=simple&page=2',
    '/v1/municities?format=geojson&province_code=0702200000',
    '/v1/provinces/0702200000?format=geojson',
  ])('%s is not taken from there', async (path) => {
    const { ask } = counting();
    const answer = await ask(path, accepts('br'));
    expect([answer.status, encodingOf(answer)]).toEqual([200, null]);
    const { text } = await ask(`${path}&beside=1`, accepts('identity'));
    const notice = /,"notices":\[\{"code":"parameter_unknown","parameter":"beside".*?"successors":\[\]\}\]/;
    expect(answer.text).toBe(text.replaceAll('&beside=1', '').replace(notice, ''));
  });
});

describe('where there is no packed collection', () => {
  it.each([
    ['the object is gone', (bucket: R2Bucket) => bucket.delete(keyOf('collection-province-simple-br'))],
    ['the object was altered', (bucket: R2Bucket) => bucket.put(keyOf('collection-province-simple-br'), 'x')],
    [
      'the release was published without any',
      (bucket: R2Bucket) => {
        const objects = manifest.objects.filter(({ name }) => !name.startsWith('collection-'));
        return bucket.put(manifestKey(manifest.version), JSON.stringify({ ...manifest, objects }));
      },
    ],
  ])('because %s, the answer is made as for any list', async (_, spoil) => {
    const bucket = apart();
    // Instances of the tests share the memory of bytes.
    byteCache.delete(keyOf('collection-province-simple-br'));
    await publish({ active: true, bucket });
    await spoil(bucket);
    const { ask } = counting(bucket);
    const path = '/v1/provinces?format=geojson&geometry=simple';
    const answer = await ask(path, accepts('br'));
    const plain = await counting().ask(`${path}&beside=1`);
    expect([answer.status, encodingOf(answer)]).toEqual([200, null]);
    expect(answer.text === plain.text).toBe(true);
    expect(tagOf(answer)).not.toMatch(/br"$/);
  });
});
