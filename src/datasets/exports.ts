import type { Database } from '../db/client.ts';
import { featurePages } from '../features/listing.ts';
import { CSV_TYPE } from '../http/csv-body.ts';
import { surround } from '../http/stream.ts';
import { csvPages } from './csv-export.ts';
import type { ExportedFeatures } from './dataset.ts';
import { flatGeobufChunks, geoParquetChunks } from './layer-export.ts';

export const EXPORT_FORMATS = ['geojson', 'csv', 'ndjson', 'fgb', 'parquet'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

interface Exporter {
  /** The media type of the file. */
  readonly type: string;
  chunks(db: Database, features: ExportedFeatures): AsyncGenerator<string | Uint8Array>;
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
  csv: { type: CSV_TYPE, chunks: csvPages },
  fgb: { type: 'application/vnd.flatgeobuf', chunks: flatGeobufChunks },
  parquet: { type: 'application/vnd.apache.parquet', chunks: geoParquetChunks },
};
