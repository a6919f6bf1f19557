import type { SourceFeature, SourceFile } from '../feature.ts';

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
