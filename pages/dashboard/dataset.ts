/** The address of a dataset on the map. */
export function mapAddressOf(id: string): string {
  return `/explore#/datasets/${id}`;
}
