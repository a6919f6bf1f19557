import type { NewFeature } from '../../features/feature.ts';
import { GeometryFault } from '../../geojson/geometry.ts';

/** How many features may be read of one file. */
export const MAX_FEATURES = 1_000_000;

/** Something about a file that keeps its features from being read, and where: a line, a byte, a feature. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly place: string | undefined;

  constructor(message: string, place?: string) {
    super(message);
    this.place = place;
  }
}

/** Does something; its fault is told with a place in the file, where it has none. */
export function told<T>(place: () => string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileFault && error.place === undefined) throw new FileFault(error.message, place());
    if (error instanceof GeometryFault) throw error.at(place());
    throw error;
  }
}

export interface ReadOptions {
  /** Whether coordinates are longitude and latitude; else they only have to be finite. */
  readonly degrees: boolean;
}

/**
 * Reads features from the bytes of a file as they arrive. What it holds does not grow with the file, and how the bytes
 * are cut into chunks makes no difference.
 *
 * Both verbs throw `FileFault`, or `GeometryFault` with the path within the file.
 */
export interface FeatureReader {
  push(chunk: Uint8Array): Iterable<NewFeature>;
  end(): Iterable<NewFeature>;
}

/** A stored file, any part of which can be read. */
export interface RandomAccess {
  readonly bytes: number;
  read(start: number, length: number): Promise<Uint8Array>;
  stream(start: number, length: number): Promise<ReadableStream<Uint8Array>>;
}

/** The features of a file that has to be stored before it can be read. */
export interface FeatureFile {
  /** The reference system that the file says its coordinates are in; undefined where it says nothing. */
  srid(): number | undefined;
  features(options: ReadOptions): AsyncIterable<NewFeature>;
}

interface Common {
  /** What people call it. */
  readonly name: string;
  /** Ends of file names, in lower case, with the dot. */
  readonly extensions: readonly string[];
  /** Whether features are stored unless the client says otherwise. */
  readonly storesFeatures: boolean;
}

export type Format =
  | (Common & { readonly kind: 'stream'; reader(options: ReadOptions): FeatureReader })
  | (Common & { readonly kind: 'file'; open(file: RandomAccess): Promise<FeatureFile> });
