import { enveloped, privateAnswer } from '../http/answers.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { datasetRoutes } from './dataset-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { logRoutes } from './log-routes.ts';
import { releaseRoutes } from './release-routes.ts';
import { countEverything } from './repo/stats.ts';
import { statsSchema } from './schemas.ts';
import { snapshotRoutes } from './snapshot-routes.ts';
import { tileRoutes } from './tile-routes.ts';
import { userRoutes } from './user-routes.ts';

/** What administrators see and do. */
export function adminRoutes(): Router {
  const router = createRouter();

  operation(
    router,
    {
      operationId: 'get_admin_stats',
      method: 'get',
      path: '/stats',
      access: 'admin',
      tags: ['admin'],
      summary: 'How much there is of everything',
      responses: enveloped('The numbers', statsSchema),
    },
    async (c, { ctx }) => privateAnswer(c, await countEverything(ctx.db)),
  );

  router.route('/datasets', datasetRoutes());
  router.route('/', logRoutes());
  router.route('/users', userRoutes());
  router.route('/api-keys', keyRoutes());
  router.route('/releases', releaseRoutes());
  router.route('/releases', snapshotRoutes());
  router.route('/tiles', tileRoutes());
  return router;
}
