const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** The items of a vector: their offset and count. All of them are within the buffer. */
export interface Vector {
  readonly at: number;
  readonly length: number;
}

/**
 * A table of a FlatBuffer. Fields are numbered by their order in the schema. Reading beyond the end of a damaged buffer
 * throws RangeError; lengths are checked against the buffer before anything is allocated.
 */
export class Table {
  readonly view: DataView;
  readonly #at: number;

  private constructor(view: DataView, at: number) {
    this.view = view;
    this.#at = at;
  }

  static root(bytes: Uint8Array): Table {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new Table(view, view.getUint32(0, true));
  }

  byte(field: number, defaultValue = 0): number {
    const at = this.#offsetOf(field);
    return at === undefined ? defaultValue : this.view.getUint8(at);
  }

  short(field: number, defaultValue: number): number {
    const at = this.#offsetOf(field);
    return at === undefined ? defaultValue : this.view.getUint16(at, true);
  }

  integer(field: number): number {
    const at = this.#offsetOf(field);
    return at === undefined ? 0 : this.view.getInt32(at, true);
  }

  long(field: number): bigint {
    const at = this.#offsetOf(field);
    return at === undefined ? 0n : this.view.getBigUint64(at, true);
  }

  /** @param itemBytes size of an item */
  vector(field: number, itemBytes: number): Vector | undefined {
    const at = this.#offsetOf(field);
    if (at === undefined) return undefined;
    const start = this.#target(at);
    const length = this.view.getUint32(start, true);
    if (start + 4 + length * itemBytes > this.view.byteLength) throw new RangeError('A vector is too long');
    return { at: start + 4, length };
  }

  /** The bytes of a byte vector; empty if omitted. */
  bytes(field: number): Uint8Array {
    const { at, length } = this.vector(field, 1) ?? { at: 0, length: 0 };
    return new Uint8Array(this.view.buffer, this.view.byteOffset + at, length);
  }

  /** A text; empty if omitted. Invalid UTF-8 becomes U+FFFD. */
  text(field: number, maxBytes = MAX_TEXT_BYTES): string {
    const bytes = this.bytes(field);
    if (bytes.length > maxBytes) throw new RangeError('A text is too long');
    return new TextDecoder().decode(bytes);
  }

  table(field: number): Table | undefined {
    const at = this.#offsetOf(field);
    return at === undefined ? undefined : new Table(this.view, this.#target(at));
  }

  *tables(field: number): Generator<Table> {
    const { at, length } = this.vector(field, 4) ?? { at: 0, length: 0 };
    for (let i = 0; i < length; i += 1) yield new Table(this.view, this.#target(at + 4 * i));
  }

  #target(at: number): number {
    return at + this.view.getUint32(at, true);
  }

  /** The offset of a field; undefined if the table omits it. */
  #offsetOf(field: number): number | undefined {
    const fields = this.#at - this.view.getInt32(this.#at, true);
    const at = 4 + 2 * field;
    if (at + 2 > this.view.getUint16(fields, true)) return undefined;
    const offset = this.view.getUint16(fields + at, true);
    return offset === 0 ? undefined : this.#at + offset;
  }
}
