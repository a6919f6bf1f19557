import { type Column, LayerChanged, type Value } from './columns.ts';

/** Max bytes of a text. */
const MAX_TEXT = 254;
/** Max bytes of a name, of ASCII. */
const MAX_NAME = 10;
/** How many columns a table may have, and bytes of a row. */
const MAX_COLUMNS = 255;
const MAX_ROW = 65_535;
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

  /** Whether the format has place for its columns. */
  get fits(): boolean {
    return this.#columns.length <= MAX_COLUMNS && this.#rowBytes <= MAX_ROW;
  }

  get #rowBytes(): number {
    return this.#widths.reduce((sum, width) => sum + width, 1);
  }

  /** The first bytes of the file. */
  head(changed: Date): Uint8Array {
    const head = new Uint8Array(32 * (this.#columns.length + 1) + 1);
    const view = new DataView(head.buffer);
    head.set([3, changed.getUTCFullYear() - 1900, changed.getUTCMonth() + 1, changed.getUTCDate()]);
    view.setUint32(4, this.#rows, true);
    view.setUint16(8, head.length, true);
    view.setUint16(10, this.#rowBytes, true);
    for (const [i, { name, type }] of this.#columns.entries()) {
      const at = 32 * (i + 1);
      encoder.encodeInto(name, head.subarray(at, at + MAX_NAME));
      head[at + 11] = letterOf(type).charCodeAt(0);
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
      const text = textOf(values[i] ?? null, type);
      const isNumber = letterOf(type) === 'N';
      const { read } = encoder.encodeInto(isNumber ? text.padStart(width) : text, bytes.subarray(at, at + width));
      if (read < text.length && width < MAX_TEXT)
        throw new LayerChanged('A table got a longer value than was measured');
      at += width;
    }
    return bytes;
  }

  /** The last byte of the file. */
  static readonly end = Uint8Array.of(0x1a);
}

function letterOf(type: Column['type']): 'C' | 'L' | 'N' {
  if (type === 'boolean') return 'L';
  return type === 'text' || type === 'json' ? 'C' : 'N';
}

function textOf(value: Value, type: Column['type']): string {
  if (value === null) return '';
  if (type === 'boolean') return value ? 'T' : 'F';
  const text = String(value);
  return type === 'number' && text.length > NUMBER.width ? Number(value).toExponential() : text;
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
