import { z } from '@hono/zod-openapi';
import {
  DATASET_ID,
  featureListParams,
  featurePatchSchema,
  featureSchema,
  newFeatureSchema,
} from '../features/schemas.ts';
import { deletion, deletionAnswer, enveloped, envelopedText, privateText, storing } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { uuidOf } from '../http/schemas.ts';
import { operation, Router } from '../operation.ts';
import { contentsOf } from './dataset.ts';
import { featureListAnswer, featureListResponses } from './feature-list-answer.ts';
import { createFeature, deleteFeature, getFeature, updateFeature } from './feature-service.ts';
import { callerOf, readerOf } from './owners.ts';
import { findDataset, listOwnContents } from './repo/reads.ts';
import { datasetNotFound, FREE_SIZE, requireFreeSize, sizeOf, unreadable } from './service.ts';

/** The largest body with a feature, bytes. */
const MAX_FEATURE_BODY = 5 * 1024 * 1024;

/** An id that is no UUID is answered with 404, not 422, so it is not checked here. */
const params = z.object({
  id: z
    .string()
    .min(1)
    .openapi({
      param: { name: 'id', in: 'path' },
      description: 'Id of the feature',
      example: '0b6f6c1e-5e2a-4a43-8a0a-6a5f0a3f9d21',
    }),
});
const datasetParams = z.object({
  datasetId: uuidOf('dataset').openapi({ description: 'Id of the dataset', example: DATASET_ID }),
});

const META =
  'With page, limit, bbox or format=geojson, meta follows the features; without page and limit it describes a single page.';

export function featureRoutes(): Router {
  const router = new Router(['features']);

  operation(router, {
    operationId: 'list_features',
    method: 'get',
    path: '/',
    access: 'authenticated',
    scope: 'read:datasets',
    summary: 'List the features of all your datasets',
    description: `The complete list, streamed, unless page or limit are given. ${META}`,
    request: { query: featureListParams },
    responses: { ...featureListResponses('Features'), ...errors(422) },
    handler: async (c, { ctx, query }) => {
      const contents = await listOwnContents(ctx.db, { caller: callerOf(ctx.principal) });
      return featureListAnswer(c, ctx, { contents, ...query });
    },
  });

  operation(router, {
    operationId: 'create_feature',
    method: 'post',
    path: '/',
    access: 'authenticated',
    scope: 'write:datasets',
    maxBody: MAX_FEATURE_BODY,
    creates: true,
    summary: 'Add a feature to a dataset',
    description: 'The geometry is in WGS 84 (RFC 7946), whatever reference system the dataset was created with.',
    request: { body: { required: true, content: { 'application/json': { schema: newFeatureSchema } } } },
    responses: { ...storing(enveloped('The new feature', featureSchema)), ...errors(400, 404, 413, 415, 422) },
    handler: async (c, { ctx, body }) => privateText(c, envelopedText(c, await createFeature(ctx, body))),
  });

  operation(router, {
    operationId: 'list_dataset_features',
    method: 'get',
    path: '/dataset/{datasetId}',
    access: 'free-tier',
    scope: 'read:datasets',
    summary: 'List the features of a dataset',
    description: `The complete list, streamed, unless page or limit are given. ${META} The list is empty for a dataset that you may not read. A dataset with visibility everyone needs no credentials up to ${FREE_SIZE}.`,
    request: { params: datasetParams, query: featureListParams },
    responses: { ...featureListResponses('Features'), ...errors(422) },
    handler: async (c, { ctx, params: { datasetId: id }, query }) => {
      const found = await findDataset(ctx.db, { caller: readerOf(ctx.principal), id });
      if (!found && ctx.principal.kind === 'anonymous') throw unreadable(ctx, datasetNotFound(id));
      // A page has no limit of bytes of its own.
      if (found) requireFreeSize(ctx, sizeOf(found));
      return featureListAnswer(c, ctx, { contents: found ? [contentsOf(found)] : [], ...query });
    },
  });

  operation(router, {
    operationId: 'get_feature',
    method: 'get',
    path: '/{id}',
    access: 'free-tier',
    scope: 'read:datasets',
    summary: 'Get a feature',
    description:
      'A feature of your own dataset or of a public one, in WGS 84. A dataset with visibility everyone needs no credentials.',
    request: { params },
    responses: { ...enveloped('The feature', featureSchema), ...errors(404, 422) },
    handler: async (c, { ctx, params: { id } }) => privateText(c, envelopedText(c, await getFeature(ctx, { id }))),
  });

  operation(router, {
    operationId: 'update_feature',
    record: featureSchema,
    method: 'patch',
    path: '/{id}',
    access: 'authenticated',
    scope: 'write:datasets',
    maxBody: MAX_FEATURE_BODY,
    summary: 'Change a feature',
    description:
      'Members that are left out keep their values. dataset_id moves the feature to another of your datasets.',
    request: { params, body: { required: true, content: { 'application/json': { schema: featurePatchSchema } } } },
    responses: { ...storing(enveloped('The changed feature', featureSchema)), ...errors(400, 404, 413, 415, 422) },
    handler: async (c, { ctx, params: { id }, body }) =>
      privateText(c, envelopedText(c, await updateFeature(ctx, { id, changes: body }))),
  });

  operation(router, {
    operationId: 'delete_feature',
    method: 'delete',
    path: '/{id}',
    access: 'authenticated',
    scope: 'write:datasets',
    summary: 'Delete a feature',
    description: 'Takes effect at once; only the owner of the dataset may do this.',
    request: { params },
    responses: { ...storing(deletion), ...errors(404, 422) },
    handler: async (c, { ctx, params: { id } }) => {
      await deleteFeature(ctx, { id });
      return deletionAnswer(c, 'feature', id);
    },
  });

  return router;
}
