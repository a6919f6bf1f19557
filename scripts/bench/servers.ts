import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import pg from 'pg';
import type { Modules } from '../command/worker-modules.ts';
import { startNeonEndpoint } from '../database/neon-endpoint.ts';
import { startNaiveServer } from './naive-server.ts';
import { type MeasuredWorker, startWorker } from './worker.ts';

/** The measured Worker and its competitors. */
export interface Servers {
  worker: MeasuredWorker;
  /** The same Worker with an empty bucket, so that PostGIS answers. */
  postgis: MeasuredWorker;
  /** Origin of the naive server. */
  naive: string;
  /** URL of the list of tipg, where it is measured too. */
  tipg?: string;
}

/** A request with this header leaves no line in the log. */
export const UNLOGGED = { 'X-Unlogged': '1' } as const;

/**
 * A wrapper that suppresses the Worker's log on request. The local runtime formats each line and writes it to a pipe
 * while the request waits, which the platform does not.
 */
const WITH_LOG_SWITCH = `
  import worker, { Meter } from './worker.js';
  export { Meter };

  const write = console.log;
  export default {
    fetch(request, env, context) {
      console.log = request.headers.has('X-Unlogged') ? () => {} : write;
      return worker.fetch(request, env, context);
    },
  };`;

interface ServerOptions {
  postgresUrl: string;
  /** Whether the database has a single session: one connection at a time. */
  singleSession: boolean;
  /** The Worker's modules. */
  modules: Modules;
  /** Directory of the bucket with the snapshot. */
  storedIn: string;
}

/**
 * Starts the Workers, the endpoint through which they reach the database, and the naive server. They have a thread of
 * their own, so that they don't wait for the client that measures.
 */
export async function startServers(given: ServerOptions): Promise<Servers & { close(): Promise<void> }> {
  const thread = new Worker(new URL(import.meta.url), { workerData: given });
  // An 'error' event rejects the promise with the error of the thread.
  const [servers] = (await once(thread, 'message')) as [Servers];
  return {
    ...servers,
    close: async () => {
      const exited = once(thread, 'exit');
      thread.postMessage('close');
      await exited;
    },
  };
}

if (parentPort) {
  const { postgresUrl, singleSession, modules, storedIn } = workerData as ServerOptions;
  const pool = new pg.Pool({ connectionString: postgresUrl, max: singleSession ? 1 : 10 });
  const endpoint = await startNeonEndpoint({ postgresUrl, singleSession });
  const naive = await startNaiveServer(pool);
  const { close, ...worker } = await startWorker({
    databaseUrl: endpoint.url,
    modules,
    storedIn,
    wrapper: WITH_LOG_SWITCH,
  });
  const { close: closePostgis, ...postgis } = await startWorker({ databaseUrl: endpoint.url, modules });
  parentPort.postMessage({ worker, postgis, naive: naive.url } satisfies Servers);
  parentPort.once('message', async () => {
    await close();
    await closePostgis();
    await naive.close();
    await endpoint.close();
    await pool.end();
    parentPort?.close();
  });
}
