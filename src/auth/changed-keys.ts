import { Deadline } from '../deadline.ts';
import { DomainError } from '../errors.ts';
import { type Counter, type Counters, callCounter } from '../rate-limits/counter.ts';
import { forgetExhaustion } from '../rate-limits/exhausted.ts';
import { keyCounter } from '../rate-limits/limit.ts';
import { forgetInactive } from './inactive-keys.ts';
import { dropPermits } from './key-permits.ts';

/** How often a counter that does not answer is called. */
const MAX_TRIES = 3;

/** What a change of keys works with. */
type Changing = Counters & { waitUntil: (work: Promise<unknown>) => void };

/**
 * Changes a key so that the change takes effect on its next request.
 *
 * @throws as `changeKeys`
 */
export function changeKey<T>(changing: Changing, prefix: string, change: () => Promise<T>): Promise<T> {
  return changeKeys(changing, async () => [prefix], change);
}

/**
 * Changes keys so that the change takes effect on their next requests. Their counters forget the keys before the change and
 * again after it. The change is not made where a counter does not answer. Both also happen where the caller has gone.
 *
 * @param list gives the prefixes of the keys. It is asked afterwards too, when there may be more of them.
 * @throws DomainError `counter_unavailable`, and what the change and the list throw
 */
export function changeKeys<T>(
  { meters, deadline, waitUntil }: Changing,
  list: () => Promise<readonly string[]>,
  change: () => Promise<T>,
): Promise<T> {
  const changing = (async () => {
    await forgetKeys({ meters, deadline }, await list());
    const changed = change();
    const forgetting = changed
      .catch(() => undefined)
      .then(list)
      .then((prefixes) => forgetKeys({ meters, deadline: new Deadline('each') }, prefixes));
    waitUntil(forgetting.catch(() => undefined));
    // A counter does not cache a key again for longer than the change can take, so the answer may come first.
    await deadline.within(Number.POSITIVE_INFINITY, () => forgetting).catch(() => undefined);
    return changed;
  })();
  waitUntil(changing.catch(() => undefined));
  return changing;
}

/**
 * Makes a change of keys take effect on their next requests: their counters and this instance forget what they cached. Call it before the change is answered, with the prefixes of the keys. Calling it again does no harm.
 *
 * @throws DomainError `counter_unavailable` where a counter does not answer
 */
export async function forgetKeys(counters: Counters, prefixes: readonly string[]): Promise<void> {
  for (const prefix of prefixes) {
    forgetExhaustion(keyCounter(prefix));
    forgetInactive(prefix);
    dropPermits(prefix);
  }
  await Promise.all(
    prefixes.map((prefix) => callWithRetries(counters, keyCounter(prefix), async (counter) => counter.forget())),
  );
}

/**
 * Waits for a change, and then for the counters to be notified of it. They are notified even where the caller has
 * disconnected, so that no key and no session outlives its owner.
 *
 * @returns what the change gives
 * @throws DomainError `counter_unavailable`, after which the change must be made again, and what the change throws
 */
export async function changeAndNotify<T>(
  { deadline, waitUntil }: Pick<Changing, 'deadline' | 'waitUntil'>,
  changing: Promise<T>,
  notify: (changed: T) => Promise<unknown>,
): Promise<T> {
  const notifying = changing.then(notify);
  waitUntil(notifying.catch(() => undefined));
  const changed = await changing;
  await deadline
    .within(Number.POSITIVE_INFINITY, () => notifying)
    .catch((error) => {
      throw error instanceof DomainError ? error : counterUnavailable(error);
    });
  return changed;
}

/** Calls a counter, more than once where it does not answer. @throws DomainError `counter_unavailable` */
export async function callWithRetries(
  counters: Counters,
  name: string,
  call: (counter: Counter) => Promise<void>,
): Promise<void> {
  let cause: unknown;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      return await callCounter(counters, name, call);
    } catch (error) {
      cause = error;
    }
  }
  throw counterUnavailable(cause);
}

/** The error for a change of keys of which a counter did not hear in time. */
function counterUnavailable(cause: unknown): DomainError {
  return new DomainError(
    'counter_unavailable',
    'The counter of the key or the user can not be told of the change, which takes effect when it is. Send the request again.',
    { cause, retryAfter: 1 },
  );
}
