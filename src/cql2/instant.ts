/**
 * A text that says a day or a time: a date, or a date-time of RFC 3339 with upper-case letters, an hour up to 23, a second up to
 * 59 and an offset up to 14:59. A space may stand for the T, and the offset may be left out. PostgreSQL and JavaScript read it
 * as the same, but for what is less than a microsecond.
 */
export const INSTANT = new RegExp(
  `^${[
    // No year 0. A lookahead would take PostgreSQL twice the time.
    '([0-9]{3}[1-9]|[0-9]{2}[1-9][0-9]|[0-9][1-9][0-9]{2}|[1-9][0-9]{3})',
    '-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])',
    '([T ]([01][0-9]|2[0-3])(:[0-5][0-9]){2}([.][0-9]{1,9})?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])?)?',
  ].join('')}$`,
);

/** The moment that a text says, in milliseconds since 1970; null where it says none. Without a zone it is in UTC. */
export function instantIn(text: string): number | null {
  if (!INSTANT.test(text)) return null;
  const [day, time] = [text.slice(0, 8), text.slice(11)];
  const zone = time === '' || /(Z|[+-][0-9]{2}:[0-9]{2})$/.test(time) ? '' : 'Z';
  const first = Date.parse(time === '' ? `${day}01` : `${day}01T${time}${zone}`);
  return first + (Number(text.slice(8, 10)) - 1) * 86_400_000;
}
