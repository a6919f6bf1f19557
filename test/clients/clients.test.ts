import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Download } from '../../clients/typescript/src/types.ts';
import { type Choice, type ChosenFile, fileOf as chosenFile } from '../../pages/downloads/choice.ts';
import { recipesFor } from '../../pages/downloads/tools.ts';
import { fetchAgain } from '../support/fetch-again.ts';
import { type CountingProxy, startProxy } from './proxy.ts';

// What tools of other makers do with the files: GDAL, GeoPandas, DuckDB, R and a FlatGeobuf client, on the
// service of test/clients/service.ts. .ci/clients installs them. CLIENTS_PYTHON is a Python with geopandas, duckdb and pyarrow; CLIENTS_NODE the
// directory in which the npm package flatgeobuf is installed.

const HERE = fileURLToPath(new URL('.', import.meta.url));
const PYTHON = process.env.CLIENTS_PYTHON ?? 'python3';
const NODE_CLIENTS = process.env.CLIENTS_NODE ?? fileURLToPath(new URL('../../.cache/clients-node', import.meta.url));

/** The code of the province, as it is written everywhere. */
const CEBU = '0702200000';

const { address, masterToken } = inject('clientsService');
const ask = (path: string, init: RequestInit = {}) =>
  fetchAgain(`${address}${path}`, { ...init, headers: { Authorization: `Bearer ${masterToken}` } });

type Listed = Omit<Download, 'href'>;

/** What a client found in a file. */
interface Found {
  rows: number;
  codes: string;
  area: number | null;
}

let directory: string;
let proxy: CountingProxy;
let session: string;
let files: Listed[];
/** west, south, east, north */
let cebu: number[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-clients-'));
  proxy = await startProxy(address);
  const answer = await ask('/v1/downloads/sessions', { method: 'POST' });
  ({ session } = ((await answer.json()) as { data: { session: string } }).data);
  const province = await (await ask(`/v1/provinces/${CEBU}`)).json();
  cebu = (province as { data: { bbox: number[] } }).data.bbox;
  files = ((await (await ask('/v1/downloads')).json()) as { data: Listed[] }).data;
});

afterAll(async () => {
  proxy?.close();
  await rm(directory, { recursive: true, force: true });
});

/** Runs a command in the directory of the test. Fails with what it wrote. */
async function run(command: string, args: string[], environment: Record<string, string> = {}): Promise<string> {
  const options = { cwd: directory, env: { ...process.env, ...environment }, maxBuffer: 64e6 };
  const { stdout } = await promisify(execFile)(command, args, options);
  return stdout;
}

const fileOf = (name: string) => {
  const found = files.find(({ id }) => id === `2026-3q-1.${name}`);
  if (!found) throw new Error(`${name} is not listed: ${files.map(({ id }) => id).join(', ')}`);
  return found;
};
const addressOf = ({ id, resolution }: Listed) =>
  `${proxy.address}/v1/downloads/${id}${resolution === null ? '' : `?session=${session}`}`;

async function bytesOf(file: Listed): Promise<Buffer> {
  return Buffer.from(await (await fetch(addressOf(file))).arrayBuffer());
}

const hashOf = (codes: string[]) => createHash('sha256').update(codes.toSorted().join('\n')).digest('hex');

/** What is in a layer, by the file of which nobody needs a library. */
async function expectedOf(level: string, resolution: string): Promise<Found> {
  const text = gunzipSync(await bytesOf(fileOf(`${level}.${resolution}.geojson.gz`))).toString();
  const { features } = JSON.parse(text) as {
    features: { id: string; geometry: { type: string; coordinates: never } }[];
  };
  const ring = (positions: [number, number][]) =>
    Math.abs(
      positions.reduce((sum, [x, y], i) => {
        const [nextX, nextY] = positions[(i + 1) % positions.length] as [number, number];
        return sum + (x - 120) * (nextY - 10) - (nextX - 120) * (y - 10);
      }, 0) / 2,
    );
  const area = features.reduce((all, { geometry }) => {
    const polygons: [number, number][][][] =
      geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    return (
      all +
      polygons.reduce((sum, [outer = [], ...holes]) => sum + ring(outer) - holes.reduce((a, b) => a + ring(b), 0), 0)
    );
  }, 0);
  return { rows: features.length, codes: hashOf(features.map(({ id }) => id)), area };
}

/** What Python finds in files: a way to read and an address, and so on. */
async function python(given: readonly string[]): Promise<Found[]> {
  const lines = await run(PYTHON, [join(HERE, 'read.py'), ...given]);
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function gdal(address: string): Promise<Found> {
  const layer = (await run('ogrinfo', ['-q', address])).match(/^\d+: (\S+)/m)?.[1] ?? '';
  const sql = `select code, OGR_GEOM_AREA as area from "${layer}"`;
  const lines = (await run('ogr2ogr', ['-f', 'CSV', '/vsistdout/', address, '-sql', sql]))
    .trimEnd()
    .split('\n')
    .slice(1);
  const rows = lines.map((line) => line.replaceAll('"', '').split(','));
  const area = rows.reduce((sum, [, size]) => sum + Number(size), 0);
  return { rows: rows.length, codes: hashOf(rows.map(([code = '']) => code)), area };
}

/** What R's sf finds in each of some layers. */
async function sf(addresses: readonly string[]): Promise<Found[]> {
  const lines = (await run('Rscript', ['--vanilla', join(HERE, 'read.R'), ...addresses])).trimEnd().split('\n');
  return lines.map((line) => {
    const [area, ...codes] = line.split(' ');
    return { rows: codes.length, codes: hashOf(codes), area: Number(area) };
  });
}

function expectSame(found: Found | undefined, expected: Found | undefined, what: string, tolerance = 1e-9): void {
  expect([what, found?.rows, found?.codes]).toEqual([what, expected?.rows, expected?.codes]);
  expect(Math.abs((found?.area ?? 0) / (expected?.area ?? 1) - 1), what).toBeLessThan(tolerance);
}

describe('every client finds the same areas', () => {
  const layers = ['regions', 'provinces', 'municities', 'barangays'].flatMap((level) =>
    ['simple', 'medium', 'detailed'].map((resolution) => ({ level, resolution, name: `${level}.${resolution}` })),
  );
  const at = (name: string, format: string) => addressOf(fileOf(`${name}.${format}`));
  let expected: Found[];
  beforeAll(async () => {
    expected = await Promise.all(layers.map(({ level, resolution }) => expectedOf(level, resolution)));
  });

  it('in every layer with GDAL', async () => {
    for (const [i, { name }] of layers.entries()) {
      expectSame(await gdal(`/vsicurl/${at(name, 'fgb')}`), expected[i], `${name}.fgb`);
      expectSame(await gdal(`/vsigzip//vsicurl/${at(name, 'geojson.gz')}`), expected[i], `${name}.geojson.gz`);
    }
  });

  it("in every layer with R's sf", async () => {
    const found = await sf(layers.map(({ name }) => `/vsicurl/${at(name, 'fgb')}`));
    for (const [i, { name }] of layers.entries()) expectSame(found[i], expected[i], name);
  });

  it('in every layer with GeoPandas and DuckDB, and every GeoParquet is valid', async () => {
    const asked: { how: string; address: string; layer: number }[] = [];
    for (const [layer, { name, resolution }] of layers.entries()) {
      const kept = async (format: string) => {
        const path = join(directory, `${name}.${format}`);
        await writeFile(path, await bytesOf(fileOf(`${name}.${format}`)));
        return path;
      };
      const parquet = await kept('parquet');
      asked.push(
        { how: 'geopandas_file', address: at(name, 'fgb'), layer },
        { how: 'geopandas_parquet', address: at(name, 'parquet'), layer },
        { how: 'duckdb_parquet', address: parquet, layer },
        { how: 'geoparquet', address: parquet, layer },
      );
      if (resolution !== 'detailed') asked.push({ how: 'geopandas_file', address: await kept('topojson'), layer });
    }
    const found = (await python(asked.flatMap(({ how, address }) => [how, address]))) as (Found & {
      faults: unknown;
    })[];
    for (const [i, { how, address, layer }] of asked.entries()) {
      if (how === 'geoparquet') expect(found[i], address).toMatchObject({ faults: [] });
      else expectSame(found[i], expected[layer], address, address.endsWith('topojson') ? 1e-3 : 1e-9);
    }
  });

  it('in tables', async () => {
    const [csv, packed, lines] = await Promise.all(
      ['csv', 'csv.gz', 'ndjson.gz'].map(async (format) => {
        const path = join(directory, `barangays.${format}`);
        await writeFile(path, await bytesOf(fileOf(`barangays.${format}`)));
        return path;
      }),
    );
    const found = await python([
      ...['pandas_csv', addressOf(fileOf('barangays.csv'))],
      ...['pandas_csv', packed as string],
      ...['duckdb_csv', csv as string],
      ...['duckdb_csv', packed as string],
      ...['duckdb_json', lines as string],
    ]);
    expect(new Set(found.map(({ codes }) => codes)).size).toBe(1);
    expect(found.map(({ rows }) => rows)).toEqual(found.map(() => fileOf('barangays.csv').rows));
  });
});

describe('a download', () => {
  it.each([1, 4096, 100_000])('that is cut after %i bytes goes on to the same hash', async (bytes) => {
    const file = fileOf('municities.csv');
    const path = join(directory, `cut-${bytes}.csv`);
    const curl = (...more: string[]) => run('curl', ['-sS', '-o', path, ...more, addressOf(file)]);
    proxy.cutNext(bytes);
    await expect(curl()).rejects.toThrow();
    expect((await stat(path)).size).toBe(Math.min(bytes, file.size_bytes));
    proxy.take();
    await curl('-f', '-C', '-');
    expect(proxy.take()).toBe(file.size_bytes - bytes);
    expect(
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    ).toBe(file.sha256);
  });
});

/** Whether DuckDB has its extension for addresses, which it fetches from a host of its own. */
async function hasHttpfs(): Promise<boolean> {
  const code = [
    'import duckdb',
    'try:',
    '  duckdb.sql("install httpfs; load httpfs")',
    'except duckdb.Error:',
    '  raise SystemExit(1)',
  ].join('\n');
  return run(PYTHON, ['-c', code]).then(
    () => true,
    () => false,
  );
}

/** Runs a statement in DuckDB. Where it can't read addresses, the file is brought first and the rest is the same. */
async function duckdb(statement: string): Promise<string> {
  const [address = '', name = ''] = /http[^']*\/downloads\/([^?']+)[^']*/.exec(statement) ?? [];
  const isRead = address === '' || (await hasHttpfs());
  if (!isRead)
    console.warn(`DuckDB could not fetch its extension httpfs: ${name} was brought first, and read from the disk.`);
  if (!isRead) await writeFile(join(directory, name), Buffer.from(await (await fetch(address)).arrayBuffer()));
  const code = 'import duckdb, sys\nprint(len(duckdb.sql(sys.argv[1]).fetchall()))';
  return run(PYTHON, ['-c', code, isRead ? statement : statement.replace(address, name)]);
}

/** The blocks of docs/clients.md in a language, with a real address and session. */
async function blocksOf(language: string): Promise<string[]> {
  const text = await readFile(fileURLToPath(new URL('../../docs/clients.md', import.meta.url)), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, block = '']) =>
    localized(block.replaceAll('https://geo.example', proxy.address)),
  );
}

/** A line with the session, and with Cebu where the drawn country has it. */
function localized(line: string): string {
  const sides = ['123.2', '9.4', '124.1', '11.4'];
  const moved = sides.reduce(
    (text, side, i) =>
      text.replaceAll(new RegExp(`(?<![\\d.])${side.replace('.', '\\.')}(?![\\d.])`, 'g'), String(cebu[i])),
    line,
  );
  return moved.replaceAll('SESSION', session);
}

/** What runs the line that the page /downloads shows for a tool. QGIS is told in words; it reads as GDAL does. */
const RUN: Record<string, (line: string) => Promise<string>> = {
  // What is there already would be gone on with.
  curl: (line) => run('sh', ['-ec', `rm -f 2026-*; ${line}`]),
  GDAL: (line) => run('sh', ['-ec', `rm -f *.gpkg; ${line}`]),
  GeoPandas: (line) => run(PYTHON, ['-c', `import geopandas\nassert len(${line}) > 100`]),
  pandas: (line) => {
    const rows = `table = ${line}\nassert len(table) > 100 and table["area_km2"].dtype.kind in "if"`;
    return run(PYTHON, ['-c', `import pandas\n${rows}\nassert (table["p_code"] == "${CEBU}").sum() > 100`]);
  },
  R: (line) => {
    const checks = `stopifnot(nrow(table) > 100, is.numeric(table$area_km2), sum(table$p_code == "${CEBU}", na.rm = TRUE) > 100)`;
    return run('Rscript', ['--vanilla', '-e', `table <- ${line}\n${checks}`]);
  },
  DuckDB: async (line) => {
    await duckdb(line);
    // A table has the province of each row; of a layer the line counts the rows.
    if (line.includes('read_csv'))
      expect(Number(await duckdb(`${line} WHERE p_code = '${CEBU}'`))).toBeGreaterThan(100);
    return '';
  },
  Browser: async (line) => {
    const path = join(NODE_CLIENTS, 'line.mjs');
    const module = "import * as flatgeobuf from 'flatgeobuf/lib/mjs/geojson.js';";
    await writeFile(path, `${module}\nconsole.debug = () => undefined;\nif (!(${line})) process.exit(1);`);
    return run(process.execPath, [path]);
  },
};

describe('the lines of the page /downloads', () => {
  it.each(['csv', 'csv.gz', 'ndjson.gz', 'medium.fgb', 'medium.parquet', 'medium.geojson.gz', 'medium.topojson'])(
    'work for %s',
    async (ending) => {
      const file = fileOf(`barangays.${ending}`);
      const href = `${proxy.address}/v1/downloads/${file.id}`;
      const chosen = { name: file.id, href, level: 'barangay' as const, format: file.format };
      const stored = { ...file, href };
      for (const { tool, line } of recipesFor({ ...chosen, hasBoundaries: file.resolution !== null, stored })) {
        const runLine = RUN[tool];
        if (!runLine) expect(tool).toBe('QGIS');
        await runLine?.(localized(line));
      }
    },
  );

  it.each(['csv', 'xlsx', 'gpkg', 'shp', 'geojson', 'fgb', 'parquet'])(
    'for %s of a province, that is made when it is asked for, all work on the file that curl has saved',
    async (format) => {
      const releases = new Map([['2026-3q', '2026-3q-1']]);
      const isTable = format === 'csv' || format === 'xlsx';
      const picked = { area: CEBU, level: 'barangay', boundaries: isTable ? 'none' : 'medium', format } as Choice;
      const file = chosenFile({ ...picked, edition: '2026-3q' }, { files: [], releases, origin: proxy.address });
      const recipes = recipesFor(file as ChosenFile);
      expect(recipes[0]?.tool).toBe('curl');
      for (const { tool, line } of recipes) {
        // What GDAL is to read is not to be made anew.
        const runLine = tool === 'GDAL' ? (it: string) => run('sh', ['-ec', it]) : RUN[tool];
        if (!runLine) expect(tool).toBe('QGIS');
        await runLine?.(line.replaceAll('SESSION', session));
      }
    },
  );
});

describe('the lines of docs/clients.md', () => {
  /** Most of the transferred bytes that reading a province out of a file may take. */
  const SHARE = 1 / 5;
  /** What clients read ahead, bytes. The file of the drawn country is so small that it counts; of a real one it is 1 %. */
  const READ_AHEAD = 512 * 1024;
  const province = { fgb: () => fileOf('barangays.medium.fgb'), parquet: () => fileOf('barangays.medium.parquet') };
  beforeAll(() => {
    proxy.headersAheadMs = 3000;
  });
  const expectFew = (format: keyof typeof province) => {
    const [taken, whole] = [proxy.take(), province[format]().size_bytes];
    expect(taken, `of ${whole} bytes`).toBeLessThan(SHARE * whole + READ_AHEAD);
    expect(taken).toBeLessThan(0.75 * whole);
    expect(taken).toBeGreaterThan(1000);
  };

  it('for a shell work, and read a province without the rest', async () => {
    const blocks = await blocksOf('sh');
    expect(blocks).toHaveLength(6);
    for (const block of blocks) {
      proxy.take();
      // Each layer is made anew.
      await run('sh', ['-ec', `rm -f *.gpkg *.gz; ${block}`], { TOKEN: masterToken });
      if (block.includes('barangays.csv.gz')) {
        const whole = await readFile(join(directory, 'barangays.csv.gz'));
        expect(createHash('sha256').update(whole).digest('hex')).toBe(fileOf('barangays.csv.gz').sha256);
      }
      if (block.includes('-spat')) {
        expectFew('fgb');
        expect(await run('ogrinfo', ['-so', 'cebu.gpkg', 'barangays'])).toMatch(/Feature Count: [1-9]\d{2}/);
      }
    }
  });

  it('for Python work, and read a province without the rest', async () => {
    const blocks = await blocksOf('python');
    expect(blocks).toHaveLength(3);
    for (const block of blocks) {
      proxy.take();
      const name = block.includes('table =') ? 'table' : 'cebu';
      const told = `print(len(${name}), *sorted(set(${name}["p_code"].dropna())))`;
      const [rows, ...provinces] = (await run(PYTHON, ['-c', `${block}\n${told}`])).trim().split(/\s+/);
      expect(Number(rows)).toBeGreaterThan(100);
      if (block.includes('where=')) expect(provinces).toEqual([CEBU]);
      else expect(provinces).toContain(CEBU);
      if (block.includes('.fgb')) expectFew('fgb');
      if (block.includes('.parquet')) expectFew('parquet');
    }
  });

  it('for DuckDB work', async () => {
    const blocks = await blocksOf('sql');
    expect(blocks).toHaveLength(2);
    for (const block of blocks) {
      proxy.take();
      expect(Number(await duckdb(block))).toBeGreaterThan(100);
      if (block.includes('.parquet') && (await hasHttpfs())) expectFew('parquet');
    }
  });

  it('for R work, and read a province without the rest', async () => {
    const blocks = await blocksOf('r');
    expect(blocks).toHaveLength(2);
    for (const block of blocks) {
      proxy.take();
      const name = block.startsWith('table') ? 'table' : 'cebu';
      const told = `cat(nrow(${name}), sort(unique(${name}$p_code)))`;
      const [rows, ...provinces] = (await run('Rscript', ['--vanilla', '-e', `${block}\n${told}`])).trim().split(/\s+/);
      expect(Number(rows)).toBeGreaterThan(100);
      if (name === 'cebu') expect(provinces).toEqual([CEBU]);
      else expect(provinces).toContain(CEBU);
      if (block.includes('.fgb')) expectFew('fgb');
    }
  });

  it('for a browser work, and read a province without the rest', async () => {
    const [block = ''] = await blocksOf('js');
    const path = join(NODE_CLIENTS, 'browser.mjs');
    await writeFile(path, `console.debug = () => undefined;\n${block}`);
    proxy.take();
    expect(Number((await run(process.execPath, [path])).trim().split('\n').at(-1))).toBeGreaterThan(100);
    expectFew('fgb');
  });
});
