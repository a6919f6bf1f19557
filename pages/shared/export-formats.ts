/** A format that the features of a dataset can be exported in. */
export interface ExportFormat {
  /** The value of `format`, and the ending of the file. */
  readonly format: string;
  readonly name: string;
  readonly about: string;
}

/** The formats of the service's `src/datasets/exports.ts`, each on a line. A test compares them. */
export const EXPORT_FORMATS: readonly ExportFormat[] = [
  { format: 'geojson', name: 'GeoJSON', about: 'for maps and GIS programs' },
  { format: 'csv', name: 'CSV', about: 'for spreadsheets, shapes as WKT' },
  { format: 'ndjson', name: 'NDJSON', about: 'a feature a line, for programs' },
  { format: 'fgb', name: 'FlatGeobuf', about: 'for GDAL, QGIS and R, typed and fast' },
  { format: 'parquet', name: 'GeoParquet', about: 'for GeoPandas and DuckDB, by columns' },
  { format: 'gpkg', name: 'GeoPackage', about: 'for QGIS and other GIS programs' },
];
