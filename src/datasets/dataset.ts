import type { Contents, NewFeature } from '../features/feature.ts';
import type { Dataset } from './schemas.ts';

/** What can be set when a dataset is created or updated. An undefined field keeps its value, or takes its default. */
export interface DatasetFields {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly isPublic?: boolean | undefined;
  /** Where a change has both, it is the one that is not as before, and this one before `isPublic`. */
  readonly visibility?: Dataset['visibility'] | undefined;
  readonly dataType?: Dataset['data_type'] | undefined;
  readonly srid?: number | undefined;
  readonly geometryType?: string | null | undefined;
  readonly status?: string | undefined;
  /** JSON text. */
  readonly metadata?: string | null | undefined;
  readonly storageRef?: string | null | undefined;
  readonly userId?: string | null | undefined;
  /** In lower case. */
  readonly userEmail?: string | null | undefined;
}

export interface NewDataset extends DatasetFields {
  readonly name: string;
  readonly srid: number;
  readonly features: readonly NewFeature[];
}

/** A dataset, and the contents that it has at the moment. */
export interface FoundDataset {
  readonly dataset: Dataset;
  readonly versionId: string;
  /** What its features count for the quota. */
  readonly featureBytes: number;
  /** Whether it belongs to the caller. */
  readonly owned: boolean;
}

export function contentsOf({ dataset, versionId }: FoundDataset): Contents {
  return { datasetId: dataset.id, versionId, count: dataset.feature_count };
}

/** The features of an export. */
export interface ExportedFeatures {
  /** The name of their dataset. */
  readonly name: string;
  readonly contents: Contents;
  /** Names of members of the features' properties; at most one more than `MAX_PROPERTY_NAMES`. */
  readonly propertyNames: readonly string[];
  /** Whether the caller has no credentials, and may have less made. */
  readonly isFree: boolean;
}
