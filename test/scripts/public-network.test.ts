import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Miniflare, NoOpLog } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC_NETWORK } from '../../scripts/start/runtime.ts';

// What the Worker of `npm start` reaches at addresses that users give, in workerd itself: names are looked up there.

const CONFIG = fileURLToPath(new URL('../../wrangler.toml', import.meta.url));

const SCRIPT = `export default {
  async fetch(request, env) {
    const { way, url } = await request.json();
    try {
      const response = await (way === 'public' ? env.OUTBOUND.fetch(url) : fetch(url));
      return new Response(await response.text());
    } catch {
      return new Response('refused');
    }
  },
};`;

let server: Server;
let miniflare: Miniflare;
let port: number;
let asked = 0;

beforeAll(async () => {
  server = createServer((_, response) => {
    asked += 1;
    response.end('reached');
  });
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  port = (server.address() as AddressInfo).port;
  miniflare = new Miniflare({
    log: new NoOpLog(),
    workers: [
      {
        config: {
          name: 'asks',
          compatibilityDate: '2026-10-01',
          env: { OUTBOUND: PUBLIC_NETWORK },
          manifest: { mainModule: 'worker.js', modules: { 'worker.js': { type: 'esm', contents: SCRIPT } } },
        },
      },
    ],
  });
});

afterAll(async () => {
  await miniflare.dispose();
  server.close();
});

async function ask(way: 'public' | 'any', host: string): Promise<string> {
  const body = JSON.stringify({ way, url: `http://${host}:${port}/` });
  return (await miniflare.dispatchFetch('http://worker/', { method: 'POST', body })).text();
}

/** An address of this machine in its own network, where it has one. */
const own = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
const isPrivate = own !== undefined && /^(10|172\.(1[6-9]|2\d|3[01])|192\.168|100)\./.test(own);

describe('an address that a user has given', () => {
  it.each(['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', ...(isPrivate ? [own] : [])])(
    'is not reached at %s, to which a name may lead too',
    async (host) => {
      expect(await ask('public', host)).toBe('refused');
      expect(asked).toBe(0);
    },
  );

  it('is reached by the way that the Worker asks its own database, so something listens there', async () => {
    expect(await ask('any', 'localhost')).toBe('reached');
    expect(asked).toBe(1);
  });
});

it('a deployment reaches addresses in its own zone through their front door', async () => {
  const { unstable_readConfig: readConfig } = await import('wrangler');
  for (const env of [undefined, 'preview', 'production']) {
    const { compatibility_flags: flags } = readConfig({ config: CONFIG, ...(env && { env }) }, { hideWarnings: true });
    expect([env, flags]).toEqual([env, expect.arrayContaining(['global_fetch_strictly_public'])]);
  }
});
