import { DomainError } from '../errors.ts';
import { tellCounter } from '../rate-limits/counter.ts';
import { forgetExhaustion } from '../rate-limits/exhausted.ts';
import { keyCounter } from '../rate-limits/limit.ts';
import { forgetInactive } from './inactive-keys.ts';

/** How often a counter that doesn't answer is told. */
const TRIES = 3;

/**
 * Makes a change of keys take effect on their next requests: what is known of them is forgotten, by their counters and by
 * this instance. Call it before the change is answered, with the prefixes of the keys. Calling it again does no harm.
 *
 * @throws DomainError `counter_unavailable` where a counter can't be told
 */
export async function forgetKeys(meters: Env['METER'], prefixes: readonly string[]): Promise<void> {
  for (const prefix of prefixes) {
    forgetExhaustion(keyCounter(prefix));
    forgetInactive(prefix);
  }
  await Promise.all(prefixes.map((prefix) => tell(meters, prefix)));
}

async function tell(meters: Env['METER'], prefix: string): Promise<void> {
  let cause: unknown;
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      await tellCounter(meters, keyCounter(prefix), async (counter) => counter.forget());
      return;
    } catch (error) {
      cause = error;
    }
  }
  throw new DomainError(
    'counter_unavailable',
    'The counter of an API key can not be told of the change, so the key may be taken for what it was for ten minutes more. Send the request again.',
    {},
    { cause, retryAfter: 1 },
  );
}
