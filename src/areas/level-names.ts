import type { Level } from './store.ts';

/** What a level is called. */
export interface LevelNames {
  /** Path segment and tag. */
  readonly plural: string;
  /** As people say it. */
  readonly noun: string;
  readonly nouns: string;
}

export const LEVEL_NAMES: Readonly<Record<Level, LevelNames>> = {
  region: { plural: 'regions', noun: 'region', nouns: 'regions' },
  province: { plural: 'provinces', noun: 'province', nouns: 'provinces' },
  municity: { plural: 'municities', noun: 'city or municipality', nouns: 'cities and municipalities' },
  barangay: { plural: 'barangays', noun: 'barangay', nouns: 'barangays' },
};
