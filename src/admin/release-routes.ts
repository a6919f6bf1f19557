import { z } from '@hono/zod-openapi';
import { errors } from '../http/error-schemas.ts';
import { pageParams } from '../http/pagination.ts';
import { textParam } from '../http/params.ts';
import { logFailure } from '../log.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { enveloped, listed, page, single } from './answers.ts';
import { countActiveReleases, listReleases } from './repo/releases.ts';
import { activationSchema, releaseSchema } from './schemas.ts';
import { switchRelease } from './service.ts';

export function releaseRoutes(): Router {
  const router = createRouter();

  operation(
    router,
    {
      operationId: 'list_releases',
      method: 'get',
      path: '/',
      access: 'admin',
      tags: ['admin'],
      summary: 'List data releases',
      description: 'Newest first.',
      request: { query: z.object(pageParams) },
      responses: { ...listed('A page of releases', releaseSchema), ...errors(422) },
    },
    async (c, { ctx, query }) => page(c, await listReleases(ctx.db, query), query),
  );

  operation(
    router,
    {
      operationId: 'activate_release',
      method: 'post',
      path: '/{id}/activate',
      access: 'admin',
      tags: ['admin'],
      summary: 'Serve a data release',
      description:
        'In one step, in place of the one that is served now, which stays loaded and can be activated again. Activating the active one changes nothing.',
      request: {
        params: z.object({
          id: textParam({ min: 1, description: 'Id of a release', example: '2025-2q-1' }).openapi({
            param: { name: 'id', in: 'path' },
          }),
        }),
      },
      responses: { ...enveloped('The release is served', activationSchema), ...errors(404, 422) },
    },
    async (c, { ctx, params: { id } }) => {
      const previous = await switchRelease(ctx.db, id, ctx.actor);
      c.executionCtx.waitUntil(
        countActiveReleases(ctx.db).catch((error) => logFailure('release_not_analyzed', error, { release: id })),
      );
      return single(c, { id, status: 'active', previous });
    },
  );

  return router;
}
