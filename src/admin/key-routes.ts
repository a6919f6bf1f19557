import { keySchema } from '../api-keys/schemas.ts';
import { revokeAnyKey } from '../api-keys/service.ts';
import { enveloped, privateAnswer } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { idParams } from '../http/schemas.ts';
import { operation, Router } from '../operation.ts';
import { pageAnswer, pageOf } from './lists.ts';
import { keyQuery } from './queries.ts';
import { listAllKeys } from './repo/keys.ts';
import { keyChangeSchema } from './schemas.ts';
import { changeAnyKey } from './service.ts';

const params = idParams('key');

export function adminKeyRoutes(): Router {
  const router = new Router(['admin']);

  operation(router, {
    operationId: 'list_all_api_keys',
    method: 'get',
    path: '/',
    access: 'admin',
    summary: 'List the API keys of all users',
    description: 'Newest first, including revoked and expired ones, without their secrets.',
    request: { query: keyQuery },
    responses: { ...pageOf('A page of keys', keySchema), ...errors(422) },
    handler: async (c, { ctx, query }) => pageAnswer(c, await listAllKeys(ctx.db, query), query),
  });

  operation(router, {
    operationId: 'change_any_api_key',
    method: 'patch',
    path: '/{id}',
    access: 'admin',
    summary: 'Change an API key of any user',
    description:
      "Members that are left out keep their values. Limits take effect with the next request; a key that had reached its limit or expiry may be refused for some more seconds. A limit above the account's is stored, and `meta.notices` says that the account's is lower.",
    request: { params, body: { required: true, content: { 'application/json': { schema: keyChangeSchema } } } },
    responses: { ...enveloped('The key', keySchema), ...errors(400, 404, 413, 415, 422) },
    handler: async (c, { ctx, params: { id }, body }) => {
      const { key, meta } = await changeAnyKey(ctx, { id, change: body });
      return privateAnswer(c, key, meta);
    },
  });

  operation(router, {
    operationId: 'revoke_any_api_key',
    method: 'post',
    path: '/{id}/revoke',
    access: 'admin',
    summary: 'Revoke an API key of any user',
    description: 'The key is refused from the next request on. Revoking it again changes nothing.',
    request: { params },
    responses: { ...enveloped('The revoked key', keySchema), ...errors(404, 422) },
    handler: async (c, { ctx, params }) => privateAnswer(c, await revokeAnyKey(ctx, params)),
  });

  return router;
}
