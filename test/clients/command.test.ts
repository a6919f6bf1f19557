import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import lists from '../unit/names/lists.json' with { type: 'json' };
import { installClient, NODE_20, type Ran, ROOT, runToEnd } from './installed.ts';

// The command psgc as people install it, on Node 20: against the service, against servers that answer as they are told to,
// and without any network.

const { address, masterToken } = inject('clientsService');

/** An address where nobody listens. */
const DEAD = 'http://127.0.0.1:2';

let project: string;
let command: string;

type Options = Partial<Parameters<typeof runToEnd>[2]>;

/** Runs psgc with a key for the service. */
function psgc(args: readonly string[], { env, ...options }: Options = {}): Promise<Ran> {
  const given = { PSGC_URL: address, PSGC_TOKEN: masterToken, XDG_CACHE_HOME: join(project, 'cache'), ...env };
  return runToEnd(NODE_20, [command, ...args], { cwd: project, env: given, ...options });
}

/** What the service itself answers. */
async function answered(path: string, options: RequestInit = {}): Promise<string> {
  const headers = { Authorization: `Bearer ${masterToken}`, ...options.headers };
  const response = await fetch(`${address}${path}`, { ...options, headers });
  // With its byte order mark, which a text leaves out.
  return Buffer.from(await response.arrayBuffer()).toString('utf8');
}

/** Coded by the service: a table, or rows as JSON. */
const codedTable = (table: string, query = '') =>
  answered(`/v1/match${query}`, { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: table });
const codedRows = (body: object) =>
  answered('/v1/match', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Calls back while a server answers as it is told to. */
async function withServer<T>(answer: RequestListener, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const file = (name: string) => join(project, name);
const exists = async (name: string) => (await readdir(project)).includes(name);
/** Files that were begun and not removed. */
const leftOvers = async () => (await readdir(project)).filter((name) => name.endsWith('.part'));

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const csv = (rows: readonly (readonly string[])[]) => rows.map((row) => `${row.map(cell).join(',')}\n`).join('');

/** Rows as offices type them, with slips of every third in them, and some that nothing is like. */
const slipped = (text: string, i: number) => (i % 3 === 0 && text.length > 6 ? text.slice(0, 4) + text.slice(5) : text);
const COLUMNS = lists.columns.map(([, ...cells]) =>
  ['region', 'province', 'municity', 'barangay'].map((_, i) => cells[i] ?? ''),
);
const MESSY = [
  ...COLUMNS,
  ...COLUMNS.map((row) => row.map(slipped)),
  ['', '', '=HYPERLINK("x")', ' quoted, "twice" '],
  ['', 'Nowhere', 'at', 'all'],
];
const HEADINGS = ['Rehiyon', 'Province Name', 'City/Municipality', 'Brgy.'];
const TABLE = `${csv([HEADINGS, ...MESSY.slice(0, 200)])}\n${csv(MESSY.slice(200)).replaceAll('\n', '\r\n')}`;
const TEXTS = csv([['id', 'Address'], ...lists.texts.map(([code = '', text = '']) => [code, text])]);

/** Those that JSON takes. */
const SHORT = lists.texts.filter(([, text = '']) => text.length <= 500);

/** Names as people type them: well, badly, old ones, codes, with parents, and what there is nothing like. */
const QUERIES = [
  ...[
    'paranaque',
    'City of Parañaque',
    'dasmarinas',
    'San Juan, Metro Manila',
    'QC',
    'CDO',
    'sto nino',
    'Sta. Cruz, Laguna',
  ],
  ...[
    'Compostela Valley',
    'Argaw',
    'Dumagete',
    'Zone IV',
    'Brgy 176 Caloocan',
    '0702205000',
    '072205000',
    '0604500000',
  ],
  ...['Region 7', 'ncr', 'Maguindanao', 'poblacion', 'Zamboanga del Norte', "Sant'a Maria", 'qqqqqxx', '%%ab', 'ñandú'],
];

beforeAll(async () => {
  project = await installClient(inject('packedClient'));
  command = join(project, 'node_modules/psgc-client/dist/command.js');
  const got = await psgc(['download']);
  expect(got).toMatchObject({ status: 0, stderr: '' });
  await writeFile(file('table.csv'), TABLE);
});

afterAll(() => rm(project, { recursive: true, force: true }));

describe('the command psgc', () => {
  it('is on the path of whoever installs the client, and says its version and what it can do', async () => {
    const path = [join(project, 'node_modules/.bin'), dirname(NODE_20), process.env.PATH].join(delimiter);
    const { version } = JSON.parse(await readFile(join(ROOT, 'clients/typescript/package.json'), 'utf8'));
    const named = await runToEnd('psgc', ['--version'], { cwd: project, env: { PATH: path } });
    expect(named).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    const help = await psgc(['--help'], { env: { PSGC_URL: undefined } });
    expect(help).toMatchObject({ status: 0, stderr: '' });
    for (const word of ['search', 'get', 'reverse', 'match', 'download', 'changes', '--offline[=DIR]', 'PSGC_TOKEN']) {
      expect(help.stdout).toContain(word);
    }
    const one = await psgc(['match', '--help']);
    expect([one.stdout.includes('--output'), one.stdout.includes('--within')]).toEqual([true, false]);
    expect((await psgc(['help', 'match'])).stdout).toBe(one.stdout);
  });

  it('needs nothing but Node, and leaves the library as small as it was', async () => {
    const code = await readFile(command, 'utf8');
    const imported = [...code.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name]) => name);
    expect(imported.length).toBeGreaterThan(3);
    expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([]);
    const library = await readFile(join(dirname(command), 'index.js'), 'utf8');
    expect(library).not.toContain('command');
  });

  it.each<[string[], string, Options?]>([
    [[], 'What is wanted? See psgc --help.'],
    [['serch', 'cebu'], 'There is no command "serch". There are search, get, reverse, match, download, changes.'],
    [['search', 'cebu', '--colour'], "Unknown option '--colour'."],
    [['search', 'cebu', '--within', '5'], 'psgc search takes no --within.'],
    [['search', 'cebu', '--limit', '101'], '--limit must be a whole number from 1 to 100 (got "101").'],
    [
      ['search', 'cebu', '--level', 'city'],
      '--level must be one of region, province, municity, submunicipality, barangay (got "city").',
    ],
    [['search', 'cebu', '--parent', 'Cebu'], '--parent must be a PSGC code, such as 0702205000 (got "Cebu").'],
    [['search', '-'], 'Search for what? A name of 2 to 256 characters'],
    [['get', 'Argao'], 'CODE must be a PSGC code'],
    [['get'], 'Get which place?'],
    [['reverse', '123.6'], 'Give a latitude and a longitude'],
    [['reverse', '123.6', '9.88'], 'lat'],
    [['changes', '--from', 'yesterday'], '--from must be an edition, such as 2026-3q (got "yesterday").'],
    [['changes', '--kind', 'painted'], 'kind'],
    [['search', 'cebu'], 'Which service? Say it with --url URL or in PSGC_URL', { env: { PSGC_URL: undefined } }],
    [['search', 'cebu', '--url', 'geo.example'], 'must be like https://geo.example (got "geo.example")'],
    [['search', 'cebu', '--edition', '1999-1q'], 'there is no edition 1999-1q'],
    [['search', 'cebu', '--key-file', 'nothing'], 'ENOENT: no such file or directory'],
    [['search', 'cebu'], 'PSGC_TOKEN has no API key: it must be one word of ASCII.', { env: { PSGC_TOKEN: 'a b' } }],
    [['match', 'nothing.csv'], 'There is no file nothing.csv.'],
    [['match', 'node_modules'], 'node_modules is a folder.'],
    [['match', 'a.csv', 'b.csv'], 'One table, not 2'],
    [['match', 'table.csv', '--municity', 'Town'], 'municity: there is no column "Town".'],
    [['match'], 'The table is empty', { input: '' }],
    [['search', '--offline', '--url', DEAD, 'cebu'], '--url and --offline do not go together'],
    [['search', 'cebu', '--offline', './node_modules'], 'Name the folder of a snapshot so: --offline=./node_modules'],
    [['get', '0702205000', '--offline'], 'psgc get takes no --offline.'],
    [
      ['search', 'cebu', '--offline', '--edition', '2023-4q'],
      'is of 2026-3q, not of 2023-4q. Get that: psgc download --edition 2023-4q',
    ],
    [
      ['search', 'cebu', '--offline=nowhere'],
      'There is no snapshot in nowhere. Get one from a service first: psgc download nowhere --url URL',
    ],
    [['match', 'table.csv', '--offline=nowhere', '--json'], 'There is no snapshot in nowhere.'],
  ])('ends with 2 and says what is wrong: %j', async (args, message, options) => {
    const { status, stdout, stderr } = await psgc(args, options);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(await leftOvers()).toEqual([]);
  });

  it('ends with 3 where the service refuses, can not be reached or is none, and never says the key', async () => {
    const wrong = await psgc(['search', 'cebu'], { env: { PSGC_TOKEN: 'svc_sk_live_wrong' } });
    expect(wrong).toMatchObject({ status: 3, stdout: '' });
    expect(wrong.stderr).not.toContain('svc_sk_live_wrong');
    const none = await psgc(['match', 'table.csv'], { env: { PSGC_TOKEN: undefined } });
    expect(none).toMatchObject({ status: 3, stdout: '' });
    expect(none.stderr).toContain('--offline needs none');
    const away = await psgc(['search', 'cebu', '--url', DEAD]);
    expect(away).toMatchObject({ status: 3, stdout: '' });
    expect(away.stderr).toContain('The service can not be reached');
    const other = await withServer(
      (_, response) => response.end('<html>'),
      (url) => psgc(['search', 'cebu', '--url', url]),
    );
    expect(other).toMatchObject({ status: 3, stdout: '' });
    expect(other.stderr).toContain('The answer is not JSON.');
  });
});

describe('search, get, reverse and changes', () => {
  it('print tables for people, and with --json what the service answers', async () => {
    const hits = await psgc(['search', 'Argao,', 'Cebu', '--level', 'municity,barangay', '--limit', '1']);
    expect(hits).toEqual({
      status: 0,
      stdout:
        'CODE        NAME   LEVEL     MATCH  LIES IN\n0702205000  Argao  municity  exact  Cebu, Region VII (Central Visayas)\n',
      stderr: '',
    });
    const json = await psgc(['search', 'argao', '--parent', '0702200000', '--json']);
    expect(json.stdout).toBe(`${await answered('/v1/search?q=argao&parent=0702200000')}\n`);
    const { data } = JSON.parse(await answered('/v1/provinces/0702200000'));
    const [lon, lat] = data.centroid.map(String) as [string, string];
    const there = await psgc(['reverse', `${lat},${lon}`, '--level', 'province']);
    expect(there).toMatchObject({ status: 0, stderr: '' });
    expect(there.stdout).toMatch(/^CODE .*\n0702200000 {2}Cebu {2,}province\n0700000000 {2}Region VII/);
    const same = await psgc(['reverse', lat, lon, '--json']);
    expect(same.stdout).toBe(`${await answered(`/v1/geocode/reverse?lat=${lat}&lon=${lon}`)}\n`);
  });

  it('get the place of any level, by an old code too', async () => {
    for (const [code, level, path] of [
      ['0700000000', 'region', 'regions/0700000000'],
      ['0702200000', 'province', 'provinces/0702200000'],
      ['1380600000', 'municity', 'municities/1380600000'],
      ['072205000', 'municity', 'municities/072205000'],
      ['0702205035', 'barangay', 'barangays/0702205035'],
    ] as const) {
      const { status, stdout } = await psgc(['get', code, '--json']);
      expect([status, stdout], code).toEqual([0, `${await answered(`/v1/${path}`)}\n`]);
      const people = await psgc(['get', code]);
      expect(people.stdout, code).toMatch(new RegExp(`^level +${level}\\n`));
    }
    expect((await psgc(['get', '0702205035'])).stdout).toMatch(/^municity +0702205000 Argao$/m);
  });

  it('end with 1 where there is nothing, and say so', async () => {
    for (const [args, said] of [
      [['search', 'qqqqqxx'], 'nothing is called "qqqqqxx"'],
      [['search', 'cebu', '--parent', '9900000000'], 'No area has the PSGC code 9900000000.'],
      [['get', '9999999999'], 'No place has the PSGC code 9999999999.'],
      [['reverse', '0', '0'], 'nothing lies at 0, 0'],
      [['changes', '0702205000'], 'nothing has changed'],
      [['changes', '--from', '2026-3Q'], 'nothing has changed'],
      [['changes', '9999999999'], 'No area has or had the PSGC code 9999999999'],
    ] as const) {
      const { status, stdout, stderr } = await psgc(args);
      expect({ status, stdout }, args.join(' ')).toEqual({ status: 1, stdout: '' });
      expect(stderr).toContain(said);
    }
    const quiet = await psgc(['search', 'qqqqqxx', '-q', '--json']);
    expect(quiet).toEqual({ status: 1, stdout: '{"data":[],"error":null}\n', stderr: '' });
  });

  it('read all pages of changes, and let nothing that an answer says move the terminal', async () => {
    const party = (code: string, name: string) => [{ code, name, share: null }];
    const change = (name: string) => ({
      ...{
        kind: 'renamed',
        level: 'municity',
        from_edition: '2023-4q',
        to_edition: '2026-3q',
        basis: 'code',
        note: null,
      },
      ...{ from: party('0630200000', name), to: party('1830200000', 'Bacolod') },
    });
    const pages = [change('Old\u001b[2J'), change('Older')];
    const asked: string[] = [];
    const [table, json] = await withServer(
      (request, response) => {
        asked.push(request.url ?? '');
        const page = Number(new URL(request.url ?? '', DEAD).searchParams.get('page'));
        const meta = { total: 2, next: page < 2 ? page + 1 : null };
        response.end(JSON.stringify({ data: [pages[page - 1]], meta, error: null }));
      },
      async (url) => [
        await psgc(['changes', '--url', url, '--kind', 'renamed', '--from', '2025-2Q', '--level', 'municity']),
        await psgc(['changes', '0630200000', '--url', url, '--kind', 'renamed', '--json']),
      ],
    );
    expect(asked[0]).toBe('/v1/changes?limit=100&from=2025-2q&level=municity&kind=renamed&page=1');
    expect(asked).toHaveLength(4);
    expect(table).toMatchObject({ status: 0, stderr: '' });
    expect(table?.stdout).toMatch(
      /^EDITION +KIND .*\n2026-3q +renamed +municity +0630200000 Old \[2J +1830200000 Bacolod\n/,
    );
    expect(JSON.parse(json?.stdout ?? '')).toMatchObject({ data: pages, meta: { total: 2, next: null }, error: null });
  });
});

describe('match', () => {
  it('gives a table back as the service does, in a file that was not there', async () => {
    const { status, stdout, stderr } = await psgc(['match', 'table.csv', '-o', 'coded.csv']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    const coded = await readFile(file('coded.csv'), 'utf8');
    expect(coded).toBe(await codedTable(TABLE));
    expect(stderr).toMatch(new RegExp(`^psgc match: ${MESSY.length} rows: \\d+ exact, .* with a code\\.\\n$`));
    const kept = await psgc(['match', 'table.csv', '-o', 'coded.csv']);
    expect(kept).toMatchObject({ status: 2, stdout: '' });
    expect(kept.stderr).toContain('coded.csv exists. Give it another name, or --force to replace it.');
    await writeFile(file('coded.csv'), 'mine');
    expect(await psgc(['match', 'table.csv', '-o', 'coded.csv', '--force', '-q'])).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(await readFile(file('coded.csv'), 'utf8')).toBe(coded);
    expect(await leftOvers()).toEqual([]);
  });

  it('reads standard input and writes standard output, by the columns and the level that are named', async () => {
    const table = 'Saan;Sino\nParanaque, NCR;Ana\n;Ben\nnowhere at all;Cy\n';
    const named = ['--text', 'Saan', '--level', 'municity'];
    const { status, stdout, stderr } = await psgc(['match', '-', '-o', '-', ...named], { input: table });
    expect(stdout).toBe(await codedTable(table, '?text=Saan&level=municity'));
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: 'psgc match: 3 rows: 1 exact, 0 likely, 0 ambiguous, 2 none; 1 with a code.\n',
    });
    expect((await psgc(['match', '--text=Saan', '-q'], { input: 'Saan\nnowhere at all\n' })).status).toBe(1);
  });

  it('answers rows as JSON as the service does, and says which cell is too long for that', async () => {
    const rows = SHORT.map(([, text = '']) => ({ text }));
    const { status, stdout } = await psgc(['match', '--json', '-q'], { input: csv([['id', 'Address'], ...SHORT]) });
    expect([status, stdout]).toEqual([0, `${await codedRows({ rows })}\n`]);
    const long = await psgc(['match', '--json'], { input: `Address\nCebu\n${'x'.repeat(501)}\n` });
    expect(long.status).toBe(2);
    expect(long.stderr).toContain('Row 2 has 501 characters in its column of the text, and JSON takes 500.');
  });

  it('leaves nothing behind when a table breaks off, and says the line', async () => {
    const rows = 'Cebu,Argao\n'.repeat(30_000);
    for (const online of [[], ['--offline']]) {
      const broken = await psgc(['match', '-', '-o', 'broken.csv', ...online], {
        input: `province,town\n${rows}Cebu\n`,
      });
      expect(broken).toMatchObject({ status: 2, stdout: '' });
      expect(broken.stderr).toContain('The row in line 30002 has 1 cells, and the first row has 2.');
      expect([await exists('broken.csv'), await leftOvers()]).toEqual([false, []]);
    }
  });

  it('ends at Ctrl-C without a trace, and quietly where nobody reads on', async () => {
    const stopped = await psgc(['match', '-', '-o', 'stopped.csv', '--offline', '-q'], {
      started: (child) => {
        child.stdin?.write(`province,town\n${'Cebu,Argao\n'.repeat(100_000)}`);
        const waiting = setInterval(async () => {
          if ((await leftOvers()).length > 0) child.kill('SIGINT');
        }, 50);
        child.once('close', () => clearInterval(waiting));
      },
    });
    expect(stopped).toEqual({ status: 130, stdout: '', stderr: '' });
    expect([await exists('stopped.csv'), await leftOvers()]).toEqual([false, []]);
    const script = `"$0" "$1" match table.csv --offline -q | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const env = { XDG_CACHE_HOME: join(project, 'cache') };
    const head = await runToEnd('bash', ['-c', script, NODE_20, command], { cwd: project, env });
    expect(head).toMatchObject({ status: 0, stderr: '' });
    expect(head.stdout.split(/\r?\n/)).toEqual([expect.stringContaining(',psgc_code,'), '0', '']);
  });

  it('codes a table to its end where nobody reads what it says', async () => {
    await psgc(['match', 'table.csv', '-o', 'unheard.csv', '--offline'], {
      started: (child) => child.stderr?.destroy(),
    });
    expect(await readFile(file('unheard.csv'), 'utf8')).toBe(await codedTable(TABLE));
  });

  it('shows on a terminal how far it is, and cuts tables to its width', async () => {
    const onTerminal = async (args: string) => {
      const code = `import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(["bash", "-c", sys.argv[1]])))`;
      const script = `stty cols 40; "${NODE_20}" "${command}" ${args}`;
      const env = { XDG_CACHE_HOME: join(project, 'cache'), TERM: 'xterm' };
      return runToEnd(process.env.CLIENTS_PYTHON ?? 'python3', ['-c', code, script], { cwd: project, env });
    };
    const { status, stdout } = await onTerminal('match table.csv -o shown.csv --offline');
    expect(status).toBe(0);
    const shown = stripVTControlCharacters(stdout);
    expect(shown).toMatch(/\r\d+ rows \d+% read/);
    expect(shown).toMatch(/\rpsgc match: \d+ rows: /);
    // A terminal that has the table has no line in the middle of it.
    const mixed = await onTerminal('match table.csv --offline');
    expect(stripVTControlCharacters(mixed.stdout)).toContain('psgc match: ');
    expect(stripVTControlCharacters(mixed.stdout)).not.toContain('% read');
    const lines = (await onTerminal('search paranaque --offline -q')).stdout.trimEnd().split('\r\n');
    expect(lines.at(1)).toMatch(/^1381000000 .*…$/);
    expect(lines.map((line) => [...line].length <= 40)).toEqual(lines.map(() => true));
  });

  it('holds no more of a table the longer it is', async () => {
    const peak = async (rows: number) => {
      await writeFile(file('long.csv'), `province,town,note\n${`Cebu,Argao,${'x'.repeat(500)}\n`.repeat(rows)}`);
      const probe = 'process.on("exit", () => console.error(process.resourceUsage().maxRSS))';
      await writeFile(file('peak.mjs'), probe);
      const env = { NODE_OPTIONS: '--import=./peak.mjs' };
      const { status, stderr } = await psgc(['match', 'long.csv', '-o', '/dev/null', '--offline', '-q'], { env });
      expect(status).toBe(0);
      return Number(stderr.trim().split('\n').at(-1)) / 1024;
    };
    const [short, long] = [await peak(2000), await peak(60_000)];
    // The longer one has 30 MB more.
    expect(long - short).toBeLessThan(60);
    expect(long).toBeLessThan(256);
  });
});

describe('a snapshot', () => {
  it('is stored with its digest checked, in the usual folder or another, and not sent again', async () => {
    const again = await psgc(['download']);
    expect(again).toMatchObject({ status: 0, stderr: '' });
    expect(again.stdout).toBe(
      `PSGC edition 2026-3q (release 2026-3q-1, 43,766 areas) was already in ${file('cache/psgc/psgc-snapshot.gz')}\n`,
    );
    const other = await psgc(['download', 'places', '--json', '--edition', '2026-3Q']);
    const bytes = await readFile(file('places/psgc-snapshot.gz'));
    expect(JSON.parse(other.stdout)).toEqual({
      data: {
        ...{ edition: '2026-3q', release: '2026-3q-1', areas: 43_766, size_bytes: bytes.length },
        ...{ file: file('places/psgc-snapshot.gz'), is_new: true },
      },
      error: null,
    });
    const found = await psgc(['search', 'argao', '--offline=places', '--edition', '2026-3q'], {
      env: { PSGC_URL: DEAD },
    });
    expect(found.status).toBe(0);
    expect(found.stderr).toBe('psgc search: offline, from PSGC edition 2026-3q (release 2026-3q-1, 43,766 areas).\n');
  });

  it('is answered from with a warning where it is of a service of another version', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    await psgc(['download', 'versions']);
    const origin = JSON.parse(await readFile(file('versions/psgc-snapshot.json'), 'utf8'));
    expect(origin.service).toBe(version);
    const search = ['search', 'argao', '--offline=versions', '-q'];
    expect(await psgc(search)).toMatchObject({ status: 0, stderr: '' });
    await writeFile(file('versions/psgc-snapshot.json'), JSON.stringify({ ...origin, service: '9.0.0' }));
    expect(await psgc(search)).toMatchObject({
      status: 0,
      stderr: `psgc search: the snapshot is of a service of version 9.0.0, and this is psgc ${version}: answers may differ.\n`,
    });
    // What is said of another snapshot, or nothing, says nothing of this one.
    for (const said of [JSON.stringify({ digest: 'sha-256=:AAAA:', service: '9.0.0' }), '{']) {
      await writeFile(file('versions/psgc-snapshot.json'), said);
      expect(await psgc(search)).toMatchObject({ status: 0, stderr: '' });
    }
    await psgc(['download', 'versions']);
    expect(JSON.parse(await readFile(file('versions/psgc-snapshot.json'), 'utf8'))).toEqual(origin);
  });

  it('stays as it is where another one arrives damaged, cut off, or can not be read', async () => {
    const snapshot = file('cache/psgc/psgc-snapshot.gz');
    const before = await readFile(snapshot);
    const other = gzipSync('another');
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', other)).toString('base64');
    for (const [headers, body, said] of [
      [{ 'Repr-Digest': 'sha-256=:AAAA:' }, other, 'has other bytes than its digest says'],
      [{}, other, 'has other bytes than its digest says'],
      [{ 'Repr-Digest': 'sha-256=:AAAA:', 'Content-Length': '9999' }, other, 'The snapshot broke off.'],
      [{ 'Repr-Digest': `sha-256=:${digest}:` }, other, 'install the newest psgc-client'],
    ] as const) {
      const { status, stderr } = await withServer(
        (_, response) => {
          response
            .writeHead(200, headers)
            .write(body, () => response.destroy('Content-Length' in headers ? new Error() : undefined));
          if (!('Content-Length' in headers)) response.end();
        },
        (url) => psgc(['download', '--url', url]),
      );
      expect(status, said).toBe(3);
      expect(stderr).toContain(said);
      expect(await readFile(snapshot)).toEqual(before);
      expect((await readdir(dirname(snapshot))).sort()).toEqual(['psgc-snapshot.gz', 'psgc-snapshot.json']);
    }
    await mkdir(file('damaged'), { recursive: true });
    await writeFile(file('damaged/psgc-snapshot.gz'), before.subarray(0, 1000));
    const damaged = await psgc(['search', 'cebu', '--offline=damaged']);
    expect(damaged.status).toBe(2);
    expect(damaged.stderr).toContain('can not be read. Get it again: psgc download');
  });

  /** No network: whatever opens a connection, or looks a name up, ends the command. */
  const cut = { PSGC_URL: DEAD, PSGC_TOKEN: undefined, NODE_OPTIONS: '--import=./cut.mjs' };

  it('answers searches byte for byte as the service, without the network', async () => {
    await writeFile(
      file('cut.mjs'),
      `import dns from 'node:dns';
import net from 'node:net';
const end = () => { console.error('network'); process.exit(99); };
net.Socket.prototype.connect = end;
dns.lookup = end;
`,
    );
    expect((await psgc(['search', 'cebu'], { env: cut })).status).toBe(99);
    const asked: [string[], string][] = [
      ...QUERIES.map((q): [string[], string] => [[q], `q=${encodeURIComponent(q)}`]),
      [['san jose', '--limit', '100'], 'q=san+jose&limit=100'],
      [['poblacion', '--parent', '0702205000'], 'q=poblacion&parent=0702205000'],
      [['santa cruz', '--level', 'municity,province'], 'q=santa+cruz&level=municity&level=province'],
      [['cebu', '--parent', '9900000000'], 'q=cebu&parent=9900000000'],
      [['cebu', '--parent', '0604500000'], 'q=cebu&parent=0604500000'],
    ];
    const differing: string[] = [];
    const waiting = [...asked];
    const next = async () => {
      for (let it = waiting.shift(); it; it = waiting.shift()) {
        const [args, query] = it;
        const { stdout } = await psgc(['search', '--json', '--offline', '-q', ...args], { env: cut });
        if (stdout !== `${await answered(`/v1/search?${query}`)}\n`) differing.push(query);
      }
    };
    await Promise.all([next(), next()]);
    expect(differing).toEqual([]);
  });

  it('codes tables byte for byte as the service, as CSV and as JSON, without the network', async () => {
    // Quotes and dashes of Windows-1252, which are control characters of Latin-1.
    const marked = HEADINGS.map(() => '\x93Cebu\x94 \x97 \x80');
    const latin = Buffer.from(`${csv([HEADINGS, ...MESSY, marked])}`.normalize('NFC'), 'latin1');
    for (const [args, query, table] of [
      [[], '', TABLE],
      [['--level', 'municity'], '?level=municity', TABLE],
      [['--barangay', ''], '?barangay=', TABLE],
      [[], '', TEXTS],
      [['--text', 'id'], '?text=id', `\ufeffsep=;\r\n${TEXTS.replaceAll(',', ';')}`],
    ] as const) {
      const { status, stdout } = await psgc(['match', '--offline', '-q', ...args], { env: cut, input: table });
      expect(status).toBe(0);
      expect(stdout).toBe(await codedTable(table, query));
    }
    const windows = await psgc(['match', '--offline', '-q'], { env: cut, input: latin });
    expect(windows.stdout).toBe(await codedTable(latin as unknown as string));
    const rows = MESSY.map((row) =>
      Object.fromEntries(
        ['region', 'province', 'municity', 'barangay'].flatMap((name, i) => (row[i]?.trim() ? [[name, row[i]]] : [])),
      ),
    );
    const json = await psgc(['match', 'table.csv', '--offline', '--json', '-q'], { env: cut });
    expect(json.stdout).toBe(`${await codedRows({ rows })}\n`);
    expect(JSON.parse(json.stdout).meta.none).toBeGreaterThan(0);
  });
});

describe('the documents', () => {
  /** Where the quick start has people work. */
  const FOLDER = '/tmp/psgc';

  /** The blocks of a language in a document. */
  async function blocksOf(path: string, language: string): Promise<string[]> {
    const text = await readFile(join(ROOT, path), 'utf8');
    return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]+?)^\`\`\`$`, 'gm'))].map(
      ([, code = '']) => code,
    );
  }

  const shell = (script: string) => {
    const path = [join(project, 'node_modules/.bin'), dirname(NODE_20), process.env.PATH].join(delimiter);
    const env = { PATH: path, PSGC_URL: address, PSGC_TOKEN: masterToken, XDG_CACHE_HOME: file('cache') };
    return runToEnd('bash', ['-euo', 'pipefail', '-c', script], { cwd: project, env });
  };

  it('the README of the client: every line of its commands', async () => {
    await writeFile(file('places.csv'), 'province,town\nCebu,Argaw\n');
    await rm(file('coded.csv'), { force: true });
    const lines = (await blocksOf('clients/typescript/README.md', 'sh')).join('').trim().split('\n');
    expect(lines.length).toBeGreaterThan(7);
    for (const line of lines) {
      const { status, stderr } = await shell(line);
      // There is one edition here, in which nothing has changed.
      const expected = line.startsWith('psgc changes') ? 1 : 0;
      expect(status, `${line}\n${stderr}`).toBe(expected);
    }
    expect(await readFile(file('coded.csv'), 'utf8')).toContain('\nCebu,Argaw,0702205000,municity,Argao,likely,');
    expect(JSON.parse(await readFile(file('coded.json'), 'utf8')).data[0].name).toBe('Argao');
  });

  it('the quick start: the command, and the client in a program', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'clients/typescript/package.json'), 'utf8'));
    expect((await blocksOf('docs/quick-start.md', 'console')).join('')).toContain(`psgc-client-${version}.tgz`);
    await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER);
    const [script = ''] = await blocksOf('docs/quick-start.md', 'bash');
    const { status, stdout, stderr } = await shell(script);
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('1381000000  City of Parañaque');
    expect(await readFile(join(FOLDER, 'coded.csv'), 'utf8')).toContain('\nCavite,Dasmarinas,0402106000,municity,');
    const [program = ''] = await blocksOf('docs/quick-start.md', 'mjs');
    await writeFile(file('quick-start.mjs'), program);
    const ran = await shell('node quick-start.mjs');
    expect(ran.stdout).toMatch(/^0702205000 Argao likely\n0402106000 City of Dasmariñas \w+\n$/);
  });
});
