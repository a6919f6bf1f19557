import type { CompressionCodec, SchemaElement } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import type { Column, ColumnType, Value } from './columns.ts';
import { type Box, boxOf, type Shape, unionOf } from './shapes.ts';
import { wkbOf } from './wkb.ts';

const TYPES: Readonly<Record<ColumnType, Partial<SchemaElement>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  // The values are JSON as text already, which the library would write as JSON strings if it knew.
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT32' },
  long: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
};

const axis = (name: string, abbreviation: string, direction: string) => ({
  ...{ name: `Geodetic ${name}`, abbreviation, direction, unit: 'degree' },
});

/**
 * The reference system as PROJJSON: the number that FlatGeobuf names too, so that tools take layers of both for one. Positions
 * are longitude and latitude whatever its axes are, by the specification.
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
export const GEOPARQUET_COLUMNS: readonly string[] = ['geometry', 'bbox'];

interface Options {
  readonly columns: readonly Column[];
  /** How much of geometries and texts a row group has, bytes. A reader fetches all of it for one feature in it. */
  readonly groupBytes: number;
  /** The most rows of a group. More and smaller groups make the footer longer, which every reader fetches. */
  readonly groupRows: number;
  /** Snappy without it. */
  readonly compression?: { readonly codec: CompressionCodec; readonly pack: (bytes: Uint8Array) => Uint8Array };
  /** Whether the bounds of the values of each group are told, so that readers pass over groups. */
  readonly statistics: boolean;
  /** Whether shells of polygons are counterclockwise and holes clockwise. */
  readonly isOriented: boolean;
}

interface Row {
  readonly values: readonly Value[];
  readonly wkb: Uint8Array | null;
  readonly box: Box | null;
}

/**
 * A file of GeoParquet 1.1 with a covering column of boxes, made a row group at a time:
 * https://geoparquet.org/releases/v1.1.0/
 */
export class GeoParquet {
  readonly #options: Options;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  readonly #types = new Set<string>();
  #extent: Box | null = null;
  #rows: Row[] = [];
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

  /** The first bytes of the file, with which an answer can begin; none where they were given before. */
  begin(): Uint8Array {
    return this.#taken();
  }

  /** Adds a feature. Returns the bytes of the file that follow those before, where a row group is full. */
  add({ values, shape }: { values: readonly Value[]; shape: Shape | null }): Uint8Array | undefined {
    const wkb = shape && wkbOf(shape);
    const box = shape && boxOf(shape);
    if (shape) this.#types.add(shape.dimensions === 3 ? `${shape.type} Z` : shape.type);
    if (box) this.#extent = this.#extent ? unionOf([this.#extent, box]) : box;
    this.#rows.push({ values, wkb, box });
    this.#size += wkb?.length ?? 0;
    for (const value of values) if (typeof value === 'string') this.#size += value.length;
    const { groupBytes, groupRows } = this.#options;
    if (this.#size < groupBytes && this.#rows.length < groupRows) return undefined;
    this.#writeGroup();
    return this.#taken();
  }

  /** The bytes of the file that follow those before, to its end. */
  end(): Uint8Array {
    if (this.#rows.length > 0) this.#writeGroup();
    this.#writer.kvMetadata = [{ key: 'geo', value: JSON.stringify(this.#metadata()) }];
    this.#writer.finish();
    return this.#taken();
  }

  #writeGroup(): void {
    const { columns, statistics } = this.#options;
    const columnData = columnsWith(this.#rows, columns, statistics);
    this.#writer.write({ columnData, rowGroupSize: this.#rows.length });
    this.#rows = [];
    this.#size = 0;
  }

  #taken(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice();
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
          ...(this.#extent && { bbox: this.#extent }),
          covering,
        },
      },
    };
  }
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
    // A dictionary or bounds of geometries would serve nobody.
    { name: 'geometry', data: rows.map(({ wkb }) => wkb), encoding: 'PLAIN', statistics: false },
    {
      name: 'bbox',
      data: rows.map(({ box }) => box && Object.fromEntries(SIDES.map((side, i) => [side, box[i]]))),
      encoding: 'PLAIN',
    },
  ];
}
