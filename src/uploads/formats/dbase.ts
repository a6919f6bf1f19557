import type { ByteReader } from './byte-reader.ts';
import { FileFault, MAX_FEATURES } from './format.ts';

type Decoder = InstanceType<typeof TextDecoder>;

interface Field {
  readonly name: string;
  readonly type: string;
  readonly at: number;
  readonly length: number;
}

/** As many as the tables of today may have; dBASE III had 128. */
const MAX_FIELDS = 255;

/** Code pages as `.cpg` files and the headers of tables name them. */
const LANGUAGES: Readonly<Record<number, string>> = { 3: 'windows-1252', 87: 'windows-1252', 88: 'windows-1252' };

/**
 * The label of the encoding that a `.cpg` file names; undefined where it is empty.
 *
 * @throws FileFault
 */
export function encodingOfCodePage(text: string): string | undefined {
  const name = text.replace(/^\ufeff/, '').trim();
  if (name === '') return undefined;
  const digits = /^(?:ansi |cp|windows-|ibm)?(125\d|874|65001|866)$/i.exec(name)?.[1];
  const iso = /^(?:iso[ -]?)?8859[-_ ]?(\d{1,2})$/i.exec(name)?.[1];
  const label = digits === '65001' ? 'utf-8' : digits ? codePage(digits) : iso ? `iso-8859-${iso}` : name;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new FileFault(`the .cpg file names an encoding that is not known: ${JSON.stringify(name.slice(0, 40))}`);
  }
}

function codePage(digits: string): string {
  return digits === '866' ? 'ibm866' : `windows-${digits}`;
}

/** A dBASE III table, record by record. */
export class DbaseTable {
  readonly #bytes: ByteReader;
  readonly #fields: readonly Field[];
  readonly #recordBytes: number;
  readonly #decoders: readonly Decoder[];

  private constructor(bytes: ByteReader, fields: readonly Field[], recordBytes: number, decoders: readonly Decoder[]) {
    this.#bytes = bytes;
    this.#fields = fields;
    this.#recordBytes = recordBytes;
    this.#decoders = decoders;
  }

  /** @param encoding what the `.cpg` file says */
  static async open(bytes: ByteReader, encoding: string | undefined): Promise<DbaseTable> {
    const header = (await bytes.next(32)).slice();
    const view = new DataView(header.buffer);
    if (header.length < 32) throw new FileFault('the .dbf file is cut off');
    const [headerBytes, recordBytes] = [view.getUint16(8, true), view.getUint16(10, true)];
    if (headerBytes < 33 || recordBytes < 1) throw new FileFault('the .dbf file is no dBASE table');
    if (view.getUint32(4, true) > MAX_FEATURES)
      throw new FileFault(`the .dbf file has more than ${MAX_FEATURES} records`);
    const rest = await bytes.next(headerBytes - 32);
    const decoders = decodersOf(encoding ?? LANGUAGES[header[29] as number]);
    const fields: Field[] = [];
    for (let at = 0, offset = 1; at + 32 <= rest.length && rest[at] !== 0x0d; at += 32) {
      const raw = rest.subarray(at, at + 11);
      const end = raw.indexOf(0);
      const name = nameOf(end < 0 ? raw : raw.subarray(0, end), decoders);
      const length = rest[at + 16] as number;
      fields.push({ name, type: String.fromCharCode(rest[at + 11] as number), at: offset, length });
      offset += length;
      if (fields.length > MAX_FIELDS) throw new FileFault(`the .dbf file has more than ${MAX_FIELDS} columns`);
      if (offset > recordBytes) throw new FileFault('the .dbf file is damaged: its fields are longer than its records');
    }
    return new DbaseTable(bytes, fields, recordBytes, decoders);
  }

  /** The next record; `deleted` for one that is only kept until the table is packed, undefined at the end. */
  async next(): Promise<Record<string, unknown> | 'deleted' | undefined> {
    const record = await this.#bytes.next(this.#recordBytes);
    if (record.length < this.#recordBytes) return undefined;
    if (record[0] === 0x2a) return 'deleted';
    return Object.fromEntries(
      this.#fields.map((field) => [field.name, this.#value(field, record.subarray(field.at, field.at + field.length))]),
    );
  }

  #value({ type, name }: Field, bytes: Uint8Array): unknown {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (type === 'I' && bytes.length === 4) return view.getInt32(0, true);
    if ((type === 'O' || type === 'B') && bytes.length === 8) return finite(view.getFloat64(0, true));
    const text = this.#text(name, bytes).replace(/\0.*$/s, '').trimEnd();
    const plain = text.trim();
    if (plain === '') return null;
    switch (type) {
      case 'N':
      case 'F':
        // Asterisks are what a number became that was too long for its field.
        return plain.startsWith('*') ? null : finite(Number(plain.replace(',', '.')));
      case 'L':
        return /^[TtYy]$/.test(plain) ? true : /^[FfNn]$/.test(plain) ? false : null;
      case 'D':
        return /^\d{8}$/.test(plain) ? plain.replace(/^(....)(..)(..)$/, '$1-$2-$3') : null;
      case 'C':
        return text;
      default:
        return null;
    }
  }

  #text(name: string, bytes: Uint8Array): string {
    for (const decoder of this.#decoders) {
      try {
        return decoder.decode(bytes);
      } catch {
        // The next one is tried.
      }
    }
    throw new FileFault(
      `the .dbf file is not in the encoding that the .cpg file names (column ${JSON.stringify(name)})`,
    );
  }
}

/** Tables that don't say it are in UTF-8 these days, or in what Windows once wrote. */
function decodersOf(encoding: string | undefined): Decoder[] {
  const labels = encoding === undefined ? ['utf-8', 'windows-1252'] : [encoding];
  return labels.map((label) => new TextDecoder(label, { fatal: true, ignoreBOM: true }));
}

/** The name of a column, which is in the encoding of the table, or may be cut within a character of it. */
function nameOf(bytes: Uint8Array, decoders: readonly Decoder[]): string {
  for (const decoder of decoders) {
    try {
      return decoder.decode(bytes).trim();
    } catch {
      // The next one is tried.
    }
  }
  return new TextDecoder('windows-1252').decode(bytes).trim();
}

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}
