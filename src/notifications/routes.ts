import { z } from '@hono/zod-openapi';
import { deletion, deletionAnswer, enveloped, privateAnswer } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { metaSchema, pageMeta, pageParams } from '../http/pagination.ts';
import { idParams, uuidOf } from '../http/schemas.ts';
import { operation, Router } from '../operation.ts';
import { countWork } from '../rate-limits/rows.ts';
import {
  createdEndpointSchema,
  deliverySchema,
  endpointPatchSchema,
  endpointSchema,
  GRACE_SECONDS,
  newEndpointSchema,
  secretRotationSchema,
} from './schemas.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listDeliveries,
  listEndpoints,
  MAX_ENDPOINTS,
  replayDelivery,
  rotateSecret,
  testEndpoint,
} from './service.ts';

/** What a test and a replay count as: each is a request to a host of somebody else. */
const OUTBOUND_REQUESTS = 10;

const params = idParams('webhook endpoint', '0b9f4b1e-3c1d-4a55-9a0e-6a3c1f0d2b77');
const deliveryParams = z.object({
  ...params.shape,
  deliveryId: uuidOf('delivery').openapi({
    description: 'Id of the delivery',
    example: '5b0f0a7e-54c6-4c1b-9d7a-0d8f6d6f2c11',
  }),
});

const json = <S extends z.ZodType>(schema: S) => ({ required: true, content: { 'application/json': { schema } } });

/** Where accounts are told of events. */
export function webhookEndpointRoutes(): Router {
  const router = new Router(['webhook-endpoints']);

  operation(router, {
    access: 'user',
    operationId: 'list_webhook_endpoints',
    method: 'get',
    path: '/',
    summary: 'List your webhook endpoints',
    description: 'Oldest first, without secrets.',
    responses: enveloped('Your endpoints', z.array(endpointSchema)),
    handler: async (c, { ctx }) => privateAnswer(c, await listEndpoints(ctx)),
  });

  operation(router, {
    access: 'user',
    operationId: 'create_webhook_endpoint',
    method: 'post',
    path: '/',
    creates: true,
    summary: 'Create a webhook endpoint',
    description: `Events are sent to it by the Standard Webhooks specification, as \`{type, timestamp, data}\`. The answer has the secret of their signatures, this once. An account has at most ${MAX_ENDPOINTS}.`,
    request: { body: json(newEndpointSchema) },
    responses: { ...enveloped('The new endpoint', createdEndpointSchema), ...errors(400, 404, 413, 415, 422) },
    handler: async (c, { ctx, body }) => privateAnswer(c, await createEndpoint(ctx, body)),
  });

  operation(router, {
    access: 'user',
    operationId: 'get_webhook_endpoint',
    method: 'get',
    path: '/{id}',
    summary: 'Get a webhook endpoint',
    description: 'Without its secret.',
    request: { params },
    responses: { ...enveloped('The endpoint', endpointSchema), ...errors(404, 422) },
    handler: async (c, { ctx, params }) => privateAnswer(c, await getEndpoint(ctx, params)),
  });

  operation(router, {
    access: 'user',
    operationId: 'update_webhook_endpoint',
    method: 'patch',
    path: '/{id}',
    record: endpointSchema,
    summary: 'Change a webhook endpoint',
    description:
      'Members that are left out keep their values. A disabled endpoint receives nothing; what waits can be replayed later.',
    request: { params, body: json(endpointPatchSchema) },
    responses: { ...enveloped('The endpoint', endpointSchema), ...errors(400, 404, 413, 415, 422) },
    handler: async (c, { ctx, params: { id }, body }) =>
      privateAnswer(c, await changeEndpoint(ctx, { id, changes: body })),
  });

  operation(router, {
    access: 'user',
    operationId: 'delete_webhook_endpoint',
    method: 'delete',
    path: '/{id}',
    summary: 'Delete a webhook endpoint',
    description: 'Deletes its log too. Waiting deliveries are not sent.',
    request: { params },
    responses: { ...deletion, ...errors(404, 422) },
    handler: async (c, { ctx, params: { id } }) => {
      await deleteEndpoint(ctx, { id });
      return deletionAnswer(c, 'webhook endpoint', id);
    },
  });

  operation(router, {
    access: 'user',
    operationId: 'rotate_webhook_secret',
    method: 'post',
    path: '/{id}/rotate-secret',
    creates: true,
    summary: 'Replace the secret of a webhook endpoint',
    description:
      'The answer has the new secret, once. For the grace time deliveries are signed with both; a secret that was replaced earlier ends at once.',
    request: { params, body: { content: { 'application/json': { schema: secretRotationSchema } } } },
    responses: {
      ...enveloped('The endpoint with its new secret', createdEndpointSchema),
      ...errors(400, 404, 413, 415, 422),
    },
    handler: async (c, { ctx, params: { id }, body }) =>
      privateAnswer(c, await rotateSecret(ctx, { id, graceSeconds: body?.grace_seconds ?? GRACE_SECONDS })),
  });

  operation(router, {
    access: 'user',
    operationId: 'test_webhook_endpoint',
    method: 'post',
    path: '/{id}/test',
    summary: 'Send a test event to a webhook endpoint',
    description: `Sends an event \`endpoint.test\`, once. The log has only the latest of them. An endpoint can be tested once in ten seconds. A test counts as ${OUTBOUND_REQUESTS} requests, of a session too.`,
    request: { params },
    responses: { ...enveloped('The delivery, which is not sent yet', deliverySchema), ...errors(404, 409, 422) },
    handler: async (c, { ctx, params }) => {
      await countWork(c, OUTBOUND_REQUESTS);
      return privateAnswer(c, await testEndpoint(ctx, params));
    },
  });

  operation(router, {
    access: 'user',
    operationId: 'list_webhook_deliveries',
    method: 'get',
    path: '/{id}/deliveries',
    summary: 'List the deliveries of a webhook endpoint',
    description: 'Newest first, of the last 30 days. A failed delivery is tried ten times in three days.',
    request: { params, query: z.object(pageParams) },
    responses: { ...enveloped('A page of the log', z.array(deliverySchema), metaSchema), ...errors(404, 422) },
    handler: async (c, { ctx, params: { id }, query }) => {
      const { rows, total } = await listDeliveries(ctx, { id, ...query });
      return privateAnswer(c, rows, pageMeta(c.req.url, { total, ...query }));
    },
  });

  operation(router, {
    access: 'user',
    operationId: 'replay_webhook_delivery',
    method: 'post',
    path: '/{id}/deliveries/{deliveryId}/replay',
    summary: 'Replay a delivery',
    description: `Sends it again with the same \`webhook-id\` and body. A delivery that is still waiting stays as it is. A replay counts as ${OUTBOUND_REQUESTS} requests, of a session too.`,
    request: { params: deliveryParams },
    responses: { ...enveloped('The delivery', deliverySchema), ...errors(404, 409, 422) },
    handler: async (c, { ctx, params }) => {
      await countWork(c, OUTBOUND_REQUESTS);
      return privateAnswer(c, await replayDelivery(ctx, params));
    },
  });

  return router;
}
