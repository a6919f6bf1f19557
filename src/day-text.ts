const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** A day for people, from an ISO 8601 date: `30 Nov 2026`. Months have three letters. */
export function dayText(date: string): string {
  return withShortMonth(DAY.format(new Date(date)));
}

/** British English alone writes one month with four letters. */
export function withShortMonth(text: string): string {
  return text.replace('Sept', 'Sep');
}
