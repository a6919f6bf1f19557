import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Psgc, PsgcError } from '../../clients/typescript/src/index.ts';
import { installClient, packClient } from '../clients/installed.ts';
import { tabsOf } from './support/chromium.ts';

// The TypeScript client on a page of another origin, as the package has it: modules that nothing has bundled, found by what the
// package says that it exports.

const { origin, masterToken } = inject('devStack');

/** Where the page has the package. */
const PACKAGE = '/psgc-client/';

const pageOf = (entry: string) => `<!doctype html><title>Elsewhere</title>
<script type="importmap">{ "imports": { "psgc-client": "${new URL(entry, `http://page${PACKAGE}`).pathname}" } }</script>
<script type="module">import * as client from 'psgc-client'; globalThis.client = client;</script>`;

interface Client {
  Psgc: new (options: { baseUrl: string; key: string }) => Psgc;
  PsgcError: new () => PsgcError;
}

let packed: string;
let project: string;
let server: Server;
beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), 'pgds-client-'));
  project = await installClient(await packClient(packed));
  const installed = join(project, 'node_modules/psgc-client');
  const { exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  const page = pageOf(exports['.'].default);
  server = createServer(async ({ url = '' }, response) => {
    const isModule = /^\/psgc-client\/dist\/[\w-]+\.js$/.test(url);
    response.writeHead(200, { 'Content-Type': isModule ? 'text/javascript' : 'text/html' });
    response.end(isModule ? await readFile(join(installed, url.slice(PACKAGE.length))) : page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server?.close();
  for (const directory of [packed, project]) await rm(directory, { recursive: true, force: true });
});

const openTab = tabsOf(origin);

it('the TypeScript client reads lists, boundaries and tables, and tells errors', async () => {
  // No header that the browser would first ask the service about.
  const { page } = await openTab({ extraHTTPHeaders: {} });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction('globalThis.client');
  const found = await page.evaluate(
    async ([baseUrl, key]) => {
      const { Psgc, PsgcError } = (globalThis as unknown as { client: Client }).client;
      const psgc = new Psgc({ baseUrl, key });
      const provinces = await psgc.provinces.list({ region: '0700000000', limit: 1 }).all();
      const { geometry } = await psgc.provinces.boundary('0702200000');
      const error = await psgc.regions.get('9900000000').catch((thrown: unknown) => thrown);
      const table = await psgc.matchCsv(new File(['town\nArgao\n'], 'places.csv'));
      const { missing } = await psgc.regions.batch(['0700000000', '9900000000']);
      const failure = error instanceof PsgcError ? [error.code, typeof error.requestId] : [];
      const coded = await new Response(table).text();
      return { names: provinces.map(({ name }) => name), type: geometry?.type, failure, coded, missing };
    },
    [origin, masterToken] as const,
  );
  expect(found).toMatchObject({
    names: ['Bohol', 'Cebu'],
    failure: ['area_not_found', 'string'],
    missing: ['9900000000'],
  });
  expect(found.type).toMatch(/Polygon$/);
  expect(found.coded).toMatch(/^town,psgc_code[\s\S]+\nArgao,0702205000/);
});
