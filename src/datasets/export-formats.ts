export const EXPORT_FORMATS = ['geojson', 'csv', 'ndjson', 'fgb', 'parquet', 'gpkg', 'shp', 'xlsx'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];
