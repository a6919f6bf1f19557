import { parentPort, workerData } from 'node:worker_threads';
import { buildDownloads } from './build.ts';

// A thread that makes the files of a release beside the one that sends them.

for await (const files of buildDownloads(workerData.directory, workerData.now)) parentPort?.postMessage(files);
