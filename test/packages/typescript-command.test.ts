import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

// The command psgc against a server that answers as it is told to, as the service may on a bad day.

const SOURCE = fileURLToPath(new URL('../../clients/typescript/command/psgc.ts', import.meta.url));

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

let folder: string;
let server: Server;
let url: string;
let answers: Answer[];
let asked: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pgds-command-'));
  const outfile = join(folder, 'psgc.mjs');
  await build({ entryPoints: [SOURCE], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  server = createServer(async (request, response) => {
    asked.push(request.url ?? '');
    const answer = answers.shift();
    if (!answer) throw new Error(`${request.url} was not expected.`);
    await answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(join(folder, 'places.csv'), 'town\nArgao\nNowhere\n');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  answers = [];
  asked = [];
});

const json =
  (body: object): Answer =>
  (_, response) =>
    void response.end(JSON.stringify(body));

const refused: Answer = (_, response) => {
  const headers = { 'Retry-After': '0' };
  const message = 'Too many. Try again in 1 second.';
  response.writeHead(429, headers).end(JSON.stringify({ message, code: 'rate_limit_exceeded' }));
};

/** A table as it is answered where nothing was found: the command ends otherwise where it breaks off. */
const CODED = 'town,psgc_code,psgc_level,psgc_name,psgc_match,psgc_score,psgc_candidates\nArgao,,,,none,0,\n';

/** Answers when all of the table is there. */
const coded: Answer = async (request, response) => {
  let table = '';
  for await (const chunk of request) table += chunk;
  response.end(table === 'town\nArgao\nNowhere\n' ? CODED : `not the table: ${table}`);
};

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** What standard output is, in place of a pipe. */
  readonly stdout?: number;
  /** Is given the process when it has begun. */
  readonly started?: (child: ChildProcess) => void;
}

async function psgc(args: readonly string[], { env, input, stdout, started }: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [join(folder, 'psgc.mjs'), ...args], {
    cwd: folder,
    env: { ...process.env, PSGC_URL: url, PSGC_TOKEN: 'svc_sk_live_secret', ...env },
    stdio: ['pipe', stdout ?? 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  }
  started?.(child);
  child.stdin?.end(input);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, ...printed };
}

const leftOvers = async () => (await readdir(folder)).filter((name) => name.endsWith('.part'));

describe('match', () => {
  it('sends a file again that was refused in passing, and what came through a pipe not', async () => {
    answers = [refused, coded];
    expect(await psgc(['match', 'places.csv', '-q'])).toEqual({ status: 1, stdout: CODED, stderr: '' });
    answers = [refused];
    const piped = await psgc(['match', '-q'], { input: 'town\nArgao\nNowhere\n' });
    expect(piped).toMatchObject({ status: 3, stdout: '', stderr: expect.stringContaining('Too many.') });
    // The service has said it.
    expect(piped.stderr.match(/Try again/g)).toHaveLength(1);
    expect(asked).toHaveLength(3);
  });

  it('says where a limit makes it slow, and what is faster', async () => {
    const headers = { 'RateLimit-Policy': '"account";q=600;w=60, "key";q=1;w=60' };
    const [head = '', row] = CODED.split('\n');
    const limited: Answer = (request, response) => {
      request.resume();
      response.writeHead(200, headers).end(`${head}\n${`${row}\n`.repeat(150)}`);
    };
    answers = [limited, limited, coded];
    const { stderr } = await psgc(['match', 'places.csv']);
    expect(stderr).toMatch(/^psgc match: this key may have 100 rows matched a minute, .*rate_limit_rpm.*--offline.*\n/);
    expect(stderr.match(/a minute/g)).toHaveLength(1);
    expect((await psgc(['match', 'places.csv', '-q'])).stderr).toBe('');
    expect((await psgc(['match', 'places.csv'])).stderr).not.toContain('a minute');
  });

  it('writes its file also where nobody reads what it says', async () => {
    answers = [coded];
    const started = (child: ChildProcess) => void child.stderr?.destroy();
    expect((await psgc(['match', 'places.csv', '-o', 'coded.csv'], { started })).status).toBe(1);
    expect(await readFile(join(folder, 'coded.csv'), 'utf8')).toBe(CODED);
    expect(await leftOvers()).toEqual([]);
  });

  it('says that standard output can not be written', async () => {
    answers = [coded];
    const readOnly = await open(join(folder, 'places.csv'), 'r');
    const { status, stderr } = await psgc(['match', 'places.csv', '-q'], { stdout: readOnly.fd });
    await readOnly.close();
    expect({ status, stderr }).toEqual({ status: 2, stderr: 'psgc: EBADF: bad file descriptor, write.\n' });
  });
});

it('changes: prints the answer with what it counts, of all pages as one', async () => {
  const meta = { total: 2, page: 1, limit: 100, totalPages: 1, prev: null, kinds: { renamed: 2 } };
  const links = { self: '/v1/changes?page=1', next: null, prev: null };
  const page = (data: unknown[], next: number | null) => ({ data, meta: { ...meta, next, links }, error: null });
  answers = [json(page([{ of: 1 }, { of: 2 }], null))];
  const one = await psgc(['changes', '--kind', 'renamed', '--json']);
  expect(one.stdout).toBe(`${JSON.stringify(page([{ of: 1 }, { of: 2 }], null))}\n`);
  answers = [json(page([{ of: 1 }], 2)), json(page([{ of: 2 }], null))];
  const two = await psgc(['changes', '--json']);
  expect(JSON.parse(two.stdout)).toEqual({
    data: [{ of: 1 }, { of: 2 }],
    meta: { ...meta, limit: 2, next: null, links },
    error: null,
  });
  answers = [json({ data: [{ of: 1 }], meta: { notices: [] }, error: null })];
  const history = await psgc(['changes', '0702205000', '--json']);
  expect(history.stdout).toBe('{"data":[{"of":1}],"meta":{"notices":[]},"error":null}\n');
});

it('changes: says whose an older code is, of which the editions show no change', async () => {
  const notices = [{ message: '1906600000 is an older code of Sulu, which is 0906600000 now.' }];
  answers = [json({ data: [], meta: { notices }, error: null }), json({ data: [], error: null })];
  const said = await psgc(['changes', '1906600000']);
  expect(said).toEqual({ status: 1, stdout: '', stderr: `psgc changes: ${notices[0]?.message}\n` });
  expect((await psgc(['changes', '0702200000'])).stderr).toBe('psgc changes: nothing has changed.\n');
});

it('search: says why there is nothing, unless it is to be quiet', async () => {
  const answer = json({ data: [], meta: { notices: [{ message: 'No area has the code.' }] }, error: null });
  answers = [answer, answer];
  expect((await psgc(['search', 'cebu'])).stderr).toContain('psgc search: No area has the code.\n');
  expect(await psgc(['search', 'cebu', '-q'])).toEqual({ status: 1, stdout: '', stderr: '' });
});

describe('a key', () => {
  it.each(['http://geo.example', 'http://127.0.0.1.geo.example:8787', 'HTTP://10.0.0.1'])(
    'is not sent where others can read it: %s',
    async (address) => {
      const { status, stdout, stderr } = await psgc(['search', 'cebu', '--url', address]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^psgc: The API key is not sent to http:.* Use https:\/\/, or give no key\.\n$/);
      expect(stderr).not.toContain('secret');
    },
  );

  it('is sent to this machine, and none is sent anywhere', async () => {
    answers = [json({ data: [], error: null })];
    const here = await psgc(['search', 'cebu', '-q'], { env: { PSGC_URL: url.replace('127.0.0.1', 'localhost') } });
    expect(here).toEqual({ status: 1, stdout: '', stderr: '' });
    const free = await psgc(['search', 'cebu', '--url', 'http://0.0.0.0:1'], { env: { PSGC_TOKEN: '' } });
    expect(free).toMatchObject({ status: 3, stderr: expect.stringContaining('can not be reached') });
    const named = await psgc(['search', 'cebu', '--url', 'https://maria:hidden@geo.example']);
    expect(named).toMatchObject({ status: 2, stderr: expect.stringContaining('must have no user and no password') });
    expect(named.stderr).not.toContain('hidden');
  });
});
