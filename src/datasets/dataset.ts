import type { NewFeature } from '../features/feature.ts';

/** A dataset as the API shows it, without its features. */
export interface Dataset {
  readonly id: string;
  readonly user_id: string | null;
  readonly user_email: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly is_public: boolean;
  readonly data_type: 'vector' | 'raster' | 'data';
  readonly srid: number;
  readonly geometry_type: string | null;
  readonly status: string;
  readonly metadata: unknown;
  readonly storage_ref: string | null;
  readonly feature_count: number;
  readonly bbox: readonly number[] | null;
  readonly size_bytes: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What can be said of a dataset when it is made or changed. What is undefined stays, or takes its default. */
export interface DatasetWish {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly isPublic?: boolean | undefined;
  readonly dataType?: Dataset['data_type'] | undefined;
  readonly srid?: number | undefined;
  readonly geometryType?: string | null | undefined;
  readonly status?: string | undefined;
  /** JSON text. */
  readonly metadata?: string | null | undefined;
  readonly storageRef?: string | null | undefined;
  readonly userId?: string | null | undefined;
  readonly userEmail?: string | null | undefined;
}

export interface NewDataset extends DatasetWish {
  readonly name: string;
  readonly features: readonly NewFeature[];
}

export type Visibility = 'public' | 'private' | 'all' | 'mine';
