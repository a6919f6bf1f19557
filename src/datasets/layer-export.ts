import { joinBytes } from '../bytes.ts';
import type { Database } from '../db/client.ts';
import { type FeatureKinds, KINDS, readFeatureKinds } from '../features/repo/property-kinds.ts';
import { MAX_PROPERTY_NAMES } from '../features/repo/summaries.ts';
import { GEOMETRY_TYPES } from '../geojson/geometry.ts';
import { type Column, type ColumnType, LayerChanged, type Value } from '../layer-files/columns.ts';
import { flatGeobufFeature, flatGeobufHead } from '../layer-files/flatgeobuf.ts';
import { GEOPACKAGE_COLUMNS, GeoPackage } from '../layer-files/geopackage.ts';
import { GeoParquet, RESERVED_COLUMNS } from '../layer-files/geoparquet.ts';
import { type Shape, shapeOf } from '../layer-files/shapes.ts';
import type { ExportedFeatures } from './dataset.ts';
import { columnNames, type FeatureParts, memberValues, partPages, plainText } from './export-parts.ts';

// Files whose columns have types. All features are read once for the types, and once more to be written.

/**
 * The features of a dataset as FlatGeobuf without an index: where each feature begins would have to be known before the
 * first one is sent.
 */
export async function* flatGeobufChunks(db: Database, features: ExportedFeatures): AsyncGenerator<Uint8Array> {
  const table = await tableOf(db, features, layerColumns(features));
  const layer = layerOf(features, table);
  let head = flatGeobufHead(layer);
  for await (const page of partPages(db, features)) {
    yield joinBytes([head, ...page.map((feature) => flatGeobufFeature(rowOf(feature, table), layer))]);
    head = new Uint8Array();
  }
  if (head.length > 0) yield head;
}

/** The features of a dataset as a GeoPackage. They are read once more, for the number of pages. */
export async function* geoPackageChunks(db: Database, features: ExportedFeatures): AsyncGenerator<Uint8Array> {
  const table = await tableOf(db, features, geoPackageColumns(features));
  const layer = layerOf(features, table);
  const measuring = new GeoPackage(layer);
  for await (const page of partPages(db, features, { hasBegun: false })) {
    for (const feature of page) measuring.add(rowOf(feature, table));
    measuring.take();
  }
  const measure = measuring.end();
  const file = new GeoPackage(layer, measure);
  yield file.begin();
  for await (const page of partPages(db, features)) {
    for (const feature of page) file.add(rowOf(feature, table));
    yield file.take();
  }
  if (file.end().pages !== measure.pages) throw new LayerChanged('Features take another number of pages');
  yield file.take();
}

/** How much of geometries and texts is in memory until a row group is written, bytes, and how many cells of a table. */
const GROUP_BYTES = 4 * 1024 * 1024;
const GROUP_CELLS = 250_000;
const GROUP_ROWS = 16_384;

/** How many parts of columns a file may have: what is known of each stays in memory until the end. */
const MAX_COLUMN_CHUNKS = 40_000;

/** The features of a dataset as GeoParquet 1.1. */
export async function* geoParquetChunks(db: Database, features: ExportedFeatures): AsyncGenerator<Uint8Array> {
  const table = await tableOf(db, features, parquetColumns(features));
  const file = new GeoParquet({
    columns: table.columns,
    groupBytes: GROUP_BYTES,
    groupRows: rowsOfGroup(table.columns.length),
    statistics: false,
    isOriented: false,
  });
  for await (const page of partPages(db, features)) {
    // The answer begins with the first features: each page after them has time of its own.
    const beginning = file.begin();
    if (beginning.length > 0) yield beginning;
    for (const feature of page) {
      const bytes = file.add(rowOf(feature, table));
      if (bytes) yield bytes;
    }
  }
  yield file.end();
}

function layerOf({ name }: ExportedFeatures, { columns, kinds }: Table) {
  const [type, ...otherTypes] = kinds.geometryTypes;
  const isOne = type !== undefined && otherTypes.length === 0;
  const only = isOne ? (GEOMETRY_TYPES[type] as Shape['type']) : undefined;
  return { name, columns, type: only, hasZ: kinds.hasHeights };
}

export function geoPackageColumns(features: ExportedFeatures): string[] | undefined {
  return layerColumns(features, GEOPACKAGE_COLUMNS);
}

/** The names of the columns of properties; undefined where all properties are one. */
export function layerColumns(
  { propertyNames }: ExportedFeatures,
  own: readonly string[] = RESERVED_COLUMNS,
): string[] | undefined {
  if (propertyNames.length > MAX_PROPERTY_NAMES) return undefined;
  // Databases that read these files do not tell names apart by their case.
  const keyOf = (name: string) => name.toLowerCase();
  const isReserved = (name: string) => keyOf(name) === 'id' || own.includes(keyOf(name));
  return columnNames(propertyNames, isReserved, keyOf);
}

/** The same of a GeoParquet. */
export function parquetColumns(features: ExportedFeatures): string[] | undefined {
  const width = features.propertyNames.length + 2;
  const groups = features.contents.count / rowsOfGroup(width);
  return groups * width <= MAX_COLUMN_CHUNKS ? layerColumns(features) : undefined;
}

function rowsOfGroup(columns: number): number {
  return Math.min(GROUP_ROWS, Math.floor(GROUP_CELLS / columns));
}

/** Integers of exports have 64 bits. */
export type ExportColumn = Column & { readonly type: Exclude<ColumnType, 'integer'> };

/** Workbooks and Shapefiles have integers of 15 digits. */
type MostDigits = 15 | 18;

/** What a file has besides geometries. */
export interface Table {
  /** The id first. */
  readonly columns: readonly ExportColumn[];
  /** The members of properties that have a column, in their order; undefined where all properties are one column. */
  readonly names: readonly string[] | undefined;
  readonly kinds: FeatureKinds;
  /** How many digits an integer of a column of numbers has at most. */
  readonly mostDigits: MostDigits;
}

/**
 * @param named the names of the columns of properties; undefined where all properties are one
 * @param options `mostDigits` of an integer; longer ones are text
 */
export async function tableOf(
  db: Database,
  { contents, propertyNames }: ExportedFeatures,
  named: readonly string[] | undefined,
  { mostDigits = 18 }: { mostDigits?: MostDigits } = {},
): Promise<Table> {
  const names = named && propertyNames;
  const { versionId } = contents;
  const kinds = await readFeatureKinds(db, { versionId, withProperties: names !== undefined });
  const columns: ExportColumn[] = named
    ? named.map((name, i) => {
        return { name, type: typeOf(kinds.properties.get(propertyNames[i] as string) ?? 0, mostDigits) };
      })
    : [{ name: 'properties', type: 'json' }];
  return { columns: [{ name: 'id', type: 'text' }, ...columns], names, kinds, mostDigits };
}

/** The type of a column that has all values of some kinds exactly, but for the last digits of decimals. */
function typeOf(kinds: number, mostDigits: MostDigits): ExportColumn['type'] {
  const isOnly = (...allowed: number[]) => kinds !== 0 && allowed.reduce((rest, kind) => rest & ~kind, kinds) === 0;
  if (isOnly(KINDS.integer, mostDigits === 18 ? KINDS.longInteger : KINDS.integer)) return 'long';
  if (isOnly(KINDS.integer, KINDS.decimal)) return 'number';
  if (isOnly(KINDS.boolean)) return 'boolean';
  return isOnly(KINDS.nested) ? 'json' : 'text';
}

export function rowOf({ id, geometry, properties }: FeatureParts, { columns, names, mostDigits }: Table) {
  const texts = names ? memberValues(properties, names) : [properties];
  const values = texts.map((json, i) => typedValue(json, (columns[i + 1] as ExportColumn).type, mostDigits));
  return {
    values: [plainText(id), ...values],
    shape: geometry === 'null' ? null : shapeOf(JSON.parse(geometry)),
  };
}

/** How the JSON text of a value looks that fits into a column. A double has no more than 15 digits of each integer. */
const FITTING: Readonly<Record<'boolean' | 'number' | MostDigits, RegExp>> = {
  boolean: /^[tf]/,
  number: /^-?\d(?!\d{15,}$)/,
  15: /^-?\d{1,15}$/,
  18: /^-?\d{1,18}$/,
};

/** @throws LayerChanged if the value is of another kind, because somebody has changed it since the kinds were read */
function typedValue(json: string, type: ExportColumn['type'], mostDigits: MostDigits): Value {
  if (json === 'null') return null;
  if (type === 'text') return plainText(json);
  if (type === 'json') return json;
  if (!FITTING[type === 'long' ? mostDigits : type].test(json))
    throw new LayerChanged(`A ${type} column got ${json.slice(0, 40)}`);
  if (type === 'boolean') return json === 'true';
  return type === 'long' ? BigInt(json) : Number(json);
}
