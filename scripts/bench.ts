import { join, resolve } from 'node:path';
import pg from 'pg';
import { measureCold } from './bench/cold.ts';
import { measureCost } from './bench/cost.ts';
import { measureCounts } from './bench/counts.ts';
import { withKeys } from './bench/keys.ts';
import { measureMemory } from './bench/memory.ts';
import { measureNameTables } from './bench/name-tables.ts';
import { measureNames } from './bench/names.ts';
import { startTipg } from './bench/peers.ts';
import { comparePoints } from './bench/points.ts';
import { profile } from './bench/profile.ts';
import { publishOnce } from './bench/published.ts';
import { startServers } from './bench/servers.ts';
import { measureSpeed } from './bench/speed.ts';
import { measureStarts } from './bench/starts.ts';
import { measureUploads } from './bench/uploads.ts';
import { measureWire } from './bench/wire.ts';
import { startWorker } from './bench/worker.ts';
import { getServed, subjectsOf } from './bench/works.ts';
import { progressOn } from './command/progress.ts';
import { dataDirectory, ROOT } from './command/root.ts';
import { buildWorker } from './command/worker-build.ts';
import { withClient } from './database/client.ts';
import { openEmbedded } from './database/embedded.ts';
import { migrate } from './database/migrate.ts';
import { startNeonEndpoint } from './database/neon-endpoint.ts';
import { nextIdOfNewestEdition } from './dev/releases.ts';
import { makeDataRelease } from './pipeline/data/release.ts';
import { activateRelease } from './pipeline/release/activate.ts';
import { loadRelease } from './pipeline/release/load.ts';
import { findActiveRelease, loadDataRelease } from './pipeline/release/load-data.ts';

// npm run bench: measures the Worker on a snapshot against an empty Worker, the naive server, and itself on PostGIS, in one
// run. The database is DATABASE_URL, or the embedded one in DATA_DIR; nothing else may use it. Where it has no release, one is
// loaded with the boundaries in BOUNDARIES_DIR, or else of the repository's data. What was loaded and published is kept for
// the next run.
//
//   npm run bench -- [geography | ogc | uploads | profile | names | starts | cost]
//
// `ogc` measures OGC API alone. With TIPG_PYTHON=<a Python with tipg and uvicorn> and a DATABASE_URL, tipg is measured in the same
// run, as it is for `geography`.
// `names` measures the search for names and the matching of lists, and sends a table of a million rows through the Worker.
// SEED=<number> damages otherwise, ROWS=<number> sends fewer rows. The lists need no database: ROWS=0 leaves the table out.
// `starts` measures `npm run dev` in a clone of the last commit. `cost` counts in simulated time what the platform bills for
// counting requests; it needs no database. The hot key takes minutes; the name of a pattern behind it counts that alone: `cost busy`.

const SUBJECTS = ['geography', 'ogc', 'uploads', 'profile', 'names', 'starts', 'cost'] as const;
const requested = process.argv[2];
if (requested !== undefined && !SUBJECTS.some((name) => name === requested)) {
  throw new Error(`Unknown subject ${requested}: choose ${SUBJECTS.join(', ')}, or none for geography and uploads.`);
}
const isRequested = (name: (typeof SUBJECTS)[number]) =>
  requested === name || (requested === undefined && (name === 'geography' || name === 'uploads'));
if (isRequested('names')) {
  await measureNames();
  if (process.env.ROWS === '0') process.exit();
}

if (isRequested('starts')) {
  await measureStarts(ROOT);
  process.exit();
}
if (isRequested('cost')) {
  await measureCost((await buildWorker()).modules, process.argv[3]);
  process.exit();
}
const dataDir = dataDirectory();
const boundariesDir = process.env.BOUNDARIES_DIR ? resolve(ROOT, process.env.BOUNDARIES_DIR) : undefined;

const progress = progressOn(process.stderr);
const given = process.env.DATABASE_URL;
const embedded = given ? undefined : await openEmbedded(join(dataDir, 'database'));
const postgresUrl = given ?? (embedded?.url as string);
const singleSession = embedded !== undefined;
await migrate(postgresUrl);
await withClient(postgresUrl, loadFirst);
progress.update(0, 'Building the Worker');
const { modules } = await buildWorker({ readable: requested === 'profile' });
progress.clear();

const client = new pg.Client(postgresUrl);
await client.connect();
const endpoint = await startNeonEndpoint({ postgresUrl, singleSession });
try {
  if (isRequested('geography') || isRequested('ogc') || isRequested('profile')) await measureGeography();
  if (isRequested('names')) await measureTables();
  if (isRequested('uploads')) {
    const worker = await startWorker({ databaseUrl: endpoint.url, modules });
    await measureUploads(worker, postgresUrl).finally(worker.close);
  }
} finally {
  await endpoint.close();
  await client.end();
  await embedded?.close();
}

/** Loads the boundaries that are given, or what the repository has, where the database has no release. */
async function loadFirst(first: pg.Client): Promise<void> {
  if (await findActiveRelease(first)) return;
  const onProgress = (fraction: number) => progress.update(fraction, 'Loading the first release');
  if (boundariesDir !== undefined) {
    await loadRelease({ client: first, psgc: 'builtin', boundaries: boundariesDir, activate: true, onProgress });
    return;
  }
  const id = await nextIdOfNewestEdition(first);
  const load = { id, createdAt: new Date(), isEmbedded: embedded !== undefined, onProgress };
  await loadDataRelease(first, await makeDataRelease(), load);
  await activateRelease(first, id);
}

/** Publishes the snapshot of a release. Returns the settings of Workers that use it. */
async function withSnapshot(releaseId: string) {
  const options = { databaseUrl: endpoint.url, modules, storedIn: join(dataDir, 'bench') };
  progress.update(0, 'Publishing the snapshot');
  await publishOnce(client, { ...options, releaseId });
  progress.clear();
  return options;
}

async function measureTables(): Promise<void> {
  const { release } = await getServed(client);
  await measureNameTables(await withSnapshot(release));
}

async function measureGeography(): Promise<void> {
  const served = await getServed(client);
  const options = await withSnapshot(served.release);
  const { storedIn } = options;
  const all = subjectsOf(served);
  const subjects = isRequested('ogc') ? all.filter(({ tipg }) => tipg !== undefined) : all;
  if (isRequested('profile')) return profile(options, subjects);

  const database = embedded ? 'embedded PostGIS' : 'PostgreSQL server';
  console.log(`Release ${served.release}, ${database}.`);
  if (!served.isFull) {
    console.log(
      'Places, neighbours and detailed boundaries need real boundaries: BOUNDARIES_DIR=path/to/boundaries npm run bench.',
    );
  }
  await withKeys(client, async (keys) => {
    await measureCounts(options, subjects, keys[0] as string);
    if (!isRequested('ogc')) await measureCold(options, served.version);
    const servers = await startServers({ postgresUrl, singleSession, modules, storedIn });
    const python = embedded ? undefined : process.env.TIPG_PYTHON;
    let tipg: Awaited<ReturnType<typeof startTipg>> | undefined;
    try {
      tipg = python === undefined ? undefined : await startTipg(client, { python, postgresUrl });
      await measureSpeed({ ...servers, ...(tipg && { tipg: tipg.items }) }, subjects, keys);
      if (isRequested('ogc')) return;
      await measureWire(servers.worker);
      if (!served.isFull) return;
      await measureMemory(servers.worker);
      await comparePoints(servers.worker, client, { directory: storedIn, version: served.version });
    } finally {
      await servers.close();
      await tipg?.close();
    }
  });
}
