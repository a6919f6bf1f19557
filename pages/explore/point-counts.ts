/** Where the service counts the points of a dataset by the areas of a level. */
export function countsPath(id: string, level: string): string {
  return `/v1/datasets/${id}/counts?level=${level}`;
}
