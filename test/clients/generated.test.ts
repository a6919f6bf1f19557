import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

// Clients that generators make of the OpenAPI document, by the lines of docs/clients.md, and programs that call the service
// with them. .ci/clients installs the generators.

const HERE = fileURLToPath(new URL('.', import.meta.url));
const PYTHON = process.env.CLIENTS_PYTHON ?? 'python3';
const NODE_CLIENTS = process.env.CLIENTS_NODE ?? fileURLToPath(new URL('../../.cache/clients-node', import.meta.url));
const DOCUMENTED = fileURLToPath(new URL('../../docs/clients.md', import.meta.url));

const { address, masterToken } = inject('clientsService');

const TSCONFIG = {
  compilerOptions: {
    ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'] },
    ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, types: ['node'] },
  },
  files: ['fetch.ts', 'hey.ts'],
};

interface Operation {
  operationId: string;
  responses: Record<string, { content?: object }>;
}

let directory: string;
let operations: Operation[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-generated-'));
  const document = (await (await fetch(`${address}/openapi.json`)).json()) as { paths: Record<string, object> };
  operations = Object.values(document.paths).flatMap((methods) => Object.values(methods) as Operation[]);
  await cp(join(HERE, 'generated'), directory, { recursive: true });
  await symlink(join(NODE_CLIENTS, 'node_modules'), join(directory, 'node_modules'));
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  for (const config of await blocksOf('yaml')) await writeFile(join(directory, 'psgc.yaml'), config);
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** Runs a command in the directory of the test, with the tools that are installed for it. Returns all that it wrote. */
async function run(command: string, args: string[]): Promise<string> {
  const PATH = [join(NODE_CLIENTS, 'node_modules', '.bin'), dirname(PYTHON), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, NO_COLOR: '1', BASE: address, TOKEN: masterToken };
  const running = promisify(execFile)(command, args, { cwd: directory, env, maxBuffer: 64e6 });
  const { stdout, stderr } = await running.catch((error) => {
    // Some tell on the first of them what is wrong.
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return `${stdout}${stderr}`;
}

async function blocksOf(language: string): Promise<string[]> {
  const text = await readFile(DOCUMENTED, 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, block = '']) =>
    block.replaceAll('https://geo.example', address),
  );
}

/** Generates a client by its line of docs/clients.md. Fails where the generator has anything to warn of. */
async function generate(tool: string): Promise<void> {
  await rm(join(directory, 'psgc'), { recursive: true, force: true });
  const [line = ''] = (await blocksOf('bash')).filter((block) => block.includes(tool));
  expect(line).toContain('/openapi.json');
  const said = await run('sh', ['-ec', line]);
  expect(said.replaceAll(/^npm warn .*$/gm, '')).not.toMatch(/warn|skip|unsupported|fail|error/i);
}

const idsOf = (names: string[]) => names.map((name) => name.replaceAll('_', '').toLowerCase()).sort();
const expectAll = (names: string[]) => expect(idsOf(names)).toEqual(idsOf(operations.map((each) => each.operationId)));

function expectFound(text: string): void {
  const { features, table, matched, ...found } = JSON.parse(text.trim().split('\n').at(-1) ?? '');
  expect(found).toEqual({
    listed: true,
    name: 'Cebu',
    code: 'area_not_found',
    batch: ['0700000000', '1300000000'],
    statuses: [200, 404],
  });
  expect(features).toHaveLength(18);
  expect(new Set(features)).toEqual(new Set([10]));
  expect(table).toMatch(/depth_m[\s\S]*Well 7/);
  expect(matched).toMatch(/^province,psgc_code[\s\S]*\nCebu,0702200000,province/);
}

async function runBundled(name: string): Promise<string> {
  const outfile = join(directory, `${name}.mjs`);
  const entryPoints = [join(directory, `${name}.ts`)];
  await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
  return run(process.execPath, [outfile]);
}

it('TypeScript has every operation by openapi-typescript and by @hey-api/openapi-ts, keeps to types, and calls the service', async () => {
  await generate('openapi-typescript');
  await generate('@hey-api/openapi-ts');
  const types = await readFile(join(directory, 'psgc.ts'), 'utf8');
  const [, own = ''] = types.split('export interface operations {');
  expectAll([...own.matchAll(/^ {4}(\w+): \{$/gm)].map(([, name = '']) => name));
  const calls = await readFile(join(directory, 'psgc', 'sdk.gen.ts'), 'utf8');
  expectAll([...calls.matchAll(/^export const (\w+) = </gm)].map(([, name = '']) => name));
  expect(await run('tsc', ['-p', '.'])).toBe('');
  expectFound(await runBundled('fetch'));
  expectFound(await runBundled('hey'));
});

it('zod has schemas of answers by orval, which keep to types, and read what the service answers', async () => {
  await generate('orval');
  const strict = ['--strict', '--noEmit', '--skipLibCheck', '--allowImportingTsExtensions'];
  const options = ['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', 'node'];
  expect(await run('tsc', [...strict, ...options, 'zod.ts'])).toBe('');
  expect(JSON.parse(await runBundled('zod'))).toEqual({ name: 'Cebu', error: null, isChecked: true });
});

it('Python has every operation by openapi-python-client, keeps to types, and calls the service', async () => {
  await generate('openapi-python-client');
  const names = (await readdir(join(directory, 'psgc', 'api'), { recursive: true })).filter((name) =>
    /\/(?!__)\w+\.py$/.test(name),
  );
  expectAll(names.map((name) => /(\w+)\.py$/.exec(name)?.[1] ?? ''));
  for (const { operationId, responses } of operations) {
    if (!responses[200]?.content) continue;
    const name = names.find((each) => each.endsWith(`/${operationId}.py`)) ?? '';
    const module = await readFile(join(directory, 'psgc', 'api', name), 'utf8');
    expect(module, `what ${operationId} answers`).toMatch(/response_200 = (?!cast\(Any, None\))/);
  }
  expect(await run('pyright', ['--pythonpath', PYTHON, 'calls.py'])).toMatch(/^0 errors, 0 warnings/m);
  expectFound(await run(PYTHON, ['calls.py']));
});
