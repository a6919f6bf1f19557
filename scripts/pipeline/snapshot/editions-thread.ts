import { parentPort, workerData } from 'node:worker_threads';
import { buildEditions } from './editions.ts';

// The worker thread of `editionsInThread`.

const { directory, options } = workerData;
for await (const edition of buildEditions(directory, options)) parentPort?.postMessage(edition);
