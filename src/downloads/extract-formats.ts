import { CSV_TYPE } from '../http/csv-body.ts';
import type { Column } from '../layer-files/columns.ts';

/** Formats of tables, which have no boundaries, and then those of layers. */
export const EXTRACT_FORMATS = ['csv', 'xlsx', 'geojson', 'gpkg', 'shp', 'fgb', 'parquet'] as const;

export type ExtractFormat = (typeof EXTRACT_FORMATS)[number];

interface FileType {
  readonly type: string;
  /** The ending of file names, without the dot before it. */
  readonly ending: string;
  /** Whether files have no boundaries. */
  readonly isTable?: true;
}

/** What the files of each format are. `EXTRACT_WRITERS` makes them. */
export const EXTRACT_TYPES: Readonly<Record<ExtractFormat, FileType>> = {
  csv: { type: CSV_TYPE, ending: 'csv', isTable: true },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ending: 'xlsx',
    isTable: true,
  },
  geojson: { type: 'application/geo+json', ending: 'geojson' },
  gpkg: { type: 'application/geopackage+sqlite3', ending: 'gpkg' },
  shp: { type: 'application/zip', ending: 'shp.zip' },
  fgb: { type: 'application/vnd.flatgeobuf', ending: 'fgb' },
  parquet: { type: 'application/vnd.apache.parquet', ending: 'parquet' },
};

/** Names in a Shapefile of columns whose names have more than the ten characters that it allows. A name that lacks here is cut. */
export const SHORT_NAMES: Readonly<Record<string, string>> = {
  host_province_code: 'host_code',
  host_province_name: 'host_name',
  population_year: 'pop_year',
  income_class: 'inc_class',
  urban_rural: 'urb_rural',
  density_km2: 'dens_km2',
  island_group: 'isl_group',
};

/** The columns that have another name in a Shapefile. */
export function shortenedColumns(columns: readonly Column[]): [name: string, short: string][] {
  return columns.flatMap(({ name }) => (SHORT_NAMES[name] === undefined ? [] : [[name, SHORT_NAMES[name]]]));
}
