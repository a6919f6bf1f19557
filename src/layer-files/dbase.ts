import { type Column, LayerChanged, type Value } from './columns.ts';

/** Max bytes of a text. */
const MAX_TEXT = 254;
/** Max bytes of a name, of ASCII. */
const MAX_NAME = 10;
/** How many columns a table may have. With the longest texts its rows have place for them. */
export const MAX_COLUMNS = 255;
/** Widths of an integer of 32 bits, of one of 15 digits, and of a number, as GDAL has it. */
const INTEGER_WIDTH = 11;
const LONG_WIDTH = 16;
const NUMBER = { width: 24, decimals: 15 };

const encoder = new TextEncoder();

/**
 * The table of a Shapefile (`.dbf`, dBASE III), whose texts are UTF-8, as a `.cpg` says. A missing value is blank. Its first
 * bytes have the number of rows and the widths of texts, so all rows are added before the first one is written.
 */
export class DbaseTable {
  readonly #columns: readonly Column[];
  readonly #widths: number[];
  readonly #cut = new Set<string>();
  /** The columns with a number that is too long without an exponent. */
  readonly #floats = new Set<number>();
  #rows = 0;

  /** @param columns named as `dbaseNames` does it; of the type long with at most 15 digits */
  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#widths = columns.map(({ type }) => {
      if (type === 'integer') return INTEGER_WIDTH;
      if (type === 'long') return LONG_WIDTH;
      return type === 'number' ? NUMBER.width : 1;
    });
  }

  add(values: readonly Value[]): void {
    this.#rows += 1;
    for (const [i, { name, type }] of this.#columns.entries()) {
      const value = values[i] ?? null;
      if (type === 'number' && decimalOf(value).length > NUMBER.width) this.#floats.add(i);
      if (value === null || (type !== 'text' && type !== 'json')) continue;
      const { length } = encoder.encode(String(value));
      if (length > MAX_TEXT) this.#cut.add(name);
      this.#widths[i] = Math.max(this.#widths[i] as number, Math.min(length, MAX_TEXT));
    }
  }

  /** The names of the columns whose texts are not whole, because a table has 254 bytes for each. */
  get cut(): ReadonlySet<string> {
    return this.#cut;
  }

  /** How long the file is. */
  get bytes(): number {
    return this.#headBytes + this.#rows * this.#rowBytes + DbaseTable.end.length;
  }

  get #headBytes(): number {
    return 32 * (this.#columns.length + 1) + 1;
  }

  get #rowBytes(): number {
    return this.#widths.reduce((sum, width) => sum + width, 1);
  }

  /** The first bytes of the file. */
  head(changed: Date): Uint8Array {
    const head = new Uint8Array(this.#headBytes);
    const view = new DataView(head.buffer);
    head.set([3, changed.getUTCFullYear() - 1900, changed.getUTCMonth() + 1, changed.getUTCDate()]);
    view.setUint32(4, this.#rows, true);
    view.setUint16(8, head.length, true);
    view.setUint16(10, this.#rowBytes, true);
    for (const [i, { name, type }] of this.#columns.entries()) {
      const at = 32 * (i + 1);
      encoder.encodeInto(name, head.subarray(at, at + MAX_NAME));
      head[at + 11] = this.#letterOf(type, i).charCodeAt(0);
      head[at + 16] = this.#widths[i] as number;
      head[at + 17] = type === 'number' ? NUMBER.decimals : 0;
    }
    head[head.length - 1] = 0x0d;
    return head;
  }

  /** @throws LayerChanged if it is wider than the rows that were added */
  row(values: readonly Value[]): Uint8Array {
    const bytes = new Uint8Array(this.#rowBytes).fill(0x20);
    let at = 1;
    for (const [i, { type }] of this.#columns.entries()) {
      const width = this.#widths[i] as number;
      const text = this.#textOf(values[i] ?? null, type, i);
      const { read } = encoder.encodeInto(text, bytes.subarray(at, at + width));
      if (read < text.length && width < MAX_TEXT)
        throw new LayerChanged('A table got a longer value than was measured');
      at += width;
    }
    return bytes;
  }

  /** The last byte of the file. */
  static readonly end = Uint8Array.of(0x1a);

  /** Numbers have an exponent in columns of the type F only, which dBASE IV added. */
  #letterOf(type: Column['type'], i: number): 'C' | 'L' | 'N' | 'F' {
    if (type === 'boolean') return 'L';
    if (type === 'text' || type === 'json') return 'C';
    return this.#floats.has(i) ? 'F' : 'N';
  }

  #textOf(value: Value, type: Column['type'], i: number): string {
    if (value === null) return '';
    if (type === 'boolean') return value ? 'T' : 'F';
    if (type === 'text' || type === 'json') return String(value);
    const text = decimalOf(value);
    const isLong = text.length > NUMBER.width && this.#floats.has(i);
    return (isLong ? Number(value).toExponential() : text).padStart(this.#widths[i] as number);
  }
}

/** The digits of a number without an exponent, all that it has; too many for a column where they are more than a hundred. */
function decimalOf(value: Value): string {
  const text = String(value);
  const [digits = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  if (Number(exponent) > 0) return String(BigInt(value as number));
  const decimals = (digits.split('.')[1] ?? '').length - Number(exponent);
  return Number(value).toFixed(Math.min(decimals, 100));
}

/** Names for the columns of a table, of at most ten characters of ASCII. None is there twice, whatever its case. */
export function dbaseNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = name.normalize('NFD').replace(/\p{M}/gu, '').replace(/\W/g, '_') || 'column';
    let short = plain.slice(0, MAX_NAME);
    for (let n = 2; taken.has(short.toLowerCase()); n += 1) short = `${plain.slice(0, MAX_NAME - `_${n}`.length)}_${n}`;
    taken.add(short.toLowerCase());
    return short;
  });
}
