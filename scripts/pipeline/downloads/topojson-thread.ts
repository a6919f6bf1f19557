import { parentPort } from 'node:worker_threads';
import { topologyOf } from './topojson.ts';
import type { TopologyRequest } from './topojson-in-thread.ts';

// A thread that makes topologies, which takes as long as all other files.

const port = parentPort;
if (!port) throw new Error('This file is run as a thread.');

let last = Promise.resolve();
port.on('message', ({ layer, features }: TopologyRequest) => {
  // One after the other, because each needs some 500 MB.
  last = last.then(async () => {
    const bytes = new Uint8Array(await topologyOf(layer, features));
    port.postMessage(bytes, [bytes.buffer]);
  });
});
