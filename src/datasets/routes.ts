import { z } from '@hono/zod-openapi';
import { holds, userOf } from '../auth/principal.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { featurePages } from '../features/listing.ts';
import { enveloped, privateAnswer, privateStream } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { pageMeta } from '../http/pagination.ts';
import { startTexts, surround } from '../http/stream.ts';
import { logFailure } from '../log.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { callerOf } from './access.ts';
import type { Dataset } from './dataset.ts';
import { addDownloadRoutes } from './download-routes.ts';
import { purgeVersion } from './purge.ts';
import { listDatasets } from './repo/reads.ts';
import type { Found } from './repo/rows.ts';
import {
  datasetListParams,
  datasetMetaSchema,
  datasetParams,
  datasetPatchSchema,
  datasetSchema,
  includeFeatures,
  newDatasetSchema,
} from './schemas.ts';
import { changeDataset, contentsOf, getDataset, makeDataset, removeDataset } from './service.ts';

/** The largest body with a dataset and its features, bytes. Larger ones are uploaded as files. */
const MAX_DATASET_BODY = 5 * 1024 * 1024;

const jsonBody = <S extends z.ZodType>(schema: S) => ({ required: true, content: { 'application/json': { schema } } });

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
    async (c, { ctx, query }) => {
      const { principal, db } = ctx;
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
      if (!query.includeFeatures) return privateAnswer(c, found.map(withoutFeatures), meta);
      return privateStream(c, withFeatures(ctx, found, `],"meta":${JSON.stringify(meta)},"error":null}`), JSON_TYPE);
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
      request: { body: jsonBody(newDatasetSchema) },
      responses: { ...enveloped('The new dataset', datasetSchema), ...errors(400, 413, 415, 422) },
    },
    async (c, { ctx, body }) => {
      const dataset = await makeDataset(ctx.db, ctx.principal, body, ctx.actor);
      return privateAnswer(c, { ...dataset, features: [] });
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
    async (c, { ctx, params: { id }, query }) => {
      const found = await getDataset(ctx.db, callerOf(ctx.principal), id);
      if (!query.includeFeatures) return privateAnswer(c, withoutFeatures(found));
      const pages = featurePages(ctx.db, { contents: [contentsOf(found)], form: 'json' });
      return privateStream(c, surround(`{"data":${opened(found.dataset)}`, pages, ']},"error":null}'), JSON_TYPE);
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
      request: { params: datasetParams, body: jsonBody(datasetPatchSchema) },
      responses: { ...enveloped('The changed dataset', datasetSchema), ...errors(400, 404, 413, 415, 422) },
    },
    async (c, { ctx, params: { id }, body: patch }) => {
      const dataset = await changeDataset(ctx.db, ctx.principal, id, patch, ctx.actor);
      return privateAnswer(c, { ...dataset, features: [] });
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
    async (c, { ctx, params: { id } }) => {
      const version = await removeDataset(ctx.db, callerOf(ctx.principal), id, ctx.actor);
      // What is left is invisible, and the sweep would find it.
      const purging = purgeVersion(ctx.db, ctx.bucket, version).catch((error) => {
        logFailure('purge', error, { dataset: id });
      });
      ctx.waitUntil(purging);
      return c.json({ message: `The dataset ${id} has been deleted.` });
    },
  );

  addDownloadRoutes(router);
  return router;
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
async function* withFeatures(ctx: ServiceContext, list: readonly Found[], tail: string): AsyncGenerator<string> {
  const head = '{"data":[';
  let separator = head;
  for (const found of list) {
    const pages = featurePages(ctx.db, { contents: [contentsOf(found)], form: 'json' });
    const texts = await startTexts(surround(separator + opened(found.dataset), pages, ']}')).catch(unlessGone);
    if (!texts) continue;
    yield* texts;
    separator = ',';
  }
  yield (separator === head ? head : '') + tail;
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof DomainError && error.code === 'dataset_not_found')) throw error;
}
