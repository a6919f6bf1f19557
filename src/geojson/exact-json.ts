declare global {
  // ECMAScript's "JSON.parse source text access", which TypeScript's library does not know yet.
  interface JSON {
    rawJSON(text: string): object;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/**
 * Matches every number that a double can't hold exactly: it has sixteen digits in a row, with or without a point, or a
 * negative exponent of three digits.
 */
const MANY_DIGITS = /\d{16}|[\d.]{17}|e-\d{3}/i;

/** Doubles nearer to zero than this are subnormal and have fewer digits. */
const MIN_NORMAL = 2 ** -1022;

/** Whether JSON text may contain a number that a double can't hold exactly. */
export function mayHaveLongNumbers(json: string): boolean {
  return MANY_DIGITS.test(json);
}

/**
 * Parses JSON text. Numbers that a double can't hold exactly become objects that `JSON.stringify` writes as their
 * original text; all others are numbers.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function parseExactly(json: string): unknown {
  if (!mayHaveLongNumbers(json)) return JSON.parse(json);
  return JSON.parse(json, (_, value, { source = '' }) =>
    typeof value === 'number' && isRounded(value, source) ? JSON.rawJSON(source) : value,
  );
}

/** Whether a double may lack digits of its source text. False for a double that became infinite. */
function isRounded(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  if (source.length <= 15 && (Math.abs(value) >= MIN_NORMAL || /^-?[0.]+(e|$)/i.test(source))) return false;
  return String(value) !== source;
}
