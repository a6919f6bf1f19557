import type { MockInstance } from 'vitest';

/**
 * The bodies of the requests that the Worker has made, by a spy on `fetch`: mostly statements to the database. Without
 * those that write down usage, which the counters of other tests' keys send when they see fit.
 */
export function bodiesOf(fetched: MockInstance<typeof fetch>): string[] {
  return fetched.mock.calls.map(([, init]) => String(init?.body)).filter((body) => !body.includes('usage_batches'));
}
