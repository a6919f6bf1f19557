import { enveloped, privateAnswer } from '../http/answers.ts';
import { operation, Router } from '../operation.ts';
import { adminDatasetRoutes } from './dataset-routes.ts';
import { adminKeyRoutes } from './key-routes.ts';
import { adminLogRoutes } from './log-routes.ts';
import { adminReleaseRoutes } from './release-routes.ts';
import { statsSchema } from './schemas.ts';
import { getStats } from './service.ts';
import { adminSnapshotRoutes } from './snapshot-routes.ts';
import { adminTileRoutes } from './tile-routes.ts';
import { adminUserRoutes } from './user-routes.ts';

/** What administrators see and do. */
export function adminRoutes(): Router {
  const router = new Router(['admin']);

  operation(router, {
    operationId: 'get_admin_stats',
    method: 'get',
    path: '/stats',
    access: 'admin',
    summary: 'Totals of the service',
    description: 'Counted at the time of the request.',
    responses: enveloped('The metrics', statsSchema),
    handler: async (c, { ctx }) => privateAnswer(c, await getStats(ctx)),
  });

  router.route('/datasets', adminDatasetRoutes());
  router.route('/', adminLogRoutes());
  router.route('/users', adminUserRoutes());
  router.route('/api-keys', adminKeyRoutes());
  router.route('/releases', adminReleaseRoutes());
  router.route('/releases', adminSnapshotRoutes());
  router.route('/tiles', adminTileRoutes());
  return router;
}
