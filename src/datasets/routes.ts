import { z } from '@hono/zod-openapi';
import { actorOf } from '../auth/actor.ts';
import { holds, userOf } from '../auth/principal.ts';
import { DomainError } from '../errors.ts';
import { around } from '../features/answers.ts';
import { featurePages } from '../features/listing.ts';
import { featureCollectionSchema } from '../geojson/schemas.ts';
import { enveloped, privately, streamed } from '../http/answers.ts';
import type { AppContext } from '../http/context.ts';
import { errors, header } from '../http/error-responses.ts';
import { logFailure } from '../http/log.ts';
import { pageMeta } from '../http/pagination.ts';
import { choiceParam } from '../http/params.ts';
import { createRouter, operation, type Router } from '../http/router.ts';
import { started } from '../http/stream.ts';
import { callerOf } from './access.ts';
import type { Dataset } from './dataset.ts';
import { EXPORT_FORMATS, EXPORTS } from './exports.ts';
import { purgeVersion } from './purge.ts';
import { listDatasets } from './repo/reads.ts';
import type { Found } from './repo/records.ts';
import {
  datasetListParams,
  datasetMetaSchema,
  datasetPatchSchema,
  datasetSchema,
  includeFeatures,
  newDatasetSchema,
} from './schemas.ts';
import { changeDataset, contentsOf, getDataset, getExported, getFile, makeDataset, removeDataset } from './service.ts';
import { bucketOf } from './storage.ts';

/** The largest body with a dataset and its features, bytes. Larger ones are uploaded as files. */
const MAX_DATASET_BODY = 5 * 1024 * 1024;

const datasetParams = z.object({
  id: z.guid('must be the UUID of a dataset').openapi({
    param: { name: 'id', in: 'path' },
    format: 'uuid',
    description: 'Id of the dataset',
    example: '6f1c9f0e-8a8e-4a52-9a38-3c1f2b8f2f10',
  }),
});

const body = <S extends z.ZodType>(schema: S) => ({ required: true, content: { 'application/json': { schema } } });

export function datasetRoutes(): Router {
  const router = createRouter();

  operation(
    router,
    {
      operationId: 'list_datasets',
      method: 'get',
      path: '/',
      access: 'authenticated',
      scope: 'read:datasets',
      tags: ['datasets'],
      summary: 'List datasets',
      description: 'Newest first: your own unless visibility says otherwise.',
      request: { query: datasetListParams },
      responses: { ...enveloped('A page of datasets', z.array(datasetSchema), datasetMetaSchema), ...errors(422) },
    },
    async (c, { query }) => {
      const { principal, db } = c.var;
      const { page, limit, user_email: email, visibility, debug } = query;
      if (email !== undefined && !holds(principal, 'admin')) {
        throw new DomainError('admin_only', 'user_email: only administrators may list the datasets of others.');
      }
      const scope = { visibility: visibility ?? 'mine', ownerEmail: email?.toLowerCase() };
      const { found, total } = await listDatasets(db, callerOf(principal), scope, { page, limit });
      const filters = { ...(visibility ? { visibility } : {}), ...(email ? { user_email: email } : {}) };
      // Nothing is the master token's own, nor looked for among one's own where another owner is named.
      const isOwn = principal.kind !== 'master' && email === undefined;
      const scoping = {
        principal: principal.kind,
        user_id: userOf(principal)?.userId ?? null,
        visibility: isOwn || scope.visibility !== 'mine' ? scope.visibility : 'all',
        filters,
      };
      const meta = { ...pageMeta(c.req.url, { total, page, limit }), ...(debug ? { debug: scoping } : {}) };
      if (!query.includeFeatures) return privately(c, found.map(withoutFeatures), meta);
      return streamed(c, withFeatures(c, found, `],"meta":${JSON.stringify(meta)},"error":null}`), JSON_TYPE);
    },
  );

  operation(
    router,
    {
      operationId: 'create_dataset',
      method: 'post',
      path: '/',
      access: 'authenticated',
      scope: 'write:datasets',
      maxBody: MAX_DATASET_BODY,
      tags: ['datasets'],
      summary: 'Create a dataset',
      description: 'With its features, if there are any: either all is stored or nothing. Many are better uploaded.',
      request: { body: body(newDatasetSchema) },
      responses: { ...enveloped('The new dataset', datasetSchema), ...errors(400, 413, 415, 422) },
    },
    async (c, input) => {
      const dataset = await makeDataset(c.var.db, c.var.principal, input.body, actorOf(c));
      return privately(c, { ...dataset, features: [] });
    },
  );

  operation(
    router,
    {
      operationId: 'get_dataset',
      method: 'get',
      path: '/{id}',
      access: 'authenticated',
      scope: 'read:datasets',
      tags: ['datasets'],
      summary: 'Get a dataset',
      request: { params: datasetParams, query: z.object({ includeFeatures }) },
      responses: { ...enveloped('The dataset', datasetSchema), ...errors(404, 422) },
    },
    async (c, { params: { id }, query }) => {
      const found = await getDataset(c.var.db, callerOf(c.var.principal), id);
      if (!query.includeFeatures) return privately(c, withoutFeatures(found));
      const pages = featurePages(c.var.db, { contents: [contentsOf(found)], form: 'json' });
      return streamed(c, around(`{"data":${opened(found.dataset)}`, pages, ']},"error":null}'), JSON_TYPE);
    },
  );

  operation(
    router,
    {
      operationId: 'update_dataset',
      method: 'patch',
      path: '/{id}',
      access: 'authenticated',
      scope: 'write:datasets',
      maxBody: MAX_DATASET_BODY,
      tags: ['datasets'],
      summary: 'Change what is said of a dataset',
      description: 'What is left out stays. Features are changed by their own operations, or replaced by an upload.',
      request: { params: datasetParams, body: body(datasetPatchSchema) },
      responses: { ...enveloped('The changed dataset', datasetSchema), ...errors(400, 404, 413, 415, 422) },
    },
    async (c, { params: { id }, body: patch }) => {
      const dataset = await changeDataset(c.var.db, c.var.principal, id, patch, actorOf(c));
      return privately(c, { ...dataset, features: [] });
    },
  );

  operation(
    router,
    {
      operationId: 'delete_dataset',
      method: 'delete',
      path: '/{id}',
      access: 'authenticated',
      scope: 'write:datasets',
      tags: ['datasets'],
      summary: 'Delete a dataset',
      description: 'With its features and its stored file.',
      request: { params: datasetParams },
      responses: {
        200: {
          description: 'It is gone',
          content: { 'application/json': { schema: z.object({ message: z.string() }) } },
        },
        ...errors(404, 422),
      },
    },
    async (c, { params: { id } }) => {
      const version = await removeDataset(c.var.db, callerOf(c.var.principal), id, actorOf(c));
      // What is left is invisible, and the sweep would find it.
      const purging = purgeVersion(c.var.db, bucketOf(c), version).catch((error) => {
        logFailure('purge', error, { dataset: id });
      });
      c.executionCtx.waitUntil(purging);
      return c.json({ message: `The dataset ${id} has been deleted.` });
    },
  );

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
      description: 'In WGS 84, with the ids that features had in their file.',
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
    async (c, { params: { id }, query: { format = 'geojson' } }) => {
      const { dataset, exported } = await getExported(c.var.db, callerOf(c.var.principal), id);
      const { type, texts } = EXPORTS[format];
      return streamed(c, texts(c.var.db, exported), {
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
      description: 'Byte for byte.',
      request: { params: datasetParams },
      responses: {
        200: {
          description: 'The file',
          headers: { 'Content-Disposition': header('Its name'), ETag: header('Of these bytes') },
          content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
        },
        ...errors(404, 422),
      },
    },
    async (c, { params: { id } }) => {
      const { key, name, bytes } = await getFile(c.var.db, callerOf(c.var.principal), id);
      const object = await bucketOf(c).get(key);
      if (!object) throw new Error('The stored file of a dataset is gone');
      return c.body(object.body, 200, {
        'Content-Type': 'application/octet-stream',
        'Content-Length': String(bytes),
        'Content-Disposition': attachment(name),
        'Cache-Control': 'private, no-cache',
        ETag: object.httpEtag,
        'X-Content-Type-Options': 'nosniff',
      });
    },
  );

  return router;
}

const exportParams = z.object({ format: choiceParam(EXPORT_FORMATS, 'Form of the export').optional() });

/** A header that makes browsers save a body under a name, which may hold anything (RFC 6266, RFC 8187). */
function attachment(name: string): string {
  const plain = name.replace(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

function withoutFeatures({ dataset }: Found) {
  return { ...dataset, features: [] };
}

/** A dataset as JSON text that ends where its features begin. */
function opened(dataset: Dataset): string {
  return `${JSON.stringify(dataset).slice(0, -1)},"features":[`;
}

/** Datasets with their features. One that is deleted before they have been come to is left out. */
async function* withFeatures(c: AppContext, list: readonly Found[], tail: string): AsyncGenerator<string> {
  const head = '{"data":[';
  let separator = head;
  for (const found of list) {
    const pages = featurePages(c.var.db, { contents: [contentsOf(found)], form: 'json' });
    const texts = await started(around(separator + opened(found.dataset), pages, ']}')).catch(unlessGone);
    if (!texts) continue;
    yield* texts;
    separator = ',';
  }
  yield (separator === head ? head : '') + tail;
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof DomainError && error.code === 'dataset_not_found')) throw error;
}
