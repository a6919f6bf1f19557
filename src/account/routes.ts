import { z } from '@hono/zod-openapi';
import { enveloped, privateAnswer, privateStream } from '../http/answers.ts';
import { errors, header } from '../http/error-schemas.ts';
import { moment, uuidOf } from '../http/schemas.ts';
import { operation, Router } from '../operation.ts';
import { exportTexts } from './export.ts';
import { accountSchema, exportSchema } from './schemas.ts';
import { deleteOwnAccount, getAccount } from './service.ts';

/** What people do with their own account. */
export function accountRoutes(): Router {
  const router = new Router(['account']);

  operation(router, {
    operationId: 'get_account',
    method: 'get',
    path: '/',
    access: 'user',
    summary: 'Your account',
    description: 'The profile of your account, and how much it stores.',
    responses: { ...enveloped('The account', accountSchema), ...errors(404) },
    handler: async (c, { ctx }) =>
      privateAnswer(c, { ...(await getAccount(ctx)), erasure_grace_days: ctx.config.ERASURE_GRACE_DAYS }),
  });

  operation(router, {
    operationId: 'export_account',
    method: 'get',
    path: '/export',
    access: 'user',
    summary: 'Export all of your data',
    description:
      'One JSON object with everything that the service stores about you: the account, usage, the audit log of your actions and your account, keys and webhook endpoints without their secrets, deliveries to these, and datasets with their features. Files are listed with their download paths. If a dataset is deleted meanwhile, the answer breaks off.',
    responses: {
      200: {
        description: 'All your data',
        headers: { 'Content-Disposition': header('File name to save it under') },
        content: { 'application/json': { schema: exportSchema } },
      },
      ...errors(404),
    },
    handler: async (c, { ctx }) => {
      const account = await getAccount(ctx);
      return privateStream(c, exportTexts(ctx, { account }), {
        'Content-Type': 'application/json',
        'Content-Disposition': 'attachment; filename="account.json"',
      });
    },
  });

  operation(router, {
    operationId: 'delete_account',
    method: 'delete',
    path: '/',
    access: 'session',
    summary: 'Delete your account',
    description:
      'From now on, keys and sessions are refused and datasets are hidden. After the grace period that the account names, everything is erased; until then an administrator can restore it. Only a session may do this: an API key gets 403 `session_required`.',
    request: {
      query: z.object({
        confirm: uuidOf('account').openapi({
          description: 'The id of the account, as `GET /v1/account` gives it: any other is 422 `confirmation_mismatch`',
          example: '5b0f0a7e-54c6-4c1b-9d7a-0d8f6d6f2c11',
        }),
      }),
    },
    responses: {
      ...enveloped('The account is deleted', z.object({ id: z.uuid(), erase_at: moment })),
      ...errors(404, 422),
    },
    handler: async (c, { ctx, query: { confirm } }) => {
      const eraseAt = await deleteOwnAccount(ctx, { confirm });
      return privateAnswer(c, { id: confirm, erase_at: eraseAt.toISOString() });
    },
  });

  return router;
}
