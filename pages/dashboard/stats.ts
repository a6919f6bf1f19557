import type { JsonOf } from '../../clients/typescript/src/types.ts';

/** What keys were used for in the last thirty days. */
export type Stats = JsonOf<'summarize_api_keys'>;
export type DayStats = NonNullable<Stats['requests_by_day']>[number];
/** A limit of the account, and how much of it is used; null: unknown. */
export type LimitUse = Stats['limits']['requests_per_minute'];

/** The outcomes of requests that charts distinguish. */
export const OUTCOMES = ['succeeded', 'client-error', 'server-error'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** The label of the requests with an outcome. */
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
