import { createRouter, operation, type Router } from '../operation.ts';
import { enveloped, single } from './answers.ts';
import { addDatasetRoutes } from './dataset-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { addLogRoutes } from './log-routes.ts';
import { releaseRoutes } from './release-routes.ts';
import { countEverything } from './repo/stats.ts';
import { statsSchema } from './schemas.ts';
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
    async (c, { ctx }) => single(c, await countEverything(ctx.db)),
  );

  addDatasetRoutes(router);
  addLogRoutes(router);
  router.route('/users', userRoutes());
  router.route('/api-keys', keyRoutes());
  router.route('/releases', releaseRoutes());
  return router;
}
