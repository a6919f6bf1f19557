/**
 * A text that says a day or a time: a date or a date-time of RFC 3339, which tables write with a space too. It has what
 * JavaScript and PostgreSQL read as the same.
 */
export const INSTANT =
  /^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([T ]([01][0-9]|2[0-3])(:[0-5][0-9]){2}([.][0-9]{1,9})?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])?)?$/;

/** The moment that a text says, in milliseconds since 1970; null where it says none. Without a zone it is in UTC. */
export function instantIn(text: string): number | null {
  if (!INSTANT.test(text)) return null;
  const [day, time] = [text.slice(0, 8), text.slice(11)];
  const zone = time === '' || /(Z|[+-][0-9]{2}:[0-9]{2})$/.test(time) ? '' : 'Z';
  const first = Date.parse(time === '' ? `${day}01` : `${day}01T${time}${zone}`);
  return first + (Number(text.slice(8, 10)) - 1) * 86_400_000;
}
