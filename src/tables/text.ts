import { joinBytes } from '../bytes.ts';
import { windows1252 } from '../csv/windows-1252.ts';

/** Bytes examined before the response begins, because a response header names the encoding. */
const LOOKED_AT = 256 * 1024;

export const MAX_LINE_BYTES = 1024 * 1024;

const LINE_FEED = 10;
const ENDS = [LINE_FEED, 13];

export type Encoding = 'utf-8' | 'windows-1252';

/** A fault in a table's text: its encoding or the length of a line. */
export class TextFault extends Error {
  /** Number of lines between the text returned last and the line of the fault. */
  readonly linesAfter: number;

  constructor(message: string, linesAfter = 0) {
    super(message);
    this.linesAfter = linesAfter;
  }
}

/**
 * Decodes a table whose bytes arrive in chunks, some lines at a time. Lines that are not UTF-8 are Windows-1252, which
 * is what spreadsheets of the West save, unless `settle` decided on UTF-8. A byte order mark stays.
 */
export class TableText {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** Encoding of the text so far. */
  encoding: Encoding;
  readonly #isDeclared: boolean;
  /** Whether any character beyond ASCII has been decoded. */
  #hasLetters = false;
  /** Whether a line that is not valid UTF-8 is a fault. */
  #isUtf8 = false;
  /** The beginning of an incomplete line. */
  #rest: Uint8Array = new Uint8Array();

  /** @param declared encoding named by the request: `windows-1252`, or anything else for UTF-8 */
  constructor(declared?: string) {
    this.#isDeclared = declared === 'windows-1252';
    this.encoding = this.#isDeclared ? 'windows-1252' : 'utf-8';
  }

  /**
   * Decides by the text so far how to read the rest: after a byte order mark or UTF-8 letters all of it must be UTF-8.
   * After ASCII only, each line is read by itself.
   *
   * @param isWhole whether nothing more comes
   * @returns the encodings of lines so far and to come
   */
  settle(isWhole: boolean): string {
    this.#isUtf8 = this.encoding === 'utf-8' && this.#hasLetters;
    return isWhole || this.#isUtf8 || this.encoding === 'windows-1252' ? this.encoding : 'utf-8, windows-1252';
  }

  /** @throws TextFault if a line is longer than is allowed, or in another encoding than the table */
  push(chunk: Uint8Array): string {
    const bytes = joinBytes([this.#rest, chunk]);
    const end = Math.max(...ENDS.map((byte) => bytes.lastIndexOf(byte))) + 1;
    this.#rest = bytes.slice(end);
    if (this.#rest.length > MAX_LINE_BYTES) {
      throw new TextFault(
        `The table has a line of more than ${MAX_LINE_BYTES} bytes. Rows must end with a line feed, and quotes must be closed`,
        linesIn(bytes.subarray(0, end)),
      );
    }
    return this.#decoded(bytes.subarray(0, end));
  }

  /** @throws TextFault if the last line is in another encoding than the table */
  end(): string {
    const rest = this.#rest;
    this.#rest = new Uint8Array();
    return this.#decoded(rest);
  }

  #decoded(bytes: Uint8Array): string {
    if (this.#isDeclared) return windows1252(bytes);
    try {
      const text = this.#utf8.decode(bytes);
      // Letters beyond ASCII have several bytes.
      this.#hasLetters ||= text.length < bytes.length;
      return text;
    } catch {
      return this.#byLine(bytes);
    }
  }

  #byLine(bytes: Uint8Array): string {
    let text = '';
    for (let from = 0; from < bytes.length; ) {
      const feed = bytes.indexOf(LINE_FEED, from);
      const end = feed === -1 ? bytes.length : feed + 1;
      const line = bytes.subarray(from, end);
      try {
        text += this.#utf8.decode(line);
      } catch {
        if (this.#isUtf8) {
          throw new TextFault(
            'The table begins in UTF-8 and has a line that is not. Save all of it in UTF-8, or send it as "text/csv; charset=windows-1252"',
            linesIn(bytes.subarray(0, from)),
          );
        }
        this.encoding = 'windows-1252';
        text += windows1252(line);
      }
      from = end;
    }
    return text;
  }
}

/** Optional text before the headings: a byte order mark, and Excel's line with the separator. */
const MARKS = /^\ufeff?(?:sep=([,;\t|])\r?\n)?/i;

/** The text of a table before its headings, and the separator named there, if any. */
export function separatorLine(text: string): { marks: string; separator: string | undefined } {
  const [marks = '', separator] = MARKS.exec(text) ?? [];
  return { marks, separator };
}

/** A part of a table's text that ends with a line end; `isLast`: also the end of the table. */
export interface Piece {
  readonly text: string;
  readonly isLast: boolean;
}

/**
 * The text of a table in pieces of whole lines. The first has a quarter of a megabyte, or the whole table if smaller.
 *
 * @throws TextFault, and what the chunks throw
 */
export async function* piecesOf(chunks: AsyncIterable<Uint8Array>, text: TableText): AsyncGenerator<Piece> {
  let first: Uint8Array[] | undefined = [];
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (first && bytes < LOOKED_AT) {
        first.push(chunk);
        continue;
      }
      const all: Uint8Array = first ? joinBytes([...first, chunk]) : chunk;
      first = undefined;
      yield { text: text.push(all), isLast: false };
    }
  } catch (error) {
    if (first && error instanceof TextFault) throw new TextFault(error.message, linesIn(joinBytes(first)));
    throw error;
  }
  yield { text: (first ? text.push(joinBytes(first)) : '') + text.end(), isLast: true };
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}
