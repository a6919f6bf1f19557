/** The levels by whose areas points are counted. Everybody has their coarse boundaries. */
export const COUNT_LEVELS = {
  region: 'Regions',
  province: 'Provinces',
  municity: 'Cities and municipalities',
} as const;
export type CountLevel = keyof typeof COUNT_LEVELS;

/** The level that a text names; undefined for any other text. */
export function countLevelIn(text: string | null): CountLevel | undefined {
  return (Object.keys(COUNT_LEVELS) as CountLevel[]).find((level) => level === text);
}

/** The property that has how many points lie in an area. */
export const POINTS = 'points';
