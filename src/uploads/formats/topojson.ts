import type { NewFeature } from '../../features/feature.ts';
import { itemTexts, memberTexts } from '../../geojson/json.ts';
import { repeatedMember } from '../../geojson/json-losses.ts';
import { Arcs, type Transform } from './arcs.ts';
import { parseJson, requireWgs84, writtenMembers } from './feature-text.ts';
import { geometryOfValues } from './feature-values.ts';
import { type FeatureReader, FileFault, type Format, type ReadOptions, withLocation } from './format.ts';
import { ObjectCollector, OPEN_OBJECT } from './json-objects.ts';
import { geometryOfObject, requireFewPositions, type Topology, type TopologyObject } from './topojson-geometry.ts';

const BOM = [0xef, 0xbb, 0xbf];

export const topojson: Format = {
  name: 'TopoJSON',
  kind: 'stream',
  extensions: ['.topojson'],
  storesFeatures: true,
  reader: (options) => new TopoJsonReader(options),
};

/**
 * Reads a Topology (https://github.com/topojson/topojson-specification). Its arcs are stored as numbers while they
 * arrive, and its objects as text, each up to a limit. Members may come in any order, so features are made at the end:
 * one per item of a GeometryCollection, and one per other object.
 */
class TopoJsonReader implements FeatureReader {
  readonly #options: ReadOptions;
  /** The topology; an empty array is in the place of its arcs. */
  readonly #top = new ObjectCollector(['arcs']);
  #arcs: Arcs | undefined;
  #state: 'start' | 'top' | 'arcs' | 'end' = 'start';
  /** Bytes of the chunks before this one. */
  #offset = 0;
  /** Offset of the outermost object, bytes from the beginning of the file. */
  #topAt = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): NewFeature[] {
    for (let i = 0; i < chunk.length; ) {
      const from = i;
      if (this.#state === 'top') {
        i = this.#apartFromArcs(() => this.#top.take(chunk, from, 'arcs'));
        if (this.#top.stopped) {
          if (this.#arcs) throw new FileFault('has the member "arcs" more than once', this.#locationOf(i));
          this.#arcs = new Arcs();
          this.#state = 'arcs';
          i += 1;
        } else if (!this.#top.open) {
          this.#top.keep();
          this.#state = 'end';
        }
      } else if (this.#state === 'arcs') {
        const arcs = this.#arcs as Arcs;
        i = this.#withByte(() => arcs.take(chunk, from));
        if (arcs.closed) {
          this.#top.resume();
          this.#state = 'top';
        }
      } else i += this.#takeByte(chunk[i] as number, i);
    }
    this.#offset += chunk.length;
    return [];
  }

  *end(): Generator<NewFeature> {
    if (this.#offset === 0) throw new FileFault('is empty');
    if (this.#state === 'start') throw new FileFault('holds nothing but white space');
    if (this.#state !== 'end') {
      throw new FileFault('is cut off: the outermost object does not end', `byte ${this.#offset}`);
    }
    const { text, value } = this.#apartFromArcs(() => parseJson(this.#top.bytes));
    const { type, objects, transform, crs, arcs = [] } = value as Record<string, unknown>;
    if (type !== 'Topology') throw new FileFault('must have the type "Topology"');
    if (!isObject(objects)) throw new FileFault('must have "objects", as an object');
    if (!Array.isArray(arcs) || arcs.length > 0) throw new FileFault('must have "arcs", as an array');
    const repeated = repeatedMember(text, value);
    if (repeated)
      throw new FileFault(`has the member ${JSON.stringify(repeated.name.slice(0, 40))} twice in one object`);
    requireWgs84(crs, this.#options);
    const quantized = transformOf(transform);
    const topology = { arcs: this.#arcs ?? new Arcs(), transform: quantized };
    requireFewPositions(topology.arcs, objects);
    if (quantized) topology.arcs.transform(quantized);
    for (const [name, written] of memberTexts(memberTexts(text).get('objects') as string)) {
      yield* this.#featuresOf(topology, { path: `objects.${name.slice(0, 80)}`, value: objects[name], text: written });
    }
  }

  *#featuresOf(topology: Topology, object: Written): Generator<NewFeature> {
    const { value, text, path } = object;
    if (!isObject(value) || value.type !== 'GeometryCollection') {
      yield withLocation(
        () => path,
        () => this.#feature(topology, object),
      );
      return;
    }
    const { geometries } = value;
    if (!Array.isArray(geometries)) throw new FileFault('geometries must be an array', path);
    const texts = itemTexts(memberTexts(text).get('geometries') as string);
    for (let i = 0; i < geometries.length; i += 1) {
      yield withLocation(
        () => `${path}.geometries[${i}]`,
        () => this.#feature(topology, { value: geometries[i], text: texts[i] as string }),
      );
    }
  }

  #feature(topology: Topology, { value, text }: Omit<Written, 'path'>): NewFeature {
    if (!isObject(value)) throw new FileFault('must be a geometry object');
    const { id, properties = null } = value;
    const written = memberTexts(text);
    const members = writtenMembers({ id, properties }, (name) => written.get(name) ?? 'null');
    const geometry = geometryOfObject(topology, value as TopologyObject);
    return { ...geometryOfValues(geometry, this.#options), ...members };
  }

  /** Calls `work`, which reads the outermost object without its arcs, and adds this and the object's first byte to a fault. */
  #apartFromArcs<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      // The text without the arcs has other offsets than the file, so the fault has no byte of its own.
      throw new FileFault(`${error.message}, apart from its arcs`, `from byte ${this.#topAt}`);
    }
  }

  /** Takes a byte outside of the outermost object. Returns how many bytes it took: 0 if the byte begins the object. */
  #takeByte(byte: number, i: number): 0 | 1 {
    if (this.#offset + i < BOM.length && byte === BOM[this.#offset + i]) return 1;
    if (byte === 32 || byte === 10 || byte === 13 || byte === 9) return 1;
    if (this.#state === 'end') throw new FileFault('goes on behind its end', this.#locationOf(i));
    if (byte !== OPEN_OBJECT) throw new FileFault('is no TopoJSON: it does not begin with "{"', this.#locationOf(i));
    this.#top.begin();
    this.#topAt = this.#offset + i;
    this.#state = 'top';
    return 0;
  }

  /** Calls `work`, which reads bytes of this chunk, and adds its byte in the file to a fault. */
  #withByte<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof FileFault) || error.offset === undefined) throw error;
      throw new FileFault(error.message, this.#locationOf(error.offset));
    }
  }

  #locationOf(i: number): string {
    return `byte ${this.#offset + i}`;
  }
}

/** An object of a topology with its path and its text of the file. */
interface Written {
  readonly path: string;
  readonly value: unknown;
  readonly text: string;
}

function transformOf(value: unknown): Transform | undefined {
  if (value === undefined || value === null) return undefined;
  const { scale, translate } = value as Record<string, unknown>;
  if (isPair(scale) && isPair(translate)) return { scale, translate };
  throw new FileFault('transform must have "scale" and "translate", each with two numbers');
}

function isPair(value: unknown): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
