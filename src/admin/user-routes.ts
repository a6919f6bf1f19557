import { enveloped, privateAnswer } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { idParams } from '../http/schemas.ts';
import { operation, Router } from '../operation.ts';
import { pageAnswer, pageOf } from './lists.ts';
import { userQuery } from './queries.ts';
import { listUsers } from './repo/users.ts';
import { userChangeSchema, userDetailSchema, userSchema } from './schemas.ts';
import { changeUser, deleteUser, getUser, restoreUser } from './service.ts';

const params = idParams('user');

export function adminUserRoutes(): Router {
  const router = new Router(['admin']);

  operation(router, {
    operationId: 'list_users',
    method: 'get',
    path: '/',
    access: 'admin',
    summary: 'List users',
    description: 'Newest first, including deleted and erased ones.',
    request: { query: userQuery },
    responses: { ...pageOf('A page of users', userSchema), ...errors(422) },
    handler: async (c, { ctx, query }) =>
      pageAnswer(c, await listUsers(ctx.db, query, ctx.config.ERASURE_GRACE_DAYS), query),
  });

  operation(router, {
    operationId: 'get_user',
    method: 'get',
    path: '/{id}',
    access: 'admin',
    summary: 'Get a user with their organisations',
    description: 'As the identity provider reported it, with the settings of administrators.',
    request: { params },
    responses: { ...enveloped('The user', userDetailSchema), ...errors(404, 422) },
    handler: async (c, { ctx, params }) => privateAnswer(c, await getUser(ctx, params)),
  });

  operation(router, {
    operationId: 'change_user',
    method: 'patch',
    path: '/{id}',
    access: 'admin',
    summary: 'Change a user',
    description:
      "Members that are left out keep their values. Administrator rights take effect at once for sessions, and for keys with the scope admin. The account's limit takes effect with the next requests of its keys; if the former limit was used up, they may be refused for some more seconds.",
    request: { params, body: { required: true, content: { 'application/json': { schema: userChangeSchema } } } },
    responses: { ...enveloped('The user', userDetailSchema), ...errors(400, 404, 413, 415, 422) },
    handler: async (c, { ctx, params: { id }, body }) => privateAnswer(c, await changeUser(ctx, { id, change: body })),
  });

  operation(router, {
    operationId: 'delete_user',
    method: 'delete',
    path: '/{id}',
    access: 'admin',
    summary: 'Delete a user',
    description:
      'From now on, their keys and sessions are refused and their datasets are hidden. At `erase_at` everything of the account is erased; until then it can be restored. Later events of the identity provider about the user have no effect. Deleting the user again changes nothing.',
    request: { params },
    responses: { ...enveloped('The deleted user', userDetailSchema), ...errors(404, 422) },
    handler: async (c, { ctx, params }) => privateAnswer(c, await deleteUser(ctx, params)),
  });

  operation(router, {
    operationId: 'restore_user',
    method: 'post',
    path: '/{id}/restore',
    access: 'admin',
    summary: 'Restore a deleted user',
    description:
      'Restores everything except their keys, which stay revoked, and administrator rights. From `erase_at` on the answer is 409 `user_not_restorable`. An erased user can sign in again and starts with an empty account.',
    request: { params },
    responses: { ...enveloped('The user', userDetailSchema), ...errors(404, 409, 422) },
    handler: async (c, { ctx, params }) => privateAnswer(c, await restoreUser(ctx, params)),
  });

  return router;
}
