/** A format that the features of a dataset can be exported in. */
export interface ExportFormat {
  /** The value of `format`. */
  readonly format: string;
  /** The ending of the file, where it is not that. */
  readonly ending?: string;
  readonly name: string;
  readonly about: string;
}

/** The formats of the service's `src/datasets/exports.ts`, those first that most people want. A test compares them. */
export const EXPORT_FORMATS: readonly ExportFormat[] = [
  { format: 'xlsx', name: 'Excel', about: 'for spreadsheets: all columns, and where points are' },
  { format: 'csv', name: 'CSV', about: 'for spreadsheets, shapes as WKT' },
  { format: 'geojson', name: 'GeoJSON', about: 'for maps and GIS programs' },
  { format: 'shp', ending: 'shp.zip', name: 'Shapefile', about: 'zipped: short names of columns, texts of 254 bytes' },
  { format: 'gpkg', name: 'GeoPackage', about: 'for QGIS and other GIS programs' },
  { format: 'fgb', name: 'FlatGeobuf', about: 'for GDAL, QGIS and R, typed and fast' },
  { format: 'parquet', name: 'GeoParquet', about: 'for GeoPandas and DuckDB, by columns' },
  { format: 'ndjson', name: 'NDJSON', about: 'a feature a line, for programs' },
];

/** The name of the file of a dataset in a format. */
export function exportName(name: string, { format, ending = format }: ExportFormat): string {
  return `${name}.${ending}`;
}
