import { z } from '@hono/zod-openapi';
import { featureCollectionSchema } from '../geojson/schemas.ts';
import { privateStream } from '../http/answers.ts';
import { CSV_TYPE } from '../http/csv-body.ts';
import { errors, header } from '../http/error-schemas.ts';
import { choiceParam } from '../http/params.ts';
import { RANGES_NOTE, storedAnswer, storedResponses } from '../http/ranges.ts';
import { operation, type Router } from '../operation.ts';
import { storageUnavailable } from '../storage/bucket.ts';
import { EXPORT_FORMATS } from './export-formats.ts';
import { RENAMED_COLUMNS, renamedColumns } from './export-parts.ts';
import { datasetParams } from './schemas.ts';
import { exportDataset, FREE_SIZE, getDatasetFile } from './service.ts';

const exportParams = z.object({ format: choiceParam(EXPORT_FORMATS, 'Format of the export').optional() });

const HEADERS_OF_304 = {
  ETag: header('Strong validator of these bytes'),
  'Last-Modified': header('Time of the upload'),
  'Cache-Control': header('private, no-cache'),
};
const BINARY = { type: 'string' as const, format: 'binary' };
const FILE_CONTENT = { 'application/octet-stream': { schema: BINARY } };

/** Operations whose answer is a file: a dataset's features in a format of choice, and the file that it was uploaded as. */
export function addDownloadRoutes(router: Router): void {
  operation(router, {
    operationId: 'export_dataset',
    method: 'get',
    path: '/{id}/export',
    access: 'free-tier',
    scope: 'read:datasets',
    summary: 'Export the features of a dataset',
    description: `In WGS 84, with the ids that features had in their file. A dataset for everyone needs no credentials up to ${FREE_SIZE}.\n\nCSV has every text as it is stored, also one that begins with =, +, - or @: import it as text into a spreadsheet, which may take that for a formula.\n\nFlatGeobuf (fgb), GeoPackage (gpkg) and GeoParquet 1.1 (parquet) have typed columns: 64-bit integers of up to 18 digits, doubles, booleans, else text. FlatGeobuf and GeoPackage have no index. A Shapefile (shp) is a zip archive with one for each type of geometry; names have ten characters and texts 254 bytes, which its README.txt lists. A workbook (xlsx) has no geometries but the position of points. What they have no place for is 422 \`export_not_possible\`.\n\nAll but GeoJSON read the features more than once: a change of a single feature in between that does not fit is 409 \`dataset_changed\`, or breaks the file off where it has begun.`,
    request: { params: datasetParams, query: exportParams },
    responses: {
      200: {
        description: 'The features',
        headers: {
          'Content-Disposition': header('File name to save it under'),
          [RENAMED_COLUMNS]: header(
            'Of a table: which columns have another name than their property, such as Name=Name_2. Names are percent-encoded',
          ),
        },
        content: {
          'application/geo+json': { schema: featureCollectionSchema },
          'application/x-ndjson': { schema: z.string() },
          [CSV_TYPE]: { schema: z.string() },
          'application/vnd.flatgeobuf': { schema: BINARY },
          'application/vnd.apache.parquet': { schema: BINARY },
          'application/geopackage+sqlite3': { schema: BINARY },
          'application/zip': { schema: BINARY },
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { schema: BINARY },
        },
      },
      ...errors(404, 409, 422),
    },
    handler: async (c, { ctx, params: { id }, query: { format = 'geojson' } }) => {
      const features = await exportDataset(ctx, { id });
      const { EXPORTERS } = await import('./exports.ts');
      const { type, ending = format, chunks, columns } = EXPORTERS[format];
      const renamed = renamedColumns(features.propertyNames, columns?.(features) ?? []);
      if (renamed !== '') c.header(RENAMED_COLUMNS, renamed);
      return privateStream(c, chunks(ctx.db, features), {
        'Content-Type': type,
        'Content-Disposition': attachment(`${features.name}.${ending}`),
      });
    },
  });

  operation(router, {
    operationId: 'get_dataset_file',
    method: 'get',
    path: '/{id}/file',
    access: 'free-tier',
    scope: 'read:datasets',
    summary: 'Get the uploaded file of a dataset',
    description: `Byte for byte. That of a dataset for everyone needs no credentials up to ${FREE_SIZE}. ${RANGES_NOTE}`,
    request: { params: datasetParams },
    responses: storedResponses('file', {
      content: FILE_CONTENT,
      headersOf304: HEADERS_OF_304,
      others: { 'Content-Disposition': header('Name') },
    }),
    handler: async (c, { ctx, params: { id } }) => {
      const { key, name, bytes, versionId, since } = await getDatasetFile(ctx, { id });
      return storedAnswer(c, {
        etag: `"${versionId}"`,
        modified: new Date(since),
        cacheControl: 'private, no-cache',
        size: bytes,
        headers: { 'Content-Type': 'application/octet-stream', 'Content-Disposition': attachment(name) },
        read: async (range) => {
          const body = await ctx.bucket.findBody(key, { range });
          if (!body) throw storageUnavailable(key, 'The stored file of a dataset is gone');
          return body;
        },
      });
    },
  });
}

/** A Content-Disposition that makes browsers save the body under a name of any characters (RFC 6266, RFC 8187). */
function attachment(name: string): string {
  const plain = name.replace(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
