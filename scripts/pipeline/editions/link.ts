import type { AreaLevel } from '../psgc/area.ts';

/** How it is known what became of an area. */
export type Basis = 'correspondence' | 'code' | 'name' | 'geometry' | 'note';

/** What one area of an edition and one of another have in common. */
export interface Link {
  level: AreaLevel;
  from: string;
  to: string;
  /** The share of the area and of the residents of `from` that are in `to`. Those of one source add up to 1. */
  area: number;
  population: number;
  /** Whether these are estimates, because nothing measures the parts. */
  areaEstimated: boolean;
  populationEstimated: boolean;
  basis: Basis;
  /** What is said of it, for people. */
  note: string | null;
}

/** What is known of a pair of areas before shares are. */
export interface Tie {
  from: string;
  to: string;
  basis: Basis;
  note: string | null;
  /** Square kilometres that both have; undefined where boundaries don't tell. */
  common?: number | undefined;
}

export type Relation = 'same' | 'renamed' | 'recoded' | 'merged' | 'split' | 'partial' | 'none';

/** The links of each area, by its code. */
export function byCode(links: Iterable<Link>, side: 'from' | 'to'): Map<string, Link[]> {
  return Map.groupBy(links, (link) => link[side]);
}
