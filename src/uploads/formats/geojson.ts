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
import { ObjectCollector } from './json-objects.ts';

const OPEN_OBJECT = 123;
const CLOSE_ARRAY = 93;
const COMMA = 44;
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
  /** The outermost object without its features. */
  readonly #top = new ObjectCollector(['features', ...MEMBERS]);
  readonly #feature = new ObjectCollector(MEMBERS);
  #place: 'start' | 'top' | 'between' | 'feature' | 'end' = 'start';
  /** The expected next token among the features: `any` is a feature or the end of the array. */
  #due: 'any' | 'feature' | 'comma' = 'any';
  #hasFeatures = false;
  #count = 0;
  #before = 0;
  /** Offset of the current feature, bytes from the beginning of the file. */
  #featureAt = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#itemOptions = { ...options, featuresOnly: true };
  }

  *push(chunk: Uint8Array): Generator<NewFeature> {
    let i = 0;
    while (i < chunk.length) {
      switch (this.#place) {
        case 'top':
          i = this.#about('the collection', this.#before, () => this.#takeTop(chunk, i));
          if (this.#top.stopped) {
            if (this.#hasFeatures) throw new FileFault('has the member "features" more than once', this.#at(i));
            this.#hasFeatures = true;
            this.#requireWgs84();
            this.#place = 'between';
            i += 1;
          } else if (!this.#top.open) {
            this.#top.keep();
            this.#place = 'end';
          }
          break;
        case 'feature': {
          const path = `features[${this.#count}]`;
          i = this.#about(path, this.#featureAt, () => this.#feature.take(chunk, i));
          if (this.#feature.open) break;
          const at = this.#featureAt;
          yield* validIn(this.#options, () =>
            this.#about(path, at, () => featureOfText(this.#feature, ['features', this.#count], this.#itemOptions)),
          );
          this.#count += 1;
          this.#due = 'comma';
          this.#place = 'between';
          break;
        }
        default:
          i += this.#single(chunk[i] as number, i);
      }
    }
    this.#before += chunk.length;
  }

  *end(): Generator<NewFeature> {
    if (this.#before === 0) throw new FileFault('is empty');
    if (this.#place === 'start') throw new FileFault('holds nothing but white space');
    if (this.#place !== 'end') {
      const where = this.#count > 0 ? `, after ${this.#count} features` : '';
      throw new FileFault(`is cut off: the outermost object does not end${where}`, `byte ${this.#before}`);
    }
    if (!this.#hasFeatures && !this.#top.members.some(({ name }) => name === 'features')) {
      yield this.#about('', 0, () => featureOfText(this.#top, [], this.#options));
      return;
    }
    const { value } = this.#about('the collection', 0, () => parseJson(this.#top.bytes));
    const { type, features, crs, bbox } = value as Record<string, unknown>;
    if (type !== 'FeatureCollection')
      throw new FileFault('must have the type "FeatureCollection", because it has features');
    // The features were left out of the collected object, so `features` must be an empty array in it.
    const times = this.#top.members.filter(({ name }) => name === 'features').length;
    if (!this.#hasFeatures || times > 1 || !Array.isArray(features) || features.length > 0) {
      throw new FileFault('must have "features" once, as an array');
    }
    requireWgs84(crs, this.#options);
    checkBbox(bbox, [], this.#options.srid);
  }

  /** Takes bytes of the outermost object. A topology is refused as such, and not for the size of the object. */
  #takeTop(chunk: Uint8Array, from: number): number {
    try {
      return this.#top.take(chunk, from, 'features');
    } catch (error) {
      const type = this.#top.members.find(({ name }) => name === 'type');
      const text = type && new TextDecoder().decode(this.#top.bytesOf(type));
      throw text?.trim() === '"Topology"' ? topologyFault() : error;
    }
  }

  /**
   * Checks a reference system before the features. Otherwise they would be refused for their coordinates, which would
   * hide the reason.
   */
  #requireWgs84(): void {
    for (const member of this.#top.members) {
      if (member.name !== 'crs') continue;
      const { value } = this.#about('the collection', 0, () => parseJson(this.#top.bytesOf(member)));
      requireWgs84(value, this.#options);
    }
  }

  /** Reads a byte outside objects. Returns the number of bytes taken: 0 if the byte begins an object. */
  #single(byte: number, i: number): 0 | 1 {
    if (this.#place === 'start' && this.#before + i < BOM.length && byte === BOM[this.#before + i]) return 1;
    if (byte === 32 || byte === 10 || byte === 13 || byte === 9) return 1;
    if (this.#place === 'start') {
      if (byte !== OPEN_OBJECT) throw new FileFault('is no GeoJSON: it does not begin with "{"', this.#at(i));
      this.#top.begin();
      this.#place = 'top';
      return 0;
    }
    if (this.#place === 'end') throw new FileFault('goes on behind its end', this.#at(i));
    if (byte === CLOSE_ARRAY && this.#due !== 'feature') {
      this.#top.resume();
      this.#place = 'top';
      return 1;
    }
    if (byte === COMMA && this.#due === 'comma') {
      this.#due = 'feature';
      return 1;
    }
    if (byte === OPEN_OBJECT && this.#due !== 'comma') {
      this.#feature.begin();
      this.#featureAt = this.#before + i;
      this.#place = 'feature';
      return 0;
    }
    const expected = this.#due === 'comma' ? 'a comma or the end of the array' : 'an object';
    throw new FileFault(`features[${this.#count}]: must be ${expected}`, this.#at(i));
  }

  /** Calls `work` and adds to a FileFault the object, and the byte of the fault or else the object's first byte. */
  #about<T>(what: string, at: number, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      const place = error.offset === undefined ? `from byte ${at}` : `byte ${at + error.offset}`;
      throw new FileFault(what === '' ? error.message : `${what}: ${error.message}`, place);
    }
  }

  #at(i: number): string {
    return `byte ${this.#before + i}`;
  }
}
