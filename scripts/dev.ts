import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { progressOn } from './command/progress.ts';
import { openEmbedded } from './database/embedded.ts';
import { sentenceOf } from './database/failure.ts';
import { startNeonEndpoint } from './database/neon-endpoint.ts';
import { publishInBackground } from './dev/background.ts';
import { writeEnvFile } from './dev/dev-vars.ts';
import { WorkerOutput } from './dev/output.ts';
import { prepareDatabase } from './dev/prepare-database.ts';
import { announce, withdraw } from './dev/running.ts';
import { isOfNeon, readSettings, type Settings } from './dev/settings.ts';
import { startSignIn } from './dev/sign-in.ts';
import { startWrangler } from './dev/wrangler.ts';
import { BOUNDARIES_REMEDY } from './pipeline/boundaries/defaults/choose.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const USAGE = `Runs the whole service on this machine. docs/configuration.md names the settings, which are variables.

  npm run dev [-- --requests]

  --requests  one line for every request: its method, path, status and time`;
const ANSWER_PATIENCE_MS = 60_000;
/** How long one part may take to end. A frozen database would never end. */
const END_PATIENCE_MS = 5000;
/** Share of the time before the first answer that opening an embedded database takes. */
const OPENING = 0.1;

const progress = progressOn(process.stderr);
/** The functions that end the parts which were started. They are called in the opposite order. */
const started: (() => Promise<void>)[] = [];
let stopping = false;
/** Whether the service has answered. The requests before that are those of this process. */
let welcomed = false;

async function main({ requests }: { requests: boolean }) {
  const settings = await readSettings(ROOT, process.env);
  const { port, dataDir, vars } = settings;
  const { postgresUrl, databaseUrl, boundaries } = await startDatabase(settings);
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

  const output = new WorkerOutput({ requests: () => requests && welcomed, say });
  show(1, 'Starting the service');
  const wrangler = startWrangler({
    root: ROOT,
    port,
    persistTo: join(dataDir, 'worker'),
    envFile,
    onLine: (line) => output.take(line),
  });
  started.push(wrangler.stop);
  wrangler.ended.then((code) => {
    if (stopping) return;
    say(`The Workers runtime ended with exit code ${code}. Its last lines were:\n${output.lastLines}`);
    stop(code || 1);
  });

  const address = `http://127.0.0.1:${port}`;
  await waitForAnswer(`${address}/healthcheck`);
  if (stopping) return;
  progress.clear();
  welcomed = true;
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
async function startDatabase({ dataDir, boundariesDir, databaseUrl: given }: Settings) {
  const prepare = (url: string, onProgress: typeof show) =>
    prepareDatabase(url, { dataDir, boundariesDir, onProgress, say });
  if (given !== undefined) {
    const boundaries = await prepare(given, show);
    // The driver of the Worker connects to Neon directly.
    if (isOfNeon(given)) return { postgresUrl: given, databaseUrl: given, boundaries };
    const endpoint = await startNeonEndpoint({ postgresUrl: given });
    started.push(endpoint.close);
    return { postgresUrl: given, databaseUrl: endpoint.url, boundaries };
  }
  const database = await openEmbedded(join(dataDir, 'database'), {
    onProgress: (fraction, label) => show(OPENING * fraction, label),
    onCrash: fail,
  });
  started.push(database.close);
  const boundaries = await prepare(database.url, (fraction, label) => show(OPENING + (1 - OPENING) * fraction, label));
  const endpoint = await startNeonEndpoint({ postgresUrl: database.url, singleSession: true });
  started.push(endpoint.close);
  return { postgresUrl: database.url, databaseUrl: endpoint.url, boundaries };
}

/** Shows the progress. What goes on while everything is being stopped is not shown. */
function show(fraction: number, label: string): void {
  if (!stopping) progress.update(fraction, label);
}

function say(sentence: string): void {
  if (stopping) return;
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
  const hint = setTimeout(() => say(`${url} does not answer yet; see the messages above.`), ANSWER_PATIENCE_MS);
  while (!stopping) {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    if (response) {
      if (!response.ok) say(`${url} answers with status ${response.status}: ${await response.text()}`);
      break;
    }
    await sleep(100);
  }
  clearTimeout(hint);
}

/** No list on npm that may be used has residents. */
const POPULATION_REMEDY =
  'No population yet, nor income class and urban/rural: npm run geo:load -- --psgc path/to/workbook.xlsx, from https://psa.gov.ph/classification/psgc';

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
  progress.clear();
  if (exitCode === 0) console.error('Stopping.');
  stopping = true;
  for (const end of started.reverse()) {
    const ended = end().catch((error) => console.error(error));
    await Promise.race([ended, sleep(END_PATIENCE_MS, undefined, { ref: false })]);
  }
  process.exit(exitCode);
}

function fail(error: Error): void {
  // Failures while everything is being stopped are expected.
  if (stopping) return;
  say(sentenceOf(error));
  if (error.cause instanceof Error) say(error.cause.message);
  stop(1);
}

/** @throws Error where there is another argument */
function optionsFrom(args: string[]): { requests: boolean } | undefined {
  const options = { requests: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  const { requests = false, help } = parseArgs({ args, options }).values;
  return help ? undefined : { requests };
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
try {
  const options = optionsFrom(process.argv.slice(2));
  if (options) main(options).catch(fail);
  else console.log(USAGE);
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 2;
}
