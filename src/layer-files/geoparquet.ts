import type { CompressionCodec, SchemaElement } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import type { Column, ColumnType, Value } from './columns.ts';
import { type Box, boxOf, type Shape, unionOf } from './shapes.ts';
import { wkbOf } from './wkb.ts';

const TYPES: Readonly<Record<ColumnType, Partial<SchemaElement>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  // Not declared as JSON: the values are JSON text, which the library would encode a second time.
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT32' },
  long: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
};

const axis = (name: string, abbreviation: string, direction: string) => ({
  name: `Geodetic ${name}`,
  abbreviation,
  direction,
  unit: 'degree',
});

/**
 * The reference system as PROJJSON, with the same EPSG code as in FlatGeobuf, so that tools treat layers of both alike. By
 * the specification positions are longitude and latitude, whatever the axes of the system.
 */
const CRS = {
  type: 'GeographicCRS',
  name: 'WGS 84',
  datum: {
    type: 'GeodeticReferenceFrame',
    name: 'World Geodetic System 1984',
    ellipsoid: { name: 'WGS 84', semi_major_axis: 6378137, inverse_flattening: 298.257223563 },
  },
  coordinate_system: {
    subtype: 'ellipsoidal',
    axis: [axis('latitude', 'Lat', 'north'), axis('longitude', 'Lon', 'east')],
  },
  id: { authority: 'EPSG', code: 4326 },
};

const SIDES = ['xmin', 'ymin', 'xmax', 'ymax'] as const;

/** Names that columns for properties can't have. */
export const RESERVED_COLUMNS: readonly string[] = ['geometry', 'bbox'];

interface Options {
  readonly columns: readonly Column[];
  /** Size of a row group's geometries and texts, approximate bytes. A reader fetches a whole group for one feature in it. */
  readonly groupBytes: number;
  /** Max rows of a group. More and smaller groups make the footer longer, which every reader fetches. */
  readonly groupRows: number;
  /** The codec that the file names, and the function that compresses a page with it. Default: Snappy. */
  readonly compression?: { readonly codec: CompressionCodec; readonly pack: (bytes: Uint8Array) => Uint8Array };
  /** Whether the columns of properties have statistics of each group, by which readers skip it. The boxes always have them. */
  readonly statistics: boolean;
  /** Whether shells of polygons are counterclockwise and holes clockwise. */
  readonly isOriented: boolean;
  /** Attribution and licence. */
  readonly description?: string;
}

interface Row {
  readonly values: readonly Value[];
  readonly wkb: Uint8Array | null;
  readonly box: Box | null;
}

/**
 * Writes GeoParquet 1.1 with a covering column of boxes, one row group at a time:
 * https://geoparquet.org/releases/v1.1.0/
 */
export class GeoParquet {
  readonly #options: Options;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  readonly #types = new Set<string>();
  #extent: Box | null = null;
  /** The least and the greatest height of the geometries that have heights, as they are given; undefined if none has. */
  #heights: readonly [number, number] | undefined;
  #rows: Row[] = [];
  /** Size of the rows of the current group, approximate bytes. */
  #size = 0;

  constructor(options: Options) {
    this.#options = options;
    const { columns, compression } = options;
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: schemaOf(columns),
      ...(compression && { codec: compression.codec, compressors: { [compression.codec]: compression.pack } }),
      createdBy: 'hyparquet-writer',
    });
  }

  /** The first bytes of the file, with which a response can begin; empty if already returned. */
  begin(): Uint8Array {
    return this.#takeBytes();
  }

  /** Adds a feature. Returns the next bytes of the file when a row group is full. */
  add({ values, shape }: { values: readonly Value[]; shape: Shape | null }): Uint8Array | undefined {
    const wkb = shape && wkbOf(shape);
    const box = shape && boxOf(shape);
    if (shape) this.#types.add(shape.dimensions === 3 ? `${shape.type} Z` : shape.type);
    if (box) this.#extent = this.#extent ? unionOf([this.#extent, box]) : box;
    if (shape) this.#widenHeights(shape);
    this.#rows.push({ values, wkb, box });
    this.#size += wkb?.length ?? 0;
    for (const value of values) if (typeof value === 'string') this.#size += value.length;
    const { groupBytes, groupRows } = this.#options;
    if (this.#size < groupBytes && this.#rows.length < groupRows) return undefined;
    this.#writeGroup();
    return this.#takeBytes();
  }

  /** The remaining bytes of the file. */
  end(): Uint8Array {
    if (this.#rows.length > 0) this.#writeGroup();
    const { description } = this.#options;
    this.#writer.kvMetadata = [
      { key: 'geo', value: JSON.stringify(this.#metadata()) },
      ...(description === undefined ? [] : [{ key: 'description', value: description }]),
    ];
    this.#writer.finish();
    return this.#takeBytes();
  }

  #widenHeights({ dimensions, runs, parts }: Shape): void {
    for (const part of parts) this.#widenHeights(part);
    if (dimensions === 2) return;
    let [low, high] = this.#heights ?? [Infinity, -Infinity];
    for (const run of runs) {
      for (let i = 2; i < run.length; i += 3) {
        low = Math.min(low, run[i] as number);
        high = Math.max(high, run[i] as number);
      }
    }
    if (low <= high) this.#heights = [low, high];
  }

  #writeGroup(): void {
    const { columns, statistics } = this.#options;
    const columnData = columnsWith(this.#rows, columns, statistics);
    this.#writer.write({ columnData, rowGroupSize: this.#rows.length });
    this.#rows = [];
    this.#size = 0;
  }

  #takeBytes(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice();
    // The buffer begins anew. The writer takes positions in the file from `offset`, which this leaves as it is.
    this.#bytes.index = 0;
    return bytes;
  }

  /** The member `geo` of the file's metadata. */
  #metadata(): object {
    const covering = { bbox: Object.fromEntries(SIDES.map((side) => [side, ['bbox', side]])) };
    return {
      version: '1.1.0',
      primary_column: 'geometry',
      columns: {
        geometry: {
          encoding: 'WKB',
          crs: CRS,
          geometry_types: [...this.#types],
          ...(this.#options.isOriented && { orientation: 'counterclockwise' }),
          edges: 'planar',
          ...(this.#extent && { bbox: withHeights(this.#extent, this.#heights) }),
          covering,
        },
      },
    };
  }
}

/** The range of every dimension: six numbers if there are heights. Boxes of rows need none. */
function withHeights(box: Box, heights: readonly [number, number] | undefined): readonly number[] {
  if (!heights) return box;
  const [west, south, east, north] = box;
  return [west, south, heights[0], east, north, heights[1]];
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'schema', num_children: columns.length + 2 },
    ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL', ...TYPES[type] }) as SchemaElement),
    { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
    { name: 'bbox', repetition_type: 'OPTIONAL', num_children: SIDES.length },
    ...SIDES.map((name): SchemaElement => ({ name, type: 'DOUBLE', repetition_type: 'REQUIRED' })),
  ];
}

function columnsWith(rows: readonly Row[], columns: readonly Column[], statistics: boolean): ColumnSource[] {
  return [
    ...columns.map(({ name }, i) => ({ name, data: rows.map(({ values }) => values[i] ?? null), statistics })),
    // Dictionaries and statistics of geometries are of no use to readers.
    { name: 'geometry', data: rows.map(({ wkb }) => wkb), encoding: 'PLAIN', statistics: false },
    {
      name: 'bbox',
      data: rows.map(({ box }) => box && Object.fromEntries(SIDES.map((side, i) => [side, box[i]]))),
      encoding: 'PLAIN',
    },
  ];
}
