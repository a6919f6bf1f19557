import type { NewFeature } from '../../features/feature.ts';
import { GeometryFault } from '../../geojson/geometry.ts';

/** How many features one file may have. */
export const MAX_FEATURES = 1_000_000;

/** Something in a file that keeps its features from being read. Its place is a line, a byte or a feature. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly place: string | undefined;
  /** Where the fault is in the object that it is about, bytes; undefined where it is all of the object. */
  readonly offset: number | undefined;

  constructor(message: string, place?: string, offset?: number) {
    super(message);
    this.place = place;
    this.offset = offset;
  }
}

/**
 * Does a piece of work and adds its place in the file to a fault that has none.
 *
 * @throws FileFault, GeometryFault with the place; any other error as it is
 */
export function withPlace<T>(place: () => string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileFault && error.place === undefined) throw new FileFault(error.message, place());
    if (error instanceof GeometryFault) throw error.at(place());
    throw error;
  }
}

export interface ReadOptions {
  /** The reference system of the coordinates. Other ones than WGS 84 only have to be finite. */
  readonly srid: number;
  /** The name of the layer to read, of several; undefined: the only one, or all where they arrive in one stream. */
  readonly layer?: string | undefined;
}

/**
 * Reads features from the bytes of a file while they arrive. Its memory does not grow with the file. How the bytes are
 * cut into chunks makes no difference. Both methods throw `FileFault`, or `GeometryFault` with the path within the file.
 */
export interface FeatureReader {
  push(chunk: Uint8Array): Iterable<NewFeature>;
  end(): Iterable<NewFeature>;
}

/** A stored file, any part of which can be read. */
export interface RandomAccess {
  readonly bytes: number;
  read(start: number, length: number): Promise<Uint8Array>;
  stream(start: number, length: number): Promise<AsyncIterable<Uint8Array>>;
}

/** A file that has to be stored before its features can be read. */
export interface FeatureFile {
  /**
   * The reference system that the file names; undefined where it names none.
   *
   * @throws FileFault where it names one that is not known
   */
  srid(): number | undefined;
  features(options: ReadOptions): AsyncIterable<NewFeature>;
}

/** What a form says of a file that has to be opened. */
export interface OpenOptions extends Pick<ReadOptions, 'layer'> {
  /** The encoding of its texts, in place of the one that the file names. */
  readonly encoding?: string | undefined;
}

/**
 * The index of the layer to read: the one that is wanted, or the only one.
 *
 * @param names those in archives with their folders, which may be left out
 * @throws FileFault with the layers there are
 */
export function layerIn(names: readonly string[], wanted: string | undefined): number {
  const isWanted = (name: string) => wanted === undefined || name === wanted || name.endsWith(`/${wanted}`);
  if (names.filter(isWanted).length === 1) return names.findIndex(isWanted);
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name.slice(-40)));
  const list = `${shown.join(', ') || 'none'}${names.length > shown.length ? ', …' : ''}`;
  if (wanted === undefined) throw new FileFault(`has more than one layer in it: ${list}; name one in the field layer`);
  throw new FileFault(`has not one layer ${JSON.stringify(wanted.slice(0, 40))} in it (field layer), but ${list}`);
}

interface FormatFacts {
  /** What people call the format. */
  readonly name: string;
  /** Endings of file names, in lower case, with the dot. */
  readonly extensions: readonly string[];
  /** Whether features are stored unless the client says otherwise. */
  readonly storesFeatures: boolean;
  /** Whether a file may have several layers, of which the form names one. */
  readonly hasLayers?: true;
}

/** A format that features are read from: while the file arrives (`stream`), or from the stored file (`file`). */
export type Format =
  | (FormatFacts & { readonly kind: 'stream'; reader(options: ReadOptions): FeatureReader })
  | (FormatFacts & { readonly kind: 'file'; open(file: RandomAccess, options?: OpenOptions): Promise<FeatureFile> });
