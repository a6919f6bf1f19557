import type { Database } from '../db/client.ts';
import { DomainError } from '../errors.ts';
import { featurePages } from '../features/listing.ts';
import { CSV_TYPE } from '../http/csv-body.ts';
import { surround } from '../http/stream.ts';
import { LayerChanged } from '../layer-files/columns.ts';
import { csvColumns, csvPages } from './csv-export.ts';
import type { ExportedFeatures } from './dataset.ts';
import type { ExportFormat } from './export-formats.ts';
import {
  flatGeobufChunks,
  geoPackageChunks,
  geoPackageColumns,
  geoParquetChunks,
  layerColumns,
  parquetColumns,
} from './layer-export.ts';
import { shapefileChunks, shapefileNames } from './shapefile-export.ts';
import { workbookChunks, workbookColumns } from './workbook-export.ts';

interface Exporter {
  /** The media type of the file. */
  readonly type: string;
  /** The ending of the file, where it is not the name of the format. */
  readonly ending?: string;
  chunks(db: Database, features: ExportedFeatures): AsyncGenerator<string | Uint8Array>;
  /** The names of the columns of properties, of a table that has some; undefined where all properties are one. */
  columns?(features: ExportedFeatures): readonly string[] | undefined;
}

/**
 * The chunks of a format that reads the features more than once.
 *
 * @throws DomainError `dataset_changed` where a change in between does not fit what was read first
 */
function unlessChanged(chunks: Exporter['chunks']): Exporter['chunks'] {
  return async function* (db, features) {
    try {
      yield* chunks(db, features);
    } catch (error) {
      if (!(error instanceof LayerChanged)) throw error;
      const advice = 'Ask again, or take format=geojson or ndjson, which read every feature once.';
      const message = `The dataset was changed while it was exported. ${advice}`;
      throw new DomainError('dataset_changed', message, { cause: error, retryAfter: 1 });
    }
  };
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
  csv: { type: CSV_TYPE, chunks: unlessChanged(csvPages), columns: csvColumns },
  fgb: {
    type: 'application/vnd.flatgeobuf',
    chunks: unlessChanged(flatGeobufChunks),
    columns: (features) => layerColumns(features),
  },
  parquet: { type: 'application/vnd.apache.parquet', chunks: unlessChanged(geoParquetChunks), columns: parquetColumns },
  gpkg: { type: 'application/geopackage+sqlite3', chunks: unlessChanged(geoPackageChunks), columns: geoPackageColumns },
  shp: {
    type: 'application/zip',
    ending: 'shp.zip',
    chunks: unlessChanged(shapefileChunks),
    columns: shapefileNames,
  },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    chunks: unlessChanged(workbookChunks),
    columns: workbookColumns,
  },
};
