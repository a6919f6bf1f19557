import type { NewFeature } from '../../features/feature.ts';
import { checkBbox } from '../../geojson/geometry.ts';
import {
  type FeatureTextOptions,
  featureOfText,
  MEMBERS,
  parseJson,
  requireWgs84,
  topologyFault,
} from './feature-text.ts';
import { type FeatureReader, FileFault, type Format, type ReadOptions, validIn } from './format.ts';
import { CLOSE_ARRAY, COMMA, ObjectCollector, OPEN_OBJECT } from './json-objects.ts';

const BOM = [0xef, 0xbb, 0xbf];

export const geojson: Format = {
  name: 'GeoJSON',
  kind: 'stream',
  extensions: ['.geojson', '.json'],
  storesFeatures: true,
  skipsInvalid: true,
  reader: (options) => new GeoJsonReader(options),
};

/**
 * Reads a FeatureCollection feature by feature, or a single Feature or geometry. The member `features` may stand anywhere
 * among the members of the collection.
 */
class GeoJsonReader implements FeatureReader {
  readonly #options: ReadOptions;
  readonly #itemOptions: FeatureTextOptions;
  /** The outermost object; an empty array is in the place of its features. */
  readonly #top = new ObjectCollector(['features', ...MEMBERS]);
  readonly #feature = new ObjectCollector(MEMBERS);
  /** Where the next byte is: `top` in the outermost object, `between` in its array of features. */
  #state: 'start' | 'top' | 'between' | 'feature' | 'end' = 'start';
  /** The next token in the array of features: `any` is a feature or the end of the array. */
  #expected: 'any' | 'feature' | 'comma' = 'any';
  #hasFeatures = false;
  #count = 0;
  /** Bytes of the chunks before this one. */
  #offset = 0;
  /** Offsets of the outermost object, its array of features and the current feature, bytes from the beginning of the file. */
  #topAt = 0;
  #arrayAt = Infinity;
  #featureAt = 0;
  /** How many bytes longer the array of features is than the empty one that is collected. */
  #omitted = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#itemOptions = { ...options, featuresOnly: true };
  }

  *push(chunk: Uint8Array): Generator<NewFeature> {
    let i = 0;
    while (i < chunk.length) {
      switch (this.#state) {
        case 'top':
          i = this.#withLocation('the collection', this.#topAt, () => this.#takeTop(chunk, i));
          if (this.#top.stopped) {
            if (this.#hasFeatures) throw new FileFault('has the member "features" more than once', this.#locationOf(i));
            this.#hasFeatures = true;
            this.#arrayAt = this.#offset + i;
            this.#requireWgs84();
            this.#state = 'between';
            i += 1;
          } else if (!this.#top.open) {
            this.#top.keep();
            this.#state = 'end';
          }
          break;
        case 'feature': {
          const path = `features[${this.#count}]`;
          i = this.#withLocation(path, this.#featureAt, () => this.#feature.take(chunk, i));
          if (this.#feature.open) break;
          const at = this.#featureAt;
          yield* validIn(this.#options, () =>
            this.#withLocation(path, at, () =>
              featureOfText(this.#feature, ['features', this.#count], this.#itemOptions),
            ),
          );
          this.#count += 1;
          this.#expected = 'comma';
          this.#state = 'between';
          break;
        }
        default:
          i += this.#takeByte(chunk[i] as number, i);
      }
    }
    this.#offset += chunk.length;
  }

  *end(): Generator<NewFeature> {
    if (this.#offset === 0) throw new FileFault('is empty');
    if (this.#state === 'start') throw new FileFault('holds nothing but white space');
    if (this.#state !== 'end') {
      const where = this.#count > 0 ? `, after ${this.#count} features` : '';
      throw new FileFault(`is cut off: the outermost object does not end${where}`, `byte ${this.#offset}`);
    }
    if (!this.#hasFeatures && !this.#top.members.some(({ name }) => name === 'features')) {
      yield this.#withLocation('', this.#topAt, () => featureOfText(this.#top, [], this.#options));
      return;
    }
    const { value } = this.#withLocation('the collection', this.#topAt, () => parseJson(this.#top.bytes));
    const { type, features, crs, bbox } = value as Record<string, unknown>;
    if (type !== 'FeatureCollection')
      throw new FileFault('must have the type "FeatureCollection", because it has features');
    // The features that were read are an empty array in the collected object.
    const times = this.#top.members.filter(({ name }) => name === 'features').length;
    if (!this.#hasFeatures || times > 1 || !Array.isArray(features) || features.length > 0) {
      throw new FileFault('must have "features" once, as an array');
    }
    requireWgs84(crs, this.#options);
    checkBbox(bbox, [], this.#options.srid);
  }

  /** Takes bytes of the outermost object. A TopoJSON file gets an error that says so, in place of one about its size. */
  #takeTop(chunk: Uint8Array, from: number): number {
    try {
      return this.#top.take(chunk, from, 'features');
    } catch (error) {
      const type = this.#top.members.find(({ name }) => name === 'type');
      const text = type && new TextDecoder().decode(this.#top.bytesOf(type));
      throw text?.trim() === '"Topology"' ? topologyFault() : error;
    }
  }

  /** Checks a reference system that stands before the features. Otherwise their coordinates would be the first fault. */
  #requireWgs84(): void {
    for (const member of this.#top.members) {
      if (member.name !== 'crs') continue;
      const from = this.#topAt + member.start;
      const { value } = this.#withLocation('the collection', from, () => parseJson(this.#top.bytesOf(member)));
      requireWgs84(value, this.#options);
    }
  }

  /** Takes a byte outside of objects. Returns how many bytes it took: 0 if the byte begins an object. */
  #takeByte(byte: number, i: number): 0 | 1 {
    if (this.#state === 'start' && this.#offset + i < BOM.length && byte === BOM[this.#offset + i]) return 1;
    if (byte === 32 || byte === 10 || byte === 13 || byte === 9) return 1;
    if (this.#state === 'start') {
      if (byte !== OPEN_OBJECT) throw new FileFault('is no GeoJSON: it does not begin with "{"', this.#locationOf(i));
      this.#top.begin();
      this.#topAt = this.#offset + i;
      this.#state = 'top';
      return 0;
    }
    if (this.#state === 'end') throw new FileFault('goes on behind its end', this.#locationOf(i));
    if (byte === CLOSE_ARRAY && this.#expected !== 'feature') {
      this.#top.resume();
      this.#omitted = this.#offset + i + 1 - this.#arrayAt - '[]'.length;
      this.#state = 'top';
      return 1;
    }
    if (byte === COMMA && this.#expected === 'comma') {
      this.#expected = 'feature';
      return 1;
    }
    if (byte === OPEN_OBJECT && this.#expected !== 'comma') {
      this.#feature.begin();
      this.#featureAt = this.#offset + i;
      this.#state = 'feature';
      return 0;
    }
    const expected = this.#expected === 'comma' ? 'a comma or the end of the array' : 'an object';
    throw new FileFault(`features[${this.#count}]: must be ${expected}`, this.#locationOf(i));
  }

  /** Calls `work` and adds to a FileFault the object, and the byte of the fault, or the object's first byte `from`. */
  #withLocation<T>(object: string, from: number, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      // Behind the array of features, the collected object has other offsets than the file.
      const byte = from + (error.offset ?? 0);
      const inFile = byte + (byte > this.#arrayAt ? this.#omitted : 0);
      const location = error.offset === undefined ? `from byte ${from}` : `byte ${inFile}`;
      throw new FileFault(object === '' ? error.message : `${object}: ${error.message}`, location);
    }
  }

  #locationOf(i: number): string {
    return `byte ${this.#offset + i}`;
  }
}
