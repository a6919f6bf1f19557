import { parentPort, workerData } from 'node:worker_threads';
import { buildCountry } from './country.ts';

// The worker thread of `countryInThread`.

parentPort?.postMessage(await buildCountry(workerData.directory, workerData.now));
