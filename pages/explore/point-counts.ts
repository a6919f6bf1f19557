/** Where the service counts the points of a dataset by the areas of a level. */
export function countsPath(id: string, level: string): string {
  return `/v1/datasets/${id}/counts?level=${level}`;
}

/** What a reader of counts should know of the points in no area; empty where there is nothing. */
export function remarkOnOutside(level: string, outside: number): string {
  return level === 'province' && outside > 0 ? ' Metro Manila has no provinces: its points lie in none.' : '';
}
