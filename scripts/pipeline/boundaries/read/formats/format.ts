export interface SourceFile {
  path: string;
  /** What messages call it: the path below the given directory. */
  name: string;
}

/** A feature as its file has it. Nothing about it has been checked. */
export interface SourceFeature {
  /** The location within the file: `line 12`, `feature 12`, `adm4 feature 12`. */
  at: string;
  /** Name of its layer where a file can have several; else empty. */
  layer: string;
  /** The feature's own `id`. */
  id: unknown;
  properties: Record<string, unknown>;
  geometry: unknown;
}

/** Thrown for a file that can't be read to its end. */
export class UnreadableFile extends Error {
  readonly file: string;
  /** The location within the file, where there is one. */
  readonly location: string | null;

  constructor(file: string, location: string | null, reason: string) {
    super(`${file}${location === null ? '' : ` ${location}`}: ${reason}`);
    this.name = 'UnreadableFile';
    this.file = file;
    this.location = location;
  }

  /** What went wrong, without the location. */
  get reason(): string {
    return this.message.slice(this.message.indexOf(': ') + 2);
  }
}

/**
 * A parsed JSON value as a feature, or null where it is none.
 * @param at the location within its file
 */
export function asFeature(value: unknown, at: string, layer = ''): SourceFeature | null {
  if (typeof value !== 'object' || value === null) return null;
  const { type, id, properties, geometry } = value as Record<string, unknown>;
  if (type !== 'Feature') return null;
  const isObject = typeof properties === 'object' && properties !== null;
  return { at, layer, id, properties: isObject ? (properties as Record<string, unknown>) : {}, geometry };
}

/** A file format of boundaries. */
export interface BoundaryFormat {
  /** Name of the format for people. */
  name: string;
  /**
   * Whether a file has this format. Decided by its name (in lower case, without `.gz`) and by the first 4,000
   * characters of its unpacked text.
   */
  matches(name: string, head: string): boolean;
  /**
   * Reads the file's features in their order.
   * @param scratch a directory for temporary files, which exists longer than one reading and is the same for every one
   * @throws UnreadableFile naming the file, and the line or feature where there is one
   */
  read(file: SourceFile, scratch: string): AsyncIterable<SourceFeature>;
}
