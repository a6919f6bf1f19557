import { zipCodesOf } from '../zip-codes.ts';
import type { NameIndex } from './index.ts';

const LEVELS = ['municity', 'submunicipality'] as const;

const NONE: readonly number[] = [];

/** The rows of the cities, municipalities and sub-municipalities that have a ZIP code, from the highest level. */
export function areasOfZip(index: NameIndex, zip: string): readonly number[] {
  const byZip = index.cached('zip', '', () => {
    const found = new Map<string, number[]>();
    for (const level of LEVELS) {
      const { first, end } = index.source.rowsOf(level);
      for (let row = first; row < end; row += 1) {
        for (const own of zipCodesOf(index.codeOf(row))) found.set(own, [...(found.get(own) ?? []), row]);
      }
    }
    return found;
  });
  return byZip.get(zip) ?? NONE;
}
