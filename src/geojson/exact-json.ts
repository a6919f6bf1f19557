declare global {
  // ECMAScript's "JSON.parse source text access", which TypeScript's library does not know yet.
  interface JSON {
    rawJSON(text: string): object;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/** Every number that a double has not all digits of has sixteen of them in a row, with a point among them or without. */
const MANY_DIGITS = /\d{16}|[\d.]{17}/;

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
    typeof value === 'number' && Number.isFinite(value) && source.length > 15 && String(value) !== source
      ? JSON.rawJSON(source)
      : value,
  );
}
