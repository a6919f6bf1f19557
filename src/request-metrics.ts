import type { AppContext } from './context.ts';
import { errorCodeOf } from './http/error-responses.ts';

// What is measured of each request. docs/monitoring.md has every field in a table. Nothing in it identifies the caller.

/** What this instance of the Worker has answered since its first request. */
export interface InstanceTotals {
  /** The moment of the first request, milliseconds since the epoch. */
  readonly since: number;
  /** Requests by the class of their status, such as `2xx`. */
  readonly statuses: ReadonlyMap<string, number>;
  /** Requests by the code of their error. */
  readonly errors: ReadonlyMap<string, number>;
  /** Requests that the counter did not count, because it did not answer. */
  readonly uncounted: number;
  /** Sums over the requests, milliseconds. */
  readonly ms: number;
  readonly databaseMs: number;
}

const totals = {
  since: Date.now(),
  statuses: new Map(['1xx', '2xx', '3xx', '4xx', '5xx'].map((status) => [status, 0])),
  errors: new Map<string, number>(),
  uncounted: 0,
  ms: 0,
  databaseMs: 0,
};

export function instanceTotals(): InstanceTotals {
  return totals;
}

/**
 * The kind of the credential: `anonymous` also where an operation is public; null where it was refused or no operation was
 * reached.
 */
export function credentialOf(c: AppContext): string | null {
  const principal = c.get('principal');
  return (principal?.kind === 'bearer' ? principal.credential : principal?.kind) ?? null;
}

/**
 * Counts an answered request, and writes its data point where the platform stores them. Nothing is waited for.
 *
 * @param ms how long it took until the answer began, milliseconds
 * @returns why the platform refused the data point; undefined where it did not
 */
export function measure(c: AppContext, ms: number): unknown {
  const { status, headers } = c.res;
  const statusClass = `${Math.floor(status / 100)}xx`;
  const code = errorCodeOf(c) ?? '';
  const database = c.get('deadline')?.database;
  const isUncounted = c.get('uncounted') !== undefined;
  // While modules load, the clock of Workers stands at 0.
  if (totals.since === 0) totals.since = Date.now();
  add(totals.statuses, statusClass);
  if (code !== '') add(totals.errors, code);
  if (isUncounted) totals.uncounted += 1;
  totals.ms += ms;
  totals.databaseMs += database?.ms ?? 0;
  const cached = c.get('cached');
  try {
    // The binding is optional, which its generated type does not say.
    (c.env.METRICS as Env['METRICS'] | undefined)?.writeDataPoint({
      indexes: [c.get('operation') ?? 'none'],
      // Queries know fields by position: add new ones at the end, and to the table of docs/monitoring.md.
      blobs: [
        statusClass,
        code,
        credentialOf(c) ?? '',
        cached === undefined ? '' : cached ? 'hit' : 'miss',
        c.get('areas') ?? '',
        c.get('release') ?? '',
        String(c.req.raw.cf?.colo ?? ''),
        c.get('config')?.VERSION?.id ?? '',
        isUncounted ? 'uncounted' : '',
      ],
      doubles: [status, ms, Number(headers.get('Content-Length') ?? 0), database?.ms ?? 0, database?.statements ?? 0],
    });
    return undefined;
  } catch (error) {
    return error;
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
