import { EDITION_ID } from '../../src/areas/edition-id.ts';
import { LEVEL_NAMES, LEVELS, type Level } from '../shared/levels.ts';

/** The level and code of an area. */
export interface Place {
  readonly level: Level;
  readonly code: string;
}

/**
 * The fragment of a place, or of the whole country.
 *
 * @param edition `2023-4q`: as it was in this edition, in place of the current one
 */
export function fragmentOf(place: Place | undefined, edition?: string): string {
  return ofEdition(place ? `#/${LEVELS[place.level].plural}/${place.code}` : '#/', edition);
}

/** The place in a fragment. Any other fragment stands for the whole country. */
export function placeAt(fragment: string): Place | undefined {
  const [, plural, code] = /^#\/([a-z]+)\/(\d{1,15})(?:\?.*)?$/.exec(fragment) ?? [];
  const level = LEVEL_NAMES.find((name) => LEVELS[name].plural === plural);
  return level && code ? { level, code } : undefined;
}

/** The edition in a fragment, such as `2023-4q`. Any other fragment stands for the current one. */
export function editionAt(fragment: string): string | undefined {
  const edition = /[?&]edition=([^&]*)/.exec(fragment)?.[1] ?? '';
  return EDITION_ID.test(edition) ? edition.toLowerCase() : undefined;
}

/** A URL with the edition that it is answered from. Without an edition it is that of the current one. */
export function ofEdition(address: string, edition: string | undefined): string {
  return edition === undefined ? address : `${address}${address.includes('?') ? '&' : '?'}edition=${edition}`;
}

export type Box = readonly [west: number, south: number, east: number, north: number];

/** The extent of the whole country. */
export const COUNTRY: Box = [116.7, 4.4, 126.8, 21.2];

/** An area as the service describes it. Members that other levels have are missing. */
export interface Area {
  readonly code: string;
  readonly name: string;
  readonly population: number | null;
  readonly population_year: number | null;
  readonly centroid: readonly [number, number] | null;
  readonly bbox: Box | null;
  readonly area_km2?: number | null;
  readonly density_km2?: number | null;
  readonly income_class?: string | null;
  readonly type?: string | null;
  readonly city_class?: string | null;
  readonly urban_rural?: 'U' | 'R' | null;
  readonly r_code?: string | null;
  readonly p_code?: string | null;
  readonly host_province_code?: string | null;
  readonly m_code?: string | null;
  readonly sm_code?: string | null;
  readonly former_names?: readonly string[];
  readonly province_count?: number;
  readonly municity_count?: number;
  readonly hosted_municity_count?: number;
  readonly barangay_count?: number;
}

/** A region's name with more characters than this is replaced by the short one in its parentheses. */
export const LONG_NAME = 24;

/** What the names of many cities begin with, and their names on a map don't. */
export const CITY_OF = 'City of ';

/** The short name of a region for a map: `Region VII (Central Visayas)` becomes `Central Visayas`. */
export function shortName(name: string): string {
  const [, outside, inside] = /^(.+?) \((.+)\)$/.exec(name) ?? [];
  if (outside === undefined || inside === undefined) return name;
  return outside.startsWith('Region ') || outside.length > LONG_NAME ? inside : outside;
}

/** Areas in the order of their list: barangays by name with numbers as numbers, `Barangay 2` before `Barangay 10`, all others as given. */
export function inListOrder(level: Level, areas: readonly Area[]): readonly Area[] {
  if (level !== 'barangay') return areas;
  const { compare } = new Intl.Collator('en', { numeric: true });
  return areas.toSorted((a, b) => compare(a.name, b.name));
}
