import pg from 'pg';
import { type Load, measureLoad } from './load.ts';
import { comparePoints } from './points.ts';
import { readPeak, resetPeak } from './process.ts';
import type { Servers } from './servers.ts';
import { startEmptyWorker, TOKEN } from './worker.ts';

const headers = { Authorization: `Bearer ${TOKEN}` };

interface Served {
  release: string;
  provinces: string[];
  municities: string[];
}

/**
 * Finds the active release and codes to ask for: all provinces, and a hundred cities and municipalities of all sizes.
 * @throws Error where it has no full boundaries
 */
export async function getServed(postgresUrl: string): Promise<Served> {
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

/** Compares the throughput of the Worker with that of the naive server, and measures memory and the lookup of points. */
export async function measureGeography(
  servers: Servers,
  { provinces, municities }: Served,
  postgresUrl: string,
): Promise<void> {
  const { worker } = servers;
  const compareSingles = (what: string, level: 'province' | 'municity', codes: string[]) =>
    compare(
      servers,
      what,
      codes.map((code) => `/v1/${PLURALS[level]}/${code}?format=geojson&geometry=detailed`),
      codes.map((code) => `/${level}/detailed/${code}`),
    );
  const all = 'all provinces, simple, FeatureCollection';
  await compare(servers, all, ['/v1/provinces?format=geojson'], ['/province/simple']);
  await compareSingles('every province, detailed, one after the other', 'province', provinces);
  await compareSingles('a hundred cities and municipalities, detailed', 'municity', municities);
  await compareSingles('one small city, detailed', 'municity', ['0730600000']);
  await measureCeiling(worker.url);
  for (const path of [
    '/v1/regions',
    '/v1/municities/search?q=paranaque',
    '/v1/geocode/reverse?lat=10.31672&lon=123.89071',
  ]) {
    print(path, await measureLoad(worker.url + path, { headers }));
  }
  await measureMemory(worker, '/v1/provinces?format=geojson&geometry=detailed');
  await comparePoints(worker, TOKEN, postgresUrl);
}

const PLURALS = { province: 'provinces', municity: 'municities' } as const;

async function compare({ worker, naive }: Servers, what: string, paths: string[], naivePaths: string[]): Promise<void> {
  const urls = paths.map((path) => worker.url + path);
  const theirs = await measureLoad(
    naivePaths.map((path) => naive + path),
    {},
  );
  const made = await measureLoad(urls, { headers, fresh: true });
  const ours = await measureLoad(urls, { headers });
  console.log(what);
  print('  naive: json_agg(ST_AsGeoJSON(geom))', theirs);
  print('  Worker, made from the database', made);
  print('  Worker, kept at the edge', ours);
  console.log(`  ratios ${(made.rps / theirs.rps).toFixed(1)} and ${(ours.rps / theirs.rps).toFixed(1)}\n`);
}

/** Measures what no Worker can exceed here, however little it does, because the client uses the same processors. */
async function measureCeiling(url: string): Promise<void> {
  const empty = await startEmptyWorker();
  try {
    print('a Worker that only answers 5 kB', await measureLoad(empty.url, {}));
    print('ours, at /version, which reads nothing', await measureLoad(`${url}/version`, {}));
  } finally {
    await empty.close();
  }
}

/** Measures how much more memory the runtime takes while it streams something large than after small requests. */
async function measureMemory({ url, pid }: Servers['worker'], path: string): Promise<void> {
  await measureLoad(`${url}/v1/regions`, { headers, seconds: 2 });
  await resetPeak(pid);
  const before = await readPeak(pid);
  const { bytes } = await measureLoad(url + path, { headers, concurrency: 1, seconds: 0.001 });
  const extra = (await readPeak(pid)) - before;
  console.log(`\n${path}: ${(bytes / 1e6).toFixed(1)} MB streamed twice`);
  console.log(
    `  peak memory of the runtime over that of small requests: ${(extra / 1e6).toFixed(1)} MB (VmHWM of its process)`,
  );
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
