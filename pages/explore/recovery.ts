import { PsgcError } from '../shared/api.ts';

/** How long after a failure it is tried again where the browser does not notice that it is online, milliseconds. */
const PAUSE_MS = 15_000;

/** The longest time that the service may ask for before a page goes on by itself, seconds. */
const LONGEST_S = 60;

const waiting = new Set<() => unknown>();
let timer: number | undefined;

/** The timers of what the service asked to repeat later. */
const later = new Map<() => unknown, number>();

/** Whether an error is that of a request that got no answer. */
function isUnanswered(error: unknown): boolean {
  return error instanceof PsgcError && error.code === 'network_error';
}

/** Seconds after which the service may be asked again, where a page waits for that; undefined for any other error. */
export function waitOf(error: unknown): number | undefined {
  const { status, retryAfter } = error as Partial<PsgcError>;
  const isBusy = (status === 429 || status === 503) && retryAfter !== undefined && retryAfter <= LONGEST_S;
  return isBusy ? Math.max(retryAfter, 1) : undefined;
}

/**
 * Repeats what failed where another try may succeed: as soon as there may be an answer again, or when the service said.
 *
 * @param retry called once; what fails again has to be passed again
 */
export function recover(error: unknown, retry: () => unknown): void {
  const wait = waitOf(error);
  if (isUnanswered(error)) whenReachable(retry);
  if (wait === undefined) return;
  forgetRetry(retry);
  const go = () => {
    later.delete(retry);
    retry();
  };
  later.set(retry, window.setTimeout(go, wait * 1000));
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

/** Gives up what `whenReachable` and `recover` would repeat. */
export function forgetRetry(retry: () => unknown): void {
  waiting.delete(retry);
  clearTimeout(later.get(retry));
  later.delete(retry);
}

function retryAll(): void {
  clearTimeout(timer);
  timer = undefined;
  const all = [...waiting];
  waiting.clear();
  for (const retry of all) retry();
}

addEventListener('online', retryAll);
