import { parentPort, workerData } from 'node:worker_threads';
import { buildEditions } from './editions.ts';

// A thread that makes the objects of older editions beside the one that makes the files of a release.

const { directory, carrying } = workerData;
for await (const edition of buildEditions(directory, carrying)) parentPort?.postMessage(edition);
