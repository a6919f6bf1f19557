import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { progressOn } from './command/progress.ts';
import { openEmbedded } from './database/embedded.ts';
import { startNeonEndpoint } from './database/neon-endpoint.ts';
import { requirePostgresUrl } from './database/postgres-url.ts';
import { publishInBackground } from './dev/background.ts';
import { loadLocalVars, writeEnvFile } from './dev/dev-vars.ts';
import { portFrom, requireFreePort } from './dev/port.ts';
import { prepareDatabase } from './dev/prepare-database.ts';
import { announce, withdraw } from './dev/running.ts';
import { startSignIn } from './dev/sign-in.ts';
import { startWrangler } from './dev/wrangler.ts';
import { BOUNDARIES_REMEDY, requireBoundariesDir } from './pipeline/boundaries/defaults/choose.ts';

// npm run dev: the whole service on this machine. docs/configuration.md says what the environment can change.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ANSWER_PATIENCE_MS = 60_000;
/** How long one part may take to end. A frozen database would never end. */
const END_PATIENCE_MS = 5000;
/** Share of the time before the first answer that opening an embedded database takes. */
const OPENING = 0.1;

const progress = progressOn(process.stderr);
/** The functions that end the parts which were started. They are called in the opposite order. */
const started: (() => Promise<void>)[] = [];
let stopping = false;

async function main() {
  const port = portFrom(process.env.PORT);
  await requireFreePort(port);
  const boundariesDir = process.env.BOUNDARIES_DIR ? resolve(ROOT, process.env.BOUNDARIES_DIR) : undefined;
  if (boundariesDir !== undefined) await requireBoundariesDir(boundariesDir);
  const dataDir = resolve(ROOT, process.env.DATA_DIR || '.data');
  await mkdir(dataDir, { recursive: true });
  const vars = await loadLocalVars(ROOT, process.env);

  const { postgresUrl, databaseUrl, boundaries } = await startDatabase(dataDir, boundariesDir);
  progress.clear();
  const signIn = await startSignIn(ROOT, vars);
  if (signIn) started.push(signIn.close);
  const envFile = join(dataDir, 'worker.env');
  const commit = currentCommit();
  await writeEnvFile(envFile, {
    BUILT_AT: new Date().toISOString(),
    ...(commit ? { COMMIT: commit } : {}),
    ...vars,
    ...(signIn && (vars.ENVIRONMENT ?? 'development') === 'development' ? { LOCAL_SIGN_IN_URL: signIn.url } : {}),
    DATABASE_URL: databaseUrl,
  });

  const wrangler = startWrangler({ root: ROOT, port, persistTo: join(dataDir, 'worker'), envFile });
  started.push(wrangler.stop);
  wrangler.ended.then((code) => {
    if (stopping) return;
    console.error(`wrangler ended with exit code ${code}.`);
    stop(code || 1);
  });

  const address = `http://127.0.0.1:${port}`;
  await waitForAnswer(`${address}/healthcheck`);
  if (stopping) return;
  const masterToken = vars.MASTER_TOKEN ?? '';
  printWelcome(address, masterToken, boundaries === 'full');
  if (!(await hasPopulation(address))) console.log(POPULATION_REMEDY);
  await announce(dataDir, { address, masterToken, databaseUrl: postgresUrl });
  started.push(() => withdraw(dataDir));
  started.push(publishInBackground(dataDir, { tiles: boundaries !== 'none' }, say).stop);
}

/**
 * Opens, migrates and seeds the database. Returns its connection string, the one for the Worker, and how good its
 * boundaries are.
 */
async function startDatabase(dataDir: string, boundariesDir: string | undefined) {
  const prepare = (url: string, onProgress: typeof progress.update) =>
    prepareDatabase(url, { dataDir, boundariesDir, onProgress, say });
  const given = process.env.DATABASE_URL;
  if (given) {
    requirePostgresUrl(given);
    const boundaries = await prepare(given, progress.update);
    // The driver of the Worker connects to Neon directly.
    if (new URL(given).hostname.endsWith('.neon.tech')) return { postgresUrl: given, databaseUrl: given, boundaries };
    const endpoint = await startNeonEndpoint({ postgresUrl: given });
    started.push(endpoint.close);
    return { postgresUrl: given, databaseUrl: endpoint.url, boundaries };
  }
  const database = await openEmbedded(join(dataDir, 'database'), {
    onProgress: progress.part(0, OPENING),
    onCrash: fail,
  });
  started.push(database.close);
  const boundaries = await prepare(database.url, progress.part(OPENING, 1));
  const endpoint = await startNeonEndpoint({ postgresUrl: database.url, singleSession: true });
  started.push(endpoint.close);
  return { postgresUrl: database.url, databaseUrl: endpoint.url, boundaries };
}

function say(sentence: string): void {
  progress.clear();
  console.error(sentence);
}

function currentCommit(): string | undefined {
  try {
    const output = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] });
    return output.toString().trim();
  } catch {
    return undefined;
  }
}

/**
 * Waits for any answer of the Worker. A broken build has none until its sources change, because wrangler builds again.
 */
async function waitForAnswer(url: string): Promise<void> {
  const hint = setTimeout(
    () => console.error(`${url} does not answer yet; see the messages above.`),
    ANSWER_PATIENCE_MS,
  );
  while (!stopping) {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    if (response) {
      if (!response.ok) console.error(`${url} answers with status ${response.status}: ${await response.text()}`);
      break;
    }
    await sleep(100);
  }
  clearTimeout(hint);
}

/** No list on npm that may be used has residents. */
const POPULATION_REMEDY =
  'No population yet, nor income class and urban/rural: npm run geo:load -- --psgc <workbook.xlsx>, from https://psa.gov.ph/classification/psgc';

/** Whether the release that is served says how many people live in a province. Taken for granted where nobody answers. */
async function hasPopulation(address: string): Promise<boolean> {
  const answer = await fetch(`${address}/v1/provinces?population_min=0&limit=1`, {
    signal: AbortSignal.timeout(5000),
  }).catch(() => undefined);
  if (!answer?.ok) return true;
  const { meta } = (await answer.json()) as { meta: { total: number } };
  return meta.total > 0;
}

function printWelcome(address: string, token: string, hasBoundaries: boolean): void {
  console.log(`
The service is at ${address}
The reference is at ${address}/docs, the map at ${address}/explore, the dashboard at ${address}/dashboard,\ncodes for spreadsheets at ${address}/match
Master token: ${token}

Try:
  curl ${address}/v1/regions
  curl '${address}/v1/municities/search?q=paranaque'
  curl -H 'Authorization: Bearer ${token}' ${address}/v1/provinces/0702200000
A session, to make API keys with: npm run --silent token -- --email maria@example.com
${hasBoundaries ? '' : `\n${BOUNDARIES_REMEDY}\n`}
Ctrl-C stops it.
`);
}

async function stop(exitCode: number): Promise<void> {
  // A second signal ends the process at once, because the database may never answer.
  if (stopping) process.exit(exitCode);
  stopping = true;
  progress.clear();
  for (const end of started.reverse()) {
    const ended = end().catch((error) => console.error(error));
    await Promise.race([ended, sleep(END_PATIENCE_MS, undefined, { ref: false })]);
  }
  process.exit(exitCode);
}

function fail(error: Error): void {
  // Failures while everything is being stopped are expected.
  if (stopping) return;
  progress.clear();
  console.error(error.message);
  if (error.cause instanceof Error) console.error(error.cause.message);
  stop(1);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
main().catch(fail);
