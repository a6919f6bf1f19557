import { z } from '@hono/zod-openapi';
import { lowerAscii } from '../ascii.ts';
import { DATA_TYPES } from '../datasets/schemas.ts';
import { errors } from '../http/error-schemas.ts';
import { pageParams } from '../http/pagination.ts';
import { choiceParam, flagParam, textParam } from '../http/params.ts';
import { idParam } from '../http/schemas.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { listed, pageAnswer } from './lists.ts';
import { listAllDatasets } from './repo/datasets.ts';
import { adminDatasetSchema } from './schemas.ts';

/** Everybody's datasets. Administrators change them with the operations of datasets. */
export function adminDatasetRoutes(): Router {
  const router = createRouter();

  operation(
    router,
    {
      operationId: 'list_all_datasets',
      method: 'get',
      path: '/',
      access: 'admin',
      tags: ['admin'],
      summary: "List everybody's datasets",
      description: 'Newest first, those of deleted users included, without their features.',
      request: {
        query: z.object({
          ...pageParams,
          user_id: idParam('Only datasets of this user').optional(),
          user_email: textParam({
            description: "The owner's whole address, in any case",
            example: 'maria@example.com',
          }).optional(),
          is_public: flagParam('Only public ones, or only others').optional(),
          data_type: choiceParam(DATA_TYPES, 'Only these').optional(),
          status: textParam({ description: 'Only those with this status', example: 'ready' }).optional(),
        }),
      },
      responses: { ...listed('A page of datasets', adminDatasetSchema), ...errors(422) },
    },
    async (c, { ctx, query }) => {
      const { user_id: userId, user_email, is_public: isPublic, data_type: dataType, ...rest } = query;
      const filter = { ...rest, userId, userEmail: user_email && lowerAscii(user_email), isPublic, dataType };
      return pageAnswer(c, await listAllDatasets(ctx.db, filter), query);
    },
  );

  return router;
}
