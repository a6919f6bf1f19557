/** Who may read a dataset beside its owner. */
export type Visibility = 'private' | 'accounts' | 'everyone';

/** A dataset as the service lists it. */
export interface Dataset {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly status: string;
  readonly feature_count: number;
  readonly size_bytes: number;
  readonly storage_ref: string | null;
  readonly updated_at: string;
}

/** The address of a dataset on the map. */
export function mapAddressOf(id: string): string {
  return `/explore#/datasets/${id}`;
}
