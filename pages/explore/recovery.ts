import { PsgcError } from '../shared/api.ts';

/** How long after a failure it is tried again where the browser does not notice that it is online, milliseconds. */
const PAUSE_MS = 15_000;

const waiting = new Set<() => unknown>();
let timer: number | undefined;

/** Whether an error is that of a request that got no answer. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof PsgcError && error.code === 'network_error';
}

/**
 * Repeats what got no answer as soon as the browser is online again, and now and then meanwhile.
 *
 * @param retry called once, however often it was passed. What fails again has to be passed again.
 */
export function whenReachable(retry: () => unknown): void {
  waiting.add(retry);
  timer ??= window.setTimeout(retryAll, PAUSE_MS);
}

/** Gives up what `whenReachable` would repeat. */
export function forgetRetry(retry: () => unknown): void {
  waiting.delete(retry);
}

function retryAll(): void {
  clearTimeout(timer);
  timer = undefined;
  const all = [...waiting];
  waiting.clear();
  for (const retry of all) retry();
}

addEventListener('online', retryAll);
