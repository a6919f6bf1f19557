/**
 * The bytes of a snapshot's areas: a header in JSON and columns of numbers and texts behind it, all of it compressed with
 * gzip. A column of integers is stored as planes, all first bytes, then all second bytes, and so on, of the values or of
 * the differences between neighbours: that packs to half of what the values themselves do.
 */

/** `"PGDS areas"`, and the number of this layout. Another layout has another number. */
const MAGIC = 'PGDSA001';

/** Bytes of a value. */
export type Width = 1 | 2 | 4;

export interface ColumnSpec {
  readonly name: string;
  /** Bytes of the column as it is stored. */
  readonly bytes: number;
  /** Undefined for a text. */
  readonly width?: Width;
  /** Whether differences are stored: each value less the one before it. */
  readonly delta?: boolean;
}

interface Header<Facts> {
  readonly facts: Facts;
  readonly columns: readonly ColumnSpec[];
}

/** Integers below 2^32, or from -2^31 where they are read as signed. */
export interface NumberColumn {
  readonly name: string;
  readonly values: ArrayLike<number>;
  readonly width: Width;
  readonly delta?: boolean;
}

export interface TextColumn {
  readonly name: string;
  readonly text: string;
}

/** The bytes of a header and its columns, not yet compressed. */
export function encodeColumns<Facts>(facts: Facts, columns: readonly (NumberColumn | TextColumn)[]): Uint8Array {
  const encoder = new TextEncoder();
  const bodies = columns.map((column) => ('text' in column ? encoder.encode(column.text) : planesOf(column)));
  const specs = columns.map((column, i): ColumnSpec => {
    const bytes = bodies[i]?.length ?? 0;
    if ('text' in column) return { name: column.name, bytes };
    return { name: column.name, bytes, width: column.width, ...(column.delta ? { delta: true } : {}) };
  });
  const header = encoder.encode(JSON.stringify({ facts, columns: specs } satisfies Header<Facts>));
  const start = MAGIC.length + 4;
  const total = bodies.reduce((sum, { length }) => sum + length, start + header.length);
  const bytes = new Uint8Array(total);
  bytes.set(encoder.encode(MAGIC));
  new DataView(bytes.buffer).setUint32(MAGIC.length, header.length, true);
  bytes.set(header, start);
  let at = start + header.length;
  for (const body of bodies) {
    bytes.set(body, at);
    at += body.length;
  }
  return bytes;
}

function planesOf({ name, values, width, delta }: NumberColumn): Uint8Array {
  const { length } = values;
  const planes = new Uint8Array(length * width);
  const limit = 2 ** (8 * width);
  let before = 0;
  for (let i = 0; i < length; i += 1) {
    const value = values[i] as number;
    if (!Number.isInteger(value) || value >= limit || value < -limit / 2) {
      throw new Error(`The value ${value} of the column ${name} does not fit into ${width} bytes`);
    }
    let rest = delta ? value - before : value;
    before = value;
    rest |= 0;
    for (let plane = 0; plane < width; plane += 1) {
      planes[plane * length + i] = rest & 255;
      rest >>>= 8;
    }
  }
  return planes;
}

/**
 * The columns of bytes that `encodeColumns` made.
 *
 * @throws Error if the bytes are no such thing or are cut short
 */
export class Columns<Facts> {
  readonly facts: Facts;
  readonly #bytes: Uint8Array;
  readonly #columns = new Map<string, ColumnSpec & { readonly offset: number }>();

  constructor(bytes: Uint8Array) {
    const start = MAGIC.length + 4;
    const decoder = new TextDecoder();
    if (bytes.length < start || decoder.decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) {
      throw new Error('The bytes are no areas of a snapshot of this version');
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const length = view.getUint32(MAGIC.length, true);
    const { facts, columns } = JSON.parse(decoder.decode(bytes.subarray(start, start + length))) as Header<Facts>;
    let offset = start + length;
    for (const column of columns) {
      this.#columns.set(column.name, { ...column, offset });
      offset += column.bytes;
    }
    if (offset !== bytes.length) throw new Error(`The areas have ${bytes.length} bytes in place of ${offset}`);
    this.facts = facts;
    this.#bytes = bytes;
  }

  /** Whether there is a column. Those that were added later are missing in what was published before. */
  has(name: string): boolean {
    return this.#columns.has(name);
  }

  /** How many values a column of numbers has. */
  lengthOf(name: string): number {
    const { bytes, width = 1 } = this.#columns.get(name) ?? { bytes: 0 };
    return bytes / width;
  }

  text(name: string): string {
    const { offset, bytes } = this.#column(name);
    return new TextDecoder().decode(this.#bytes.subarray(offset, offset + bytes));
  }

  uint8(name: string): Uint8Array {
    const { offset, bytes } = this.#column(name, 1);
    // A copy, so that the decompressed bytes need not stay in memory for it.
    return this.#bytes.slice(offset, offset + bytes);
  }

  uint16(name: string): Uint16Array {
    const { offset, bytes, delta } = this.#column(name, 2);
    const length = bytes / 2;
    const values = new Uint16Array(length);
    const source = this.#bytes;
    let before = 0;
    for (let i = 0, low = offset, high = offset + length; i < length; i += 1, low += 1, high += 1) {
      const value = (source[low] as number) | ((source[high] as number) << 8);
      before = delta ? before + value : value;
      values[i] = before;
    }
    return values;
  }

  int32(name: string): Int32Array {
    const { offset, bytes, delta } = this.#column(name, 4);
    const length = bytes / 4;
    const values = new Int32Array(length);
    const source = this.#bytes;
    let before = 0;
    for (let i = 0, a = offset, b = a + length, c = b + length, d = c + length; i < length; i += 1) {
      const value =
        (source[a] as number) |
        ((source[b] as number) << 8) |
        ((source[c] as number) << 16) |
        ((source[d] as number) << 24);
      a += 1;
      b += 1;
      c += 1;
      d += 1;
      before = delta ? (before + value) | 0 : value;
      values[i] = before;
    }
    return values;
  }

  uint32(name: string): Uint32Array {
    return new Uint32Array(this.int32(name).buffer);
  }

  #column(name: string, width?: Width) {
    const column = this.#columns.get(name);
    if (!column || column.width !== width) throw new Error(`The areas have no column ${name} of this kind`);
    return column;
  }
}
