import type { NewFeature } from '../features/feature.ts';
import { WGS84 } from '../geojson/domains.ts';
import { FileFault, MAX_FEATURES } from './formats/format.ts';

/**
 * How much text all features of a file may have, characters. A table has the names of its columns once, but its features
 * have them again and again: without this limit a file of a few megabytes could fill the database.
 */
const MAX_TEXT = 512 * 1024 * 1024;

/** What a stored feature counts beside its text, bytes. */
const ROW_BYTES = 256;

/** What the features of one file count at most as `leastBytes`. */
export const MAX_FEATURE_BYTES = MAX_TEXT + ROW_BYTES * MAX_FEATURES;

/** Counts what the features of one file take of the database, up to the most that a file may take. */
export class FeatureQuota {
  #features = 0;
  #text = 0;
  #least = 0;

  /** What the features count in the quota of their owner at least, bytes. */
  get leastBytes(): number {
    return this.#least;
  }

  /**
   * @param srid the reference system of the feature: a geometry in another than WGS 84 is stored as another text
   * @throws FileFault where the file has more features, or more text in them, than it may have
   */
  take(feature: Pick<NewFeature, 'geometry' | 'properties'>, srid: number): void {
    this.#features += 1;
    this.#text += textLength(feature);
    this.#least += ROW_BYTES + (srid === WGS84 ? textLength(feature) : feature.properties.length);
    if (this.#features > MAX_FEATURES) throw new FileFault(`has more than ${MAX_FEATURES} features`);
    if (this.#text > MAX_TEXT) {
      throw new FileFault(`has more than ${MAX_TEXT} characters of features`, `feature ${this.#features}`);
    }
  }
}

/** The length of the text that a feature is stored as, characters. */
export function textLength({ geometry, properties }: Pick<NewFeature, 'geometry' | 'properties'>): number {
  return (geometry?.length ?? 0) + properties.length;
}
