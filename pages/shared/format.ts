import type { Sources } from '../../clients/typescript/src/types.ts';
import { dayText, withShortMonth } from '../../src/day-text.ts';

export const DAY_MS = 86_400_000;

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const NUMBER = new Intl.NumberFormat('en');

/** A day in the browser's zone, from an ISO 8601 time: `30 Nov 2026`. One without a time is the same day everywhere. */
export function day(time: string): string {
  return time.length === '2026-11-30'.length ? dayText(time) : withShortMonth(DAY.format(new Date(time)));
}

/** A day and the time in the browser's zone, from an ISO 8601 time: `30 Nov 2026, 15:04`. */
export function moment(time: string): string {
  return withShortMonth(MOMENT.format(new Date(time)));
}

/** The time of the day in the browser's zone, from an ISO 8601 time: `15:04`. */
export function clock(time: string): string {
  return CLOCK.format(new Date(time));
}

export function number(value: number): string {
  return NUMBER.format(value);
}

/** Which edition is served, how old it is, and the release, as sentences. */
export function editionSentence({ notice, release }: Pick<Sources, 'notice' | 'release'>): string {
  return `${notice} Data\u00a0release\u00a0${release.replaceAll('-', '\u2011')}.`;
}

/** A size in bytes with the unit that suits it, such as `3.4 MB`. */
export function size(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  let rest = bytes;
  let unit = 0;
  for (; rest >= 1000 && unit < units.length - 1; unit += 1) rest /= 1000;
  return `${rest < 10 && unit > 0 ? rest.toFixed(1) : Math.round(rest)} ${units[unit]}`;
}
