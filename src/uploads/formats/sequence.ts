import type { NewFeature } from '../../features/feature.ts';
import { featureOfText, MEMBERS } from './feature-text.ts';
import { type FeatureReader, FileFault, type Format, type ReadOptions, validIn, withLocation } from './format.ts';
import { ObjectCollector, OPEN_OBJECT } from './json-objects.ts';

const LINE_END = 10;
/** Bytes that may stand between features: white space and record separators (RFC 8142). */
const BETWEEN = new Set([32, 9, 10, 13, 0x1e]);
const BOM = [0xef, 0xbb, 0xbf];

export const sequence: Format = {
  name: 'newline-delimited GeoJSON',
  kind: 'stream',
  extensions: ['.ndjson', '.ndgeojson', '.geojsonl', '.geojsons', '.geojsonseq', '.jsonl'],
  storesFeatures: true,
  skipsInvalid: true,
  reader: (options) => new SequenceReader(options),
};

/** Reads a sequence of GeoJSON Features: one per line, or each after a record separator. */
class SequenceReader implements FeatureReader {
  readonly #options: ReadOptions;
  readonly #feature = new ObjectCollector(MEMBERS);
  #open = false;
  #line = 1;
  /** Where the feature begins. */
  #featureLine = 1;
  /** Bytes of the chunks before this one. */
  #offset = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  *push(chunk: Uint8Array): Generator<NewFeature> {
    for (let i = 0; i < chunk.length; ) {
      if (this.#open) {
        const from = i;
        i = withLocation(this.#featureLocation, () => this.#feature.take(chunk, i));
        this.#line += linesIn(chunk.subarray(from, i));
        if (!this.#feature.open) {
          this.#open = false;
          yield* validIn(this.#options, () =>
            withLocation(this.#featureLocation, () => featureOfText(this.#feature, [], this.#options)),
          );
        }
        continue;
      }
      const byte = chunk[i] as number;
      if (byte === OPEN_OBJECT) {
        this.#feature.begin();
        this.#featureLine = this.#line;
        this.#open = true;
        continue;
      }
      const isBom = this.#offset + i < BOM.length && byte === BOM[this.#offset + i];
      if (!BETWEEN.has(byte) && !isBom)
        throw new FileFault('must be a GeoJSON Feature, which begins with "{"', this.#location());
      if (byte === LINE_END) this.#line += 1;
      i += 1;
    }
    this.#offset += chunk.length;
  }

  end(): Iterable<NewFeature> {
    if (this.#open) throw new FileFault('is cut off: the last feature does not end', this.#featureLocation());
    if (this.#offset === 0) throw new FileFault('is empty');
    return [];
  }

  readonly #location = () => `line ${this.#line}`;
  readonly #featureLocation = () => `line ${this.#featureLine}`;
}

function linesIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) count += 1;
  return count;
}
