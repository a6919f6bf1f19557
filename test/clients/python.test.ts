import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadLocalVars } from '../../scripts/dev/dev-vars.ts';
import { loadSessionKey, signSession, subjectOf } from '../../scripts/dev/session-key.ts';
import { publishSnapshot } from '../../scripts/pipeline/snapshot/publish.ts';
import { seededDatabase, type TestDatabase } from '../support/database.ts';
import { type LocalService, startLocalService } from '../support/local-service.ts';

// The client for Python, as its wheel in a fresh virtual environment, on a service of its own. CLIENTS_PYTHON is a Python
// with venv; what the client and its tests need comes from PyPI.

const CLIENT = fileURLToPath(new URL('../../clients/python', import.meta.url));

let directory: string;
let database: TestDatabase;
let service: LocalService;
let environment: Record<string, string>;
let python: string;
let wheel: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-python-'));
  const dataDir = join(directory, 'data');
  database = await seededDatabase();
  service = await startLocalService(database, dataDir);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const endpoint = { address: service.address, masterToken: service.masterToken };
  const scratch = await mkdtemp(join(directory, 'snapshot-'));
  const onProgress = () => undefined;
  await publishSnapshot(client, scratch, { releaseId: '2026-3q-1', endpoint, onlyMissing: true, onProgress });
  await client.end();
  environment = {
    PSGC_URL: service.address,
    PSGC_TOKEN: service.masterToken,
    PSGC_SESSION: await sessionOf('maria@example.com', dataDir),
    PYTHONDONTWRITEBYTECODE: '1',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
  };
  python = await freshPython('fresh');
  await run(python, ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', directory, CLIENT]);
  const name = (await readdir(directory)).find((file) => file.endsWith('.whl'));
  wheel = join(directory, name ?? 'no wheel was built');
});

afterAll(async () => {
  await service?.stop();
  await database?.close();
  await rm(directory, { recursive: true, force: true });
});

/** A session of a user of the service. */
async function sessionOf(email: string, dataDir: string): Promise<string> {
  const key = await loadSessionKey(join(dataDir, '.dev.session-key'));
  const { SESSION_ISSUER: issuer = '' } = await loadLocalVars(dataDir, {});
  return signSession(key, { issuer, subject: subjectOf(email), email, party: undefined, expires: '1h' });
}

/** Makes a virtual environment. @returns its Python */
async function freshPython(name: string): Promise<string> {
  await run(process.env.CLIENTS_PYTHON ?? 'python3', ['-m', 'venv', join(directory, name)]);
  return join(directory, name, 'bin', 'python');
}

/** The lowest versions that the client says it works with, as requirements. */
async function lowestVersions(): Promise<string[]> {
  const manifest = await readFile(join(CLIENT, 'pyproject.toml'), 'utf8');
  return [...manifest.matchAll(/"([a-z-]+)>=([\d.]+)/g)].map(([, name, version]) => `${name}==${version}`);
}

/** Runs a command in the client's directory. @returns what it printed. @throws Error with all that it wrote */
async function run(command: string, args: string[]): Promise<string> {
  const options = { cwd: CLIENT, env: { ...process.env, ...environment }, maxBuffer: 64e6 };
  const ran = promisify(execFile)(command, args, options);
  const { stdout } = await ran.catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}${error.stderr}`);
  });
  return stdout;
}

describe('the client for Python', () => {
  it('needs nothing but what its wheel asks for, and says what tables need', async () => {
    await run(python, ['-m', 'pip', 'install', '--quiet', wheel]);
    const code = [
      'from psgc_client import Psgc',
      'psgc = Psgc()',
      'print(psgc.search("Dasmarinas", level=["municity"])[0]["code"], psgc.regions.list().count())',
      'try:',
      '  psgc.regions.list().to_dataframe()',
      'except ImportError as error:',
      '  print(error)',
    ].join('\n');
    const printed = await run(python, ['-c', code]);
    expect(printed).toBe('0402106000 18\nThis needs more packages: pip install "psgc-client[pandas]"\n');
  });

  it('brings what tables need with its extras', async () => {
    await run(python, ['-m', 'pip', 'install', '--quiet', `${wheel}[geo,excel]`, '-r', 'requirements.txt']);
    await run(python, ['-c', 'import geopandas, openpyxl, pandas']);
  });

  it('passes its tests, and runs the examples of the documents', async () => {
    expect(await run(python, ['-m', 'pytest', '-p', 'no:cacheprovider', '--tb=short'])).toContain('100%');
  });

  it('works with the lowest versions that it asks for', async () => {
    const lowest = await freshPython('lowest');
    const versions = await lowestVersions();
    expect(versions).toContainEqual(expect.stringMatching(/^httpx==/));
    const packages = ['-c', 'requirements.txt', `${wheel}[geo,excel]`, 'pytest', ...versions];
    await run(lowest, ['-m', 'pip', 'install', '--quiet', ...packages]);
    // What meets these packages: tables, the connection, and waiting for it.
    const tests = ['frames', 'tables', 'match', 'async', 'datasets', 'package'].map((name) => `tests/test_${name}.py`);
    expect(await run(lowest, ['-m', 'pytest', '-p', 'no:cacheprovider', '--tb=short', ...tests])).toContain('100%');
  });

  it('has types that pyright finds nothing against, strictly', async () => {
    expect(await run(python, ['-m', 'pyright', '--pythonpath', python])).toContain('0 errors');
  });

  it('has examples in its README that pyright finds nothing against, strictly', async () => {
    const text = await readFile(join(CLIENT, 'README.md'), 'utf8');
    const blocks = [...text.matchAll(/^```python\n([\s\S]+?)^```$/gm)].map(([, code = '']) => code);
    expect(blocks.length).toBeGreaterThan(6);
    const examples = join(directory, 'examples.py');
    // What pandas takes is partly unknown to its own types.
    await writeFile(examples, `# pyright: strict, reportUnknownMemberType=false\n${blocks.join('')}`);
    expect(await run(python, ['-m', 'pyright', '--pythonpath', python, examples])).toContain('0 errors');
  });

  it('is what the document makes of it', async () => {
    const document = join(directory, 'openapi.json');
    await writeFile(document, await (await service.ask('/openapi.json')).text());
    await run(python, ['generate.py', document, '--check']);
  });
});
