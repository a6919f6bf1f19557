import type { JsonOf } from '../../clients/typescript/src/types.ts';

/** What keys were used for in the last thirty days. */
export type Stats = JsonOf<'summarize_api_keys'>;
export type DayStats = NonNullable<Stats['requests_by_day']>[number];
/** What the account may use, and uses; null: unknown. */
export type Share = Stats['limits']['requests_per_minute'];

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
