/** What keys were used for in the last thirty days, as the service tells it. */
export interface Stats {
  readonly total_keys: number;
  readonly total_requests: number;
  readonly avg_response_time: number;
  readonly success_rate: number;
  readonly requests_by_day?: readonly DayStats[];
  readonly requests_by_key?: readonly { key_id: string; name: string; count: number; failed: number }[];
  readonly top_endpoints?: readonly { path: string | null; count: number }[];
  readonly failures?: readonly Failure[];
  readonly limits: { readonly requests_per_minute: Share; readonly stored_bytes: Share };
}

export interface DayStats {
  readonly date: string;
  readonly count: number;
  readonly statuses: readonly { status: number; count: number }[];
}

interface Failure {
  readonly date: string;
  readonly key_id: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly count: number;
}

/** What the account may use, and uses; null: unknown. */
export interface Share {
  readonly allowed: number;
  readonly used: number | null;
}

/** What becomes of requests, as far as a chart tells them apart. */
export const OUTCOMES = ['succeeded', 'client-error', 'server-error'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** The words for many requests with an outcome. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  succeeded: 'succeeded',
  'client-error': 'client errors (4xx)',
  'server-error': 'server errors (5xx)',
};

export function outcomeOf(status: number): Outcome {
  if (status < 400) return 'succeeded';
  return status < 500 ? 'client-error' : 'server-error';
}

/** How many requests had each outcome. */
export function outcomesOf({ statuses }: Pick<DayStats, 'statuses'>): Record<Outcome, number> {
  const counts = { succeeded: 0, 'client-error': 0, 'server-error': 0 };
  for (const { status, count } of statuses) counts[outcomeOf(status)] += count;
  return counts;
}
