import type { Match } from '../../../src/names/result.ts';

/** The outcome of a row that may mean any of some areas, or none. */
export type Judged = 'right' | 'offered' | 'missed' | 'wrong likely' | 'wrong exact';

/**
 * Judges the result of a row. Of several areas none is exact; where there are none, only a result that finds nothing is
 * right.
 */
export function judged({ match, code, candidates }: Match, codes: readonly string[]): Judged {
  if (match === 'exact' || match === 'likely') {
    const isOne = code !== null && codes.includes(code);
    return isOne && (codes.length === 1 || match === 'likely') ? 'right' : `wrong ${match}`;
  }
  if (codes.length === 0 && match === 'none') return 'right';
  return candidates.some((it) => codes.includes(it.code)) ? 'offered' : 'missed';
}
