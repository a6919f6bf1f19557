import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { manifestKey } from '../../src/areas/snapshot/layout.ts';
import { memory } from '../../src/areas/snapshot/objects.ts';
import { type Answer, MASTER, workerWith } from '../support/api.ts';
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
    expect(answer.text).toBe((await ask(`${path}&beside=1`, accepts('identity'))).text.replaceAll('&beside=1', ''));
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
    memory.delete(keyOf('collection-province-simple-br'));
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
