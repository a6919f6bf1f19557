import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { progressOn } from './command/progress.ts';
import { ROOT } from './command/root.ts';
import { announce, withdraw } from './command/running.ts';
import { withClient } from './database/client.ts';
import { openEmbedded } from './database/embedded.ts';
import { sentenceOf } from './database/failure.ts';
import { startNeonEndpoint } from './database/neon-endpoint.ts';
import { workInBackground } from './dev/background.ts';
import { writeEnvFile } from './dev/dev-vars.ts';
import { FirstRelease, PARTS_OF_RELEASE } from './dev/first-release.ts';
import { startLocalServer } from './dev/local-server.ts';
import { WorkerOutput } from './dev/output.ts';
import { Preparation } from './dev/preparation.ts';
import { databaseName, readReleaseState, writeReleaseState } from './dev/release-state.ts';
import { isOfNeon, readSettings, type Settings } from './dev/settings.ts';
import { startSignIn } from './dev/sign-in.ts';
import { stateDirectory } from './dev/state.ts';
import { startWrangler } from './dev/wrangler.ts';
import type { Load } from './pipeline/release/load-data.ts';

const USAGE = `Runs the whole service on this machine. docs/configuration.md names the settings, which are variables.

  npm run dev [-- --requests]

  --requests  one line for every request: its method, path, status and time`;
const ANSWER_PATIENCE_MS = 60_000;
/** How long one part may take to end. A frozen database would never end. */
const END_PATIENCE_MS = 5000;

const progress = progressOn(process.stderr);
/** The functions that end the parts which were started. They are called in the opposite order. */
const started: (() => Promise<void>)[] = [];
let stopping = false;
/** Whether the service has answered. The requests before that are those of this process. */
let welcomed = false;

async function main({ requests }: { requests: boolean }) {
  const settings = await readSettings(ROOT, process.env);
  const { port, dataDir, vars, boundariesDir } = settings;
  const database = await announceDatabase(settings);
  const signIn = await startSignIn(ROOT, vars);
  if (signIn) started.push(signIn.close);
  const preparation = new Preparation();
  preparation.begin('database');
  const progressServer = await startLocalServer('GET', () => ({ status: 200, body: preparation.left }));
  started.push(progressServer.close);
  const envFile = join(dataDir, 'worker.env');
  const commit = currentCommit();
  await writeEnvFile(envFile, {
    BUILT_AT: new Date().toISOString(),
    ...(commit ? { COMMIT: commit } : {}),
    ...vars,
    ...((vars.ENVIRONMENT ?? 'development') === 'development'
      ? { LOCAL_PROGRESS_URL: progressServer.url, ...(signIn && { LOCAL_SIGN_IN_URL: signIn.url }) }
      : {}),
    DATABASE_URL: database.urlForWorker,
  });

  const output = new WorkerOutput({ requests: () => requests && welcomed, say });
  show(0, 'Starting the service');
  const wrangler = startWrangler({
    root: ROOT,
    port,
    persistTo: await stateDirectory(ROOT, dataDir),
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
  const [masterToken = ''] = (vars.MASTER_TOKEN ?? '').split(',');
  const endpoint = { address, masterToken };
  const record = (load: Load, isComplete: boolean) =>
    writeReleaseState(dataDir, { ...load, database: database.name, isComplete });
  const begin = async (load: Load, publish?: () => Promise<void>) => {
    await record(load, false);
    preparation.begin(...PARTS_OF_RELEASE);
    if (publish) {
      // The rest is made afterwards, because it would slow the start of the runtime.
      await publish().catch(fail);
      preparation.end('geography');
      if (stopping) return undefined;
    }
    const release = new FirstRelease(load, {
      onProgress: (part, fraction, label) => {
        preparation.update(part, fraction);
        if (part === 'geography' && !publish) show(fraction, label);
      },
      onEnd: (part) => preparation.end(part),
    });
    started.push(() => release.stop());
    return release;
  };
  // These modules are loaded while the runtime starts, which takes seconds.
  const releases = await import('./dev/releases.ts');
  const { findActiveRelease } = await import('./pipeline/release/load-data.ts');
  const newest = await releases.firstIdOfNewestEdition();
  const stored = await readReleaseState(dataDir, database.name);
  // What was begun of an older edition is not gone on with.
  const state = stored?.isComplete || stored?.id.startsWith(newest.slice(0, 7)) ? stored : undefined;
  // What was begun goes on before the database says anything, and so does the first release of a new one.
  let release: FirstRelease | undefined;
  let isServed = true;
  const answering = waitForAnswer(`${address}/version`);
  if (state ? !state.isComplete : database.isNew) {
    const { findPrepared, isPreparedFor, publishPrepared } = await import('./dev/prepared.ts');
    const found = await findPrepared(ROOT);
    const load = state ?? found?.load ?? { id: newest, createdAt: new Date() };
    const prepared = found && isPreparedFor(found, load) ? found : undefined;
    const publish = async () => {
      await answering;
      if (stopping || !prepared) return;
      show(0.5, 'Publishing the snapshot');
      await publishPrepared(prepared, endpoint);
    };
    release = await begin(load, prepared && publish);
    isServed = prepared !== undefined;
  }
  await answering;
  if (stopping) return;
  release?.give({ endpoint });
  // A new database takes ten seconds of work, which geography does not wait for.
  if (!isServed) await release?.served.catch(fail);
  if (stopping) return;
  const welcome = () => {
    progress.clear();
    welcomed = true;
    printWelcome(address, masterToken);
  };
  if (release || state) welcome();

  const postgresUrl = await database.open();
  preparation.end('database');
  await announce(dataDir, { address, masterToken, databaseUrl: postgresUrl });
  started.push(() => withdraw(dataDir));
  const begun = release;
  if (begun && (await withClient(postgresUrl, (client) => releases.isSuperseded(client, begun.load)))) {
    // It is not gone on with, or it would undo what a command did between the starts.
    await begun.stop();
    await record(begun.load, true);
    release = undefined;
  }
  const active = await withClient(postgresUrl, findActiveRelease);
  if (!active && !release) {
    const load = { id: await withClient(postgresUrl, releases.nextIdOfNewestEdition), createdAt: new Date() };
    release = await begin(load);
    release?.give({ endpoint });
    await release?.served.catch(fail);
  }
  if (!welcomed && !stopping) welcome();
  if (release) {
    release.give({ databaseUrl: postgresUrl, isEmbedded: settings.databaseUrl === undefined });
    try {
      await release.complete;
      await record(release.load, true);
    } catch (error) {
      say(`Not all of the release was made: ${sentenceOf(error)} What is served goes on; the next start tries again.`);
    }
  }
  if (stopping) return;
  const background = workInBackground(
    dataDir,
    {
      boundariesDir: await releases.findUnloadedBoundaries(postgresUrl, boundariesDir),
      postgresUrl,
      preparation,
    },
    say,
  );
  started.push(background.stop);
}

interface AnnouncedDatabase {
  /** What the state of a release calls it. */
  name: string | null;
  /** Connection string for the Worker. What answers there says that it is starting up until the database is open. */
  urlForWorker: string;
  /** Whether it is an embedded one that does not exist yet. */
  isNew: boolean;
  /** Opens and migrates it. Returns its connection string for `pg`. */
  open(): Promise<string>;
}

/** Says where the database will be, before it is opened. */
async function announceDatabase({ dataDir, databaseUrl: given }: Settings): Promise<AnnouncedDatabase> {
  const directory = join(dataDir, 'database');
  const name = databaseName(given);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  promise.catch(() => undefined);
  const open = async () => {
    try {
      const url = given ?? (await openHere(directory));
      const { migrate } = await import('./database/migrate.ts');
      await migrate(url);
      resolve(url);
      return url;
    } catch (error) {
      reject(error);
      throw error;
    }
  };
  // The driver of the Worker connects to Neon directly.
  if (given !== undefined && isOfNeon(given)) return { name, urlForWorker: given, isNew: false, open };
  const endpoint = await startNeonEndpoint({ postgresUrl: promise, singleSession: given === undefined });
  started.push(endpoint.close);
  return { name, urlForWorker: endpoint.url, isNew: given === undefined && !existsSync(directory), open };
}

async function openHere(directory: string): Promise<string> {
  const database = await openEmbedded(directory, { onCrash: fail });
  // It is closed after everything that asks it, in the opposite order.
  started.splice(0, 0, database.close);
  return database.url;
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

function printWelcome(address: string, token: string): void {
  console.log(`
The service is at ${address}
The reference is at ${address}/docs, the map at ${address}/explore, the dashboard at ${address}/dashboard,\ncodes for spreadsheets at ${address}/match
Master token: ${token}

Try:
  curl ${address}/v1/regions
  curl '${address}/v1/municities/search?q=paranaque'
  curl -H 'Authorization: Bearer ${token}' ${address}/v1/provinces/0702200000
A session, to make API keys with: npm run --silent token -- --email maria@example.com

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

/** @throws Error if there is another argument */
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
