import type { Overview } from '../../shared/overview.ts';
import type { Features } from './features.ts';

/** The levels by whose areas points are counted, whose coarse boundaries need no key. */
export const COUNT_LEVELS = ['region', 'province', 'municity'] as const;
export type CountLevel = (typeof COUNT_LEVELS)[number];

/** The level that a text names; undefined for any other text. */
export function countLevelIn(text: string | null): CountLevel | undefined {
  return COUNT_LEVELS.find((level) => level === text);
}

/** How many points lie in each area by the detailed boundaries, as the service counts them. */
export interface ExactCounts {
  readonly data: readonly { readonly code: string; readonly count: number }[];
  readonly meta: Readonly<Partial<Record<string, number>>>;
}

/**
 * A dataset of no more features is counted exactly as soon as it is to be counted: that takes as many requests as it has
 * hundreds of features. Larger ones are counted so on request.
 */
const MAX_AT_ONCE = 2000;

/** Whether the points of a dataset are counted by detailed boundaries, by who may ask for it. */
export function isCountedExactly(
  { areas, isExact }: { readonly areas: CountLevel | undefined; readonly isExact: boolean },
  { canCount, features }: { readonly canCount: boolean; readonly features: number },
): boolean {
  return areas !== undefined && canCount && (isExact || features <= MAX_AT_ONCE);
}

/** What a reader of counts by coarse boundaries should know. */
export const COARSE_COUNTS =
  'Points are counted by coarse boundaries: near a border some are counted in the area beside it.';

/** The region without provinces. */
const CAPITAL_REGION = '1300000000';

/** Whether some points lie in the region without provinces, and in no province, by coarse boundaries. */
export async function areAnyInCapital(
  points: Pick<Features, 'countIn'>,
  overview: Pick<Overview, 'regions' | 'provinces'> | undefined,
): Promise<boolean> {
  const capital = overview?.regions.features.find(({ properties }) => properties?.code === CAPITAL_REGION);
  if (!overview || !capital) return false;
  const areas = [...overview.provinces.features, capital].map(({ geometry }) => geometry);
  return ((await points.countIn(areas)).counts.at(-1) ?? 0) > 0;
}

/** The property that has how many points lie in an area. */
export const POINTS_PROPERTY = 'points';
