/** The levels by whose areas points are counted. Everybody has their coarse boundaries. */
export const COUNT_LEVELS = { region: 'Regions', province: 'Provinces' } as const;
export type CountLevel = keyof typeof COUNT_LEVELS;

/** The property that has how many points lie in an area. */
export const POINTS = 'points';
