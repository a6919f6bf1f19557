/** A number as files write it. A code with leading zeros is none. */
const NUMERAL = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;
/** A number as people type it, with commas between thousands. */
const GROUPED = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;
/** A number with a decimal comma. One with three digits behind it is rather one with thousands. */
const WITH_COMMA = /^-?((0|[1-9]\d*),(\d{1,2}|\d{4,})|0,\d+)$/;
/** What people write around a number: pesos before it, and a percent sign behind it. */
const AROUND = /^\s*(?:(?:₱|PHP|Php)\s*)?(.*?)\s*%?\s*$/su;
/** What people write where there is no number. */
const NO_NUMBER =
  /^\s*(n\/?a|n\.a\.?|nan|null|none|nil|no data|not available|wala|walang datos|[-–—*?]+|\.{2,3}|…)?\s*$/iu;
/** A code of the PSGC, ten digits. Files with numbers have lost its leading zero. */
const PSGC = /^\d{9,10}$/;
/** The sign of negative numbers in print. A hyphen, which programs have for it, is shorter than a plus. */
export const MINUS = '\u2212';
/** Max digits of a whole number that a double keeps. A longer one is a code. */
export const MAX_DIGITS = 15;

/** A value as text. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

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

/** No number is longer. */
const MAX_LENGTH = 40;

function isLong(digits: string): boolean {
  return /^-?\d+$/.test(digits) && digits.replace('-', '').length > MAX_DIGITS;
}

/** Whether a text has only digits, and is yet no number, such as a code with leading zeros. */
export function isCode(value: unknown): boolean {
  return typeof value === 'string' && /^\d+$/.test(value) && numberOf(value) === undefined;
}

/** The code of the PSGC that a value is, with its leading zero; undefined if it is none. */
export function codeOf(value: unknown): string | undefined {
  const text = textOf(value);
  return PSGC.test(text) ? text.padStart(10, '0') : undefined;
}

/** Whether a value says nothing where numbers are expected: it is blank, or a sign or a word for that. */
export function saysNoNumber(value: unknown): boolean {
  return isMissing(value) || (typeof value === 'string' && value.length <= MAX_LENGTH && NO_NUMBER.test(value));
}

export function isMissing(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

const WITH_GROUPS = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });
const PLAIN = new Intl.NumberFormat('en', { maximumSignificantDigits: 6, useGrouping: false });

const ROUNDED = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** A number that was computed, for people: nobody needs more than three of its digits. */
export function roundedOf(value: number): string {
  return withMinus(ROUNDED.format(value));
}

/** A number of the data, for people. @param isAmount whether it has commas between its thousands: years and codes have none */
export function amountOf(value: number, isAmount = true): string {
  return withMinus((isAmount ? WITH_GROUPS : PLAIN).format(value));
}

/** The text of a number with a minus in place of each hyphen. */
export function withMinus(text: string): string {
  return text.replace(/-(?=[\d.])/g, MINUS);
}

/** A value of the data, for people: an amount has commas between its thousands and a minus, and everything else is as it is. */
export function wordOfValue(value: unknown, isAmount: boolean): string {
  const text = textOf(value);
  if (!isAmount || numberOf(value) === undefined) return text;
  return withMinus(text.replace(/^[^\d.]*\d{4,}(?!.*e)/i, (start) => start.replace(/\B(?=(\d{3})+$)/g, ',')));
}
