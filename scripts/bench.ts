import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Load, loadOf } from './bench/load.ts';
import { startNaiveServer } from './bench/naive-server.ts';
import { forgetPeak, peakOf, startWorker, TOKEN } from './bench/worker.ts';
import { openEmbedded } from './database/embedded.ts';
import { startNeonEndpoint } from './database/neon-endpoint.ts';

// npm run bench: measures the Worker against a naive server over the same Postgres, in the same run. The database is
// DATABASE_URL, or the embedded one of DATA_DIR, with full boundaries loaded and nothing else using it.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const headers = { Authorization: `Bearer ${TOKEN}` };
const given = process.env.DATABASE_URL;
const embedded = given
  ? undefined
  : await openEmbedded(join(resolve(ROOT, process.env.DATA_DIR || '.data'), 'database'));
const postgresUrl = given ?? (embedded?.url as string);

const pool = new pg.Pool({ connectionString: postgresUrl, max: embedded ? 1 : 10 });
const { rows } = await pool.query(
  `select r.id, r.boundary_set from data_releases r join active_release a on a.release_id = r.id`,
);
if (rows[0]?.boundary_set !== 'full') {
  throw new Error('Full boundaries must be loaded: BOUNDARIES_DIR=<directory> npm run dev, once, or npm run geo:load.');
}
const endpoint = await startNeonEndpoint({ postgresUrl, singleSession: embedded !== undefined });
const naive = await startNaiveServer(pool);
const worker = await startWorker(endpoint.url);
console.log(`Release ${rows[0].id}, ${embedded ? 'embedded PostGIS' : 'PostgreSQL server'}; 8 clients, 5 s each.\n`);

try {
  await compare('all provinces, simple, FeatureCollection', '/v1/provinces?format=geojson', '/province/simple');
  await compare(
    'one province, detailed, Feature',
    '/v1/provinces/0702200000?format=geojson&geometry=detailed',
    '/province/detailed/0702200000',
  );
  await compare(
    'one city, detailed, Feature',
    '/v1/municities/0730600000?format=geojson&geometry=detailed',
    '/municity/detailed/0730600000',
  );
  for (const path of [
    '/v1/regions',
    '/v1/municities/search?q=paranaque',
    '/v1/geocode/reverse?lat=10.31672&lon=123.89071',
  ]) {
    print(path, await loadOf(worker.url + path, { headers }));
  }
  await memory('/v1/provinces?format=geojson&geometry=detailed');
} finally {
  await worker.close();
  await naive.close();
  await endpoint.close();
  await pool.end();
  await embedded?.close();
}

async function compare(what: string, path: string, naivePath: string): Promise<void> {
  const theirs = await loadOf(naive.url + naivePath, {});
  const made = await loadOf(worker.url + path, { headers, fresh: true });
  const ours = await loadOf(worker.url + path, { headers });
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
