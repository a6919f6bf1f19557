import { z } from '@hono/zod-openapi';
import { enveloped, PRIVATE, privateAnswer } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { idParams } from '../http/schemas.ts';
import { operation, Router } from '../operation.ts';
import { MAX_INACTIVE } from './repo/keys.ts';
import {
  createdKeySchema,
  keySchema,
  keyStatsParams,
  keyStatsSchema,
  newKeySchema,
  rotationSchema,
} from './schemas.ts';
import { createKey, listKeys, revokeKey, rotateKey, summarizeKeys } from './service.ts';

const params = idParams('key', '5b0f0a7e-54c6-4c1b-9d7a-0d8f6d6f2c11');

/** What people do with their own API keys. */
export function apiKeyRoutes(): Router {
  const router = new Router(['api-keys']);

  operation(router, {
    operationId: 'list_api_keys',
    method: 'get',
    path: '/',
    access: 'user',
    summary: 'List your API keys',
    description: `Newest first: all active keys and the latest ${MAX_INACTIVE} revoked or expired ones, without the secret.`,
    responses: enveloped('Your keys', z.array(keySchema)),
    handler: async (c, { ctx }) => privateAnswer(c, await listKeys(ctx)),
  });

  operation(router, {
    operationId: 'create_api_key',
    method: 'post',
    path: '/',
    access: 'user',
    creates: true,
    summary: 'Create an API key',
    description:
      'The answer has the key itself, as "key", this once: only its hash is stored. The same request with the same `Idempotency-Key` gets it again, for ten minutes and until the key was seen in use.\n\nA key that another key makes expires no later than its maker, and has no more requests per minute. Where `expires_at` or `rate_limit_rpm` is null, it has that of its maker, or the default of 60 requests where that is less. Revoking the maker does not revoke it: look through the list.\n\nA limit above that of the account is kept, and `meta.notices` says that the account has less.',
    request: { body: { required: true, content: { 'application/json': { schema: newKeySchema } } } },
    responses: { ...enveloped('The new key', createdKeySchema), ...errors(400, 413, 415, 422) },
    handler: async (c, { ctx, body }) => {
      const { key, meta } = await createKey(ctx, body);
      return privateAnswer(c, key, meta);
    },
  });

  operation(router, {
    operationId: 'summarize_api_keys',
    method: 'get',
    path: '/stats',
    access: 'user',
    summary: 'Usage of your API keys',
    description:
      'By day, status, key and endpoint, with the causes of failures. Requests beyond a limit are not counted. Rates are percentages, times are milliseconds.',
    request: { query: keyStatsParams },
    responses: {
      200: { description: 'The summary', content: { 'application/json': { schema: keyStatsSchema } } },
      ...errors(404, 422),
    },
    handler: async (c, { ctx, query }) => c.json(await summarizeKeys(ctx, { keyId: query.key_id }), 200, PRIVATE),
  });

  operation(router, {
    operationId: 'revoke_api_key',
    method: 'post',
    path: '/{id}/revoke',
    access: 'owner',
    summary: 'Revoke an API key',
    description: 'The key is refused from the next request on. Revoking it again changes nothing.',
    request: { params },
    responses: { ...enveloped('The revoked key', keySchema), ...errors(404, 422) },
    handler: async (c, { ctx, params }) => privateAnswer(c, await revokeKey(ctx, params)),
  });

  operation(router, {
    operationId: 'rotate_api_key',
    method: 'post',
    path: '/{id}/rotate',
    access: 'user',
    creates: true,
    summary: 'Replace an API key',
    description:
      'Creates a new key with the same settings; the old key is revoked, or keeps working for the grace period and can not be rotated again. A key can only rotate keys that expire no later than itself and have no higher limit.',
    request: { params, body: { content: { 'application/json': { schema: rotationSchema } } } },
    responses: { ...enveloped('The new key', createdKeySchema), ...errors(400, 404, 413, 415, 422) },
    handler: async (c, { ctx, params: { id }, body }) => {
      const { key, meta } = await rotateKey(ctx, { id, graceSeconds: body?.grace_seconds ?? 0 });
      return privateAnswer(c, key, meta);
    },
  });

  return router;
}
