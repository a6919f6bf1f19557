import type { NewFeature } from '../features/feature.ts';
import { FileFault, MAX_FEATURES } from './formats/format.ts';

/**
 * How much text all features of a file may have, characters. A table has the names of its columns once, but its features
 * have them again and again: without this limit a file of a few megabytes could fill the database.
 */
const MAX_TEXT = 512 * 1024 * 1024;

/** Counts what the features of one file take of the database, up to the most that a file may take. */
export class FeatureQuota {
  #features = 0;
  #text = 0;

  /** @throws FileFault where the file has more features, or more text in them, than it may have */
  take(feature: Pick<NewFeature, 'geometry' | 'properties'>): void {
    this.#features += 1;
    this.#text += textLength(feature);
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
