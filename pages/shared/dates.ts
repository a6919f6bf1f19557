import { dayText, withShortMonth } from '../../src/day-text.ts';

export const DAY_MS = 86_400_000;

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** A day in the browser's zone, from an ISO 8601 time: `30 Nov 2026`. One without a time is the same day everywhere. */
export function day(time: string): string {
  return time.length === '2026-11-30'.length ? dayText(time) : withShortMonth(DAY.format(new Date(time)));
}

/** A day and the time in the browser's zone, from an ISO 8601 time: `30 Nov 2026, 15:04`. */
export function moment(time: string): string {
  return withShortMonth(MOMENT.format(new Date(time)));
}
