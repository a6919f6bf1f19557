import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { byteCache } from '../../src/areas/snapshot/objects.ts';
import { BOUNDARY_BUDGET } from '../../src/areas/store.ts';
import worker from '../../src/worker.ts';
import { MASTER, ORIGIN } from '../support/api.ts';
import { BLOCK, forgetBlocks, like, publish, SNAPSHOTS } from '../support/snapshot.ts';

const manifest = inject('snapshot');

/** What is read at first, and two portions of half as much, one that is sent and the next, each in whole blocks. */
const MAX_AHEAD = 2 * BOUNDARY_BUDGET + 4 * BLOCK;

beforeAll(() => publish({ active: true }));

describe('a collection that is larger than what is read at once', () => {
  it('is never read far ahead of a client who reads slowly, and is read once', async () => {
    const name = 'boundaries-province-detailed';
    const total = manifest.objects.find((object) => object.name === name)?.bytes ?? 0;
    expect(total).toBeGreaterThan(MAX_AHEAD);
    forgetBlocks(name);
    let read = 0;
    const get = (key: string, options?: R2GetOptions) => {
      const range = options?.range as { length: number } | undefined;
      if (key.includes(name)) read += range?.length ?? total;
      return SNAPSHOTS.get(key, options);
    };
    const bindings = { ...env, FILES: like(SNAPSHOTS, { get }) };
    const url = `${ORIGIN}/v1/provinces?format=geojson&geometry=detailed&beside=the-edge`;
    const response = await worker.fetch(new Request(url, { headers: MASTER }), bindings, createExecutionContext());
    expect(response.status).toBe(200);
    let sent = 0;
    let furthest = 0;
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      // Whatever would be read ahead has time for it.
      await scheduler.wait(5);
      furthest = Math.max(furthest, read - sent);
      sent += chunk.length;
    }
    expect(sent).toBeGreaterThan(total);
    expect(read).toBeGreaterThanOrEqual(total);
    expect(read).toBeLessThan(1.5 * total);
    expect(furthest).toBeLessThanOrEqual(MAX_AHEAD);
  });
});

describe('the memory of an instance for what it has read', () => {
  it('is one, and stays within its budget', async () => {
    const budget = 32 * 1024 * 1024;
    const before = byteCache.bytes;
    for (let i = 0; i < 100; i += 1) byteCache.set(`test/${i}`, new Uint8Array(1024 * 1024));
    expect(byteCache.bytes).toBeLessThanOrEqual(budget);
    expect(byteCache.get('test/0')).toBeUndefined();
    expect(byteCache.get('test/99')).toBeDefined();
    // A value that would push out a quarter of all others is not remembered.
    byteCache.set('test/large', new Uint8Array(budget / 4 + 1));
    expect(byteCache.get('test/large')).toBeUndefined();
    for (let i = 0; i < 100; i += 1) byteCache.delete(`test/${i}`);
    expect(byteCache.bytes).toBeLessThanOrEqual(before);
  });
});
