import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import pg from 'pg';
import { startNeonEndpoint } from '../database/neon-endpoint.ts';
import { startNaiveServer } from './naive-server.ts';
import { type MeasuredWorker, startWorker } from './worker.ts';

/** What is measured, and what it is compared with. */
export interface Servers {
  worker: MeasuredWorker;
  /** Origin of the naive server. */
  naive: string;
}

interface Given {
  postgresUrl: string;
  /** Whether the database has a single session: one connection at a time. */
  singleSession: boolean;
}

/**
 * Starts the Worker, the endpoint through which it reaches the database, and the naive server. They have a thread of
 * their own, so that they don't wait for the client that measures.
 */
export async function startServers(given: Given): Promise<Servers & { close(): Promise<void> }> {
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
  const { postgresUrl, singleSession } = workerData as Given;
  const pool = new pg.Pool({ connectionString: postgresUrl, max: singleSession ? 1 : 10 });
  const endpoint = await startNeonEndpoint({ postgresUrl, singleSession });
  const naive = await startNaiveServer(pool);
  const { url, pid, close } = await startWorker(endpoint.url);
  parentPort.postMessage({ worker: { url, pid }, naive: naive.url } satisfies Servers);
  parentPort.once('message', async () => {
    await close();
    await naive.close();
    await endpoint.close();
    await pool.end();
    parentPort?.close();
  });
}
