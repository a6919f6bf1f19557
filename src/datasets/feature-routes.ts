import { z } from '@hono/zod-openapi';
import { featureListParams, featurePatchSchema, featureSchema, newFeatureSchema } from '../features/schemas.ts';
import { enveloped, privateText } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { callerOf } from './access.ts';
import { featureList, listFeatures } from './feature-lists.ts';
import { addFeature, changeFeature, getFeature, removeFeature } from './feature-service.ts';
import { findDataset, ownContents } from './repo/reads.ts';
import { contentsOf } from './service.ts';

/** The largest body with a feature, bytes. */
const MAX_FEATURE_BODY = 5 * 1024 * 1024;

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
  datasetId: z.guid('must be the UUID of a dataset').openapi({
    param: { name: 'datasetId', in: 'path' },
    format: 'uuid',
    description: 'Id of the dataset',
    example: '6f1c9f0e-8a8e-4a52-9a38-3c1f2b8f2f10',
  }),
});

const META =
  'With page, limit, bbox or format=geojson the list has meta, behind its features: all of them are then one page, as long as the list.';

export function featureRoutes(): Router {
  const router = createRouter();

  operation(
    router,
    {
      operationId: 'list_features',
      method: 'get',
      path: '/',
      access: 'authenticated',
      scope: 'read:datasets',
      tags: ['features'],
      summary: 'List the features of all your datasets',
      description: `All of them, as a stream, unless page or limit are given. ${META}`,
      request: { query: featureListParams },
      responses: { ...featureList('Features'), ...errors(422) },
    },
    async (c, { ctx, query }) => listFeatures(c, ctx, await ownContents(ctx.db, callerOf(ctx.principal)), query),
  );

  operation(
    router,
    {
      operationId: 'create_feature',
      method: 'post',
      path: '/',
      access: 'authenticated',
      scope: 'write:datasets',
      maxBody: MAX_FEATURE_BODY,
      tags: ['features'],
      summary: 'Add a feature to a dataset',
      description: 'The geometry is in WGS 84 (RFC 7946), whatever the dataset was made from.',
      request: { body: { required: true, content: { 'application/json': { schema: newFeatureSchema } } } },
      responses: { ...enveloped('The new feature', featureSchema), ...errors(400, 404, 413, 415, 422) },
    },
    async (c, { ctx, body }) =>
      privateText(c, record(await addFeature(ctx.db, callerOf(ctx.principal), body, ctx.actor))),
  );

  operation(
    router,
    {
      operationId: 'list_dataset_features',
      method: 'get',
      path: '/dataset/{datasetId}',
      access: 'authenticated',
      scope: 'read:datasets',
      tags: ['features'],
      summary: 'List the features of a dataset',
      description: `All of them, as a stream, unless page or limit are given. ${META} Of a dataset that you can not see there are none.`,
      request: { params: datasetParams, query: featureListParams },
      responses: { ...featureList('Features'), ...errors(422) },
    },
    async (c, { ctx, params: { datasetId }, query }) => {
      const found = await findDataset(ctx.db, callerOf(ctx.principal), datasetId);
      return listFeatures(c, ctx, found ? [contentsOf(found)] : [], query);
    },
  );

  operation(
    router,
    {
      operationId: 'get_feature',
      method: 'get',
      path: '/{id}',
      access: 'authenticated',
      scope: 'read:datasets',
      tags: ['features'],
      summary: 'Get a feature',
      request: { params },
      responses: { ...enveloped('The feature', featureSchema), ...errors(404, 422) },
    },
    async (c, { ctx, params: { id } }) => privateText(c, record(await getFeature(ctx.db, callerOf(ctx.principal), id))),
  );

  operation(
    router,
    {
      operationId: 'update_feature',
      method: 'patch',
      path: '/{id}',
      access: 'authenticated',
      scope: 'write:datasets',
      maxBody: MAX_FEATURE_BODY,
      tags: ['features'],
      summary: 'Change a feature',
      description: 'What is left out stays. With dataset_id it moves to another of your datasets.',
      request: { params, body: { required: true, content: { 'application/json': { schema: featurePatchSchema } } } },
      responses: { ...enveloped('The changed feature', featureSchema), ...errors(400, 404, 413, 415, 422) },
    },
    async (c, { ctx, params: { id }, body }) =>
      privateText(c, record(await changeFeature(ctx.db, callerOf(ctx.principal), id, body, ctx.actor))),
  );

  operation(
    router,
    {
      operationId: 'delete_feature',
      method: 'delete',
      path: '/{id}',
      access: 'authenticated',
      scope: 'write:datasets',
      tags: ['features'],
      summary: 'Delete a feature',
      request: { params },
      responses: {
        200: {
          description: 'It is gone',
          content: { 'application/json': { schema: z.object({ message: z.string() }) } },
        },
        ...errors(404, 422),
      },
    },
    async (c, { ctx, params: { id } }) => {
      await removeFeature(ctx.db, callerOf(ctx.principal), id, ctx.actor);
      return c.json({ message: `The feature ${id} has been deleted.` });
    },
  );

  return router;
}

function record(text: string): string {
  return `{"data":${text},"error":null}`;
}
