/** The path of the page that shows a dataset on the map. */
export function mapPathOf(id: string): string {
  return `/explore#/datasets/${id}`;
}
