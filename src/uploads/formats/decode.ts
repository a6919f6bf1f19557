import { joinBytes } from '../../bytes.ts';
import { windows1252 } from '../../csv/windows-1252.ts';
import { FileFault, type GuessedLines } from './format.ts';

/** Decodes bytes that arrive in chunks. Its methods throw FileFault for bytes that are not in the encoding. */
export class Decoder {
  readonly #decoder: InstanceType<typeof TextDecoder>;
  readonly #label: string;

  /** @throws FileFault if the encoding is unknown */
  constructor(label = 'utf-8') {
    try {
      this.#decoder = new TextDecoder(label, { fatal: true, ignoreBOM: false });
    } catch {
      throw new FileFault(`is in an encoding that is not known: ${JSON.stringify(label.slice(0, 40))}`);
    }
    this.#label = this.#decoder.encoding;
  }

  push(chunk: Uint8Array): string {
    return this.#decode(() => this.#decoder.decode(chunk, { stream: true }));
  }

  end(): string {
    return this.#decode(() => this.#decoder.decode());
  }

  #decode(work: () => string): string {
    try {
      return work();
    } catch {
      throw new FileFault(`is not ${this.#label === 'utf-8' ? 'UTF-8' : `in its encoding, ${this.#label}`}`);
    }
  }
}

/** Bytes examined from the first non-ASCII byte on, to detect the encoding. */
const LOOKED_AT = 16 * 1024;

/**
 * Decodes a table that arrives in chunks: UTF-16 with its mark, UTF-8, or else Windows-1252 in each line that is not UTF-8,
 * which is what spreadsheets of the West save. `push` and `end` throw FileFault for bytes that are not in the detected encoding.
 */
export class TableDecoder {
  #decoder: Pick<Decoder, 'push' | 'end'> | undefined;
  #byLine: LineDecoder | undefined;
  /** Bytes not yet decoded, until there are enough to detect the encoding. */
  #pending: Uint8Array = new Uint8Array();
  /** Number of the line that they begin in. */
  #line = 1;
  #hasBegun = false;

  /** @param encoding label of the one that all of it is in; undefined: the one that it seems to be in */
  constructor(encoding?: string) {
    if (encoding === undefined) return;
    this.#decoder = encoding === 'windows-1252' ? { push: windows1252, end: () => '' } : new Decoder(encoding);
  }

  get guessedLines(): GuessedLines | undefined {
    return this.#byLine?.guessedLines;
  }

  push(chunk: Uint8Array): string {
    if (this.#decoder) return this.#decoder.push(chunk);
    const bytes = joinBytes([this.#pending, chunk]);
    this.#pending = bytes;
    if (!this.#hasBegun) {
      if (bytes.length < 2) return '';
      this.#hasBegun = true;
      const mark = (bytes[0] as number) * 256 + (bytes[1] as number);
      if (mark === 0xfffe || mark === 0xfeff)
        return this.#decodeWith(new Decoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be'));
    }
    const at = firstLetter(bytes);
    this.#pending = bytes.slice(at);
    const plain = new TextDecoder().decode(bytes.subarray(0, at));
    this.#line += plain.split('\n').length - 1;
    return this.#pending.length < LOOKED_AT ? plain : plain + this.#decodePending(false);
  }

  end(): string {
    const rest = this.#decoder ? '' : this.#decodePending(true);
    return rest + (this.#decoder?.end() ?? '');
  }

  #decodePending(isWhole: boolean): string {
    if (isUtf8(this.#pending.subarray(0, LOOKED_AT), isWhole)) return this.#decodeWith(new Decoder());
    this.#byLine = new LineDecoder(this.#line);
    return this.#decodeWith(this.#byLine);
  }

  #decodeWith(decoder: Pick<Decoder, 'push' | 'end'>): string {
    const pending = this.#pending;
    this.#decoder = decoder;
    this.#pending = new Uint8Array();
    return decoder.push(pending);
  }
}

/** Index of the first non-ASCII byte; the length if none. */
function firstLetter(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && (bytes[at] as number) < 0x80) at += 1;
  return at;
}

/** @param isWhole whether nothing follows. Else the end may cut a character. */
function isUtf8(bytes: Uint8Array, isWhole: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
    return true;
  } catch {
    return false;
  }
}

const LINE_FEED = 10;

/** The longest line that is looked at as a whole, bytes. */
const MAX_LINE = 1024 * 1024;

/**
 * Decodes lines by themselves: those that are UTF-8 as that, all others as Windows-1252. Whoever puts rows of two programs
 * into one file has both.
 */
class LineDecoder {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** The beginning of a line. */
  #rest: Uint8Array = new Uint8Array();
  /** Number of that line. */
  #number: number;
  /** Whether any line has letters in UTF-8. */
  #hasUtf8 = false;
  #others: { first: number; count: number } | undefined;

  /** @param first number of the line that it begins in */
  constructor(first: number) {
    this.#number = first;
  }

  /** The lines that are not UTF-8, where others have letters in it. */
  get guessedLines(): GuessedLines | undefined {
    return this.#hasUtf8 ? this.#others : undefined;
  }

  push(chunk: Uint8Array): string {
    const bytes = joinBytes([this.#rest, chunk]);
    let text = '';
    let from = 0;
    for (let feed = bytes.indexOf(LINE_FEED); feed !== -1; feed = bytes.indexOf(LINE_FEED, from)) {
      text += this.#line(bytes.subarray(from, feed + 1));
      this.#number += 1;
      from = feed + 1;
    }
    this.#rest = bytes.slice(from);
    return this.#rest.length > MAX_LINE ? text + this.end() : text;
  }

  end(): string {
    const rest = this.#rest;
    this.#rest = new Uint8Array();
    return this.#line(rest);
  }

  #line(bytes: Uint8Array): string {
    try {
      const text = this.#utf8.decode(bytes);
      this.#hasUtf8 ||= text.length < bytes.length;
      return text;
    } catch {
      this.#others ??= { first: this.#number, count: 0 };
      this.#others.count += 1;
      return windows1252(bytes);
    }
  }
}
