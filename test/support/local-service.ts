import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { announce } from '../../scripts/command/running.ts';
import { startNeonEndpoint } from '../../scripts/database/neon-endpoint.ts';
import { loadLocalVars, writeEnvFile } from '../../scripts/dev/dev-vars.ts';
import { findFreePort } from '../../scripts/dev/port.ts';
import { startWrangler, type WranglerDev, type WranglerOptions } from '../../scripts/dev/wrangler.ts';
import type { TestDatabase } from './database.ts';
import { fetchAgain } from './fetch-again.ts';
import { TIMEOUT_MS } from './timeouts.ts';

const MAX_STARTS = 3;
const MAX_LAST_LINES = 20;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A service as `npm run dev` runs it, for commands that look for one. */
export interface LocalService {
  address: string;
  masterToken: string;
  /**
   * A request with the master token. It is sent again after a 503, as clients do, because the embedded database is late while
   * the machine is busy. Its body must be one that can be sent twice.
   */
  ask(path: string, init?: RequestInit & { headers?: Record<string, string> }): Promise<Response>;
  /** Takes its database away, as if the host of it were gone. */
  cutDatabase(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the service on a database and announces it in a data directory, which is created where it is missing.
 *
 * @param settings of the Worker; and `PORT`, where it answers, instead of a free one
 */
export async function startLocalService(
  database: TestDatabase,
  dataDir: string,
  { PORT, ...settings }: Record<string, string> = {},
): Promise<LocalService> {
  await mkdir(dataDir, { recursive: true });
  const { url: postgresUrl, singleSession } = database;
  const endpoint = await startNeonEndpoint({ postgresUrl, singleSession });
  const port = PORT === undefined ? await findFreePort() : Number(PORT);
  const vars = await loadLocalVars(dataDir, {});
  const envFile = join(dataDir, 'worker.env');
  await writeEnvFile(envFile, { ...vars, ...settings, ENVIRONMENT: 'development', DATABASE_URL: endpoint.url });
  const address = `http://127.0.0.1:${port}`;
  const wrangler = await startAnswering(address, { root: ROOT, port, persistTo: join(dataDir, 'worker'), envFile });
  const masterToken = vars.MASTER_TOKEN as string;
  await announce(dataDir, { address, masterToken, databaseUrl: postgresUrl });
  return {
    address,
    masterToken,
    ask: (path, { headers, ...init } = {}) =>
      fetchAgain(`${address}${path}`, { ...init, headers: { Authorization: `Bearer ${masterToken}`, ...headers } }),
    cutDatabase: () => endpoint.close(),
    stop: async () => {
      await wrangler.stop();
      await endpoint.close();
    },
  };
}

/**
 * Starts wrangler and waits until the service answers. Where it ends or stays silent, it is started again, because on a busy
 * machine one start in many fails: https://github.com/cloudflare/workers-sdk/issues/15451.
 *
 * @throws Error with what it printed last, where three starts have failed
 */
async function startAnswering(address: string, options: WranglerOptions): Promise<WranglerDev> {
  const failures: string[] = [];
  while (failures.length < MAX_STARTS) {
    const printed: string[] = [];
    const onLine = (line: string) => {
      printed.push(line);
      if (printed.length > MAX_LAST_LINES) printed.shift();
    };
    const wrangler = startWrangler({ ...options, onLine });
    if (await Promise.race([hasAnswered(address), wrangler.ended.then(() => false)])) return wrangler;
    await wrangler.stop();
    failures.push(printed.join('\n'));
  }
  throw new Error(`wrangler has not answered in ${MAX_STARTS} starts:\n${failures.join('\n\n')}`);
}

/** Whether the service answers before a start is given up. */
async function hasAnswered(address: string): Promise<boolean> {
  for (const started = Date.now(); Date.now() - started < 2 * TIMEOUT_MS; await sleep(100)) {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(`${address}/healthcheck`, { signal }).catch(() => undefined);
    if (answer?.ok) return true;
  }
  return false;
}
