import { on } from 'node:events';
import { Worker } from 'node:worker_threads';

type Made<Result> = Result extends AsyncIterable<infer Item> ? Item : Awaited<Result>;

/**
 * Calls a function in a thread of its own that begins at once.
 *
 * @param name of the function among the exports of the module
 * @returns what the function makes, as it does; it throws where the thread failed
 */
export function inThread<Work extends (...given: never[]) => unknown>(
  module: URL,
  name: string,
  ...given: Parameters<Work>
): AsyncIterable<Made<ReturnType<Work>>> {
  const thread = new Worker(new URL('./thread-main.ts', import.meta.url), {
    workerData: { module: module.href, name, given },
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
