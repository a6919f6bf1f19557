import type { Path } from '../geojson/geometry.ts';

/** What the quota counts of each stored feature besides its texts, bytes. */
export const FEATURE_ROW_BYTES = 256;

/** How long the name of a property may be, characters. Datasets store up to some hundreds of these names. */
export const MAX_NAME_LENGTH = 256;

/** A checked geometry as the text that is stored. */
export interface NewGeometry {
  /** Index into `GEOMETRY_TYPES`. */
  readonly type: number;
  /** An RFC 7946 geometry object as JSON text, in the reference system that it was sent in; null: none. */
  readonly geometry: string | null;
}

/** Properties as the text that is stored. */
export interface NewProperties {
  /** Any JSON value as text. */
  readonly properties: string;
  /** Names of the members of the properties. */
  readonly names: readonly string[];
}

/** A checked feature that is to be stored. Readers get the same text. */
export interface NewFeature extends NewGeometry, NewProperties {
  /** The id that the feature has in its file: a string or a number as JSON text; null: none. */
  readonly id: string | null;
  /** The stored boundary that is its geometry, in place of one of its own. */
  readonly shape?: StoredShape | undefined;
  /** Where its geometry stands in its file; undefined in WGS 84, in which everything is checked while it is read. */
  readonly origin?: Origin | undefined;
}

/** Where a geometry stands in its file. */
export interface Origin {
  /** In the JSON of the file, or of its line. */
  readonly path: Path;
  /** For people: `line 7`. */
  readonly location?: string;
  /** The geometry as it was given, as JSON, if it may have parts without coordinates, which are not stored. */
  readonly given?: string;
}

/** A boundary that features have by reference. */
export interface StoredShape {
  readonly key: string;
  /** Length of its GeoJSON text. It counts as if the feature had it for its own, because readers get it with each feature. */
  readonly bytes: number;
}

/**
 * How features are written for a reader.
 * `json`: a record of the API. `geojson`: a GeoJSON Feature with the id that the API knows it by. `source`: a GeoJSON
 * Feature with the id that it has in its file. `parts`: the id of the file, the geometry and the properties of a GeoJSON
 * Feature, separated by tabs; only the first two tabs are separators.
 */
export type FeatureForm = 'json' | 'geojson' | 'source' | 'parts';

/** West, south, east, north in degrees; west is greater than east where the box crosses the antimeridian. */
export type Bbox = readonly [number, number, number, number];

/** The contents of one dataset at one moment. */
export interface Contents {
  /** The dataset that the features are shown to belong to. */
  readonly datasetId: string;
  readonly versionId: string;
  /** How many features the dataset had at that moment. */
  readonly count: number;
}
