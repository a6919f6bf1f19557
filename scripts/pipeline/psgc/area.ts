import type { areaLevel, codeChange } from '../../../src/db/schema/geography.ts';
import type { Source } from '../../../src/db/source.ts';
import type { CityClass, Problem, Publication, RegionSummary } from './publication.ts';

export type AreaLevel = (typeof areaLevel.enumValues)[number];

/** A row of `areas` without what only boundaries can tell. */
export interface Area {
  level: AreaLevel;
  code: string;
  name: string;
  nameKey: string;
  type: 'City' | 'Municipality' | null;
  cityClass: CityClass | null;
  /** Region, province, host province, municity and sub-municipality: ancestors only, never the area itself. */
  rCode: string | null;
  pCode: string | null;
  hostProvinceCode: string | null;
  mCode: string | null;
  smCode: string | null;
  urbanRural: 'U' | 'R' | null;
  population: number | null;
  provinceCount: number;
  municityCount: number;
  hostedMunicityCount: number;
  barangayCount: number;
}

/** A code that once named an area, and the code that stands for it now. An abolished one can have several. */
export interface CodeAlias {
  level: AreaLevel;
  alias: string;
  code: string;
  change: (typeof codeChange.enumValues)[number];
}

/** A complete set of areas with everything they are found by, ready to be checked and written. */
export interface Release {
  edition: string;
  sources: Source[];
  /** By level from regions down, then by code. */
  areas: Area[];
  names: { level: AreaLevel; code: string; key: string; former: boolean }[];
  formerNames: { code: string; name: string }[];
  aliases: CodeAlias[];
  ignored: Publication['ignored'];
  repairs: string[];
  /** Found on the way here; the checks find more. */
  problems: Problem[];
  summary: RegionSummary[];
  /** How many areas were published as Special Government Units, which a summary may leave out. */
  specialGovernmentUnits: number;
}

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
