import type { Geometry } from 'geojson';
import type { Whereabouts } from '../../shared/far-away.ts';
import type { Counts } from './count-points.ts';
import type { FeatureStyle } from './feature-tiles.ts';
import type { Inside } from './inside.ts';
import type { Frame, Shape } from './paths.ts';
import type { Row } from './rows.ts';

/** The features of a dataset. A web worker keeps their geometry and makes tiles of it, so that the page stays smooth. */
export interface Features {
  readonly rows: readonly Row[];
  /** The properties that only repeat the coordinates of the points. */
  readonly coordinates: readonly string[];
  /** URLs of the tiles, as the map takes them. */
  readonly tiles: string;
  /** Chooses what the tiles show from now on. Lists that are the same as before are not handed over again. */
  show(style: FeatureStyle): Promise<void>;
  geometryOf(row: Row): Promise<Geometry | null>;
  /** The zoom at which a cluster becomes several. */
  zoomOf(cluster: number): Promise<number>;
  /** The areas of all features by their indexes, km². Read once. */
  areas(): Promise<Float64Array>;
  /** Where each area has room for a word, by the place of the feature; undefined where it is no area. Read once. */
  insides(): Promise<readonly (Inside | undefined)[]>;
  /** How many features lie far outside of the Philippines, and where the others lie if these are most. */
  whereabouts(): Promise<Whereabouts>;
  /** How many points lie in each of some areas. */
  countIn(areas: readonly (Geometry | null)[]): Promise<Counts>;
  /** What a picture shows of some features, in the order in which they are drawn, with the indexes of their rows. */
  shapesOf(rows: readonly Row[], frame: Frame): Promise<readonly (Shape & { feature: number })[]>;
  /** Ends the web worker. Tiles are empty from then on. */
  close(): void;
}
