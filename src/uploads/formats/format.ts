import type { NewFeature, Origin } from '../../features/feature.ts';
import { GeometryFault } from '../../geojson/geometry.ts';
import type { NamedColumns } from '../../match/columns.ts';
import type { MatchInput } from '../../names/match.ts';
import type { Column } from '../../names/source.ts';

/** Max features of a file. */
export const MAX_FEATURES = 1_000_000;

/** A fault in a file that prevents reading its features. Its location is a line, a byte or a feature. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly location: string | undefined;
  /** Offset of the fault in the bytes that were being read, an object or a chunk; undefined if it concerns the whole object. */
  readonly offset: number | undefined;
  /** The cell of a table that it is about. */
  readonly cell: Cell | undefined;
  /** What is wrong with other cells of the same row. */
  readonly others: readonly FileFault[];

  constructor(
    message: string,
    location?: string,
    { offset, cell, others = [] }: { offset?: number; cell?: Cell | undefined; others?: readonly FileFault[] } = {},
  ) {
    super(message);
    this.location = location;
    this.offset = offset;
    this.cell = cell;
    this.others = others;
  }
}

/** A fault of the layer that was requested: none was named among several, or the file lacks it. */
export class LayerFault extends FileFault {
  readonly layers: readonly string[];

  constructor(message: string, layers: readonly string[]) {
    super(message);
    this.layers = layers;
  }
}

/** A cell of a table: the name of its column, and what is in it. */
export interface Cell {
  readonly column: string;
  readonly value: string;
}

/**
 * Calls `work` and adds the location in the file to a fault without one, and to the origin of a feature.
 *
 * @throws FileFault, GeometryFault with the location; any other error as it is
 */
export function withLocation<T>(location: () => string, work: () => T): T {
  try {
    const result = work();
    return hasOrigin(result) ? { ...result, origin: { ...result.origin, location: location() } } : result;
  } catch (error) {
    if (error instanceof FileFault && error.location === undefined) {
      const others = error.others.map(({ message, cell }) => new FileFault(message, location(), { cell }));
      throw new FileFault(error.message, location(), { cell: error.cell, others });
    }
    if (error instanceof GeometryFault) throw error.at(location());
    throw error;
  }
}

function hasOrigin(result: unknown): result is { readonly origin: Origin } {
  return typeof result === 'object' && result !== null && 'origin' in result;
}

export interface ReadOptions {
  /** Reference system of the coordinates. Other than in WGS 84 they only have to be finite. */
  readonly srid: number;
  /** Name of the layer to read; undefined: the only one, or all layers of a stream. */
  readonly layer?: string | undefined;
  /** Label of the encoding of its texts, in place of the one that the file names or seems to have. */
  readonly encoding?: string | undefined;
  /** The columns of places that a table is read by, in place of coordinates; an empty object: those that are recognized. */
  readonly placeColumns?: NamedPlaceColumns | undefined;
  /** Called with the fault of each row or feature that can't be stored, which is then left out. Without it the first one is thrown. */
  readonly onInvalid?: ((fault: FileFault | GeometryFault) => void) | undefined;
}

/** A row of a table whose geometry is the boundary of the area that it names. */
export interface PlaceRow {
  readonly place: MatchInput;
  /** The finest column of places of the table, if the row has nothing in it. */
  readonly lacks: Column | undefined;
  /** How the code of the row was found before, if the table says so. */
  readonly match: (typeof PLACE_MATCHES)[number] | undefined;
  /** The cell that names the place. */
  readonly cell: Cell;
  readonly properties: Readonly<Record<string, string | null>>;
  /** Where it is, for people: `line 7`. */
  readonly at: string;
}

/** How a place can have been found; `accepted`: likely, and a person has accepted it; `chosen`: by a person. */
export const PLACE_MATCHES = ['exact', 'likely', 'ambiguous', 'accepted', 'chosen'] as const;

/** The columns of places by their headings, and the one that says how their codes were found before. */
export type NamedPlaceColumns = NamedColumns & { readonly match?: string | undefined };

/** Yields the row or feature that `read` returns. If it is invalid, `onInvalid` gets the fault and nothing is yielded. */
export function* validIn<Item>({ onInvalid }: ReadOptions, read: () => Item): Generator<Item> {
  let feature: Item;
  try {
    feature = read();
  } catch (error) {
    if (!onInvalid || !(error instanceof FileFault || error instanceof GeometryFault)) throw error;
    onInvalid(error);
    return;
  }
  yield feature;
}

/**
 * Reads features from the bytes of a file while they arrive. Its memory does not grow with the file. It makes no
 * difference where chunks end. Both methods throw `FileFault`, or `GeometryFault` with the path within the file.
 */
export interface FeatureReader extends TableFacts {
  push(chunk: Uint8Array): Iterable<NewFeature | PlaceRow>;
  end(): Iterable<NewFeature | PlaceRow>;
}

/** What a table turned out to be, after its rows were read. */
export interface TableFacts {
  /** The headings of the columns of places, where these are read in place of coordinates. */
  readonly placeHeadings?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Lines of a table in UTF-8 that were read as Windows-1252, if any. */
  readonly guessedLines?: GuessedLines | undefined;
}

export interface GuessedLines {
  readonly count: number;
  /** Number of the first one, from 1. */
  readonly first: number;
}

/** A stored file with random access. */
export interface RandomAccess {
  readonly bytes: number;
  read(start: number, length: number): Promise<Uint8Array>;
  stream(start: number, length: number): Promise<AsyncIterable<Uint8Array>>;
}

/** A file that has to be stored before its features can be read. */
export interface FeatureFile extends TableFacts {
  /**
   * The reference system named by the file; undefined if none.
   *
   * @throws FileFault if it names an unknown one
   */
  srid(): number | undefined;
  features(options: ReadOptions): AsyncIterable<NewFeature | PlaceRow>;
}

/** Fields of a form for a file that has to be opened. */
export type OpenOptions = Pick<ReadOptions, 'layer' | 'encoding'>;

/** Max layers that an error lists. */
const MAX_LISTED_LAYERS = 100;

/**
 * The index of the layer to read: the requested one, or the only one.
 *
 * @param names of all layers; in archives with their folders, which `wanted` may omit
 * @throws LayerFault
 */
export function layerIn(names: readonly string[], wanted: string | undefined): number {
  // A name in full goes before names in folders that end with it.
  const isInFull = wanted !== undefined && names.includes(wanted);
  const isWanted = (name: string) =>
    wanted === undefined || name === wanted || (!isInFull && name.endsWith(`/${wanted}`));
  if (names.filter(isWanted).length === 1) return names.findIndex(isWanted);
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name.slice(-40)));
  const list = `${shown.join(', ') || 'none'}${names.length > shown.length ? ', …' : ''}`;
  const message =
    wanted === undefined
      ? `has more than one layer in it: ${list}; name one in the field layer`
      : `has not one layer ${JSON.stringify(wanted.slice(0, 40))} in it (field layer), but ${list}`;
  throw new LayerFault(message, names.slice(0, MAX_LISTED_LAYERS));
}

interface FormatFacts {
  /** Name of the format for people. */
  readonly name: string;
  /** Endings of file names, in lower case, with the dot. */
  readonly extensions: readonly string[];
  /** Whether features are stored unless the client says otherwise. */
  readonly storesFeatures: boolean;
  /** Whether a file may have several layers, of which the form names one. */
  readonly hasLayers?: true;
  /** Whether its coordinates are in WGS 84 by its definition. */
  readonly isWgs84?: true;
  /** Whether its texts may have several encodings, of which the form names one. */
  readonly hasEncodings?: true;
  /** Whether its rows may name places in place of coordinates. */
  readonly hasPlaces?: true;
  /** Whether rows or features that are not valid can be left out. */
  readonly skipsInvalid?: true;
}

/** A format that features are read from: while the file arrives (`stream`), or from the stored file (`file`). */
export type Format =
  | StreamFormat
  | (FormatFacts & { readonly kind: 'file'; open(file: RandomAccess, options?: OpenOptions): Promise<FeatureFile> });

export type StreamFormat = FormatFacts & { readonly kind: 'stream'; reader(options: ReadOptions): FeatureReader };
