import { z } from '@hono/zod-openapi';
import { lowerAscii } from '../ascii.ts';
import { holds, type Principal, userOf } from '../auth/principal.ts';
import type { AppContext, ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { featurePages } from '../features/listing.ts';
import {
  deletion,
  deletionAnswer,
  envelopeAround,
  enveloped,
  privateAnswer,
  privateStream,
  storing,
} from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import type { Meta } from '../http/notices.ts';
import { pageMeta } from '../http/pagination.ts';
import { startTexts, surround } from '../http/stream.ts';
import { operation, Router } from '../operation.ts';
import { contentsOf, type FoundDataset } from './dataset.ts';
import { addDownloadRoutes } from './download-routes.ts';
import { callerOf } from './owners.ts';
import { type DatasetFilter, listDatasets } from './repo/reads.ts';
import type { Dataset } from './schemas.ts';
import {
  type DatasetListInput,
  datasetListParams,
  datasetMetaSchema,
  datasetParams,
  datasetPatchSchema,
  datasetSchema,
  includeFeatures,
  newDatasetSchema,
} from './schemas.ts';
import {
  createDataset,
  deleteDataset,
  FREE_SIZE,
  getDataset,
  requireFreeSize,
  sizeOf,
  updateDataset,
} from './service.ts';

/** The largest body with a dataset and its features, bytes. Larger ones are uploaded as files. */
const MAX_DATASET_BODY = 5 * 1024 * 1024;

const jsonBody = <S extends z.ZodType>(schema: S) => ({ required: true, content: { 'application/json': { schema } } });

export function datasetRoutes(): Router {
  const router = new Router(['datasets']);

  operation(router, {
    operationId: 'list_datasets',
    method: 'get',
    path: '/',
    access: 'authenticated',
    scope: 'read:datasets',
    summary: 'List datasets',
    description: 'Newest first; your own unless visibility says otherwise.',
    request: { query: datasetListParams },
    responses: { ...enveloped('A page of datasets', z.array(datasetSchema), datasetMetaSchema), ...errors(422) },
    handler: async (c, { ctx, query }) => {
      const { page, limit, debug, includeFeatures } = query;
      const filter = filterOf(ctx.principal, query);
      const { found, total } = await listDatasets(ctx.db, { caller: callerOf(ctx.principal), filter, page, limit });
      const meta = {
        ...pageMeta(c.req.url, { total, page, limit }),
        ...(debug ? { debug: debugOf(ctx.principal, query) } : {}),
      };
      if (!includeFeatures) return privateAnswer(c, found.map(withoutFeatures), meta);
      return privateStream(c, withFeatures(c, ctx, { datasets: found, meta }), JSON_TYPE);
    },
  });

  operation(router, {
    operationId: 'create_dataset',
    method: 'post',
    path: '/',
    access: 'authenticated',
    scope: 'write:datasets',
    maxBody: MAX_DATASET_BODY,
    creates: true,
    summary: 'Create a dataset',
    description:
      'With its features, if given: either everything is stored or nothing. Upload large numbers of features as a file.',
    request: { body: jsonBody(newDatasetSchema) },
    responses: { ...storing(enveloped('The new dataset', datasetSchema)), ...errors(400, 413, 415, 422) },
    handler: async (c, { ctx, body }) => privateAnswer(c, { ...(await createDataset(ctx, body)), features: [] }),
  });

  operation(router, {
    operationId: 'get_dataset',
    method: 'get',
    path: '/{id}',
    access: 'free-tier',
    scope: 'read:datasets',
    summary: 'Get a dataset',
    description: `Your own, or a public one of another account. A dataset with visibility everyone needs no credentials. includeFeatures adds its features, without credentials up to ${FREE_SIZE}.`,
    request: { params: datasetParams, query: z.object({ includeFeatures }) },
    responses: { ...enveloped('The dataset', datasetSchema), ...errors(404, 422) },
    handler: async (c, { ctx, params: { id }, query }) => {
      const found = await getDataset(ctx, { id });
      if (!query.includeFeatures) return privateAnswer(c, withoutFeatures(found));
      requireFreeSize(ctx, sizeOf(found));
      const pages = featurePages(ctx.db, { contents: [contentsOf(found)], form: 'json' });
      const { head, tail } = envelopeAround(c);
      return privateStream(c, surround(head + openRecord(found.dataset), pages, `]}${tail}`), JSON_TYPE);
    },
  });

  operation(router, {
    operationId: 'update_dataset',
    record: datasetSchema,
    method: 'patch',
    path: '/{id}',
    access: 'authenticated',
    scope: 'write:datasets',
    maxBody: MAX_DATASET_BODY,
    summary: 'Change the metadata of a dataset',
    description:
      'Members that are left out keep their values. A record can be sent back as it was read: its other members have no effect. Features have operations of their own, or are replaced by an upload.',
    request: { params: datasetParams, body: jsonBody(datasetPatchSchema) },
    responses: { ...storing(enveloped('The changed dataset', datasetSchema)), ...errors(400, 404, 413, 415, 422) },
    handler: async (c, { ctx, params: { id }, body }) =>
      privateAnswer(c, { ...(await updateDataset(ctx, { id, changes: body })), features: [] }),
  });

  operation(router, {
    operationId: 'delete_dataset',
    method: 'delete',
    path: '/{id}',
    access: 'authenticated',
    scope: 'write:datasets',
    summary: 'Delete a dataset',
    description: 'Deletes its features and its stored file too.',
    request: { params: datasetParams },
    responses: { ...storing(deletion), ...errors(404, 422) },
    handler: async (c, { ctx, params: { id } }) => {
      await deleteDataset(ctx, { id });
      return deletionAnswer(c, 'dataset', id);
    },
  });

  addDownloadRoutes(router);
  return router;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/**
 * Which datasets a list asks for: the caller's own unless it says otherwise.
 *
 * @throws DomainError `admin_only` where somebody who is no administrator names another owner
 */
function filterOf(principal: Principal, { visibility = 'mine', user_email: email }: DatasetListInput): DatasetFilter {
  if (email !== undefined && !holds(principal, 'admin')) {
    throw new DomainError('admin_only', 'user_email: only administrators may list the datasets of others.');
  }
  return { visibility, ownerEmail: email && lowerAscii(email) };
}

/** How a list was scoped, for callers who ask for it. */
function debugOf(principal: Principal, { visibility, user_email: email }: DatasetListInput) {
  // The master token owns no datasets, and a list of another owner has none of the caller's own. Both list all.
  const listsOwn = principal.kind !== 'master' && email === undefined;
  return {
    principal: principal.kind,
    user_id: userOf(principal)?.userId ?? null,
    visibility: visibility === undefined || visibility === 'mine' ? (listsOwn ? 'mine' : 'all') : visibility,
    filters: { ...(visibility ? { visibility } : {}), ...(email ? { user_email: email } : {}) },
  };
}

function withoutFeatures({ dataset }: FoundDataset) {
  return { ...dataset, features: [] };
}

/** The JSON text of a dataset up to where its features begin. */
function openRecord(dataset: Dataset): string {
  return `${JSON.stringify(dataset).slice(0, -1)},"features":[`;
}

/** Writes datasets with their features. A dataset that is deleted before the list reaches it is left out. */
async function* withFeatures(
  c: AppContext,
  ctx: ServiceContext,
  { datasets, meta }: { datasets: readonly FoundDataset[]; meta: Meta },
): AsyncGenerator<string> {
  const { head: opening, tail } = envelopeAround(c, meta);
  const head = `${opening}[`;
  let separator = head;
  for (const found of datasets) {
    const pages = featurePages(ctx.db, { contents: [contentsOf(found)], form: 'json' });
    const texts = await startTexts(surround(separator + openRecord(found.dataset), pages, ']}')).catch(unlessDeleted);
    if (!texts) continue;
    yield* texts;
    separator = ',';
  }
  yield `${separator === head ? head : ''}]${tail}`;
}

function unlessDeleted(error: unknown): undefined {
  if (!(error instanceof DomainError && error.code === 'dataset_not_found')) throw error;
}
