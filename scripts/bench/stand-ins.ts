import { parentPort, Worker, workerData } from 'node:worker_threads';
import pg from 'pg';
import { startNeonEndpoint } from '../database/neon-endpoint.ts';
import { startBucket } from './bucket.ts';
import { startEdge } from './edge.ts';
import { startNaiveServer } from './naive-server.ts';

/** What is measured against, and what stands in for Neon, for R2 and for the edge's cache. */
export interface StandIns {
  /** Connection string for the Worker's driver. */
  databaseUrl: string;
  /** Address of the edge's cache, host and port. */
  edge: string;
  /** Address of the bucket, host and port. */
  bucket: string;
  /** URL of the naive server. */
  naive: string;
}

interface Given {
  postgresUrl: string;
  /** Whether the database takes one connection at a time. */
  singleSession: boolean;
}

/** Starts them in a thread of their own, so that they don't wait for the client that measures. */
export async function startStandIns(given: Given): Promise<StandIns & { close(): Promise<void> }> {
  const thread = new Worker(new URL(import.meta.url), { workerData: given });
  const standIns = await new Promise<StandIns>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
  return {
    ...standIns,
    close: async () => {
      await thread.terminate();
    },
  };
}

if (parentPort) {
  const { postgresUrl, singleSession } = workerData as Given;
  const pool = new pg.Pool({ connectionString: postgresUrl, max: singleSession ? 1 : 10 });
  const endpoint = await startNeonEndpoint({ postgresUrl, singleSession });
  const edge = await startEdge();
  const bucket = await startBucket();
  const naive = await startNaiveServer(pool);
  parentPort.postMessage({
    databaseUrl: endpoint.url,
    edge: edge.address,
    bucket: bucket.address,
    naive: naive.url,
  } satisfies StandIns);
}
