import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ROOT } from './installed.ts';

// Clients that generators make of the OpenAPI document, by the lines of docs/clients.md, and programs that call the service
// with them. .ci/clients installs the generators.

const HERE = fileURLToPath(new URL('.', import.meta.url));
const PYTHON = process.env.CLIENTS_PYTHON ?? 'python3';
const NODE_CLIENTS = process.env.CLIENTS_NODE ?? join(ROOT, '.cache/clients-node');
const GO_TOOLS = process.env.CLIENTS_GO ?? join(ROOT, '.cache/clients-go');
const JAVA = process.env.CLIENTS_JAVA ?? join(ROOT, '.cache/clients-java');
const DOCUMENTED = join(ROOT, 'docs/clients.md');

const { address, masterToken, apiKey } = inject('clientsService');

const STRICT = 'tsc --strict --noEmit --skipLibCheck --allowImportingTsExtensions --types node';
const CHECK_TS = `${STRICT} --target es2022 --module esnext --moduleResolution bundler calls.ts`;
const RUN_TS =
  'esbuild calls.ts --bundle --format=esm --platform=node --outfile=calls.mjs --log-level=error && node calls.mjs';

/** Generators whose programs, in directories of these names, all do the same: by what is theirs in the line of the document. */
const GENERATORS = [
  { name: 'oapi-codegen', line: 'oapi-codegen', compile: 'go build -o calls .', run: './calls' },
  { name: 'openapi-generator-go', line: '-g go', compile: 'go build -o calls .', run: './calls' },
  {
    name: 'openapi-generator-java',
    line: '-g java',
    compile: `javac -nowarn -d classes -cp '${JAVA}/*' Calls.java $(find psgc/src/main -name '*.java')`,
    run: `java -cp 'classes:${JAVA}/*' Calls`,
  },
  {
    name: 'openapi-generator-python',
    line: '-g python',
    compile: `echo '{"extraPaths":["client"]}' > pyrightconfig.json && pyright --pythonpath '${PYTHON}' calls.py`,
    run: `PYTHONPATH=client '${PYTHON}' calls.py`,
  },
  { name: 'openapi-generator-typescript-fetch', line: '-g typescript-fetch', compile: CHECK_TS, run: RUN_TS },
  { name: 'orval-zod', line: 'orval', compile: CHECK_TS, run: RUN_TS },
];

/** What openapi-generator warns of in any document of version 3.1, and of names that its languages have taken. */
const USUAL_WARNINGS = /3\.1 support is still in beta|reserved word|matches existing language type|schema name: null/;

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
  for (const config of await blocksOf('mjs')) await writeFile(join(directory, 'orval-zod/orval.config.mjs'), config);
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** Runs a command in the directory of the test, or one in it, with the tools that are installed for it. Returns all it wrote. */
async function run(command: string, args: string[], below = '.'): Promise<string> {
  const bin = join('node_modules', '.bin');
  const tools = [join(NODE_CLIENTS, bin), dirname(PYTHON), GO_TOOLS, join(ROOT, bin)];
  const PATH = [...tools, process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, NO_COLOR: '1', BASE: address, TOKEN: masterToken, API_KEY: apiKey };
  const running = promisify(execFile)(command, args, { cwd: join(directory, below), env, maxBuffer: 64e6 });
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

/** Generates a client by its line of docs/clients.md. Fails where the generator has anything unusual to warn of. */
async function generate(tool: string, below = '.'): Promise<void> {
  await rm(join(directory, below, 'psgc'), { recursive: true, force: true });
  const lines = (await blocksOf('bash')).flatMap((block) => block.split('\n'));
  const line = lines.find((each) => each.includes(tool)) ?? '';
  expect(line).toMatch(/\/openapi.json|--config/);
  const said = await run('sh', ['-ec', line], below);
  // Names of files are no news.
  const news = said.split('\n').filter((each) => !/^npm warn |\] INFO /.test(each) && !USUAL_WARNINGS.test(each));
  expect(news.join('\n')).not.toMatch(/warn|skip|unsupported|fail|error/i);
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

/** Members that are null, which some clients leave out, are left out. */
const withoutNull = (text: string) =>
  JSON.parse(text, (_, value) =>
    value === null || typeof value !== 'object' || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)),
  );

describe('a program with a client of', () => {
  /** What the programs ask for, asked without a client. */
  let answered: unknown;

  beforeAll(async () => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    const ask = async (path: string, init?: RequestInit) => {
      const response = await fetch(`${address}/v1/${path}`, { headers, ...init });
      return { status: response.status, body: (await response.json()) as { data: unknown } };
    };
    const rows = [
      { id: 7, province: 'Cebu' },
      { id: 'b', text: 'Brgy. Poblacion, Makati' },
    ];
    const missing = await ask('provinces/0799900000');
    const found = {
      regions: (await ask('regions?limit=100')).body.data,
      province: (await ask('provinces/0702200000?geometry=simple')).body.data,
      matched: (await ask('match', { method: 'POST', body: JSON.stringify({ rows }) })).body.data,
      status: missing.status,
      error: missing.body,
    };
    expect(found).toMatchObject({
      regions: expect.arrayContaining([expect.objectContaining({ code: '1900000000' })]),
      province: { name: 'Cebu', geometry: { type: expect.stringMatching('Polygon') } },
      matched: [
        { id: 7, match: 'exact' },
        { id: 'b', match: 'exact' },
      ],
      status: 404,
      error: { code: 'area_not_found' },
    });
    answered = withoutNull(JSON.stringify(found));
  });

  it.each(GENERATORS)('$name compiles, and finds what the service answers', async (generator) => {
    const { name, line, compile } = generator;
    await generate(line, name);
    await run('sh', ['-ec', compile], name);
    expect(withoutNull(await run('sh', ['-ec', generator.run], name))).toEqual(answered);
  });
});
