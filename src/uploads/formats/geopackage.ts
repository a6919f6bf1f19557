import { lowerAscii } from '../../ascii.ts';
import { MAX_NAME_LENGTH, type NewFeature } from '../../features/feature.ts';
import { base64Of, exactInteger, featureOfValues, singleNumber } from './feature-values.ts';
import {
  type FeatureFile,
  FileFault,
  type Format,
  layerIn,
  MAX_FEATURES,
  type OpenOptions,
  type RandomAccess,
  type ReadOptions,
  withLocation,
} from './format.ts';
import { withFaultIfDamaged } from './positions.ts';
import { sridOfSystem } from './projection.ts';
import { Sqlite } from './sqlite.ts';
import { columnsOfStatement, type SqliteColumn } from './sqlite-columns.ts';
import { type SqliteValue, valuesOfRecord } from './sqlite-values.ts';
import { geometryOfWkb } from './wkb.ts';

/** Max layers of features that are read. */
const MAX_LAYERS = 1000;
/** Max rows read from a table of metadata. */
const MAX_METADATA_ROWS = 100_000;
/** Max length of the properties of a row: characters of texts plus bytes of blobs. */
const MAX_PROPERTIES_LENGTH = 8 * 1024 * 1024;
/** Size of the envelope before a geometry by its indicator, bytes. */
const ENVELOPES = [0, 32, 48, 48, 64];
/** The flag of a geometry that an extension of the format defines (OGC 12-128r19, 2.1.3). */
const EXTENDED = 0x20;
/** The columns of `sqlite_schema`, which has no statement of its own. */
const SCHEMA = columnsOfStatement('t(type, name, tbl_name, rootpage INTEGER, sql)', 'sqlite_schema');

export const geopackage: Format = {
  name: 'GeoPackage',
  kind: 'file',
  extensions: ['.gpkg'],
  storesFeatures: true,
  hasLayers: true,
  open,
};

/** A row: its number, its first page, and its values by column name. */
interface Row {
  readonly rowId: bigint;
  readonly page: number;
  readonly values: ReadonlyMap<string, SqliteValue>;
}

interface Table {
  readonly name: string;
  readonly root: number;
  readonly columns: readonly SqliteColumn[];
}

/** A layer of features (OGC 12-128r19). */
interface Layer extends Table {
  /** The name of its column of geometries, in lower case. */
  readonly geometry: string;
}

/** Opens the only layer of features of a GeoPackage, or the requested one, with the reference system of its metadata. */
async function open(file: RandomAccess, { layer: wanted }: OpenOptions = {}): Promise<FeatureFile> {
  const database = await Sqlite.open(file);
  const contents = await tableOf(database, 'gpkg_contents');
  if (!contents) throw new FileFault('is no GeoPackage: it has no table gpkg_contents');
  const names: string[] = [];
  for await (const { values } of metadataRowsOf(database, contents)) {
    if (values.get('data_type') !== 'features') continue;
    if (names.length < MAX_LAYERS) names.push(textOf(values.get('table_name')));
  }
  if (names.length === 0) throw new FileFault('has no layer of features in it');
  const name = names[layerIn(names, wanted)] as string;
  const { layer, systemId } = await layerOf(database, name);
  const system = await referenceSystemOf(database, systemId);
  return {
    srid: () => system && sridOfSystem(system, `layer ${shownName(name)}`),
    features: (options) => featuresOf(database, layer, options),
  };
}

async function layerOf(database: Sqlite, name: string): Promise<{ layer: Layer; systemId: SqliteValue | undefined }> {
  const found = await tableOf(database, name);
  if (!found) throw new FileFault(`has no table ${shownName(name)}, which is named as its layer`);
  const columns = await tableOf(database, 'gpkg_geometry_columns');
  if (!columns) throw new FileFault('has no table gpkg_geometry_columns');
  for await (const { values } of metadataRowsOf(database, columns)) {
    if (lowerAscii(textOf(values.get('table_name'))) !== lowerAscii(name)) continue;
    const geometry = lowerAscii(textOf(values.get('column_name')));
    if (!found.columns.some((column) => lowerAscii(column.name) === geometry)) {
      throw new FileFault(`layer ${shownName(name)} has no column ${shownName(geometry)}`);
    }
    const long = found.columns.findIndex((column) => column.name.length > MAX_NAME_LENGTH);
    if (long >= 0) {
      const column = `column ${long + 1} of layer ${shownName(name)}`;
      throw new FileFault(`${column} must have a name of at most ${MAX_NAME_LENGTH} characters`);
    }
    return { layer: { ...found, name, geometry }, systemId: values.get('srs_id') };
  }
  throw new FileFault(`layer ${shownName(name)} has no column of geometries`);
}

/** A reference system of the table of systems; undefined for the ids 0 and -1, which mean an undefined system. */
async function referenceSystemOf(database: Sqlite, id: SqliteValue | undefined) {
  if (typeof id !== 'bigint' || id <= 0n) return undefined;
  const systems = await tableOf(database, 'gpkg_spatial_ref_sys');
  if (!systems) throw new FileFault('has no table gpkg_spatial_ref_sys');
  for await (const { values } of metadataRowsOf(database, systems)) {
    if (values.get('srs_id') !== id) continue;
    const definition = textOf(values.get('definition'));
    return {
      authority: textOf(values.get('organization')),
      code: String(values.get('organization_coordsys_id') ?? ''),
      definition: /^undefined$/i.test(definition) ? '' : definition,
    };
  }
  throw new FileFault(`has no reference system ${id} in gpkg_spatial_ref_sys`);
}

/** The table with a name; undefined if none. */
async function tableOf(database: Sqlite, name: string): Promise<Table | undefined> {
  for await (const { values } of metadataRowsOf(database, { name: 'sqlite_schema', root: 1, columns: SCHEMA })) {
    if (lowerAscii(textOf(values.get('name'))) !== lowerAscii(name)) continue;
    const type = textOf(values.get('type'));
    if (type === 'index' || type === 'trigger') continue;
    const root = values.get('rootpage');
    if (type !== 'table' || typeof root !== 'bigint' || root < 1n) {
      throw new FileFault(`${shownName(name)} is no table with rows of its own, but a view or a virtual table`);
    }
    return { name, root: Number(root), columns: columnsOfStatement(textOf(values.get('sql')), shownName(name)) };
  }
  return undefined;
}

/** The rows of a metadata table. Column names become lower case, because programs vary them. */
async function* metadataRowsOf(database: Sqlite, { name, root, columns }: Table): AsyncGenerator<Row> {
  const lower = columns.map((column) => ({ ...column, name: lowerAscii(column.name) }));
  let count = 0;
  for await (const row of rowsOf(database, { name, root, columns: lower })) {
    count += 1;
    if (count > MAX_METADATA_ROWS)
      throw new FileFault(`table ${shownName(name)} has more than ${MAX_METADATA_ROWS} rows`);
    yield row;
  }
}

/** The fault of a row that was stored before a column was added, whose default only SQLite can evaluate. */
function missingDefaultFault(column: string, { name }: Table): FileFault {
  return new FileFault(
    `table ${name} has rows without a value of the column ${shownName(column)}, which was added later with an expression as default: run VACUUM on it`,
  );
}

async function* rowsOf(database: Sqlite, table: Table): AsyncGenerator<Row> {
  const { root, columns } = table;
  const names = columns.map(({ name }) => name);
  for await (const { rowId, page, record } of database.rows(root)) {
    const values = withLocation(
      () => locationOf({ rowId, page }, table),
      () => withFaultIfDamaged('the row', () => valuesOfRecord(record, names)),
    );
    const entries = columns.map(({ name, isRowId, defaultValue }, i): [string, SqliteValue] => {
      const stored = values[i] === undefined ? defaultValue : values[i];
      if (stored === undefined && !isRowId) throw missingDefaultFault(name, table);
      return [name, isRowId ? rowId : (stored as SqliteValue)];
    });
    yield { rowId, page, values: new Map(entries) };
  }
}

async function* featuresOf(database: Sqlite, layer: Layer, options: ReadOptions): AsyncGenerator<NewFeature> {
  let count = 0;
  for await (const row of rowsOf(database, layer)) {
    count += 1;
    if (count > MAX_FEATURES) throw new FileFault(`has more than ${MAX_FEATURES} features`);
    yield withLocation(
      () => locationOf(row, layer),
      () => withFaultIfDamaged('a geometry', () => featureOf(row, layer, options)),
    );
  }
}

function locationOf({ rowId, page }: Pick<Row, 'rowId' | 'page'>, { name }: Table): string {
  return `${shownName(name)} row ${rowId}, page ${page}`;
}

/** Makes a feature: the primary key becomes its id, all other columns except the geometry its properties. */
function featureOf({ values }: Row, { columns, geometry }: Layer, options: ReadOptions): NewFeature {
  const properties: [string, unknown][] = [];
  let shape: unknown = null;
  let id: string | null = null;
  let length = 0;
  for (const { name, type, isRowId } of columns) {
    const value = values.get(name) as SqliteValue;
    if (lowerAscii(name) === geometry) shape = geometryOf(value);
    else if (isRowId) id = String(value);
    else {
      length += typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
      if (length > MAX_PROPERTIES_LENGTH) {
        throw new FileFault(`has properties of more than ${MAX_PROPERTIES_LENGTH} characters`);
      }
      properties.push([name, propertyOf(value, type)]);
    }
  }
  return { ...featureOfValues(shape, Object.fromEntries(properties), options), id };
}

/** Converts a value by its column's type: BOOLEAN to true or false, bytes to base64, integers beyond 2^53 to text. */
function propertyOf(value: SqliteValue, type: string): unknown {
  if (value instanceof Uint8Array) return base64Of(value);
  if (typeof value === 'bigint')
    return type === 'BOOLEAN' && value <= 1n && value >= 0n ? value === 1n : exactInteger(value);
  if (typeof value !== 'number') return value;
  if (type === 'FLOAT' && Math.fround(value) === value) return singleNumber(value);
  return Number.isFinite(value) ? value : null;
}

/** The geometry in a GeoPackageBinary (OGC 12-128r19, 2.1.3); null if missing. */
function geometryOf(value: SqliteValue): unknown {
  if (value === null) return null;
  if (!(value instanceof Uint8Array) || value[0] !== 0x47 || value[1] !== 0x50) {
    throw new FileFault('a geometry must begin with "GP"');
  }
  const flags = new DataView(value.buffer, value.byteOffset, value.byteLength).getUint8(3);
  const envelope = ENVELOPES[(flags >> 1) & 7];
  if (flags & EXTENDED) throw new FileFault('a geometry of an extension of the format can not be read');
  if (envelope === undefined) throw new RangeError('There is no such envelope');
  return geometryOfWkb(value, 8 + envelope);
}

function textOf(value: SqliteValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function shownName(name: string): string {
  return JSON.stringify(name.slice(0, 40));
}
