import { on } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Runs a module in a thread of its own that begins at once.
 *
 * @param workerData what the module is given
 * @returns what the module posts, as it does; it throws where the thread failed
 */
export function postedBy<T>(module: URL, workerData: unknown): AsyncIterable<T> {
  const thread = new Worker(module, {
    workerData,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Areas and vertices are short-lived, and more room for them saves a sixth of the time.
    resourceLimits: { maxYoungGenerationSizeMb: 192 },
  });
  // Messages are cached until they are read, and so is a failure.
  return each(on(thread, 'message', { close: ['exit'] }));
}

async function* each<T>(messages: AsyncIterable<unknown[]>): AsyncGenerator<T> {
  for await (const [message] of messages) yield message as T;
}
