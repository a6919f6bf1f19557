/** A number as files write it. A code with leading zeros, or with more digits than a double has, is none. */
const NUMERAL = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;
/** The most digits of a number that a double keeps. */
export const MAX_DIGITS = 15;

/** A value as text. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The number that a value is, or that its text says; undefined if it is none. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !NUMERAL.test(value)) return undefined;
  return value.replace(/\D/g, '').length > MAX_DIGITS ? undefined : Number(value);
}

export function isMissing(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
