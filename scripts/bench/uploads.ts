import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { formatOf } from '../../src/uploads/formats/registry.ts';
import { collectionOf, deeplyNested, endlessPolygon, FORM_TYPE, formOf, manyParts, zipBomb } from './files.ts';
import { readCpuTime, readPeak, resetPeak } from './process.ts';
import { type MeasuredWorker, startStoringWorker, TOKEN } from './worker.ts';

const MB = 1_000_000;
/** Size of the large uploads, MB. */
const LARGE_MB = 100;

interface Cost {
  status: number;
  body: string;
  seconds: number;
  cpuSeconds: number;
  peak: number;
}

/**
 * Measures what uploads, large datasets and hostile files cost the Workers runtime: time, the CPU time of its process,
 * and the most memory that it had in use (VmHWM). The local R2 runs in this process too. The stored datasets are
 * removed afterwards.
 */
export async function measureUploads(worker: MeasuredWorker, postgresUrl: string): Promise<void> {
  const client = new pg.Client(postgresUrl);
  await client.connect();
  const { rows } = await client.query('select now() as began');
  try {
    await measureFiles(worker);
    await measureReading(worker, await insertLargeDataset(client, 100_000));
    await measureHostile(worker);
  } finally {
    for (const table of ['datasets', 'features', 'dataset_versions']) {
      await client.query(`delete from ${table} where created_at >= $1`, [rows[0].began]);
    }
    await client.end();
  }
}

async function measureFiles(worker: MeasuredWorker): Promise<void> {
  // These uploads are not measured: they let the runtime compile the code.
  for (let i = 0; i < 3; i += 1)
    await upload(worker, 'a.geojson', collectionOf(8 * MB), { feature_storage: 'r2_only' });
  for (const storage of ['r2_only', 'features_and_r2']) {
    const fields = { feature_storage: storage };
    const small = await upload(worker, 'a.geojson', collectionOf(MB), fields);
    const large = await upload(worker, 'a.geojson', collectionOf(LARGE_MB * MB), fields);
    printUpload(`upload of ${LARGE_MB} MB GeoJSON, ${storage}`, small, large);
  }
  console.log(`\nof this, the local R2 alone: ${(await measureLocalR2()).toFixed(1)} ms CPU per MB`);
  console.log(`\nreading features alone, in this process: ${measureReader().toFixed(1)} ms CPU per MB (best of 3)`);
}

/**
 * Milliseconds of CPU per MB that the local R2 takes, which the figures of uploads contain: it runs in their process.
 */
async function measureLocalR2(): Promise<number> {
  const storing = await startStoringWorker();
  try {
    await upload(storing, 'a.geojson', collectionOf(8 * MB));
    const { cpuSeconds } = await upload(storing, 'a.geojson', collectionOf(LARGE_MB * MB));
    return (cpuSeconds * 1000) / LARGE_MB;
  } finally {
    await storing.close();
  }
}

function printUpload(what: string, small: Cost, { status, seconds, cpuSeconds, peak }: Cost): void {
  console.log(`\n${what}: ${status}`);
  console.log(
    `  ${(LARGE_MB / seconds).toFixed(1)} MB/s, ${((cpuSeconds * 1000) / LARGE_MB).toFixed(1)} ms CPU per MB`,
  );
  console.log(`  peak memory over that of 1 MB: ${((peak - small.peak) / MB).toFixed(1)} MB`);
}

async function measureReading(worker: MeasuredWorker, id: string): Promise<void> {
  const few = await measureCost(worker, '/v1/datasets?limit=1');
  const all = await measureCost(worker, `/v1/features/dataset/${id}`);
  const size = (all.body.length / MB).toFixed(1);
  console.log(`\nreading 100,000 features: ${all.status}, ${size} MB in ${all.seconds.toFixed(1)} s`);
  console.log(`  peak memory over that of a small request: ${((all.peak - few.peak) / MB).toFixed(1)} MB`);
}

async function measureHostile(worker: MeasuredWorker): Promise<void> {
  console.log('\nhostile uploads: answer, CPU, peak memory over that of a small upload');
  const small = await upload(worker, 'a.geojson', collectionOf(1000));
  const wanted = { feature_storage: 'features_and_r2' };
  const hostile: [string, () => Promise<Cost>][] = [
    ['a zip that inflates to 400 MB', () => upload(worker, 'a.zip', [zipBomb()], wanted)],
    ['JSON nested 200,000 deep', () => upload(worker, 'a.geojson', deeplyNested())],
    ['a polygon of 10 million positions', () => upload(worker, 'a.geojson', endlessPolygon())],
    ['the same, its features wanted for sure', () => upload(worker, 'a.geojson', endlessPolygon(), wanted)],
    ['100,000 parts', () => measureCost(worker, '/v1/datasets/upload', manyParts())],
  ];
  for (const [what, run] of hostile) {
    const { status, cpuSeconds, peak, body } = await run();
    const extra = ((peak - small.peak) / MB).toFixed(1);
    const { code } = JSON.parse(body);
    console.log(`  ${what.padEnd(40)} ${status} ${code}  ${cpuSeconds.toFixed(2)} s  ${extra} MB`);
  }
}

/**
 * Milliseconds of CPU per MB that the GeoJSON reader alone takes, in Node, which has the same engine as the runtime.
 */
function measureReader(): number {
  const geojson = formatOf('a.geojson');
  if (geojson?.kind !== 'stream') throw new Error('GeoJSON is read as a stream');
  const chunks = [...collectionOf(40 * MB)];
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  const rounds = [0, 1, 2].map(() => {
    const before = process.cpuUsage();
    const reader = geojson.reader({ srid: 4326 });
    for (const chunk of chunks) for (const _ of reader.push(chunk));
    for (const _ of reader.end());
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / (bytes / MB);
  });
  return Math.min(...rounds);
}

function upload(
  worker: MeasuredWorker,
  fileName: string,
  file: Iterable<Buffer>,
  fields: Record<string, string> = {},
): Promise<Cost> {
  return measureCost(worker, '/v1/datasets/upload', formOf(fields, fileName, file));
}

async function measureCost(worker: MeasuredWorker, path: string, body?: AsyncIterable<Buffer>): Promise<Cost> {
  await resetPeak(worker.pid);
  const [started, before] = [performance.now(), await readCpuTime(worker.pid)];
  const answer = await ask(worker.url + path, body);
  const seconds = (performance.now() - started) / 1000;
  return { ...answer, seconds, cpuSeconds: (await readCpuTime(worker.pid)) - before, peak: await readPeak(worker.pid) };
}

/** Sends one request. A body is a form; the rest of it is not sent once there is an answer. */
function ask(url: string, body: AsyncIterable<Buffer> | undefined): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${TOKEN}`, ...(body ? { 'Content-Type': FORM_TYPE } : {}) };
    let answered = false;
    const sent = request(url, { method: body ? 'POST' : 'GET', headers }, async (response) => {
      answered = true;
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
    });
    sent.on('error', (error) => !answered && reject(error));
    if (body) send(body, sent, () => answered).catch(() => undefined);
    else sent.end();
  });
}

async function send(body: AsyncIterable<Buffer>, to: ClientRequest, answered: () => boolean): Promise<void> {
  let first = true;
  for await (const chunk of body) {
    if (answered()) return;
    if (!to.write(chunk)) await once(to, 'drain');
    // A server that refuses the beginning of a body gets the time to answer before the connection is cut.
    else if (first) await setTimeout(50);
    first = false;
  }
  to.end();
}

/** Inserts a dataset of points into the database and returns its id. */
async function insertLargeDataset(client: pg.Client, count: number): Promise<string> {
  const { rows } = await client.query(
    `with v as (insert into dataset_versions (state) values ('current') returning id), f as (
        insert into features (version_id, type, geojson, properties, bytes, geom)
        select v.id, 1, geojson, properties, length(geojson) + length(properties), st_geomfromgeojson(geojson)
        from v, generate_series(1, $1::int) i,
          format('{"type":"Point","coordinates":[%s,%s]}', 118 + i % 800 / 100.0, 6 + i % 1300 / 100.0) geojson,
          format('{"name":"Point %s","text":"%s"}', i, repeat('x', 100)) properties
      )
      insert into datasets (name, status, version_id, feature_count) select 'large', 'ready', v.id, $1::int from v
      returning id`,
    [count],
  );
  return rows[0].id;
}
