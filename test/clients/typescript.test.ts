import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { installClient, NODE_20, ROOT, SOURCE } from './installed.ts';

// The TypeScript client as people install it: packed, in a project of its own on Node 20 and in a Worker. In a browser it is
// in test/browser/client.test.ts. .ci/clients installs Node 20, whose path is CLIENTS_NODE_20, and the generator of the types.

const { address, masterToken, userKey } = inject('clientsService');

/** What .ci/clients has installed from npm. */
const TOOLS = process.env.CLIENTS_NODE ?? join(ROOT, '.cache/clients-node');

/** A project that depends on the package and has nothing else. */
let project: string;

beforeAll(async () => {
  project = await installClient(inject('packedClient'));
});

afterAll(() => rm(project, { recursive: true, force: true }));

async function run(command: string, args: string[], cwd = project): Promise<string> {
  const env = { ...process.env, PSGC_TOKEN: userKey, PSGC_URL: address, NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 64e6 });
  return stdout;
}

/** The examples of the README, each with what it prints. */
async function examples(): Promise<{ code: string; printed: string[] }[]> {
  const text = await readFile(join(SOURCE, 'README.md'), 'utf8');
  const blocks = [...text.matchAll(/^```js\n([\s\S]+?)^```$/gm)].map(([, code = '']) => code);
  return blocks.map((code) => ({
    code: code.replaceAll('https://geo.example', address),
    printed: [...code.matchAll(/; \/\/ (.+)$/gm)].map(([, line = '']) => line),
  }));
}

it('has the types of the document', async () => {
  expect(await run(process.execPath, ['scripts/client-types.ts', '--check'], ROOT)).toBe('');
});

it('has types that a misspelled option of their command does not overwrite', async () => {
  const misspelled = run(process.execPath, ['scripts/client-types.ts', '--chek'], ROOT);
  await expect(misspelled).rejects.toThrow("Unknown option '--chek'");
});

it('is a package of its code, its types, its README and its licence, that depends on nothing', async () => {
  const installed = join(project, 'node_modules/psgc-client');
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ license: 'MIT', type: 'module' });
  expect(manifest.dependencies ?? manifest.peerDependencies).toBeUndefined();
  const own = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  expect(manifest.version).toBe(own.version);
  for (const name of [
    'LICENSE',
    'README.md',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/openapi.d.ts',
    'dist/address.js',
    'dist/address.d.ts',
  ]) {
    expect((await readFile(join(installed, name), 'utf8')).length, name).toBeGreaterThan(100);
  }
});

it('does on Node 20 what its README shows', async () => {
  expect(await run(NODE_20, ['--version'])).toMatch(/^v20\./);
  const [opening, ...others] = await examples();
  expect(others.length).toBeGreaterThan(6);
  const prelude = opening?.code ?? '';
  const seen: string[][] = [];
  for (const [i, { code }] of others.entries()) {
    await writeFile(join(project, `example-${i}.mjs`), `${prelude}${code}`);
    seen.push((await run(NODE_20, [`example-${i}.mjs`])).split('\n').filter(Boolean));
  }
  expect(seen).toEqual(others.map(({ printed }) => printed));
  expect(await readFile(join(project, 'coded.csv'), 'utf8')).toMatch(
    /^province,town,psgc_code[\s\S]+\nCebu,Argao,0702205000/,
  );
});

/** Where the types of a project come from, and what it can do there beside the rest. */
const TYPED = {
  browser: { lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
  node: { lib: ['es2022'], types: ['node'] },
  both: { lib: ['es2022', 'dom', 'dom.iterable'], types: ['node'] },
  worker: { lib: ['es2022'], types: [join(ROOT, 'node_modules/@cloudflare/workers-types/index.d.ts')] },
} as const;

/** Checks a program in a strict project with the types of a platform. */
async function typeCheck(platform: keyof typeof TYPED, program: string, compiler = 'typescript'): Promise<void> {
  const tsconfig = {
    compilerOptions: {
      ...{ target: 'es2022', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: false },
      ...{ exactOptionalPropertyTypes: true, typeRoots: [join(ROOT, 'node_modules/@types')], ...TYPED[platform] },
    },
    files: ['typed.mts'],
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(tsconfig));
  await writeFile(join(project, 'typed.mts'), program);
  const modules = compiler === 'typescript' ? ROOT : TOOLS;
  const tsc = join(modules, 'node_modules', compiler, 'bin/tsc');
  await run(process.execPath, [tsc, '-p', '.']).catch((error: { stdout?: string }) => {
    throw new Error(`${platform}: ${error.stdout}`);
  });
}

it('gives types to a strict project: what is asked, what is answered, GeoJSON', async () => {
  const good = `import { Psgc, type Municity } from 'psgc-client';
const psgc = new Psgc({ baseUrl: 'https://geo.example' });
const all: Municity[] = await psgc.municities.list({ province: 'Cebu', sort: 'population' }).all();
const population: number | null | undefined = all[0]?.population;
const { geometry } = await psgc.provinces.boundary('0702200000');
if (geometry?.type === 'Polygon') { const [lon, lat]: [number, number, number?] = geometry.coordinates[0]![0]!; }
const [hit] = await psgc.search('cebu');
const level: 'region' | 'province' | 'municity' | 'submunicipality' | 'barangay' = hit!.level;
const texts: (string | null)[] = (await psgc.match([{ text: 'Argao' }])).map(({ code }) => code);
for await (const { code } of psgc.match(new Set([{ text: 'Argao' }]))) texts.push(code);
const coded: string = await new Response(await psgc.matchCsv('town')).text();
await psgc.datasets.upload(new Blob([coded]), 'wells.csv', {}, { signal: AbortSignal.timeout(5) });
export { population, level };
`;
  for (const platform of ['browser', 'node', 'worker'] as const) await typeCheck(platform, good);
  for (const [right, wrong] of [
    ["sort: 'population'", "sort: 'colour'"],
    ['number | null', 'string | null'],
    ["'Polygon'", "'Circle'"],
    ["baseUrl: 'https://geo.example'", ''],
    ["{ text: 'Argao' }])).map", "{ place: 'Argao' }])).map"],
  ] as const) {
    await expect(typeCheck('browser', good.replace(right, wrong)), wrong).rejects.toThrow('typed.mts');
  }
  // The oldest that the README names.
  for (const platform of ['browser', 'node'] as const) await typeCheck(platform, good, 'typescript-5.7');
});

it('has types that the platforms take: tables to files, bindings of services', async () => {
  const [opening, ...others] = await examples();
  const table = others.find(({ code }) => code.includes('matchCsv(() =>'))?.code;
  for (const platform of ['node', 'both'] as const) await typeCheck(platform, `${opening?.code}${table}`);
  for (const { code } of others) await typeCheck('both', `${opening?.code}${code}export {};\n`);
  const [bound] = (await readFile(join(SOURCE, 'README.md'), 'utf8')).match(/env\.API\.fetch\.bind\(env\.API\)/) ?? [];
  const worker = `import { Psgc } from 'psgc-client';
export default {
  async fetch(request: Request, env: { readonly API: Fetcher }): Promise<Response> {
    const psgc = new Psgc({ baseUrl: 'https://geo.example', fetch: ${bound} });
    return new Response(request.body ? await psgc.matchCsv(request.body) : (await psgc.downloads.open('a')).body);
  },
} satisfies ExportedHandler<{ readonly API: Fetcher }>;
`;
  await typeCheck('worker', worker);
});

it('works in a Worker', async () => {
  const source = `import { Psgc, PsgcError } from 'psgc-client';
export default {
  async fetch(request, env) {
    const psgc = new Psgc({ baseUrl: '${address}', key: '${masterToken}' });
    const bound = new Psgc({ baseUrl: 'http://service.invalid', retries: 0, fetch: env.API.fetch.bind(env.API) });
    const region = await bound.regions.get('0700000000');
    const names = [];
    for await (const { name } of psgc.provinces.list({ region: '0700000000', limit: 1 })) names.push(name);
    const error = await psgc.regions.get('9900000000').catch((thrown) => thrown);
    const table = await psgc.matchCsv(request.body);
    const { geometry } = await psgc.provinces.boundary('0702200000');
    const coded = await new Response(table).text();
    return Response.json({ region: region.name, names, error: [error instanceof PsgcError, error.code], coded, type: geometry.type });
  },
};`;
  await writeFile(join(project, 'worker.mjs'), source);
  const entryPoints = [join(project, 'worker.mjs')];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: 'esm', logLevel: 'error' });
  const manifest = {
    mainModule: 'worker.js',
    modules: { 'worker.js': { type: 'esm' as const, contents: outputFiles[0]?.text ?? '' } },
  };
  // A binding of a service, whose fetch knows no other object than its own.
  const env = { API: { type: 'external' as const, address: new URL(address).host, http: {} } };
  const miniflare = new Miniflare({
    enableDevRegistry: false,
    workers: [{ config: { name: 'client', compatibilityDate: '2026-06-01', manifest, env } }],
  });
  try {
    const answer = await miniflare.dispatchFetch('http://worker.example/', { method: 'POST', body: 'town\nArgao\n' });
    const { region, names, error, coded, type } = (await answer.json()) as Record<string, unknown>;
    expect(region).toBe('Region VII (Central Visayas)');
    expect({ names, error }).toEqual({ names: ['Bohol', 'Cebu'], error: [true, 'area_not_found'] });
    expect(coded).toMatch(/^town,psgc_code[\s\S]+\nArgao,0702205000/);
    expect(type).toMatch(/Polygon$/);
  } finally {
    await miniflare.dispose();
  }
});
