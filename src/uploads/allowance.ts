import type { NewFeature } from '../features/feature.ts';
import { FileFault, MAX_FEATURES } from './formats/format.ts';

/**
 * How much text all features of a file may have, characters. Their properties repeat the names of columns, which a table
 * has once: a few megabytes could become all that a database holds.
 */
const MAX_TEXT = 512 * 1024 * 1024;

/** What the features of one file may still take of the database. */
export class Allowance {
  #features = 0;
  #text = 0;

  /** @throws FileFault where that is used up */
  take(feature: Pick<NewFeature, 'geometry' | 'properties'>): void {
    this.#features += 1;
    this.#text += textOf(feature);
    if (this.#features > MAX_FEATURES) throw new FileFault(`has more than ${MAX_FEATURES} features`);
    if (this.#text > MAX_TEXT) {
      throw new FileFault(`has more than ${MAX_TEXT} characters of features`, `feature ${this.#features}`);
    }
  }
}

/** How much text a feature is stored as, characters. */
export function textOf({ geometry, properties }: Pick<NewFeature, 'geometry' | 'properties'>): number {
  return (geometry?.length ?? 0) + properties.length;
}
