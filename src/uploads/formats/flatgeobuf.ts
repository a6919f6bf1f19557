import { MAX_NAME_LENGTH, type NewFeature } from '../../features/feature.ts';
import { COLUMN, CRS, FEATURE, HEADER, MAGIC } from '../../layer-files/flatgeobuf-schema.ts';
import { ByteReader } from './byte-reader.ts';
import { featureOfValues } from './feature-values.ts';
import { Table } from './flatbuffer.ts';
import { geometryOfTable } from './flatgeobuf-geometry.ts';
import { type Column, valuesOf } from './flatgeobuf-values.ts';
import {
  type FeatureFile,
  FileFault,
  type Format,
  MAX_FEATURES,
  type RandomAccess,
  type ReadOptions,
  withLocation,
} from './format.ts';
import { withFaultIfDamaged } from './positions.ts';
import { sridOfSystem } from './projection.ts';

/** Max size of the header, bytes. It has the names of columns, and may describe the layer. */
const MAX_HEADER_BYTES = 1024 * 1024;
const MAX_FEATURE_BYTES = 16 * 1024 * 1024;
const MAX_COLUMNS = 2000;
/** Size of an index node, bytes: a box and an offset. */
const NODE_BYTES = 40;
const DEFAULT_NODE_SIZE = 16;

export const flatgeobuf: Format = {
  name: 'FlatGeobuf',
  kind: 'file',
  extensions: ['.fgb'],
  storesFeatures: true,
  open,
};

/** What the header says about the features. */
interface Layer {
  /** The type of all geometries; 0 if each has its own. */
  readonly type: number;
  readonly columns: readonly Column[];
  /** Number of features; 0 if unknown. */
  readonly count: number;
  /** Bytes from the beginning of the file to the first feature. */
  readonly featuresOffset: number;
}

/** Opens a FlatGeobuf file of version 3. The index is skipped, because all features are read. */
async function open(file: RandomAccess): Promise<FeatureFile> {
  const start = await file.read(0, Math.min(file.bytes, MAGIC.length + 4));
  // The last byte is a patch version.
  if (start.length < MAGIC.length || MAGIC.subarray(0, 7).some((byte, i) => byte !== start[i])) {
    throw new FileFault('is no FlatGeobuf of version 3: it does not begin as one', 'byte 0');
  }
  const location = `byte ${MAGIC.length}`;
  if (start.length < MAGIC.length + 4) throw new FileFault('is cut off: it has no header', location);
  const headerBytes = new DataView(start.buffer, start.byteOffset).getUint32(MAGIC.length, true);
  if (headerBytes > MAX_HEADER_BYTES)
    throw new FileFault(`has a header of more than ${MAX_HEADER_BYTES} bytes`, location);
  const headerEnd = MAGIC.length + 4 + headerBytes;
  if (headerEnd > file.bytes) throw new FileFault('is cut off: its header does not end', location);
  const bytes = await file.read(MAGIC.length + 4, headerBytes);
  return withLocation(
    () => location,
    () =>
      withFaultIfDamaged('the header', () => {
        const header = Table.root(bytes);
        const count = countOf(header);
        const featuresOffset = headerEnd + indexBytes(count, header.short(HEADER.nodeSize, DEFAULT_NODE_SIZE));
        if (featuresOffset > file.bytes) throw new FileFault('is cut off: its index does not end');
        const columns = columnsOf(header, HEADER.columns);
        const layer = { type: header.byte(HEADER.type), columns, count, featuresOffset };
        const system = systemOf(header);
        return {
          srid: () =>
            system &&
            withLocation(
              () => location,
              () => sridOfSystem(system, 'the header'),
            ),
          features: (options: ReadOptions) => featuresOf(file, layer, options),
        };
      }),
  );
}

function countOf(header: Table): number {
  const count = header.long(HEADER.count);
  if (count > MAX_FEATURES) throw new FileFault(`has more than ${MAX_FEATURES} features`);
  return Number(count);
}

/** Size of the index of `count` features, bytes; 0 for a node size without index. */
function indexBytes(count: number, nodeSize: number): number {
  if (nodeSize === 0 || count === 0) return 0;
  if (nodeSize === 1) throw new FileFault('has an index whose nodes have one item');
  let nodes = count;
  let level = count;
  do {
    level = Math.ceil(level / nodeSize);
    nodes += level;
  } while (level > 1);
  return nodes * NODE_BYTES;
}

function columnsOf(table: Table, field: number): Column[] {
  const columns: Column[] = [];
  for (const column of table.tables(field)) {
    if (columns.length === MAX_COLUMNS) throw new FileFault(`has more than ${MAX_COLUMNS} columns`);
    const name = column.text(COLUMN.name, 4 * MAX_NAME_LENGTH);
    if (name.length > MAX_NAME_LENGTH) {
      throw new FileFault(`column ${columns.length + 1} must have a name of at most ${MAX_NAME_LENGTH} characters`);
    }
    columns.push({ name, type: column.byte(COLUMN.type) });
  }
  const names = new Set<string>();
  for (const { name } of columns) {
    if (names.has(name)) throw new FileFault(`has more than one column ${JSON.stringify(name.slice(0, 40))}`);
    names.add(name);
  }
  return columns;
}

function systemOf(header: Table) {
  const crs = header.table(HEADER.crs);
  if (!crs) return undefined;
  const number = crs.integer(CRS.code);
  return {
    authority: crs.text(CRS.org) || 'EPSG',
    code: number === 0 ? crs.text(CRS.codeText) : String(number),
    definition: crs.text(CRS.wkt),
  };
}

async function* featuresOf(file: RandomAccess, layer: Layer, options: ReadOptions): AsyncGenerator<NewFeature> {
  const length = file.bytes - layer.featuresOffset;
  const features = new ByteReader(length === 0 ? nothing() : await file.stream(layer.featuresOffset, length));
  try {
    for (let number = 1; ; number += 1) {
      const location = `feature ${number}, byte ${layer.featuresOffset + features.at}`;
      const head = await features.next(4);
      if (head.length === 0 && number > layer.count) return;
      if (head.length < 4) throw new FileFault('is cut off: a feature is missing', location);
      if (number > MAX_FEATURES) throw new FileFault(`has more than ${MAX_FEATURES} features`);
      if (layer.count > 0 && number > layer.count) {
        throw new FileFault(`has data after the ${layer.count} features that its header counts`, location);
      }
      const bytes = new DataView(head.buffer, head.byteOffset).getUint32(0, true);
      if (bytes > MAX_FEATURE_BYTES)
        throw new FileFault(`a feature is larger than ${MAX_FEATURE_BYTES} bytes`, location);
      const feature = await features.next(bytes);
      if (feature.length < bytes) throw new FileFault('is cut off: the last feature does not end', location);
      yield withLocation(
        () => location,
        () => withFaultIfDamaged('the feature', () => featureOf(Table.root(feature), layer, options)),
      );
    }
  } finally {
    await features.close();
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function featureOf(table: Table, { type, columns }: Layer, options: ReadOptions): NewFeature {
  // If columns differ between features, the header has none.
  const featureColumns = columns.length > 0 ? columns : columnsOf(table, FEATURE.columns);
  const properties = valuesOf(table.bytes(FEATURE.properties), featureColumns);
  return featureOfValues(geometryOfTable(table.table(FEATURE.geometry), type), properties, options);
}
