import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Miniflare, NoOpLog } from 'miniflare';
import type { Store } from './store.ts';

/** How many keys R2 deletes at once. */
const MAX_DELETED = 1000;

/** Stores the body of a request. From outside the runtime the bucket takes no stream, whose length it would not know. */
const PUTS = `export default {
  async fetch(request, { FILES }) {
    const { key, ...options } = JSON.parse(decodeURIComponent(request.headers.get('X-Object')));
    await FILES.put(key, request.body, options);
    return new Response();
  },
}`;

/**
 * The bucket that the local server keeps in a directory. A server that runs can go on using it.
 *
 * @param state the directory of the local R2 and Durable Objects, see `stateDirectory`
 * @param name of the bucket
 */
export async function openLocalBucket(state: string, name: string): Promise<Store> {
  const miniflare = new Miniflare({
    log: new NoOpLog(),
    enableDevRegistry: false,
    resourcePersistencePath: join(state, 'v3'),
    workers: [
      {
        config: {
          name: 'backup',
          compatibilityDate: '2026-10-01',
          env: { FILES: { type: 'r2', name } },
          manifest: {
            mainModule: 'worker.js',
            modules: { 'worker.js': { type: 'esm', contents: PUTS } },
          },
        },
      },
    ],
  });
  const bucket = await miniflare.getR2Bucket('FILES');
  return {
    name: `the bucket in ${state}`,
    list: async function* (prefix) {
      for (let cursor: string | undefined, more = true; more; ) {
        const page = await bucket.list({ prefix, ...(cursor !== undefined && { cursor }) });
        for (const { key, size, etag } of page.objects) yield { key, bytes: size, etag };
        more = page.truncated;
        cursor = page.truncated ? page.cursor : undefined;
      }
    },
    get: async (key) => {
      const object = await bucket.get(key);
      if (!object) return undefined;
      const body = Readable.fromWeb(object.body as unknown as ReadableStream);
      return { body, etag: object.etag, contentType: object.httpMetadata?.contentType };
    },
    put: async (key, { path, sha256, contentType }) => {
      const object = { key, sha256, ...(contentType !== undefined && { httpMetadata: { contentType } }) };
      const answer = await miniflare.dispatchFetch('http://bucket/', {
        method: 'PUT',
        headers: { 'X-Object': encodeURIComponent(JSON.stringify(object)) },
        body: await openAsBlob(path),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${key} can't be stored: ${text.slice(0, 300)}`);
    },
    create: async (key, text) => (await bucket.put(key, text, { onlyIf: { etagDoesNotMatch: '*' } })) !== null,
    delete: async (keys) => {
      for (let i = 0; i < keys.length; i += MAX_DELETED) await bucket.delete(keys.slice(i, i + MAX_DELETED));
    },
    close: () => miniflare.dispose(),
  };
}
