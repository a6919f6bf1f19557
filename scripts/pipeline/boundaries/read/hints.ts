import type { Resolution } from '../../../../src/areas/store.ts';
import type { AreaLevel } from '../../psgc/area.ts';
import type { SourceFeature } from './formats/format.ts';

/** Words in file names for levels, among them the levels of OCHA's common operational datasets (adm1 to adm4). */
const LEVEL_WORDS: readonly [RegExp, AreaLevel][] = [
  [/regions?|adm(?:in)?_?1|reg/, 'region'],
  [/prov(?:inces?|dists?)?|adm(?:in)?_?2/, 'province'],
  [/sub_?-?mun(?:s|icipalit(?:y|ies))?/, 'submunicipality'],
  [/muni?(?:cit(?:y|ies)|cipalit(?:y|ies)|s)?|cities|adm(?:in)?_?3/, 'municity'],
  [/barangays?|brgys?|bgys?|bgysubmuns?|adm(?:in)?_?4/, 'barangay'],
];

const RESOLUTION_WORDS: readonly [RegExp, Resolution][] = [
  [/simple|low_?-?res|0\.001/, 'simple'],
  [/medium|med_?-?res|0\.01/, 'medium'],
  [/detailed|hi(?:gh)?_?-?res|0\.1|full/, 'detailed'],
];

/** Values of a feature's level property: the PSA's abbreviations, and words. */
const LEVEL_VALUES: Readonly<Record<string, AreaLevel>> = {
  reg: 'region',
  region: 'region',
  prov: 'province',
  province: 'province',
  dist: 'province',
  city: 'municity',
  mun: 'municity',
  municity: 'municity',
  municipality: 'municity',
  sgu: 'municity',
  submun: 'submunicipality',
  submunicipality: 'submunicipality',
  bgy: 'barangay',
  brgy: 'barangay',
  barangay: 'barangay',
};

const LEVEL_PROPERTIES = ['level', 'geo_level', 'geographic_level', 'geographiclevel'];

/**
 * The level in the name of a file. The last path segment with one decides, and in it the first word:
 * `lowres/municities-province-3.json` has municities.
 */
export function levelOfName(name: string): AreaLevel | null {
  return findWord(name, LEVEL_WORDS);
}

/** The resolution in the name of a file; null if none, because its source has only one. */
export function resolutionOfName(name: string): Resolution | null {
  return findWord(name, RESOLUTION_WORDS);
}

/** The level stated by a feature or by the name of its layer. */
export function levelOfFeature({ properties, layer }: SourceFeature): AreaLevel | null {
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value !== 'string' || !LEVEL_PROPERTIES.includes(key.toLowerCase())) continue;
    const level = LEVEL_VALUES[value.trim().toLowerCase().replaceAll(/[-\s]/g, '')];
    if (level) return level;
  }
  return layer === '' ? null : levelOfName(layer);
}

/** The meaning of the first known word in the last path segment that has one. Letters and digits don't touch a word. */
function findWord<T>(name: string, words: readonly [RegExp, T][]): T | null {
  for (const segment of name.toLowerCase().split('/').reverse()) {
    let first: { index: number; meaning: T } | null = null;
    for (const [pattern, meaning] of words) {
      const match = new RegExp(`(?<![a-z0-9])(?:${pattern.source})(?![a-z0-9])`).exec(segment);
      if (match && (first === null || match.index < first.index)) first = { index: match.index, meaning };
    }
    if (first) return first.meaning;
  }
  return null;
}
