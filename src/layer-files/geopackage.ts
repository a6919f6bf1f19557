import { joinBytes } from '../bytes.ts';
import { type ColumnType, type Feature, type Layer, LayerChanged } from './columns.ts';
import { type Box, boxOf, type Shape, unionOf } from './shapes.ts';
import {
  indexPage,
  localBytes,
  PAGE,
  Pages,
  Rows,
  recordOf,
  rowCell,
  type SqlValue,
  tablePage,
} from './sqlite-pages.ts';
import { wkbOf } from './wkb.ts';

/** The types of columns. */
export const GEOPACKAGE_TYPES: Readonly<Record<ColumnType, string>> = {
  boolean: 'BOOLEAN',
  integer: 'MEDIUMINT',
  long: 'INTEGER',
  number: 'REAL',
  text: 'TEXT',
  json: 'TEXT',
};

/** Names of the format's own columns. */
export const GEOPACKAGE_COLUMNS: readonly string[] = ['fid', 'geom'];

/** Max length of a layer's name, characters, because an index entry must fit into one page. */
const MAX_NAME = 128;

/** Facts of a file after all of its features were added. */
interface Measure {
  readonly root: number;
  readonly pages: number;
  readonly count: number;
  readonly extent: Box | undefined;
}

/**
 * Writes a GeoPackage 1.3 (OGC 12-128r17) of one layer in WGS 84, without a spatial index. Its first page has the
 * number of pages and the root of the layer, so features are added twice: the first time only to get the measure.
 */
export class GeoPackage {
  readonly #pages: Pages;
  readonly #rows: Rows;
  readonly #layer: Layer;
  readonly #head: Pages;
  #extent: Box | undefined;

  /**
   * @param measure of the same features; undefined the first time
   * @param changed when the features were last changed
   */
  constructor(layer: Layer, measure?: Measure, changed = new Date()) {
    this.#layer = layer;
    this.#head = headOf(layer, measure ?? { root: 0, pages: 0, count: 0, extent: undefined }, changed);
    this.#pages = new Pages(this.#head.next);
    this.#rows = new Rows(this.#pages);
  }

  /** The pages before those of features. */
  begin(): Uint8Array {
    return this.#head.take();
  }

  /** @throws LayerChanged if it doesn't fit the layer */
  add({ values, shape }: Feature): void {
    const { type, hasZ } = this.#layer;
    if (shape && ((type !== undefined && shape.type !== type) || (shape.dimensions === 3 && !hasZ))) {
      throw new LayerChanged('A layer got another type of geometry');
    }
    const box = shape && boxOf(shape);
    if (box) this.#extent = this.#extent ? unionOf([this.#extent, box]) : box;
    this.#rows.add(recordOf([null, shape && geometryOf(shape, box), ...values]));
  }

  /** Takes the completed pages. */
  take(): Uint8Array {
    return this.#pages.take();
  }

  end(): Measure {
    const root = this.#rows.end();
    return { root, pages: root, count: this.#rows.count, extent: this.#extent };
  }
}

/** A geometry as a GeoPackage stores it (OGC 12-128r17, 2.1.3): its box, then well-known binary. */
export function geometryOf(shape: Shape, box: Box | null): Uint8Array {
  const view = new DataView(new ArrayBuffer(box ? 40 : 8));
  // GP, version 1, and flags: little-endian, with a box or empty.
  view.setUint32(0, 0x4750_0000 + (box ? 0b11 : 0b1_0001));
  view.setInt32(4, 4326, true);
  const [west, south, east, north] = box ?? [];
  for (const [i, side] of (box ? [west, east, south, north] : []).entries())
    view.setFloat64(8 + 8 * i, side ?? 0, true);
  return joinBytes([new Uint8Array(view.buffer), wkbOf(shape)]);
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

export const WGS84 =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]';

/** The pages before those of features: what the database has, what the layer is, and its reference system. */
function headOf(
  { name: fullName, columns, type, hasZ, description = '' }: Layer,
  { root, pages, count, extent }: Measure,
  changed: Date,
): Pages {
  // These prefixes are reserved by the formats.
  const name = [...fullName.replace(/^(gpkg|rtree|sqlite)_/i, 'layer_$&')].slice(0, MAX_NAME).join('');
  const [west, south, east, north] = extent ?? [null, null, null, null];
  const n = 'TEXT NOT NULL';
  const i = 'INTEGER NOT NULL';
  const head = new Pages(2);
  const schema: SqlValue[][] = [];
  const table = (
    of: string,
    sql: string,
    rows: readonly (readonly [number, readonly SqlValue[]])[],
    keys: SqlValue[][] = [],
  ) => {
    const cells = rows.map(([row, values]) => rowCell(head, row, recordOf(values)));
    schema.push(['table', of, of, BigInt(head.add(tablePage(cells))), `CREATE TABLE ${of}(${sql})`]);
    for (const [k, key] of keys.entries()) {
      schema.push(['index', `sqlite_autoindex_${of}_${k + 1}`, of, BigInt(head.add(indexPage([...key, 1n]))), null]);
    }
  };
  const undefinedSystem = (id: bigint, kind: string): SqlValue[] => [
    `Undefined ${kind}`,
    null,
    'NONE',
    id,
    'undefined',
    null,
  ];
  table(
    'gpkg_spatial_ref_sys',
    `srs_name ${n},srs_id ${i} PRIMARY KEY,organization ${n},organization_coordsys_id ${i},definition ${n},description TEXT`,
    [
      [-1, undefinedSystem(-1n, 'Cartesian')],
      [0, undefinedSystem(0n, 'geographic')],
      [4326, ['WGS 84', null, 'EPSG', 4326n, WGS84, null]],
    ],
  );
  table(
    'gpkg_contents',
    `table_name ${n} PRIMARY KEY,data_type ${n},identifier TEXT UNIQUE,description TEXT DEFAULT '',last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),min_x DOUBLE,min_y DOUBLE,max_x DOUBLE,max_y DOUBLE,srs_id INTEGER REFERENCES gpkg_spatial_ref_sys(srs_id)`,
    [[1, [name, 'features', name, description || fullName, changed.toISOString(), west, south, east, north, 4326n]]],
    [[name], [name]],
  );
  table(
    'gpkg_geometry_columns',
    `table_name ${n} UNIQUE REFERENCES gpkg_contents(table_name),column_name ${n},geometry_type_name ${n},srs_id ${i} REFERENCES gpkg_spatial_ref_sys(srs_id),z TINYINT NOT NULL,m TINYINT NOT NULL,PRIMARY KEY(table_name,column_name)`,
    [[1, [name, 'geom', type?.toUpperCase() ?? 'GEOMETRY', 4326n, hasZ ? 2n : 0n, 0n]]],
    [[name], [name, 'geom']],
  );
  table('sqlite_sequence', 'name,seq', [[1, [name, BigInt(count)]]]);
  const members = columns.map((column) => `,${quoted(column.name)} ${GEOPACKAGE_TYPES[column.type]}`).join('');
  const sql = `CREATE TABLE ${quoted(name)}(fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,geom ${type?.toUpperCase() ?? 'GEOMETRY'}${members})`;
  const cells = schema.map((row, at) => rowCell(head, at + 1, recordOf(row)));
  const room = PAGE - HEADER - 8 - cells.reduce((sum, { length }) => sum + length + 2, 16);
  // A statement slightly too long for the page is padded, so that most of it moves to overflow pages.
  const layerRow = (spaces: number) => recordOf(['table', name, name, BigInt(root), sql.padEnd(sql.length + spaces)]);
  let spaces = 0;
  while (localBytes(layerRow(spaces).length) > room) spaces += 64;
  cells.push(rowCell(head, cells.length + 1, layerRow(spaces)));
  const first = tablePage(cells, HEADER);
  writeHeader(first, pages);
  head.prepend(first);
  return head;
}

const HEADER = 100;

/** Writes the header of a database of `pages` pages. */
function writeHeader(page: Uint8Array, pages: number): void {
  page.set(new TextEncoder().encode('SQLite format 3\0'));
  page.set([PAGE >> 8, 0, 1, 1, 0, 64, 32, 32], 16);
  const view = new DataView(page.buffer);
  const numbers = { 24: 1, 28: pages, 40: 1, 44: 4, 56: 1, 60: 10_300, 68: 0x4750_4b47, 92: 1, 96: 3_045_000 };
  for (const [at, value] of Object.entries(numbers)) view.setUint32(Number(at), value);
}
