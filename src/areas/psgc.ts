import { nameKey } from './names.ts';
import type { Level } from './store.ts';

/** The National Capital Region has no provinces, so it stands in for one wherever a province is asked for. */
const NCR = '1300000000';

const NCR_CODES = new Set([NCR, '130000000']);
const NCR_NAMES = new Set(['ncr', 'metro manila', 'national capital region', 'national capital region ncr']);

/** Whether a province filter means the National Capital Region. */
export function isNcr(parent: { readonly code: string } | { readonly name: string }): boolean {
  return 'code' in parent ? NCR_CODES.has(parent.code) : NCR_NAMES.has(nameKey(parent.name));
}

/**
 * What is left of a code when its region is taken away: the last eight digits, unique in the country below regions.
 * Nine-digit codes have two digits for the province where ten-digit ones have three.
 * Null where the rule does not apply.
 */
export function localCode(level: Level, code: string): string | null {
  if (level === 'region') return null;
  if (code.length === 10) return code.slice(2);
  if (code.length === 9) return `0${code.slice(2)}`;
  return null;
}
