import { z } from '@hono/zod-openapi';
import { lowerAscii } from '../ascii.ts';
import { enveloped, privateAnswer } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { pageParams } from '../http/pagination.ts';
import { choiceParam, flagParam, textParam } from '../http/params.ts';
import { idParams } from '../http/schemas.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { listed, pageAnswer } from './lists.ts';
import { listUsers } from './repo/users.ts';
import { userChangeSchema, userDetailSchema, userSchema } from './schemas.ts';
import { changeUser, deleteUser, getUser, restoreUser } from './service.ts';

const params = idParams('user');

export function adminUserRoutes(): Router {
  const router = createRouter();

  operation(
    router,
    {
      operationId: 'list_users',
      method: 'get',
      path: '/',
      access: 'admin',
      tags: ['admin'],
      summary: 'List users',
      description: 'Newest first, deleted and erased ones included.',
      request: {
        query: z.object({
          ...pageParams,
          email: textParam({ description: 'The whole address, in any case', example: 'maria@example.com' }).optional(),
          subject: textParam({ description: "The identity provider's id", example: 'user_1' }).optional(),
          status: choiceParam(['active', 'deleted', 'erased'], 'Only these').optional(),
          is_admin: flagParam('Only administrators, or only others').optional(),
        }),
      },
      responses: { ...listed('A page of users', userSchema), ...errors(422) },
    },
    async (c, { ctx, query }) => {
      const { email, is_admin: isAdmin, ...rest } = query;
      const graceDays = ctx.config.ERASURE_GRACE_DAYS;
      const filter = { ...rest, email: email && lowerAscii(email), isAdmin, graceDays };
      return pageAnswer(c, await listUsers(ctx.db, filter), query);
    },
  );

  operation(
    router,
    {
      operationId: 'get_user',
      method: 'get',
      path: '/{id}',
      access: 'admin',
      tags: ['admin'],
      summary: 'A user, with their organisations',
      description: 'As the identity provider has told of them, and what administrators have set.',
      request: { params },
      responses: { ...enveloped('The user', userDetailSchema), ...errors(404, 422) },
    },
    async (c, { ctx, params }) => privateAnswer(c, await getUser(ctx, params)),
  );

  operation(
    router,
    {
      operationId: 'change_user',
      method: 'patch',
      path: '/{id}',
      access: 'admin',
      tags: ['admin'],
      summary: 'Change a user',
      description:
        'What is left out stays. Sessions of an administrator are one at once, keys where they have the scope admin; the master token always is. The limit of the account holds from the next requests of its keys on; where it was used up, they may be refused for some seconds more.',
      request: { params, body: { required: true, content: { 'application/json': { schema: userChangeSchema } } } },
      responses: { ...enveloped('The user', userDetailSchema), ...errors(400, 404, 413, 415, 422) },
    },
    async (c, { ctx, params: { id }, body }) => privateAnswer(c, await changeUser(ctx, { id, change: body })),
  );

  operation(
    router,
    {
      operationId: 'delete_user',
      method: 'delete',
      path: '/{id}',
      access: 'admin',
      tags: ['admin'],
      summary: 'Delete a user',
      description:
        'Their keys and sessions are refused from now on, and their datasets are hidden. At `erase_at` everything of the account is erased. Until then it can be restored. What the identity provider says of the user counts no more. Deleting the user again changes nothing.',
      request: { params },
      responses: { ...enveloped('The deleted user', userDetailSchema), ...errors(404, 422) },
    },
    async (c, { ctx, params }) => privateAnswer(c, await deleteUser(ctx, params)),
  );

  operation(
    router,
    {
      operationId: 'restore_user',
      method: 'post',
      path: '/{id}/restore',
      access: 'admin',
      tags: ['admin'],
      summary: 'Restore a deleted user',
      description:
        'With everything but their keys, which stay revoked, and the rights of an administrator. 409 `user_not_restorable` from `erase_at` on. An erased user can sign in again after it, and begins with nothing.',
      request: { params },
      responses: { ...enveloped('The user', userDetailSchema), ...errors(404, 409, 422) },
    },
    async (c, { ctx, params }) => privateAnswer(c, await restoreUser(ctx, params)),
  );

  return router;
}
