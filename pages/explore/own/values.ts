/** A number as files write it. A code with leading zeros is none. */
const NUMERAL = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;
/** A number as people type it, with commas between thousands. */
const GROUPED = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;
/** The most digits of a whole number that a double keeps. A longer one is a code. */
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
  if (typeof value !== 'string' || !(NUMERAL.test(value) || GROUPED.test(value))) return undefined;
  const number = Number(value.replaceAll(',', ''));
  const isCode = /^-?[\d,]+$/.test(value) && value.replace(/\D/g, '').length > MAX_DIGITS;
  return isCode || !Number.isFinite(number) ? undefined : number;
}

export function isMissing(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

const WITH_GROUPS = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });
const PLAIN = new Intl.NumberFormat('en', { maximumSignificantDigits: 6, useGrouping: false });

const ROUNDED = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** A number that was computed, for people: nobody needs more than three of its digits. */
export function roundedOf(value: number): string {
  return ROUNDED.format(value);
}

/** A number of the data, for people: small ones keep their digits, and years have no comma. */
export function amountOf(value: number): string {
  return (Math.abs(value) < 10_000 ? PLAIN : WITH_GROUPS).format(value);
}
