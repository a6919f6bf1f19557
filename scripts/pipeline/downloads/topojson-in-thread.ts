import { on } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface TopologyRequest {
  readonly layer: string;
  readonly features: readonly string[];
}

/** Makes topologies in a worker thread, one after the other. @see topologyOf */
export class TopologyThread {
  readonly #thread = new Worker(new URL('./topojson-thread.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxYoungGenerationSizeMb: 192 },
  });
  readonly #answers = on(this.#thread, 'message');

  /** @returns the text of the topology; it rejects where the thread failed */
  async of(layer: string, features: readonly string[]): Promise<Uint8Array> {
    this.#thread.postMessage({ layer, features } satisfies TopologyRequest);
    // Answers come in the order of the requests, and so do the reads of them.
    const { value } = await this.#answers.next();
    return (value as [Uint8Array])[0];
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}
