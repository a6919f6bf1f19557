export interface SourceFile {
  path: string;
  /** As messages call it: the path below the directory that was given. */
  name: string;
}

/** A feature as it stands in a file, with nothing about it checked. */
export interface SourceFeature {
  /** The place within the file: `line 12`, `feature 12`, `adm4 feature 12`. */
  at: string;
  /** Name of the layer it stands in, where a file can hold several; else empty. */
  layer: string;
  /** The feature's own `id`. */
  id: unknown;
  properties: Record<string, unknown>;
  geometry: unknown;
}

/** A file that can't be read to its end. */
export class UnreadableFile extends Error {
  readonly file: string;
  /** The place within the file, where there is one. */
  readonly place: string | null;

  constructor(file: string, place: string | null, reason: string) {
    super(`${file}${place === null ? '' : ` ${place}`}: ${reason}`);
    this.name = 'UnreadableFile';
    this.file = file;
    this.place = place;
  }

  /** What went wrong, without the place. */
  get reason(): string {
    return this.message.slice(this.message.indexOf(': ') + 2);
  }
}

/**
 * What a parsed JSON value says as a feature, or null when it is none.
 * @param at the place within its file
 */
export function asFeature(value: unknown, at: string, layer = ''): SourceFeature | null {
  if (typeof value !== 'object' || value === null) return null;
  const { type, id, properties, geometry } = value as Record<string, unknown>;
  if (type !== 'Feature') return null;
  const isObject = typeof properties === 'object' && properties !== null;
  return { at, layer, id, properties: isObject ? (properties as Record<string, unknown>) : {}, geometry };
}

/** One way in which boundaries are kept in a file. */
export interface Format {
  name: string;
  /**
   * Whether a file is of this format, by its name (in small letters, without `.gz`) and the first 4,000 characters of
   * its text, unpacked.
   */
  matches(name: string, head: string): boolean;
  /**
   * The file's features in their order.
   * @param scratch a directory for files of one's own, which outlives the reading and is the same for every reading
   * @throws UnreadableFile naming the file, and the line or feature where there is one
   */
  read(file: SourceFile, scratch: string): AsyncIterable<SourceFeature>;
}
