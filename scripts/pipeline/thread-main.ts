import { parentPort, workerData } from 'node:worker_threads';

// The worker thread of `inThread`.

const { module, name, given } = workerData;
const made = (await import(module))[name](...given);
for await (const item of Symbol.asyncIterator in made ? made : [made]) parentPort?.postMessage(item);
