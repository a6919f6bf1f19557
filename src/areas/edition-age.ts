import { z } from '@hono/zod-openapi';
import { dayText } from '../day-text.ts';
import { compareEditions } from './edition-id.ts';

const DAY_MS = 86_400_000;

/** A list is as new as it can be for so many whole months: the PSA publishes one every quarter. */
const MONTHS_OF_NEWEST = 3;

export const ageSchema = z.object({
  as_of: z.string().openapi({
    description: 'Reference date of the edition: the last day of its quarter, or a day of its month',
    example: '2026-09-30',
  }),
  age_days: z.int().min(0).openapi({ description: 'Age of the list today (UTC), days', example: 62 }),
  newer_likely: z.boolean().openapi({
    description:
      'Set for the newest edition here from its fourth month on: the PSA has probably published a newer list',
    example: false,
  }),
  newer_edition: z.string().nullable().openapi({
    description: 'The newest edition here, if this one is older',
    example: null,
  }),
  notice: z.string().openapi({
    description: 'The same, as a sentence',
    example: 'PSGC list of 30 Sep 2026, 2 months old.',
  }),
});

interface AgedEdition {
  /** `2026-3q`, or `2025-07` where the list is of a month. */
  readonly id: string;
  /** The day that its list says it is of; null for the last one of its quarter or month. */
  readonly day: string | null;
  /** The newest edition besides it. */
  readonly newest?: string | undefined;
}

/**
 * How old the list of an edition is, and whether there is a newer one.
 *
 * @param now milliseconds since the epoch
 * @throws RangeError if the edition has neither such an id nor a day
 */
export function ageOf({ id, day, newest = id }: AgedEdition, now: number): z.output<typeof ageSchema> {
  const [, year, quarter, month] = /^(\d{4})-(?:([1-4])q|(\d{2}))$/.exec(id) ?? [];
  // In UTC, where day 0 of a month is the last of the month before.
  const lastDay = Date.UTC(Number(year), quarter === undefined ? Number(month) : 3 * Number(quarter), 0);
  const asOf = new Date(day ?? lastDay);
  const today = new Date(now);
  const begun = 12 * (today.getUTCFullYear() - asOf.getUTCFullYear()) + today.getUTCMonth() - asOf.getUTCMonth();
  // A month that lacks the day of the list ends with the last one that it has.
  const isLastDay = new Date(now + DAY_MS).getUTCDate() === 1;
  const months = Math.max(0, begun - (today.getUTCDate() < asOf.getUTCDate() && !isLastDay ? 1 : 0));
  const newer = compareEditions(newest, id) > 0 ? newest : null;
  // From the day after the list's, so that a list of a quarter is of the newest one until the next has ended.
  const outdated = new Date(asOf.getTime() + DAY_MS);
  outdated.setUTCMonth(outdated.getUTCMonth() + MONTHS_OF_NEWEST);
  const isOld = newer === null && now >= outdated.getTime();
  const age = months === 0 ? 'less than a month' : `${months} month${months === 1 ? '' : 's'}`;
  const outlook = newer === null ? '; a newer one is likely' : `; ${newer} is newer`;
  return {
    as_of: asOf.toISOString().slice(0, 10),
    age_days: Math.max(0, Math.floor((now - asOf.getTime()) / DAY_MS)),
    newer_likely: isOld,
    newer_edition: newer,
    notice: `PSGC list of ${dayText(asOf.toISOString())}, ${age} old${isOld || newer !== null ? outlook : ''}.`,
  };
}

/** The day that an answer with the age of a list is valid for: `2026-12-31`. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
