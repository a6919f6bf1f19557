import type { Database } from '../db/client.ts';
import { featurePages } from '../features/listing.ts';
import { surround } from '../http/stream.ts';
import { csvPages } from './csv-export.ts';
import type { ExportedFeatures } from './dataset.ts';

export const EXPORT_FORMATS = ['geojson', 'csv', 'ndjson'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

interface Exporter {
  /** The media type of the file. */
  readonly type: string;
  texts(db: Database, features: ExportedFeatures): AsyncGenerator<string>;
}

/** How a dataset is written in each format. Features have the ids that they had in their file. */
export const EXPORTERS: Readonly<Record<ExportFormat, Exporter>> = {
  geojson: {
    type: 'application/geo+json',
    texts: (db, { contents }) =>
      surround(
        '{"type":"FeatureCollection","features":[\n',
        featurePages(db, { contents: [contents], form: 'source', separator: ',\n' }),
        '\n]}\n',
      ),
  },
  ndjson: {
    type: 'application/x-ndjson',
    texts: (db, { contents }) =>
      surround('', featurePages(db, { contents: [contents], form: 'source', separator: '\n' }), '\n'),
  },
  csv: { type: 'text/csv; charset=utf-8', texts: csvPages },
};
