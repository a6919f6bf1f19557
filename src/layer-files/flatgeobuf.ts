import { Builder } from 'flatbuffers';
import { joinBytes } from '../bytes.ts';
import { type Column, type ColumnType, type Feature, type Layer, LayerChanged, type Value } from './columns.ts';
import { COLUMN, COLUMNS, CRS, FEATURE, GEOMETRY, HEADER, MAGIC } from './flatgeobuf-schema.ts';
import { type Box, SHAPE_TYPES, type Shape } from './shapes.ts';

const COLUMN_TYPES: Readonly<Record<ColumnType, number>> = {
  boolean: COLUMNS.bool,
  integer: COLUMNS.int,
  long: COLUMNS.long,
  number: COLUMNS.double,
  text: COLUMNS.string,
  json: COLUMNS.json,
};

/** Node size that readers assume if the header names none. */
const DEFAULT_NODE_SIZE = 16;

/** Room of the table of a part, counted in numbers of 8 bytes. */
const TABLE_ROOM = 16;

/** Max bytes of the number of a column and of a value that is no text. */
const VALUE_BYTES = 2 + 8;

const encoder = new TextEncoder();

/** What the header says of the spatial index (a packed R-tree), which follows it in the file, and of the features in it. */
interface Index {
  readonly extent: Box;
  /** The number of features. */
  readonly count: number;
  /** Max children of a node of the index. */
  readonly nodeSize: number;
}

/**
 * The beginning of a file in WGS 84, up to its index: magic bytes and the header.
 *
 * @param index undefined for a file without an index; readers then count the features by reading them
 */
export function flatGeobufHead({ name, columns, type, hasZ, description = '' }: Layer, index?: Index): Uint8Array {
  const builder = new Builder(4096);
  const columnTables = columns.map((column) => {
    const columnName = builder.createString(column.name);
    builder.startObject(COLUMN.fields);
    builder.addFieldOffset(COLUMN.name, columnName, 0);
    builder.addFieldInt8(COLUMN.type, COLUMN_TYPES[column.type], 0);
    return builder.endObject();
  });
  const columnVector = offsetVector(builder, columnTables);
  const org = builder.createString('EPSG');
  builder.startObject(CRS.fields);
  builder.addFieldOffset(CRS.org, org, 0);
  builder.addFieldInt32(CRS.code, 4326, 0);
  const crs = builder.endObject();
  const envelope = index ? numberVector(builder, [Float64Array.from(index.extent)]) : 0;
  const layerName = builder.createString(name);
  const layerDescription = description === '' ? 0 : builder.createString(description);
  builder.startObject(HEADER.fields);
  builder.addFieldOffset(HEADER.name, layerName, 0);
  builder.addFieldOffset(HEADER.envelope, envelope, 0);
  builder.addFieldInt8(HEADER.type, type ? SHAPE_TYPES[type] : 0, 0);
  builder.addFieldInt8(HEADER.hasZ, hasZ ? 1 : 0, 0);
  builder.addFieldOffset(HEADER.columns, columnVector, 0);
  builder.addFieldInt64(HEADER.count, BigInt(index?.count ?? 0), 0n);
  builder.addFieldInt16(HEADER.nodeSize, index?.nodeSize ?? 0, DEFAULT_NODE_SIZE);
  builder.addFieldOffset(HEADER.crs, crs, 0);
  builder.addFieldOffset(HEADER.description, layerDescription, 0);
  builder.finishSizePrefixed(builder.endObject());
  return joinBytes([MAGIC, builder.asUint8Array()]);
}

/**
 * Encodes a feature, prefixed with its length.
 *
 * @throws LayerChanged if its geometry doesn't fit the header
 */
export function flatGeobufFeature(
  { values, shape }: Feature,
  { columns, type, hasZ }: Pick<Layer, 'columns' | 'type' | 'hasZ'>,
): Uint8Array {
  if (shape && type !== undefined && shape.type !== type) {
    throw new LayerChanged(`A layer of type ${type} got a ${shape.type}`);
  }
  if (shape?.dimensions === 3 && !hasZ) throw new LayerChanged('A layer without heights got one');
  const properties = propertyBytes(values, columns);
  const builder = new Builder(256 + properties.length + (shape ? roomOf(shape) * 8 : 0));
  const geometry = shape ? geometryTable(builder, shape, hasZ) : 0;
  const propertyVector = builder.createByteVector(properties);
  builder.startObject(FEATURE.fields);
  builder.addFieldOffset(FEATURE.geometry, geometry, 0);
  builder.addFieldOffset(FEATURE.properties, propertyVector, 0);
  builder.finishSizePrefixed(builder.endObject());
  return builder.asUint8Array();
}

/** How much room a geometry takes about, counted in numbers of 8 bytes, so that the builder need not enlarge its buffer. */
function roomOf({ runs, parts }: Shape): number {
  return parts.reduce((sum, part) => sum + roomOf(part) + TABLE_ROOM, lengthOf(runs));
}

function lengthOf(runs: readonly Float64Array[]): number {
  return runs.reduce((sum, run) => sum + run.length, 0);
}

/** Writes a geometry with its parts. Returns its offset, as the functions below do of vectors. */
function geometryTable(builder: Builder, { type, runs, parts, dimensions }: Shape, hasZ: boolean): number {
  const partVector =
    runs.length > 0
      ? 0
      : offsetVector(
          builder,
          parts.map((part) => geometryTable(builder, part, hasZ)),
        );
  // The only ring of a polygon ends with the coordinates.
  const hasEnds = type === 'MultiLineString' || (type === 'Polygon' && runs.length > 1);
  const ends = hasEnds ? endVector(builder, runs, dimensions) : 0;
  const xy = runs.length === 0 ? 0 : numberVector(builder, dimensions === 2 ? runs : runs.map(withoutHeights));
  const z =
    hasZ && runs.length > 0
      ? numberVector(
          builder,
          runs.map((run) => heightsOf(run, dimensions)),
        )
      : 0;
  builder.startObject(GEOMETRY.fields);
  builder.addFieldOffset(GEOMETRY.ends, ends, 0);
  builder.addFieldOffset(GEOMETRY.xy, xy, 0);
  builder.addFieldOffset(GEOMETRY.z, z, 0);
  builder.addFieldInt8(GEOMETRY.type, SHAPE_TYPES[type], 0);
  builder.addFieldOffset(GEOMETRY.parts, partVector, 0);
  return builder.endObject();
}

function withoutHeights(run: Float64Array): Float64Array {
  return run.filter((_, i) => i % 3 < 2);
}

function heightsOf(run: Float64Array, dimensions: 2 | 3): Float64Array {
  return dimensions === 3 ? run.filter((_, i) => i % 3 === 2) : new Float64Array(run.length / 2);
}

/** The values that are not null, each prefixed with the number of its column. */
function propertyBytes(values: readonly Value[], columns: readonly Column[]): Uint8Array {
  // A UTF-16 unit takes at most three bytes, and the length before a text four of the eight that other values may have.
  const most = values.reduce<number>((sum, value) => sum + VALUE_BYTES + 3 * String(value).length, 0);
  const bytes = new Uint8Array(most);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [i, value] of values.entries()) {
    if (value === null) continue;
    view.setUint16(at, i, true);
    at += 2;
    at += setValue(view, at, value, (columns[i] as Column).type);
  }
  return bytes.subarray(0, at);
}

/** Writes a value at a byte of the view. Returns how many bytes it has. */
function setValue(view: DataView, at: number, value: Exclude<Value, null>, type: ColumnType): number {
  switch (type) {
    case 'boolean':
      view.setUint8(at, value ? 1 : 0);
      return 1;
    case 'integer':
      view.setInt32(at, Number(value), true);
      return 4;
    case 'long':
      view.setBigInt64(at, BigInt(value), true);
      return 8;
    case 'number':
      view.setFloat64(at, Number(value), true);
      return 8;
    default: {
      const { written } = encoder.encodeInto(String(value), new Uint8Array(view.buffer, at + 4));
      view.setUint32(at, written, true);
      return 4 + written;
    }
  }
}

function offsetVector(builder: Builder, offsets: readonly number[]): number {
  builder.startVector(4, offsets.length, 4);
  for (const offset of offsets.toReversed()) builder.addOffset(offset);
  return builder.endVector();
}

/** Where each run ends, counted in positions. FlatBuffers are written from back to front. */
function endVector(builder: Builder, runs: readonly Float64Array[], dimensions: 2 | 3): number {
  let end = lengthOf(runs) / dimensions;
  builder.startVector(4, runs.length, 4);
  for (const run of runs.toReversed()) {
    builder.addInt32(end);
    end -= run.length / dimensions;
  }
  return builder.endVector();
}

/** Concatenates several arrays of numbers into one vector. */
function numberVector(builder: Builder, runs: readonly Float64Array[]): number {
  builder.startVector(8, lengthOf(runs), 8);
  for (const run of runs.toReversed()) {
    for (let i = run.length - 1; i >= 0; i -= 1) builder.addFloat64(run[i] as number);
  }
  return builder.endVector();
}
