import { nameKey } from './names.ts';
import type { Area, Level } from './store.ts';

/** The National Capital Region has no provinces, so it stands in for one wherever a province is requested. */
const NCR = '1300000000';

const NCR_CODES = new Set([NCR, '130000000']);
const NCR_NAMES = new Set(['ncr', 'metro manila', 'national capital region', 'national capital region ncr']);

/** Whether a province filter means the National Capital Region. */
export function isNcr(parent: { readonly code: string } | { readonly name: string }): boolean {
  return 'code' in parent ? NCR_CODES.has(parent.code) : NCR_NAMES.has(nameKey(parent.name));
}

/**
 * The first two digits of every region that is or once was: the PSGC has numbered them from 01 without a gap, and 19 is
 * the newest. Of these 15 (ARMM) is no more, 18 (Negros Island) was none from 2017 to 2024, and 04 was once Southern
 * Tagalog with what 17 is now. A region that is newer is known by its own codes, which need no rule.
 */
const REGION = /^(0[1-9]|1\d)/;

/**
 * What is left of a code when its region is taken away: the last eight digits, unique in the country below regions.
 * Nine-digit codes have two digits for the province where ten-digit ones have three.
 * Null where the rule does not apply: what begins like no region was never a code, such as one that a spreadsheet has
 * taken the first zero of.
 */
export function localCode(level: Area['level'], code: string): string | null {
  if (level === 'region' || !REGION.test(code)) return null;
  if (code.length === 10) return code.slice(2);
  if (code.length === 9) return `0${code.slice(2)}`;
  return null;
}

/** Whether a code looks as if a spreadsheet had taken it for a number: nine digits that begin like no region. */
export function lacksZero(code: string): boolean {
  return code.length === 9 && !REGION.test(code) && REGION.test(`0${code}`);
}

/** The level that a code has by its form: two digits for the region, three for the province, two and three for the rest. */
export function likelyLevel(code: string): Level {
  const digits = code.length === 9 ? `${code.slice(0, 2)}0${code.slice(2)}` : code.padStart(10, '0');
  if (!digits.endsWith('000')) return 'barangay';
  // A city that belongs to no province has a number above those of provinces in place of one.
  if (digits.slice(5, 7) !== '00' || Number(digits.slice(2, 5)) > 299) return 'municity';
  return digits.slice(2, 5) === '000' ? 'region' : 'province';
}
