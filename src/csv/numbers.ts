// What is a number in a table that somebody has typed, and what stands where there is none.

/** A number as files write it. A code with leading zeros is none. */
const NUMERAL = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;
/** A number as people type it, with commas between thousands. */
const GROUPED = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;
/** A number with a decimal comma. One with three digits behind it is rather one with thousands. */
const WITH_COMMA = /^-?((0|[1-9]\d*),(\d{1,2}|\d{4,})|0,\d+)$/;
/** What people write around a number: pesos before it, and a percent sign behind it. */
const AROUND = /^\s*(?:(?:₱|PHP|Php)\s*)?(.*?)\s*%?\s*$/su;
/** What people write where there is no number. */
export const NO_NUMBER_WORDS =
  /^(n\/?a|n\.a\.?|nan|null|none|nil|no data|not available|wala|walang datos|[-–—*?]+|\.{2,3}|…)?$/iu;
/** The sign of negative numbers in print. A hyphen, which programs have for it, is shorter than a plus. */
export const MINUS = '\u2212';
/** Max digits of a whole number that a double keeps. A longer one is a code. */
export const MAX_DIGITS = 15;

/** No number, and no word for none, is longer. */
export const MAX_LENGTH = 40;

/** The number that a value is, or that its text says; undefined if it is none. */
export function numberOf(value: unknown): number | undefined {
  // A JSON text can say a number that is too large for a double.
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
  const text = (AROUND.exec(value)?.[1] ?? '').replace(MINUS, '-');
  const plain = WITH_COMMA.test(text)
    ? text.replace(',', '.')
    : NUMERAL.test(text) || GROUPED.test(text)
      ? text.replaceAll(',', '')
      : undefined;
  const number = Number(plain);
  return plain === undefined || isLong(plain) || !Number.isFinite(number) ? undefined : number;
}

function isLong(digits: string): boolean {
  return /^-?\d+$/.test(digits) && digits.replace('-', '').length > MAX_DIGITS;
}

/** Whether a value says nothing where numbers are expected: it is blank, or a sign or a word for that. */
export function saysNoNumber(value: unknown): boolean {
  return (
    isMissing(value) || (typeof value === 'string' && value.length <= MAX_LENGTH && NO_NUMBER_WORDS.test(value.trim()))
  );
}

export function isMissing(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
