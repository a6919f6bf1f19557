import type { Database } from '../db/client.ts';
import { featurePages } from '../features/listing.ts';
import { CSV_TYPE } from '../http/csv-body.ts';
import { surround } from '../http/stream.ts';
import { csvColumns, csvPages } from './csv-export.ts';
import type { ExportedFeatures } from './dataset.ts';
import {
  flatGeobufChunks,
  geoPackageChunks,
  geoPackageColumns,
  geoParquetChunks,
  layerColumns,
  parquetColumns,
} from './layer-export.ts';

export const EXPORT_FORMATS = ['geojson', 'csv', 'ndjson', 'fgb', 'parquet', 'gpkg'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

interface Exporter {
  /** The media type of the file. */
  readonly type: string;
  chunks(db: Database, features: ExportedFeatures): AsyncGenerator<string | Uint8Array>;
  /** The names of the columns of properties, of a table that has some; undefined where all properties are one. */
  columns?(features: ExportedFeatures): readonly string[] | undefined;
}

/** How a dataset is written in each format. Features have the ids that they had in their file. */
export const EXPORTERS: Readonly<Record<ExportFormat, Exporter>> = {
  geojson: {
    type: 'application/geo+json',
    chunks: (db, { contents }) =>
      surround(
        '{"type":"FeatureCollection","features":[\n',
        featurePages(db, { contents: [contents], form: 'source', separator: ',\n' }),
        '\n]}\n',
      ),
  },
  ndjson: {
    type: 'application/x-ndjson',
    chunks: (db, { contents }) =>
      surround('', featurePages(db, { contents: [contents], form: 'source', separator: '\n' }), '\n'),
  },
  csv: { type: CSV_TYPE, chunks: csvPages, columns: csvColumns },
  fgb: { type: 'application/vnd.flatgeobuf', chunks: flatGeobufChunks, columns: (features) => layerColumns(features) },
  parquet: { type: 'application/vnd.apache.parquet', chunks: geoParquetChunks, columns: parquetColumns },
  gpkg: { type: 'application/geopackage+sqlite3', chunks: geoPackageChunks, columns: geoPackageColumns },
};
