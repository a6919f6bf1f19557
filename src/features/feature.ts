/** How long the name of a property may be, characters: datasets remember hundreds of them. */
export const MAX_NAME_LENGTH = 256;

/** A feature that is to be stored: checked, and in the text that readers will get. */
export interface NewFeature {
  /** Index into `GEOMETRY_TYPES`. */
  readonly type: number;
  /** An RFC 7946 geometry object as JSON text, in the reference system that it was sent in; null: none. */
  readonly geometry: string | null;
  /** Any JSON value as text. */
  readonly properties: string;
  /** The feature's own id as JSON text, a string or a number; null: none. */
  readonly id: string | null;
  /** Names of the members of the properties. */
  readonly names: readonly string[];
}

/** How features are written for a reader. */
export type Form = 'json' | 'geojson' | 'source' | 'parts';

/** West, south, east, north in degrees; west is greater than east where the box crosses the antimeridian. */
export type Bbox = readonly [number, number, number, number];

/** The contents of one dataset at one moment, and the dataset that they are told to be of. */
export interface Contents {
  readonly datasetId: string;
  readonly versionId: string;
  /** How many features there were. */
  readonly count: number;
}
