import type { Database } from '../db/client.ts';
import type { Contents } from '../features/feature.ts';
import { featurePages } from '../features/listing.ts';
import { surround } from '../http/stream.ts';
import { csvPages } from './csv.ts';

export const EXPORT_FORMATS = ['geojson', 'csv', 'ndjson'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What is exported. */
export interface Exported {
  readonly contents: Contents;
  /** Names of members of the features' properties, as far as they are remembered. */
  readonly names: readonly string[];
}

interface Export {
  readonly type: string;
  texts(db: Database, exported: Exported): AsyncGenerator<string>;
}

/** What a dataset can be exported as, with the ids that its features had in their file. */
export const EXPORTS: Readonly<Record<ExportFormat, Export>> = {
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
