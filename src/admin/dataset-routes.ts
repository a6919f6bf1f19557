import { z } from '@hono/zod-openapi';
import { lowerAscii } from '../ascii.ts';
import { DATA_TYPES } from '../datasets/schemas.ts';
import { errors } from '../http/error-schemas.ts';
import { pageParams } from '../http/pagination.ts';
import { choiceParam, flagParam, textParam } from '../http/params.ts';
import { idParam } from '../http/schemas.ts';
import { operation, Router } from '../operation.ts';
import { pageAnswer, pageOf } from './lists.ts';
import { listAllDatasets } from './repo/datasets.ts';
import { adminDatasetSchema } from './schemas.ts';

/** Everybody's datasets. Administrators change them with the operations of datasets. */
export function adminDatasetRoutes(): Router {
  const router = new Router(['admin']);

  operation(router, {
    operationId: 'list_all_datasets',
    method: 'get',
    path: '/',
    access: 'admin',
    summary: 'List the datasets of all users',
    description: 'Newest first, including those of deleted users, without their features.',
    request: {
      query: z.object({
        ...pageParams,
        user_id: idParam('Filter by user').optional(),
        user_email: textParam({
          description: 'Complete email address of the owner; case is ignored',
          example: 'maria@example.com',
        }).optional(),
        is_public: flagParam('Filter by whether they are public').optional(),
        data_type: choiceParam(DATA_TYPES, 'Filter by type of data').optional(),
        status: textParam({ description: 'Filter by status', example: 'ready' }).optional(),
      }),
    },
    responses: { ...pageOf('A page of datasets', adminDatasetSchema), ...errors(422) },
    handler: async (c, { ctx, query }) => {
      const { user_id: userId, user_email, is_public: isPublic, data_type: dataType, ...rest } = query;
      const filter = { ...rest, userId, userEmail: user_email && lowerAscii(user_email), isPublic, dataType };
      return pageAnswer(c, await listAllDatasets(ctx.db, filter), query);
    },
  });

  return router;
}
