/** The levels by whose areas points are counted, whose coarse boundaries need no key. */
export const COUNT_LEVELS = ['region', 'province', 'municity'] as const;
export type CountLevel = (typeof COUNT_LEVELS)[number];

/** The level that a text names; undefined for any other text. */
export function countLevelIn(text: string | null): CountLevel | undefined {
  return COUNT_LEVELS.find((level) => level === text);
}

/** Where the service counts the points of a dataset by the areas of a level. */
export function countsPath(id: string, level: string): string {
  return `/v1/datasets/${id}/counts?level=${level}`;
}

/** What a reader of counts should know of the points in no area; empty where there is nothing. */
export function remarkOnOutside(level: string, outside: number): string {
  return level === 'province' && outside > 0 ? ' Metro Manila has no provinces: its points lie in none.' : '';
}

/** How many points lie in each area by the detailed boundaries, as the service counts them. */
export interface ExactCounts {
  readonly data: readonly { readonly code: string; readonly count: number }[];
  readonly meta: Readonly<Partial<Record<string, number>>>;
}

/** The property that has how many points lie in an area. */
export const POINTS_PROPERTY = 'points';
