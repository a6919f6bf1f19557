import { parentPort, workerData } from 'node:worker_threads';
import { buildDownloads } from './build.ts';

// The worker thread of `downloadsInThread`.

for await (const files of buildDownloads(workerData.directory, workerData.now)) parentPort?.postMessage(files);
