/** What the page shows of a level; everything else about the four is the same. */
export interface LevelWords {
  /** Segment of addresses, name of the tile archive and of its layer. */
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

/** An area by its level and code. */
export interface Place {
  readonly level: Level;
  readonly code: string;
}

/** The fragment that leads to a place, or to the whole country. */
export function hashOf(place: Place | undefined): string {
  return place ? `#/${LEVELS[place.level].plural}/${place.code}` : '#/';
}

/** The place that a fragment leads to. What is no place leads to the whole country. */
export function placeAt(hash: string): Place | undefined {
  const [, plural, code] = /^#\/([a-z]+)\/(\d{1,15})$/.exec(hash) ?? [];
  const level = LEVEL_NAMES.find((name) => LEVELS[name].plural === plural);
  return level && code ? { level, code } : undefined;
}

export type Box = readonly [west: number, south: number, east: number, north: number];

/** A record as the service answers it; members of other levels are missing. */
export interface Area {
  readonly code: string;
  readonly name: string;
  readonly population: number | null;
  readonly centroid: readonly [number, number] | null;
  readonly bbox: Box | null;
  readonly type?: string;
  readonly city_class?: string | null;
  readonly urban_rural?: 'U' | 'R' | null;
  readonly r_code?: string | null;
  readonly p_code?: string | null;
  readonly host_province_code?: string | null;
  readonly m_code?: string;
  readonly former_names?: readonly string[];
  readonly province_count?: number;
  readonly municity_count?: number;
  readonly hosted_municity_count?: number;
  readonly barangay_count?: number;
}

const CLASSES: Readonly<Record<string, string>> = {
  HUC: 'Highly urbanized city',
  ICC: 'Independent component city',
  CC: 'Component city',
};

/** What an area is, as people say it. */
export function kindOf(level: Level, { type, city_class }: Area): string {
  return CLASSES[city_class ?? ''] ?? (level === 'municity' && type ? type : LEVELS[level].noun);
}

/** Names with more characters give way to the short one in their parentheses. */
export const LONG_NAME = 24;

/** The short name of a region: `Region VII (Central Visayas)` is Central Visayas on a map. */
export function shortName(name: string): string {
  const [, outside, inside] = /^(.+?) \((.+)\)$/.exec(name) ?? [];
  if (outside === undefined || inside === undefined) return name;
  return outside.startsWith('Region ') || outside.length > LONG_NAME ? inside : outside;
}
