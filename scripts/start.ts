import { parseArgs } from 'node:util';
import { s3Store } from './backup/s3.ts';
import { firstOf } from './backup/store.ts';
import { ROOT } from './command/root.ts';
import { announce, withdraw } from './command/running.ts';
import { withClient } from './database/client.ts';
import { sentenceOf } from './database/failure.ts';
import { requireAllMigrations } from './database/migrate.ts';
import { startNeonEndpoint } from './database/neon-endpoint.ts';
import { requireFreePort } from './dev/port.ts';
import { stateDirectory } from './dev/state.ts';
import { findBuild } from './start/build.ts';
import { startFront } from './start/front.ts';
import { SIGNALS, startRuntime } from './start/runtime.ts';
import { startSchedule } from './start/schedule.ts';
import { readSettings } from './start/settings.ts';

const USAGE = `Runs the service on one's own server, for production. docs/own-server.md leads there, and docs/configuration.md names the
settings, which are variables.

  npm start [-- --build]

  --build  only build it, so that the first start doesn't

SIGTERM ends it when all requests are answered; a second one ends it at once. SIGUSR2 runs the jobs of the night now.`;

/** The functions that end the parts which were started. They are called in the opposite order. */
const started: (() => unknown)[] = [];
let isStopping = false;

async function main(): Promise<void> {
  const settings = await readSettings(ROOT, process.env);
  const { host, port, dataDir, databaseUrl, connections, proxies, s3, vars } = settings;
  await requireFreePort(port, { host, command: 'npm start' });
  await withClient(databaseUrl, requireAllMigrations);
  if (s3) await firstOf(s3Store(s3.url, s3.location));
  const build = await findBuild(ROOT, process.env, say);

  const endpoint = await startNeonEndpoint({ postgresUrl: databaseUrl, connections });
  started.push(endpoint.close);
  const runtime = await startRuntime({
    root: ROOT,
    build,
    state: await stateDirectory(ROOT, dataDir),
    vars: {
      ...vars,
      DATABASE_URL: endpoint.url,
      BUILT_AT: build.builtAt,
      ...(build.commit !== undefined && { COMMIT: build.commit }),
    },
    s3: s3?.location,
    onLine: (line) => console.log(line),
  });
  started.push(runtime.stop, runtime.idle);
  const runJobs = () => void runtime.runJobs().catch(fail);
  process.on('SIGUSR2', runJobs);
  const front = await startFront({ host, port, proxies, worker: runtime.worker });
  started.push(front.close, startSchedule(build.crons, runJobs));

  // Commands on this machine find it by that.
  const [masterToken = ''] = (vars.MASTER_TOKEN ?? '').split(',');
  const nearest = /^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host;
  const address = `http://${nearest.includes(':') ? `[${nearest}]` : nearest}:${port}`;
  await announce(dataDir, { address, masterToken, databaseUrl });
  started.push(() => withdraw(dataDir));
  say(`The service is at ${address}.`);
}

function say(line: string): void {
  console.error(line);
}

async function stop(exitCode: number): Promise<void> {
  if (isStopping) process.exit(exitCode || 1);
  isStopping = true;
  if (exitCode === 0) say('Stopping, when all requests are answered.');
  for (const end of started.reverse()) {
    try {
      await end();
    } catch (error) {
      say(sentenceOf(error));
    }
  }
  process.exit(exitCode);
}

function fail(error: Error): void {
  if (isStopping) return;
  say(sentenceOf(error));
  void stop(1);
}

try {
  const options = { build: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  const { build, help } = parseArgs({ options }).values;
  if (help) console.log(USAGE);
  else if (build) await findBuild(ROOT, process.env, say);
  else {
    for (const signal of SIGNALS) process.on(signal, () => void stop(0));
    await main();
  }
} catch (error) {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code.startsWith('ERR_PARSE_ARGS')) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
  say(sentenceOf(error));
  await stop(1);
}
