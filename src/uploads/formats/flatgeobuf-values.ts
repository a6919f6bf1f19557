import { lossOf } from '../../geojson/json-losses.ts';
import { COLUMNS } from '../../layer-files/flatgeobuf-schema.ts';
import { base64Of, exactInteger, singleNumber, textOf } from './feature-values.ts';
import { FileFault } from './format.ts';

/** Max size of the properties of a feature, bytes as the file has them. */
const MAX_PROPERTIES_BYTES = 8 * 1024 * 1024;

export interface Column {
  readonly name: string;
  /** A number of `COLUMNS`, or an unknown one: then only a column without values can be read. */
  readonly type: number;
}

/**
 * The properties of a feature: null for columns without a value. Integers beyond 2^53 are text, numbers that are not
 * finite null, bytes base64 (RFC 4648, 4), and times their text.
 *
 * @param bytes values, each prefixed with the number of its column in two bytes
 * @throws FileFault if a value can not be read; RangeError where it is cut off
 */
export function valuesOf(bytes: Uint8Array, columns: readonly Column[]): Record<string, unknown> {
  if (bytes.length > MAX_PROPERTIES_BYTES) {
    throw new FileFault(`has more than ${MAX_PROPERTIES_BYTES} bytes of properties`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Map<string, unknown>(columns.map(({ name }) => [name, null]));
  for (let at = 0; at < bytes.length; ) {
    const number = view.getUint16(at, true);
    const column = columns[number];
    if (!column) throw new FileFault(`has a value of column ${number}, and there are ${columns.length} columns`);
    const { value, end } = valueAt(view, at + 2, column);
    values.set(column.name, value);
    at = end;
  }
  return Object.fromEntries(values);
}

function valueAt(view: DataView, at: number, { name, type }: Column): { value: unknown; end: number } {
  switch (type) {
    case COLUMNS.byte:
      return { value: view.getInt8(at), end: at + 1 };
    case COLUMNS.ubyte:
      return { value: view.getUint8(at), end: at + 1 };
    case COLUMNS.bool:
      return { value: view.getUint8(at) !== 0, end: at + 1 };
    case COLUMNS.short:
      return { value: view.getInt16(at, true), end: at + 2 };
    case COLUMNS.ushort:
      return { value: view.getUint16(at, true), end: at + 2 };
    case COLUMNS.int:
      return { value: view.getInt32(at, true), end: at + 4 };
    case COLUMNS.uint:
      return { value: view.getUint32(at, true), end: at + 4 };
    case COLUMNS.long:
      return { value: exactInteger(view.getBigInt64(at, true)), end: at + 8 };
    case COLUMNS.ulong:
      return { value: exactInteger(view.getBigUint64(at, true)), end: at + 8 };
    case COLUMNS.float:
      return { value: singleNumber(view.getFloat32(at, true)), end: at + 4 };
    case COLUMNS.double: {
      const number = view.getFloat64(at, true);
      return { value: Number.isFinite(number) ? number : null, end: at + 8 };
    }
    case COLUMNS.string:
    case COLUMNS.json:
    case COLUMNS.dateTime:
    case COLUMNS.binary:
      break;
    default:
      throw new FileFault(`column ${JSON.stringify(name.slice(0, 40))} is of the type ${type}, which is not known`);
  }
  const length = view.getUint32(at, true);
  const end = at + 4 + length;
  if (end > view.byteLength) throw new RangeError('A value is cut off');
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at + 4, length);
  if (type === COLUMNS.binary) return { value: base64Of(bytes), end };
  const text = textOf(bytes, name);
  return { value: type === COLUMNS.json ? jsonOf(text, name) : text, end };
}

/** JSON with integers beyond 2^53 as text, as in other columns. */
function jsonOf(text: string, name: string): unknown {
  const column = `column ${JSON.stringify(name.slice(0, 40))}`;
  const value = parsed(text, column);
  const loss = lossOf(text, value);
  if (loss) throw new FileFault(`${column} ${loss}`);
  return value;
}

function parsed(text: string, column: string): unknown {
  // The third argument has the source text of a number (TC39, JSON.parse source text access).
  const exact = (_: string, value: unknown, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;
  try {
    return JSON.parse(text, exact);
  } catch {
    throw new FileFault(`${column} is no valid JSON`);
  }
}
