import type { LevelName } from '../../clients/typescript/src/types.ts';
import { number } from './format.ts';

/** The words for a level. Everything else about the levels is the same. */
export interface LevelWords {
  /** Segment of fragments, slug of the tile archive, and name of its layer. */
  readonly plural: string;
  /** Segment of the service's URLs. */
  readonly path: string;
  readonly noun: string;
  readonly nouns: string;
}

export type Level = LevelName;

export const LEVELS: Readonly<Record<Level, LevelWords>> = {
  region: { plural: 'regions', path: 'regions', noun: 'Region', nouns: 'Regions' },
  province: { plural: 'provinces', path: 'provinces', noun: 'Province', nouns: 'Provinces' },
  municity: {
    plural: 'municities',
    path: 'municities',
    noun: 'City or municipality',
    nouns: 'Cities and municipalities',
  },
  submunicipality: {
    plural: 'submunicipalities',
    path: 'municities',
    noun: 'Sub-municipality',
    nouns: 'Sub-municipalities',
  },
  barangay: { plural: 'barangays', path: 'barangays', noun: 'Barangay', nouns: 'Barangays' },
};

export const LEVEL_NAMES = Object.keys(LEVELS) as Level[];

/** How many of some things are of which level, where they are of several; empty where they are of one. */
export function levelsText(what: string, counts: readonly (readonly [Level, number])[]): string {
  if (counts.length < 2) return '';
  const parts = counts
    .toSorted(([, a], [, b]) => b - a)
    .map(([level, count]) => `${number(count)} ${LEVELS[level][count === 1 ? 'noun' : 'nouns'].toLowerCase()}`);
  return `${what} are of different levels: ${parts.join(', ')}.`;
}

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
