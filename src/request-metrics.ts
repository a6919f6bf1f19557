import type { AppContext } from './context.ts';
import { errorCodeOf } from './http/error-responses.ts';

// What is measured of each request. docs/monitoring.md has every field in a table. Nothing in it identifies the caller.

/** What this instance of the Worker has answered since its first request. */
export interface Answered {
  /** The moment of the first request, milliseconds since the epoch. */
  readonly since: number;
  /** Requests by the class of their status, such as `2xx`. */
  readonly statuses: ReadonlyMap<string, number>;
  /** Requests by the code of their error. */
  readonly errors: ReadonlyMap<string, number>;
  readonly uncounted: number;
  /** Sums over the requests, milliseconds. */
  readonly ms: number;
  readonly databaseMs: number;
}

const answered = {
  since: Date.now(),
  statuses: new Map(['1xx', '2xx', '3xx', '4xx', '5xx'].map((status) => [status, 0])),
  errors: new Map<string, number>(),
  uncounted: 0,
  ms: 0,
  databaseMs: 0,
};

export function answeredHere(): Answered {
  return answered;
}

/** The kind of the credential of a request; null where it was refused before that was known. */
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
  // An answer that the counters replaced has no error of its own.
  const code = errorCodeOf(c) ?? (status === 429 ? 'rate_limit_exceeded' : '');
  const database = c.get('deadline')?.database;
  const isUncounted = c.get('uncounted') !== undefined;
  if (answered.since === 0) answered.since = Date.now();
  add(answered.statuses, statusClass);
  if (code !== '') add(answered.errors, code);
  if (isUncounted) answered.uncounted += 1;
  answered.ms += ms;
  answered.databaseMs += database?.ms ?? 0;
  const cached = c.get('cached');
  try {
    // The binding is optional, which its generated type does not say.
    (c.env.METRICS as Env['METRICS'] | undefined)?.writeDataPoint({
      indexes: [c.get('operation') ?? 'none'],
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
