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

/** The property that has how many points lie in an area. */
export const POINTS_PROPERTY = 'points';
