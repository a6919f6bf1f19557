/** The words for a level. Everything else about the four levels is the same. */
export interface LevelWords {
  /** Segment of addresses, slug of the tile archive, and name of its layer. */
  readonly plural: string;
  readonly noun: string;
  readonly nouns: string;
}

export type Level = 'region' | 'province' | 'municity' | 'barangay';

export const LEVELS: Readonly<Record<Level, LevelWords>> = {
  region: { plural: 'regions', noun: 'Region', nouns: 'Regions' },
  province: { plural: 'provinces', noun: 'Province', nouns: 'Provinces' },
  municity: { plural: 'municities', noun: 'City or municipality', nouns: 'Cities and municipalities' },
  barangay: { plural: 'barangays', noun: 'Barangay', nouns: 'Barangays' },
};

export const LEVEL_NAMES = Object.keys(LEVELS) as Level[];

const CLASSES: Readonly<Record<string, string>> = {
  HUC: 'Highly urbanized city',
  ICC: 'Independent component city',
  CC: 'Component city',
};

const TYPES: Readonly<Record<string, string>> = { SGU: 'Special Government Unit' };

interface Kind {
  readonly type?: string | null;
  readonly city_class?: string | null;
}

/** What an area is: the class of a city, or else its type, or else its level. */
export function kindOf(level: Level, { type, city_class }: Kind): string {
  return CLASSES[city_class ?? ''] ?? (level === 'municity' && type ? (TYPES[type] ?? type) : LEVELS[level].noun);
}
