import { parentPort, workerData } from 'node:worker_threads';
import { buildCountry } from './country.ts';

// A thread that makes the file of the country beside the one that sends others.

parentPort?.postMessage(await buildCountry(workerData.directory, workerData.now));
