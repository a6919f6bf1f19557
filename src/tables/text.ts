import { DomainError } from '../errors.ts';

/** How much of a body is looked at before the answer begins, bytes: its encoding stands in a header of the answer. */
const LOOKED_AT = 256 * 1024;

/** How long a line may be, bytes. */
export const MOST_OF_LINE = 1024 * 1024;

const ENDS = [10, 13];

export type Encoding = 'utf-8' | 'windows-1252';

/**
 * Decodes a table whose bytes arrive in chunks, some lines at a time. Lines that are not UTF-8 are Windows-1252, which
 * is what spreadsheets of the West save. A byte order mark is kept.
 */
export class TableText {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #windows = new TextDecoder('windows-1252');
  /** What the text has been so far. */
  encoding: Encoding;
  readonly #isDeclared: boolean;
  /** The beginning of a line whose end has not come. */
  #rest: Uint8Array = new Uint8Array();

  /** @param declared what the body says it is: `windows-1252`, or anything else for UTF-8 */
  constructor(declared?: string) {
    this.#isDeclared = declared === 'windows-1252';
    this.encoding = this.#isDeclared ? 'windows-1252' : 'utf-8';
  }

  /** @throws DomainError `invalid_csv` where a line is longer than is allowed */
  push(chunk: Uint8Array): string {
    const bytes = joined([this.#rest, chunk]);
    const end = Math.max(...ENDS.map((byte) => bytes.lastIndexOf(byte))) + 1;
    this.#rest = bytes.slice(end);
    if (this.#rest.length > MOST_OF_LINE) {
      throw new DomainError(
        'invalid_csv',
        `The table has a line of more than ${MOST_OF_LINE} bytes. Rows must end with a line feed, and quotes must be closed.`,
      );
    }
    return this.#decoded(bytes.subarray(0, end));
  }

  end(): string {
    const rest = this.#rest;
    this.#rest = new Uint8Array();
    return this.#decoded(rest);
  }

  #decoded(bytes: Uint8Array): string {
    if (this.#isDeclared) return this.#windows.decode(bytes);
    try {
      return this.#utf8.decode(bytes);
    } catch {
      return this.#byLine(bytes);
    }
  }

  #byLine(bytes: Uint8Array): string {
    let text = '';
    for (let from = 0; from < bytes.length; ) {
      const feed = bytes.indexOf(10, from);
      const end = feed === -1 ? bytes.length : feed + 1;
      const line = bytes.subarray(from, end);
      try {
        text += this.#utf8.decode(line);
      } catch {
        this.encoding = 'windows-1252';
        text += this.#windows.decode(line);
      }
      from = end;
    }
    return text;
  }
}

/** A part of a table's text, which ends with a line; `isLast` with the whole table. */
export interface Piece {
  readonly text: string;
  readonly isLast: boolean;
}

/** The text of a table in pieces of whole lines. The first has a quarter of a megabyte, or all there is. */
export async function* piecesOf(chunks: AsyncIterable<Uint8Array>, text: TableText): AsyncGenerator<Piece> {
  let first: Uint8Array[] | undefined = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (first && bytes < LOOKED_AT) {
      first.push(chunk);
      continue;
    }
    yield { text: text.push(first ? joined([...first, chunk]) : chunk), isLast: false };
    first = undefined;
  }
  yield { text: (first ? text.push(joined(first)) : '') + text.end(), isLast: true };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
