import { FEATURE_ROW_BYTES, type NewFeature } from '../features/feature.ts';
import { WGS84 } from '../geojson/domains.ts';
import { FileFault, MAX_FEATURES } from './formats/format.ts';

/**
 * Max text of all features of a file, characters. A table has its column names once, but each feature repeats them:
 * without this limit a file of a few megabytes could fill the database.
 */
const MAX_TEXT = 512 * 1024 * 1024;

/** Max `leastBytes` of one file. */
export const MAX_FEATURE_BYTES = MAX_TEXT + FEATURE_ROW_BYTES * MAX_FEATURES;

/** Counts the database space of one file's features, and enforces its limit. */
export class FeatureQuota {
  #features = 0;
  #text = 0;
  #least = 0;

  /** Lower bound of the features' size in the owner's quota, bytes. */
  get leastBytes(): number {
    return this.#least;
  }

  /**
   * @param srid reference system of the feature; only a WGS 84 geometry is stored with its own text
   * @throws FileFault if the file has too many features, or too much text in them
   */
  take(feature: Pick<NewFeature, 'geometry' | 'properties' | 'shape'>, srid: number): void {
    const length = textLength(feature) + (feature.shape?.bytes ?? 0);
    this.#features += 1;
    this.#text += length;
    this.#least += FEATURE_ROW_BYTES + (srid === WGS84 ? length : feature.properties.length);
    if (this.#features > MAX_FEATURES) throw new FileFault(`has more than ${MAX_FEATURES} features`);
    if (this.#text > MAX_TEXT) {
      throw new FileFault(`has more than ${MAX_TEXT} characters of features`, `feature ${this.#features}`);
    }
  }
}

/** Length of a feature's stored text, characters. */
export function textLength({ geometry, properties }: Pick<NewFeature, 'geometry' | 'properties'>): number {
  return (geometry?.length ?? 0) + properties.length;
}
