import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Load, loadOf } from './bench/load.ts';
import { comparePoints } from './bench/points.ts';
import { startStandIns } from './bench/stand-ins.ts';
import { measureUploads } from './bench/uploads.ts';
import { forgetPeak, peakOf, startEmptyWorker, startWorker, TOKEN } from './bench/worker.ts';
import { openEmbedded } from './database/embedded.ts';

// npm run bench: measures the Worker against a naive server over the same Postgres, in the same run. The database is
// DATABASE_URL, or the embedded one of DATA_DIR, with full boundaries loaded and nothing else using it. With the word
// "uploads" only what uploads and datasets cost, for which no boundaries are needed.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const headers = { Authorization: `Bearer ${TOKEN}` };
const given = process.env.DATABASE_URL;
const embedded = given
  ? undefined
  : await openEmbedded(join(resolve(ROOT, process.env.DATA_DIR || '.data'), 'database'));
const postgresUrl = given ?? (embedded?.url as string);

const geography = process.argv[2] === 'uploads' ? undefined : await served();
const standIns = await startStandIns({ postgresUrl, singleSession: embedded !== undefined });
const worker = await startWorker(standIns.databaseUrl, standIns.edge, standIns.bucket);

try {
  if (geography) await measureGeography(geography);
  await measureUploads(worker, postgresUrl);
} finally {
  await worker.close();
  await standIns.close();
  await embedded?.close();
}

async function measureGeography({ release, provinces, municities }: Served): Promise<void> {
  console.log(`Release ${release}, ${embedded ? 'embedded PostGIS' : 'PostgreSQL server'}; 8 clients, 5 s each.\n`);
  await compare('all provinces, simple, FeatureCollection', ['/v1/provinces?format=geojson'], ['/province/simple']);
  await compareSingles('every province, detailed, one after the other', 'province', provinces);
  await compareSingles('a hundred cities and municipalities, detailed', 'municity', municities);
  await compareSingles('one small city, detailed', 'municity', ['0730600000']);
  await ceiling();
  for (const path of [
    '/v1/regions',
    '/v1/municities/search?q=paranaque',
    '/v1/geocode/reverse?lat=10.31672&lon=123.89071',
  ]) {
    print(path, await loadOf(worker.url + path, { headers }));
  }
  await memory('/v1/provinces?format=geojson&geometry=detailed');
  await comparePoints(worker, TOKEN, postgresUrl);
}

/** What no Worker can exceed here, however little it does: the client has its share of the same processors. */
async function ceiling(): Promise<void> {
  const empty = await startEmptyWorker();
  try {
    print('a Worker that only answers 5 kB', await loadOf(empty.url, {}));
    print('ours, at /version, which reads nothing', await loadOf(`${worker.url}/version`, {}));
  } finally {
    await empty.close();
  }
}

interface Served {
  release: string;
  provinces: string[];
  municities: string[];
}

/** The active release and codes to ask for: every province, and a hundred cities and municipalities of all sizes. */
async function served(): Promise<Served> {
  const client = new pg.Client(postgresUrl);
  await client.connect();
  const { rows } = await client.query(`
    select r.id, r.boundary_set,
      array(select code from areas a where a.release_id = r.id and level = 'province' order by code) as provinces,
      array(select code from (select b.code, row_number() over (order by b.bytes) as n from boundaries b
        where b.release_id = r.id and b.level = 'municity' and b.resolution = 'detailed') sized
        where n % 16 = 8 order by n limit 100) as municities
    from data_releases r join active_release a on a.release_id = r.id`);
  await client.end();
  if (rows[0]?.boundary_set !== 'full') {
    throw new Error(
      'Full boundaries must be loaded: BOUNDARIES_DIR=<directory> npm run dev, once, or npm run geo:load.',
    );
  }
  return { release: rows[0].id, provinces: rows[0].provinces, municities: rows[0].municities };
}

function compareSingles(what: string, level: 'province' | 'municity', codes: string[]): Promise<void> {
  const family = level === 'province' ? 'provinces' : 'municities';
  return compare(
    what,
    codes.map((code) => `/v1/${family}/${code}?format=geojson&geometry=detailed`),
    codes.map((code) => `/${level}/detailed/${code}`),
  );
}

async function compare(what: string, paths: string[], naivePaths: string[]): Promise<void> {
  const urls = paths.map((path) => worker.url + path);
  const theirs = await loadOf(
    naivePaths.map((path) => standIns.naive + path),
    {},
  );
  const made = await loadOf(urls, { headers, fresh: true });
  const ours = await loadOf(urls, { headers });
  console.log(what);
  print('  naive: json_agg(ST_AsGeoJSON(geom))', theirs);
  print('  Worker, made from the database', made);
  print('  Worker, kept at the edge', ours);
  console.log(`  ratios ${(made.rps / theirs.rps).toFixed(1)} and ${(ours.rps / theirs.rps).toFixed(1)}\n`);
}

function print(what: string, { rps, p50, p99, bytes }: Load): void {
  const figures = [
    `${rps.toFixed(1)} requests/s`,
    `p50 ${p50.toFixed(1)} ms`,
    `p99 ${p99.toFixed(1)} ms`,
    `${(bytes / 1000).toFixed(1)} kB`,
  ];
  console.log(`${what.padEnd(60)} ${figures.join('  ')}`);
}

/** How much more memory the runtime takes while it streams something large than after small requests. */
async function memory(path: string): Promise<void> {
  await loadOf(`${worker.url}/v1/regions`, { headers, seconds: 2 });
  await forgetPeak(worker.pid);
  const before = await peakOf(worker.pid);
  const { bytes } = await loadOf(worker.url + path, { headers, concurrency: 1, seconds: 0.001 });
  const extra = (await peakOf(worker.pid)) - before;
  console.log(`\n${path}: ${(bytes / 1e6).toFixed(1)} MB streamed twice`);
  console.log(
    `  peak memory of the runtime over that of small requests: ${(extra / 1e6).toFixed(1)} MB (VmHWM of its process)`,
  );
}
