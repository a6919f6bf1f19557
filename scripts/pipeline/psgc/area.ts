import type { Area as ServedArea } from '../../../src/areas/store.ts';
import type { DataSource } from '../../../src/db/columns.ts';
import type { areaLevel, codeChange } from '../../../src/db/schema/geography.ts';
import type { Census, CityClass, Problem, Publication, RegionSummary } from './publication.ts';

export type AreaLevel = (typeof areaLevel.enumValues)[number];

/** A row of `areas` without the columns that are derived from boundaries. */
export interface Area extends Omit<ServedArea, Derived> {
  nameKey: string;
  /** `SGU`: a Special Government Unit, as older editions have in place of some municipalities. */
  type: 'City' | 'Municipality' | 'SGU' | null;
  cityClass: CityClass | null;
  urbanRural: 'U' | 'R' | null;
  /** Every census of the list, the oldest first. */
  populations: Census[];
  /** The footnotes of the list. */
  notes: string[];
  /** The nine-digit code as published. */
  correspondence: string | null;
}

type Derived = 'id' | 'areaKm2' | 'densityKm2' | 'centroid' | 'bbox' | 'validity' | 'boundaryBytes' | 'boundary';

/** A code that once named an area, and the code that replaces it now. A code of an abolished area can have several. */
export interface CodeAlias {
  level: AreaLevel;
  alias: string;
  code: string;
  change: (typeof codeChange.enumValues)[number];
}

/** A former name of an area or of a part of it. */
export interface FormerName {
  code: string;
  name: string;
  /** The last edition that has the name there; null where none is known that has. */
  until?: string | null;
  /** The first edition in which the area has the name of today; null where none is known that has another. */
  since?: string | null;
}

/** A complete set of areas with the names and codes by which they are found, ready to be checked and written. */
export interface Release {
  edition: string;
  sources: DataSource[];
  /** By level from regions down, then by code. */
  areas: Area[];
  names: { level: AreaLevel; code: string; key: string; former: boolean }[];
  formerNames: FormerName[];
  aliases: CodeAlias[];
  ignored: Publication['ignored'];
  repairs: string[];
  publishedOn: string | null;
  /** Faults for which the release can't be loaded, so far; the checks find more. */
  problems: Problem[];
  /** Repaired faults, and faults that don't prevent loading the release; the checks find more. */
  warnings: Problem[];
  summary: RegionSummary[];
}
