import { textOf } from './feature-values.ts';

/** A value as SQLite stores it. */
export type SqliteValue = null | bigint | number | string | Uint8Array;

/** Reads a varint of one to nine bytes. */
export function varintAt(view: DataView, at: number): { value: bigint; end: number } {
  let small = 0;
  for (let i = 0; i < 4; i += 1) {
    const byte = view.getUint8(at + i);
    small = small * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value: BigInt(small), end: at + i + 1 };
  }
  let value = BigInt(small);
  for (let i = 4; i < 8; i += 1) {
    const byte = view.getUint8(at + i);
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return { value, end: at + i + 1 };
  }
  return { value: BigInt.asIntN(64, (value << 8n) | BigInt(view.getUint8(at + 8))), end: at + 9 };
}

/**
 * The values of a row, as many as are stored: columns that were added later have none.
 *
 * @param names the names of the columns whose values are read
 * @throws FileFault if a text is no UTF-8, with its column; RangeError where the row is damaged
 */
export function valuesOfRecord(record: Uint8Array, names: readonly string[]): SqliteValue[] {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  const header = varintAt(view, 0);
  if (header.value > BigInt(record.length)) throw new RangeError('The header of a row is too long');
  const values: SqliteValue[] = [];
  let at = Number(header.value);
  for (let next = header.end; next < Number(header.value) && values.length < names.length; ) {
    const type = varintAt(view, next);
    next = type.end;
    const { value, bytes } = valueAt(view, { at, type: type.value, name: names[values.length] as string });
    values.push(value);
    at += bytes;
  }
  return values;
}

/** The offset of a value, its serial type, and its column. */
interface Stored {
  readonly at: number;
  readonly type: bigint;
  readonly name: string;
}

function valueAt(view: DataView, { at, type, name }: Stored): { value: SqliteValue; bytes: number } {
  if (type > 11n) {
    const bytes = Number((type - 12n) >> 1n);
    if (at + bytes > view.byteLength) throw new RangeError('A value is cut off');
    const content = new Uint8Array(view.buffer, view.byteOffset + at, bytes);
    return { value: type % 2n === 0n ? content : textOf(content, name), bytes };
  }
  switch (Number(type)) {
    case 0:
      return { value: null, bytes: 0 };
    case 1:
      return { value: BigInt(view.getInt8(at)), bytes: 1 };
    case 2:
      return { value: BigInt(view.getInt16(at)), bytes: 2 };
    case 3:
      return { value: BigInt(view.getInt16(at) * 256 + view.getUint8(at + 2)), bytes: 3 };
    case 4:
      return { value: BigInt(view.getInt32(at)), bytes: 4 };
    case 5:
      return { value: BigInt(view.getInt16(at)) * 0x1_0000_0000n + BigInt(view.getUint32(at + 2)), bytes: 6 };
    case 6:
      return { value: view.getBigInt64(at), bytes: 8 };
    case 7:
      return { value: view.getFloat64(at), bytes: 8 };
    case 8:
      return { value: 0n, bytes: 0 };
    case 9:
      return { value: 1n, bytes: 0 };
    default:
      throw new RangeError('A value is of a type that there is not');
  }
}
