import { type SQL, sql } from 'drizzle-orm';
import { activeRelease, areas, boundaries, type boundarySet, dataReleases } from './schema/geography.ts';

// Scripts import this file, so it must not import the client.

type BoundarySet = (typeof boundarySet.enumValues)[number];

interface LevelCount {
  level: string;
  count: number;
}

/** What users would lose if a release took the place of the active one. */
export interface ReleaseLoss {
  /** Id of the active release. */
  active: string;
  /** The boundary set of the active release, and that of the other one. */
  from: BoundarySet;
  to: BoundarySet;
  /** How many fewer areas have a boundary, by level from regions down. */
  fewer: LevelCount[];
  /** How many fewer areas there are, by level, where that is more than the country changes by. */
  areas: LevelCount[];
  /** Attributes that fewer areas have. */
  attributes: { attribute: string; count: number }[];
}

const ATTRIBUTES = ['population', 'population_history', 'income_class', 'urban_rural', 'area_km2'] as const;

/** The share of the areas of a level, of their boundaries and of the values of an attribute that a release may lack. */
const MAX_LOSS = 0.01;

/**
 * Counts what the active release and another one have. No row where these are one, none is active, or the checks of the
 * other one were never completed.
 * The columns are those of `LossRow`.
 */
export function lossCounts(releaseId: string): SQL {
  const counts = ATTRIBUTES.map((name) => `'${name}', count(${name})`).join(', ');
  const countsOf = (release: SQL) => sql`(
    select coalesce(json_object_agg(level, members), '{}') from (
      select level, json_build_object('areas', count(*), ${sql.raw(counts)}) as members
      from ${areas} where release_id = ${release} group by level
    ) levels)`;
  const drawnOf = (release: SQL) => sql`(
    select coalesce(json_object_agg(level, drawn), '{}') from (
      select level, count(*) as drawn from ${boundaries}
      where release_id = ${release} and resolution = 'simple' group by level
    ) levels)`;
  return sql`select served.id as active, served.boundary_set as "from", other.boundary_set as "to",
      ${countsOf(sql`served.id`)} as before, ${countsOf(sql`other.id`)} as after,
      ${drawnOf(sql`served.id`)} as drawn_before, ${drawnOf(sql`other.id`)} as drawn_after
    from ${activeRelease} active join ${dataReleases} served on served.id = active.release_id
    join ${dataReleases} other on other.id = ${releaseId} and other.id <> served.id
      and other.checked_at is not null`;
}

type Counts = Record<string, Record<string, number> | undefined>;

export interface LossRow extends Pick<ReleaseLoss, 'active' | 'from' | 'to'> {
  before: Counts;
  after: Counts;
  drawn_before: Record<string, number>;
  drawn_after: Record<string, number>;
}

const SETS: readonly BoundarySet[] = ['none', 'display', 'full'];

const LEVELS = ['region', 'province', 'municity', 'submunicipality', 'barangay'];

/** What users would lose; null where that is nothing to speak of. Pure. */
export function lossOf({ active, from, to, before, after, drawn_before, drawn_after }: LossRow): ReleaseLoss | null {
  const isWorse = SETS.indexOf(to) < SETS.indexOf(from);
  const noticed = (was: number, is: number, least: number) => was - is > least * was;
  const fewerOf = (was: (level: string) => number, is: (level: string) => number, least: number) =>
    LEVELS.flatMap((level) =>
      noticed(was(level), is(level), least) ? [{ level, count: was(level) - is(level) }] : [],
    );
  const fewer = fewerOf(
    (level) => drawn_before[level] ?? 0,
    (level) => drawn_after[level] ?? 0,
    isWorse ? 0 : MAX_LOSS,
  );
  const areaCounts = fewerOf(
    (level) => before[level]?.areas ?? 0,
    (level) => after[level]?.areas ?? 0,
    MAX_LOSS,
  );
  // By level: what all provinces lose is next to nothing among barangays.
  const attributes = ATTRIBUTES.flatMap((attribute) => {
    const valuesIn = (counts: Counts) => (level: string) => counts[level]?.[attribute] ?? 0;
    const lost = fewerOf(valuesIn(before), valuesIn(after), MAX_LOSS);
    const count = lost.reduce((sum, it) => sum + it.count, 0);
    return count > 0 ? [{ attribute, count }] : [];
  });
  if (!isWorse && fewer.length + areaCounts.length + attributes.length === 0) return null;
  return { active, from, to, fewer, areas: areaCounts, attributes };
}

/** The words for one area of a level, and for several. */
const NOUNS: Readonly<Record<string, readonly [string, string]>> = {
  region: ['region', 'regions'],
  province: ['province', 'provinces'],
  municity: ['city or municipality', 'cities and municipalities'],
  submunicipality: ['sub-municipality', 'sub-municipalities'],
  barangay: ['barangay', 'barangays'],
};

/** A number of areas for people to read: `1,642 cities and municipalities`. */
export function countInWords(count: number, level: string): string {
  return `${count.toLocaleString('en')} ${NOUNS[level]?.[count === 1 ? 0 : 1] ?? level}`;
}

/** What would be lost, each in some words. */
export function lossesInWords({ from, to, fewer, areas: gone, attributes }: ReleaseLoss): string[] {
  const counts = (list: readonly LevelCount[]) => list.map(({ level, count }) => countInWords(count, level)).join(', ');
  return [
    ...(from === 'full' && to !== 'full' ? ['reverse geocoding and neighbours'] : []),
    ...(from === 'display' && to === 'none' && fewer.length === 0 ? ['the boundaries for display'] : []),
    ...(fewer.length > 0 ? [`the boundaries of ${counts(fewer)}`] : []),
    ...(gone.length > 0 ? [counts(gone)] : []),
    ...attributes.map(({ attribute, count }) => `${attribute} of ${count.toLocaleString('en')} areas`),
  ];
}
