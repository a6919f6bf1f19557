import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { origin } = inject('devStack');
const run = promisify(execFile);

/** The code blocks of a language, in their order, with the address of the test server. */
async function blocksOf(language: string, document = 'docs/quick-start.md'): Promise<string[]> {
  const text = await readFile(join(ROOT, document), 'utf8');
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]+?)^\`\`\`$`, 'gm'))];
  return blocks.map(([, code = '']) => code.replaceAll('http://127.0.0.1:8787', origin).replaceAll('/tmp/', './'));
}

/** Runs a command and returns what it printed. @throws Error with its error output if it fails or is not installed */
async function output(command: string, args: string[], options: { cwd: string; env?: Record<string, string> }) {
  const { stdout } = await run(command, args, { ...options, env: { ...process.env, ...options.env } });
  return stdout;
}

describe('the quick start', () => {
  let folder: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pgds-quick-start-'));
    const [key = ''] = await blocksOf('sh');
    const printed = await output('bash', ['-euo', 'pipefail', '-c', key], { cwd: ROOT });
    env = { BASE_URL: origin, API_KEY: printed.trim() };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('creates a key on the command line', () => {
    expect(env.API_KEY).toMatch(/^svc_sk_live_\w+$/);
  });

  it('works in curl', async () => {
    const [, code = ''] = await blocksOf('sh');
    const printed = await output('bash', ['-euo', 'pipefail', '-c', code], { cwd: folder, env });
    expect(printed).toContain('"name":"City of Parañaque"');
    const { type, features } = JSON.parse(await readFile(join(folder, 'provinces.geojson'), 'utf8'));
    const names = features.map(({ properties }: { properties: { name: string } }) => properties.name);
    expect([type, names]).toEqual(['FeatureCollection', ['Bohol', 'Cebu']]);
  });

  it('lets an agent find a misspelt barangay, its history and its neighbours', async () => {
    const [, , code = ''] = await blocksOf('sh');
    const printed = await output('bash', ['-euo', 'pipefail', '-c', code], { cwd: folder, env });
    const [search, history, got] = printed
      .trim()
      .split('\n')
      .map((answer) => JSON.parse(answer).result);
    const [{ code: found, name }] = search.structuredContent.places;
    expect([name, code.includes(`{"code":"${found}"}`)]).toEqual(['Guadalupe', true]);
    expect(history.structuredContent).toMatchObject({ changes: [], total: 0 });
    const { ancestors, neighbors } = got.structuredContent;
    expect(ancestors.at(-1)).toMatchObject({ level: 'municity', name: 'City of Cebu' });
    expect([got.isError, Array.isArray(neighbors)]).toEqual([undefined, true]);
  });

  it('of agents has a call by hand that works', async () => {
    const [code = ''] = await blocksOf('sh', 'docs/agents.md');
    const { result } = JSON.parse(await output('bash', ['-euo', 'pipefail', '-c', code], { cwd: folder, env }));
    expect(result.structuredContent.places[0].name).toBe('Mandalagan');
  });

  it('of notifications has an endpoint, a receiver and a test that work', async () => {
    const [create = '', test = '', feed = '', ...others] = await blocksOf('sh', 'docs/notifications.md');
    const [receiver = ''] = await blocksOf('js', 'docs/notifications.md');
    const sh = (lines: string, env = {}) => output('bash', ['-euo', 'pipefail', '-c', lines], { cwd: ROOT, env });
    const printed = await sh(`${create}\nprintf '%s\\n' "$SESSION" "$ENDPOINT_ID" "$WEBHOOK_SECRET"`);
    const [SESSION = '', ENDPOINT_ID = '', WEBHOOK_SECRET = ''] = printed.trim().split('\n');
    const program = spawn(process.execPath, ['--input-type=module', '-e', receiver], {
      ...{ cwd: ROOT, env: { ...process.env, WEBHOOK_SECRET } },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let received = '';
      program.stdout.on('data', (chunk) => {
        received += chunk;
      });
      await vi.waitFor(() => fetch('http://127.0.0.1:9797/', { method: 'POST' }), { timeout: 20_000 });
      const { data } = JSON.parse(await sh(test, { BASE_URL: origin, SESSION, ENDPOINT_ID }));
      expect(data).toMatchObject([{ type: 'endpoint.test', status: 'delivered', last_status: 204 }]);
      expect(received).toContain(`${data[0].id} endpoint.test`);
      expect(await sh(feed, { BASE_URL: origin })).toContain('Changes of the PSGC in Negros Oriental');
      expect(others).toEqual([]);
    } finally {
      program.kill();
    }
  });

  it('of addresses has commands that work', async () => {
    const [parse = '', table = '', ...others] = await blocksOf('sh', 'docs/addresses.md');
    const shell = (code: string) => output('bash', ['-euo', 'pipefail', '-c', code], { cwd: folder, env });
    // Two answers, one behind the other.
    const [parsed, postal] = (await shell(parse)).split(/(?<=\})(?=\{"data")/).map((text) => JSON.parse(text));
    expect(parsed.data.map(({ name }: { name: string }) => name)).toEqual(['Salawag', 'San Antonio']);
    expect(parsed.data[0].parts.map(({ part }: { part: string }) => part)).toEqual([
      ...['block', 'lot', 'phase', 'subdivision', 'barangay', 'municity', 'province', 'zip_code'],
    ]);
    expect(postal.data.areas[0].name).toBe('City of Pasig');
    const [headings = '', row = ''] = (await shell(table)).split('\n');
    expect(headings).toContain('address_street');
    expect(row).toMatch(/^Ana,.*Rizal St\..*,1380300020,barangay,Poblacion,exact,/);
    expect(others).toEqual([]);
  });

  it('works in JavaScript', async () => {
    const [code = ''] = await blocksOf('js');
    await writeFile(join(folder, 'quick-start.mjs'), code);
    const printed = await output(process.execPath, ['quick-start.mjs'], { cwd: folder, env });
    expect(printed).toMatch(/^53 cities and municipalities lie in Cebu/);
    expect(printed).toMatch(/^0702200000 Cebu (Multi)?Polygon$/m);
  });

  it('works in Python', async () => {
    const [code = ''] = await blocksOf('python');
    const printed = await output('python3', ['-c', code], { cwd: folder, env });
    expect(printed).toMatch(/^53 cities and municipalities lie in Cebu/);
    expect(printed).toMatch(/^0702200000 Cebu$/m);
  });

  it('has no code block that this test does not run', async () => {
    const text = await readFile(join(ROOT, 'docs/quick-start.md'), 'utf8');
    const languages = [...text.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
    // test/clients/python.test.ts installs the client for Python and runs what is marked `py`, and command.test.ts beside it
    // that for TypeScript, for `bash` and `mjs`.
    expect(languages).toEqual(['console', 'sh', 'sh', 'js', 'python', 'console', 'py', 'console', 'bash', 'mjs', 'sh']);
  });
});
