declare global {
  // ECMAScript's "JSON.parse source text access", which TypeScript's library does not know yet.
  interface JSON {
    rawJSON(text: string): object;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/**
 * Every number that a double has not all digits of has sixteen of them in a row, with a point among them or without, or is
 * too small, with an exponent of three digits.
 */
const MANY_DIGITS = /\d{16}|[\d.]{17}|e-\d{3}/i;

/** Doubles nearer to zero than this have fewer digits than others. */
const LEAST = 2 ** -1022;

/** Whether JSON text may have a number that a double has not all digits of. */
export function mayHaveLongNumbers(json: string): boolean {
  return MANY_DIGITS.test(json);
}

/**
 * The value of JSON text. Numbers that a double has not all digits of are objects that `JSON.stringify` writes as the
 * text that they had; all others are numbers.
 *
 * @throws SyntaxError where the text is not JSON
 */
export function parseExactly(json: string): unknown {
  if (!mayHaveLongNumbers(json)) return JSON.parse(json);
  return JSON.parse(json, (_, value, { source = '' }) =>
    typeof value === 'number' && isRounded(value, source) ? JSON.rawJSON(source) : value,
  );
}

/** Whether a double may not have all digits of the text that it was read from. One that became infinite counts as none. */
function isRounded(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  if (source.length <= 15 && (Math.abs(value) >= LEAST || /^-?[0.]+(e|$)/i.test(source))) return false;
  return String(value) !== source;
}
