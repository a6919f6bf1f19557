import { z } from '@hono/zod-openapi';
import { featureCollectionSchema } from '../geojson/schemas.ts';
import { privateStream } from '../http/answers.ts';
import { errors, header } from '../http/error-schemas.ts';
import { choiceParam } from '../http/params.ts';
import { unchangedAnswer } from '../http/preconditions.ts';
import { rangedAnswer } from '../http/ranges.ts';
import { operation, type Router } from '../operation.ts';
import { storageUnavailable } from '../storage/bucket.ts';
import { EXPORT_FORMATS, EXPORTERS } from './exports.ts';
import { datasetParams } from './schemas.ts';
import { exportDataset, getDatasetFile } from './service.ts';

const exportParams = z.object({ format: choiceParam(EXPORT_FORMATS, 'Form of the export').optional() });

const VALIDATORS = {
  ETag: header('Strong validator of these bytes'),
  'Last-Modified': header('When the file was put in place'),
  'Cache-Control': header('private, no-cache'),
};
const FILE_HEADERS = {
  ...VALIDATORS,
  'Content-Disposition': header('Its name'),
  'Accept-Ranges': header('bytes'),
};
const FILE_CONTENT = { 'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } } };

/** Operations whose answer is a file: a dataset's features in a format of choice, and the file that it was uploaded as. */
export function addDownloadRoutes(router: Router): void {
  operation(
    router,
    {
      operationId: 'export_dataset',
      method: 'get',
      path: '/{id}/export',
      access: 'authenticated',
      scope: 'read:datasets',
      tags: ['datasets'],
      summary: 'Export the features of a dataset',
      description:
        'In WGS 84, with the ids that features had in their file. CSV has every text as it is stored, also one that begins with =, +, - or @: import it as text into a spreadsheet, which may take that for a formula.',
      request: { params: datasetParams, query: exportParams },
      responses: {
        200: {
          description: 'The features',
          headers: { 'Content-Disposition': header('A name to save it under') },
          content: {
            'application/geo+json': { schema: featureCollectionSchema },
            'application/x-ndjson': { schema: z.string() },
            'text/csv': { schema: z.string() },
          },
        },
        ...errors(404, 422),
      },
    },
    async (c, { ctx, params: { id }, query: { format = 'geojson' } }) => {
      const { dataset, features } = await exportDataset(ctx, { id });
      const { type, texts } = EXPORTERS[format];
      return privateStream(c, texts(ctx.db, features), {
        'Content-Type': type,
        'Content-Disposition': attachment(`${dataset.name}.${format}`),
      });
    },
  );

  operation(
    router,
    {
      operationId: 'get_dataset_file',
      method: 'get',
      path: '/{id}/file',
      access: 'authenticated',
      scope: 'read:datasets',
      tags: ['datasets'],
      summary: 'Get the file that a dataset was uploaded as',
      description:
        'Byte for byte. One range of bytes is answered with 206; a request for several with the whole file. HEAD, If-Match, If-None-Match, If-Modified-Since and If-Range work as RFC 9110 has them.',
      request: { params: datasetParams },
      responses: {
        200: { description: 'The file', headers: FILE_HEADERS, content: FILE_CONTENT },
        206: {
          description: 'The range',
          headers: { ...FILE_HEADERS, 'Content-Range': header('Which bytes of how many') },
          content: FILE_CONTENT,
        },
        304: { description: 'The caller holds this file', headers: VALIDATORS },
        ...errors(404, 412, 416, 422),
      },
    },
    async (c, { ctx, params: { id } }) => {
      const { key, name, bytes, versionId, since } = await getDatasetFile(ctx, { id });
      const etag = `"${versionId}"`;
      const modified = new Date(Math.floor(Date.parse(since) / 1000) * 1000);
      const unchanged = unchangedAnswer(c, { etag, modified }, { 'Cache-Control': 'private, no-cache' });
      if (unchanged) return unchanged;
      return rangedAnswer(c, {
        etag,
        size: bytes,
        headers: { 'Content-Type': 'application/octet-stream', 'Content-Disposition': attachment(name) },
        read: async (range) => {
          const body = await ctx.bucket.findBody(key, { range });
          if (!body) throw storageUnavailable(key, 'The stored file of a dataset is gone');
          return body;
        },
      });
    },
  );
}

/** A Content-Disposition that makes browsers save the body under a name of any characters (RFC 6266, RFC 8187). */
function attachment(name: string): string {
  const plain = name.replace(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
