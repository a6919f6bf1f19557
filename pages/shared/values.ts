import { isMissing, MAX_DIGITS, MINUS, numberOf, saysNoNumber } from '../../src/csv/numbers.ts';

export { isMissing, MAX_DIGITS, MINUS, numberOf, saysNoNumber };

/** A code of the PSGC, ten digits. Files with numbers have lost its leading zero. */
const PSGC = /^\d{9,10}$/;

/** A value as text. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
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

/** Columns that number rows or name places by numbers, and the place of a point. A number of something is an amount. */
const NUMBERING =
  /(^|[_ .-])(id|code|psgc|fid|gid|objectid|no|num|number|blg|zip|lat|lon|lng|latitude|longitude)([_ .-](?! *(of|ng)\b)|$)/i;

/** Whether a column is called one whose numbers are no amounts: row numbers, codes, coordinates. */
export function isNumbering(heading: string): boolean {
  return NUMBERING.test(heading);
}

const YEAR = /^(year|taon|yr|date)$/i;

/** Whether a column is called one of years. */
export function saysYear(heading: string): boolean {
  return YEAR.test(heading);
}

/** So few numbers may be amounts though they count on. */
const MIN_COUNTED = 5;

/** Whether values number their rows: they count on from 1, maybe with gaps where rows were left out. */
export function countsRows(values: readonly unknown[]): boolean {
  const numbers = values.map(numberOf);
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
  const isNext = (value: number | undefined, at: number) =>
    value !== undefined && Number.isInteger(value) && (at === 0 || value > (numbers[at - 1] ?? Number.NaN));
  return numbers.length >= MIN_COUNTED && first >= 1 && last <= 2 * numbers.length && numbers.every(isNext);
}

/** Words for nothing that may be values where they stand among other words. */
const NOTHING = /^\s*(none|nil|wala)\s*$/i;

/** Whether a value says that there is none. @param isNumeric whether its column is of numbers, among which every word for nothing says so */
export function saysNoValue(value: unknown, isNumeric: boolean): boolean {
  return saysNoNumber(value) && (isNumeric || isMissing(value) || !NOTHING.test(textOf(value)));
}

/**
 * Whether the texts of a column are written as numbers into a workbook: whatever is filled is a number, but for words that say
 * there is none. Codes are none, and neither are percentages, which would lose their sign.
 */
export function areNumbers(texts: readonly string[]): boolean {
  const filled = texts.filter((text) => !saysNoNumber(text));
  const isNumber = (text: string) => numberOf(text) !== undefined && !text.includes('%');
  return filled.length > 0 && filled.every(isNumber) && !filled.every((text) => codeOf(text.trim()) !== undefined);
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
