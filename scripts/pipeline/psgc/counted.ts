import type { AreaLevel } from './area.ts';

/** One and many of a level, as people say it. */
const NOUNS: Readonly<Record<AreaLevel, readonly [string, string]>> = {
  region: ['region', 'regions'],
  province: ['province', 'provinces'],
  municity: ['city or municipality', 'cities and municipalities'],
  submunicipality: ['sub-municipality', 'sub-municipalities'],
  barangay: ['barangay', 'barangays'],
};

/** A number of areas in words: `1,642 cities and municipalities`. */
export function counted(count: number, level: AreaLevel): string {
  return `${count.toLocaleString('en')} ${NOUNS[level][count === 1 ? 0 : 1]}`;
}
