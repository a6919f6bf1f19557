import type { MockInstance } from 'vitest';

type Fetch = typeof fetch;

const original = globalThis.fetch;

/** Whether a request writes usage: counters of other tests' keys do that at any time. */
const writesUsage = (init: Parameters<Fetch>[1]) => String(init?.body).includes('usage_batches');

/**
 * The bodies of the requests that the Worker has made, by a spy on `fetch`: mostly statements to the database.
 *
 * @param database a part of its address: what tests of other files have begun may still ask others
 */
export function bodiesOf(fetched: MockInstance<Fetch>, database = ''): string[] {
  return fetched.mock.calls
    .filter(([, init]) => !writesUsage(init) && (!database || addressIn(init).includes(database)))
    .map(([, init]) => String(init?.body));
}

const addressIn = (init: Parameters<Fetch>[1]) => new Headers(init?.headers).get('Neon-Connection-String') ?? '';

/**
 * Replaces the answer to one of the requests that the Worker makes from now on: the one at `position`, from 1, of those
 * whose body has `text`. Others can come between, because what tests of other files have begun may still ask.
 */
export function meet(
  fetched: MockInstance<Fetch>,
  { position, text = '' }: { position: number; text?: string },
  answer: () => Promise<Response>,
): void {
  let made = 0;
  fetched.mockImplementation((input, init) => {
    if (writesUsage(init) || !String(init?.body).includes(text)) return original(input, init);
    made += 1;
    return made === position ? answer() : original(input, init);
  });
}
