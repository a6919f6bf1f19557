import { errors } from '../http/error-schemas.ts';
import { operation, Router } from '../operation.ts';
import { pageAnswer, pageOf } from './lists.ts';
import { datasetQuery } from './queries.ts';
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
    request: { query: datasetQuery },
    responses: { ...pageOf('A page of datasets', adminDatasetSchema), ...errors(422) },
    handler: async (c, { ctx, query }) => pageAnswer(c, await listAllDatasets(ctx.db, query), query),
  });

  return router;
}
