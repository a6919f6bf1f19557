import { Builder } from 'flatbuffers';
import {
  COLUMN,
  COLUMNS,
  CRS,
  FEATURE,
  GEOMETRY,
  HEADER,
  MAGIC,
  TYPES,
} from '../../src/layer-files/flatgeobuf-schema.ts';

export interface FgbGeometry {
  readonly type?: number;
  readonly xy?: readonly number[];
  readonly z?: readonly number[];
  readonly ends?: readonly number[];
  readonly parts?: readonly FgbGeometry[];
}

interface FgbFeature {
  readonly geometry?: FgbGeometry;
  readonly properties?: Uint8Array;
}

export interface FgbLayer {
  readonly type?: number;
  readonly columns?: readonly (readonly [name: string, type: number])[];
  /** How many features the header says that there are. */
  readonly count?: number;
  /** 0 where there is no index. */
  readonly nodeSize?: number;
  readonly crs?: { readonly org?: string; readonly code?: number; readonly wkt?: string };
  readonly features?: readonly FgbFeature[];
}

/** A FlatGeobuf file. Its index is as long as it must be and has nothing in it. */
export function flatGeobufOf(layer: FgbLayer): Uint8Array {
  const features = layer.features ?? [];
  const count = layer.count ?? features.length;
  const nodeSize = layer.nodeSize ?? 0;
  let nodes = nodeSize > 0 && count > 0 ? count : 0;
  for (let level = nodes, isFirst = true; level > 1 || (level === 1 && isFirst); isFirst = false) {
    level = Math.ceil(level / nodeSize);
    nodes += level;
  }
  return joined([MAGIC, headerOf(layer, count, nodeSize), new Uint8Array(40 * nodes), ...features.map(featureOf)]);
}

/** Values of properties: the number of each column and the bytes of its value. */
export function valuesOf(values: readonly (readonly [column: number, bytes: Uint8Array])[]): Uint8Array {
  return joined(values.flatMap(([column, bytes]) => [Uint8Array.of(column & 255, column >> 8), bytes]));
}

/** A value with its length before it. */
export function sized(content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return joined([new Uint8Array(Uint32Array.of(bytes.length).buffer), bytes]);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** A file with a point in metres of UTM zone 51, and what has no place. */
export const wellsFlatGeobuf = () =>
  flatGeobufOf({
    nodeSize: 16,
    crs: { org: 'EPSG', code: 32651 },
    columns: [['name', COLUMNS.string]],
    features: [
      { geometry: { type: TYPES.Point, xy: [500_000, 1_600_000] }, properties: valuesOf([[0, sized('Ñ')]]) },
      {},
    ],
  });

function headerOf({ type = 0, columns = [], crs }: FgbLayer, count: number, nodeSize: number): Uint8Array {
  const builder = new Builder(1024);
  const tables = columns.map(([name, columnType]) => {
    const text = builder.createString(name);
    builder.startObject(COLUMN.fields);
    builder.addFieldOffset(COLUMN.name, text, 0);
    builder.addFieldInt8(COLUMN.type, columnType, 0);
    return builder.endObject();
  });
  const columnVector = offsets(builder, tables);
  let system = 0;
  if (crs) {
    const [org, wkt] = [crs.org, crs.wkt].map((text) => (text === undefined ? 0 : builder.createString(text))) as [
      number,
      number,
    ];
    builder.startObject(CRS.fields);
    builder.addFieldOffset(CRS.org, org, 0);
    builder.addFieldInt32(CRS.code, crs.code ?? 0, 0);
    builder.addFieldOffset(CRS.wkt, wkt, 0);
    system = builder.endObject();
  }
  builder.startObject(HEADER.fields);
  builder.addFieldInt8(HEADER.type, type, 0);
  builder.addFieldOffset(HEADER.columns, columnVector, 0);
  builder.addFieldInt64(HEADER.count, BigInt(count), 0n);
  builder.addFieldInt16(HEADER.nodeSize, nodeSize, 16);
  builder.addFieldOffset(HEADER.crs, system, 0);
  builder.finishSizePrefixed(builder.endObject());
  return builder.asUint8Array().slice();
}

function featureOf({ geometry, properties }: FgbFeature): Uint8Array {
  const builder = new Builder(1024);
  const shape = geometry ? geometryOf(builder, geometry) : 0;
  const values = properties ? builder.createByteVector(properties) : 0;
  builder.startObject(FEATURE.fields);
  builder.addFieldOffset(FEATURE.geometry, shape, 0);
  builder.addFieldOffset(FEATURE.properties, values, 0);
  builder.finishSizePrefixed(builder.endObject());
  return builder.asUint8Array().slice();
}

function geometryOf(builder: Builder, { type = 0, xy, z, ends, parts }: FgbGeometry): number {
  const partVector = parts
    ? offsets(
        builder,
        parts.map((part) => geometryOf(builder, part)),
      )
    : 0;
  const [plane, heights] = [xy, z].map((numbers) => (numbers ? doubles(builder, numbers) : 0)) as [number, number];
  let endVector = 0;
  if (ends) {
    builder.startVector(4, ends.length, 4);
    for (const end of ends.toReversed()) builder.addInt32(end);
    endVector = builder.endVector();
  }
  builder.startObject(GEOMETRY.fields);
  builder.addFieldOffset(GEOMETRY.ends, endVector, 0);
  builder.addFieldOffset(GEOMETRY.xy, plane, 0);
  builder.addFieldOffset(GEOMETRY.z, heights, 0);
  builder.addFieldInt8(GEOMETRY.type, type, 0);
  builder.addFieldOffset(GEOMETRY.parts, partVector, 0);
  return builder.endObject();
}

function doubles(builder: Builder, numbers: readonly number[]): number {
  builder.startVector(8, numbers.length, 8);
  for (const number of numbers.toReversed()) builder.addFloat64(number);
  return builder.endVector();
}

function offsets(builder: Builder, places: readonly number[]): number {
  builder.startVector(4, places.length, 4);
  for (const place of places.toReversed()) builder.addOffset(place);
  return builder.endVector();
}
