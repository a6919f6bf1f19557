import { textOf } from '../../shared/values.ts';

/** A column is of shares where its name says so. */
const NAMED = /%|(?:^|[^a-z])(?:per ?cent|porsy?i?ento|pct(?![a-z]))/i;

/** Whether a name says that it is of shares: numbers that are divided already. */
export function saysShare(name: string): boolean {
  return NAMED.test(name);
}

/** Whether a column is of shares, by its name or by the sign at one of its values. */
export function isOfShares(name: string, values: readonly unknown[]): boolean {
  return saysShare(name) || values.some((value) => typeof value === 'string' && textOf(value).trim().endsWith('%'));
}
