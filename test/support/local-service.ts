import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { announce } from '../../scripts/command/running.ts';
import { startNeonEndpoint } from '../../scripts/database/neon-endpoint.ts';
import { loadLocalVars, writeEnvFile } from '../../scripts/dev/dev-vars.ts';
import { findFreePort } from '../../scripts/dev/port.ts';
import { startWrangler } from '../../scripts/dev/wrangler.ts';
import type { TestDatabase } from './database.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A service as `npm run dev` runs it, for commands that look for one. */
export interface LocalService {
  address: string;
  masterToken: string;
  /** One request with the master token. */
  ask(path: string, init?: RequestInit & { headers?: Record<string, string> }): Promise<Response>;
  /** Takes its database away, as if the host of it were gone. */
  cutDatabase(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the service on a database and announces it in a data directory, which is created where it is missing. */
export async function startLocalService(
  database: TestDatabase,
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<LocalService> {
  await mkdir(dataDir, { recursive: true });
  const { url: postgresUrl, singleSession } = database;
  const endpoint = await startNeonEndpoint({ postgresUrl, singleSession });
  const port = await findFreePort();
  const vars = await loadLocalVars(dataDir, {});
  const envFile = join(dataDir, 'worker.env');
  await writeEnvFile(envFile, { ...vars, ...settings, ENVIRONMENT: 'development', DATABASE_URL: endpoint.url });
  const wrangler = startWrangler({ root: ROOT, port, persistTo: join(dataDir, 'worker'), envFile });
  const address = `http://127.0.0.1:${port}`;
  const masterToken = vars.MASTER_TOKEN as string;
  while (!(await fetch(`${address}/healthcheck`).catch(() => undefined))?.ok) await sleep(100);
  await announce(dataDir, { address, masterToken, databaseUrl: postgresUrl });
  return {
    address,
    masterToken,
    ask: (path, { headers, ...init } = {}) =>
      fetch(`${address}${path}`, { ...init, headers: { Authorization: `Bearer ${masterToken}`, ...headers } }),
    cutDatabase: () => endpoint.close(),
    stop: async () => {
      await wrangler.stop();
      await endpoint.close();
    },
  };
}
