import type { ByteReader } from './byte-reader.ts';
import { FileFault, MAX_FEATURES } from './format.ts';

type Decoder = InstanceType<typeof TextDecoder>;

interface Field {
  readonly name: string;
  readonly type: string;
  /** Its offset in a record, bytes. */
  readonly at: number;
  /** Bytes. */
  readonly length: number;
  /** How many digits numbers have behind their point, by the header. */
  readonly decimals: number;
}

/** Max columns of a table. dBASE III allowed 128; newer programs write up to 255. */
const MAX_FIELDS = 255;

/** Encodings by the number of the language driver in the header of a table. */
const LANGUAGES: Readonly<Record<number, string>> = { 3: 'windows-1252', 87: 'windows-1252', 88: 'windows-1252' };

interface TableParts {
  readonly bytes: ByteReader;
  readonly count: number;
  readonly fields: readonly Field[];
  readonly recordBytes: number;
  readonly decoders: readonly Decoder[];
}

/** Numbers, logical values, dates and texts. Memos, pictures, moments and money have their values elsewhere or as bytes. */
const READ_TYPES = /^[NFLDCV]$/;

/** The type of a column that says which others are null. */
const NULL_FLAGS = '0';

const SPACE = 0x20;

/** Reads a dBASE III table record by record. */
export class DbaseTable {
  /** Number of records by its header. */
  readonly count: number;
  readonly #bytes: ByteReader;
  readonly #fields: readonly Field[];
  readonly #recordBytes: number;
  readonly #decoders: readonly Decoder[];

  private constructor({ bytes, count, fields, recordBytes, decoders }: TableParts) {
    this.#bytes = bytes;
    this.count = count;
    this.#fields = fields;
    this.#recordBytes = recordBytes;
    this.#decoders = decoders;
  }

  /**
   * @param encoding the label that the `.cpg` file names
   * @throws FileFault if it is not a table, or damaged
   */
  static async open(bytes: ByteReader, encoding: string | undefined): Promise<DbaseTable> {
    const header = (await bytes.next(32)).slice();
    const view = new DataView(header.buffer);
    if (header.length < 32) throw new FileFault('the .dbf file is cut off');
    const [headerBytes, recordBytes] = [view.getUint16(8, true), view.getUint16(10, true)];
    if (headerBytes < 33 || recordBytes < 1) throw new FileFault('the .dbf file is no dBASE table');
    const count = view.getUint32(4, true);
    if (count > MAX_FEATURES) throw new FileFault(`the .dbf file has more than ${MAX_FEATURES} records`);
    const rest = await bytes.next(headerBytes - 32);
    const decoders = decodersOf(encoding ?? LANGUAGES[header[29] as number]);
    const fields: Field[] = [];
    const names = new Set<string>();
    for (let at = 0, offset = 1; at + 32 <= rest.length && rest[at] !== 0x0d; at += 32) {
      const raw = rest.subarray(at, at + 11);
      const end = raw.indexOf(0);
      const name = freeName(columnName(end < 0 ? raw : raw.subarray(0, end), decoders), names);
      const [length, decimals] = [rest[at + 16] as number, rest[at + 17] as number];
      fields.push({ name, type: String.fromCharCode(rest[at + 11] as number), at: offset, length, decimals });
      offset += length;
      if (fields.length > MAX_FIELDS) throw new FileFault(`the .dbf file has more than ${MAX_FIELDS} columns`);
      if (offset > recordBytes) throw new FileFault('the .dbf file is damaged: its fields are longer than its records');
    }
    return new DbaseTable({ bytes, count, fields, recordBytes, decoders });
  }

  /** The next record; `deleted` for one that is deleted but still in the file; undefined at the end. */
  async next(): Promise<Record<string, unknown> | 'deleted' | undefined> {
    const record = await this.#bytes.next(this.#recordBytes);
    if (record.length < this.#recordBytes) return undefined;
    if (record[0] === 0x2a) return 'deleted';
    return Object.fromEntries(
      this.#fields.map((field) => [field.name, this.#value(field, record.subarray(field.at, field.at + field.length))]),
    );
  }

  #value({ type, name, decimals }: Field, bytes: Uint8Array): unknown {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (type === 'I' && bytes.length === 4) return view.getInt32(0, true);
    if ((type === 'O' || type === 'B') && bytes.length === 8) return finite(view.getFloat64(0, true));
    if (!READ_TYPES.test(type)) {
      if (type === NULL_FLAGS || bytes.every((byte) => byte === 0 || byte === SPACE)) return null;
      const column = JSON.stringify(name);
      throw new FileFault(
        `the .dbf file has values of the type ${JSON.stringify(type)} in its column ${column}, which are not read. Save the column as text or numbers, or leave it out`,
      );
    }
    const text = this.#text(name, bytes).replace(/\0.*$/s, '').trimEnd();
    const plain = text.trim();
    if (plain === '') return null;
    switch (type) {
      case 'N':
      case 'F':
        // A number too long for its field is written as asterisks.
        return plain.startsWith('*') ? null : numberOf(withPoint(plain, decimals));
      case 'L':
        return /^[TtYy]$/.test(plain) ? true : /^[FfNn]$/.test(plain) ? false : null;
      case 'D':
        return dateOf(plain);
      default:
        return text;
    }
  }

  #text(name: string, bytes: Uint8Array): string {
    for (const decoder of this.#decoders) {
      try {
        return decoder.decode(bytes);
      } catch {
        // Try the next encoding.
      }
    }
    throw new FileFault(`the .dbf file is not in the encoding that is named for it (column ${JSON.stringify(name)})`);
  }
}

/** The decoders to try in turn. A table that names no encoding is in UTF-8, or was written by an older Windows program. */
function decodersOf(encoding: string | undefined): Decoder[] {
  const labels = encoding === undefined ? ['utf-8', 'windows-1252'] : [encoding];
  return labels.map((label) => new TextDecoder(label, { fatal: true, ignoreBOM: true }));
}

/** The name of a column. It is in the encoding of the table, but may be cut in the middle of a character. */
function columnName(bytes: Uint8Array, decoders: readonly Decoder[]): string {
  for (const decoder of decoders) {
    try {
      return decoder.decode(bytes).trim();
    } catch {
      // Try the next encoding.
    }
  }
  return new TextDecoder('windows-1252').decode(bytes).trim();
}

/** A name that no column before has: programs cut names to ten characters, so that two can be the same. */
function freeName(name: string, names: Set<string>): string {
  let free = name;
  for (let count = 2; names.has(free); count += 1) free = `${name}_${count}`;
  names.add(free);
  return free;
}

/**
 * A number with a point in place of its decimal comma. A comma before three digits may as well part thousands: it is a
 * decimal one only where the column has three decimals.
 */
function withPoint(text: string, decimals: number): string {
  const digits = /^[+-]?\d*,(\d+)$/.exec(text)?.[1];
  return digits !== undefined && (digits.length !== 3 || decimals === 3) ? text.replace(',', '.') : text;
}

/** How programs write that a number is none. */
const NO_NUMBER = /^[+-]?(?:nan(?:\(ind\))?|inf(?:inity)?|1\.#\w+|null)$/i;

const DECIMAL = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** A double is exact for decimal numbers of at most this many characters. */
const SHORT = 15;

/**
 * A number; its text if a double would change its digits, if it is an integer that not all programs can hold (RFC 7493,
 * 2.2), or if it is no decimal number; null for NaN and infinity. A double written with more digits than needed still
 * counts as exact.
 */
function numberOf(text: string): number | string | null {
  const number = Number(text);
  const [, whole = '', fraction = '', exponent] = DECIMAL.exec(text) ?? [];
  if (whole + fraction === '') return NO_NUMBER.test(text) ? null : text;
  if (fraction === '' && exponent === undefined) return Number.isSafeInteger(number) ? number : text;
  if (exponent === undefined && text.length <= SHORT) return number;
  return hasDigits(number, { whole, fraction, exponent: Number(exponent ?? 0) }) ? number : text;
}

/** Whether a double, written with as many digits, has all digits of a decimal number without its sign. */
function hasDigits(
  number: number,
  { whole, fraction, exponent }: { whole: string; fraction: string; exponent: number },
): boolean {
  const all = whole + fraction;
  const digits = all.replace(/^0+/, '');
  if (digits === '') return number === 0;
  const power = exponent + whole.length - (all.length - digits.length) - 1;
  if (!Number.isFinite(number) || digits.length > 101) return false;
  // The shortest digits of the double, or as many of its own digits as were written.
  return [undefined, digits.length - 1].some((count) => {
    const [mantissa = '', found] = Math.abs(number).toExponential(count).split('e');
    return (
      mantissa.replace('.', '') === (count === undefined ? digits.replace(/(?<!0)0+$/, '') : digits) &&
      Number(found) === power
    );
  });
}

/** A date of ISO 8601; null if only zeros; the text itself if there is no such day. */
function dateOf(text: string): string | null {
  if (/^0+$/.test(text)) return null;
  return text.replace(/^(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/, '$1-$2-$3');
}

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}
