import type { DataSource } from '../../../src/db/columns.ts';

/** Geographic levels in the PSA's own abbreviations (workbook, sheet `Notes`, E). SGU: Special Government Unit. */
export type PublishedLevel = 'Reg' | 'Prov' | 'City' | 'Mun' | 'SGU' | 'SubMun' | 'Bgy';

export type CityClass = 'HUC' | 'ICC' | 'CC';

/** One area as a publication lists it. Its name is tidied; its ancestors are not known yet. */
export interface PublishedRow {
  /** Its location, for messages: `PSGC row 95`, `barangays.json #12`. */
  at: string;
  /** Ten digits; anything else is reported by the checks. */
  code: string;
  name: string;
  /** The nine-digit code that it had before 2021; null where the publication gives none. */
  correspondence: string | null;
  level: PublishedLevel;
  formerNames: string[];
  /** Null for everything but cities, and for cities where the publication doesn't say. */
  cityClass: CityClass | null;
  urbanRural: 'U' | 'R' | null;
  /** Residents by the newest census of the list; null where the list gives none. */
  population: number | null;
  /** Every census that the list gives, the oldest first. */
  populations: Census[];
  /** As published: `1st`, `4th*`. */
  incomeClass: string | null;
  /** Footnotes of the row, with their marks: `b/ including the population count of …`. */
  notes: string[];
}

/** The residents of an area by one census. */
export interface Census {
  year: number;
  population: number;
}

/** One line of a publication's own summary: how many areas of each level a region has. */
export interface RegionSummary {
  region: string;
  provinces: number;
  cities: number;
  /** Without Special Government Units in the editions whose summary leaves these out. */
  municipalities: number;
  barangays: number;
}

/** A finding about a publication. A problem refuses the load, a warning does not. */
export interface Problem {
  /** The file and row, or the area's code. */
  at: string;
  what: string;
}

export interface Publication {
  /** Quarter and year: `2Q 2025`; an interim list has its month: `July 2025`. */
  edition: string;
  source: DataSource;
  rows: PublishedRow[];
  /** Rows that are no areas, and why. */
  ignored: { row: string; why: string }[];
  /** Names that were changed, other than by trimming spaces: `Tagoloan Ii → Tagoloan II`. */
  repairs: string[];
  /** The day of publication, `2023-12-31`; null where the list doesn't say. */
  publishedOn: string | null;
  /** The census years that the list has populations of, the oldest first. */
  censusYears: number[];
  /** Faults for which the list can't be loaded. */
  problems: Problem[];
  /** Repaired faults, and faults of single cells. */
  warnings: Problem[];
  /** Empty where the publication has no summary. */
  summary: RegionSummary[];
}

/** The source of any PSGC list. The terms are the PSA's, whoever packaged the list. */
export function psaSource(edition: string, note: string | null): DataSource {
  return {
    part: 'codes',
    name: 'Philippine Standard Geographic Code (PSGC)',
    edition,
    publisher: 'Philippine Statistics Authority',
    url: 'https://psa.gov.ph/classification/psgc',
    // Sheet `Metadata` of the workbook: "Access constraints: None", "Use constraints: Acknowledgement of the
    // Philippine Statistics Authority (PSA) as the source".
    licence: 'Free to use with acknowledgement of the PSA as the source',
    attribution: `Philippine Statistics Authority, Philippine Standard Geographic Code, ${edition}`,
    note,
  };
}
