import { z } from '@hono/zod-openapi';
import { enveloped, privateAnswer } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { pageParams } from '../http/pagination.ts';
import { operation, Router } from '../operation.ts';
import { pageAnswer, pageOf } from './lists.ts';
import { listReleases } from './repo/releases.ts';
import { activationBody, activationSchema, releaseDeletionSchema, releaseId, releaseSchema } from './schemas.ts';
import { activateRelease, deleteRelease } from './service.ts';

export function adminReleaseRoutes(): Router {
  const router = new Router(['admin']);

  operation(router, {
    operationId: 'list_releases',
    method: 'get',
    path: '/',
    access: 'admin',
    summary: 'List data releases',
    description: 'Newest first.',
    request: { query: z.object(pageParams) },
    responses: { ...pageOf('A page of releases', releaseSchema), ...errors(422) },
    handler: async (c, { ctx, query }) => pageAnswer(c, await listReleases(ctx.db, query), query),
  });

  operation(router, {
    operationId: 'activate_release',
    method: 'post',
    path: '/{id}/activate',
    access: 'admin',
    summary: 'Serve a data release',
    description:
      'The release takes the place of the one that is served now, in one step. That one stays loaded and can be activated again. Activating the active release changes nothing. Where users would lose boundaries, attributes or areas, the answer is 409 `release_loses_data` with what would be lost, and nothing changes. The body `{ "force": true }` activates it nevertheless.',
    request: {
      params: z.object({ id: releaseId }),
      body: { required: false, content: { 'application/json': { schema: activationBody } } },
    },
    responses: { ...enveloped('The release is served', activationSchema), ...errors(400, 404, 409, 413, 415, 422) },
    handler: async (c, { ctx, params: { id }, body }) => {
      const previous = await activateRelease(ctx, { id, force: body?.force ?? false });
      return privateAnswer(c, { id, status: 'active', previous });
    },
  });

  operation(router, {
    operationId: 'delete_release',
    method: 'delete',
    path: '/{id}',
    access: 'admin',
    summary: 'Delete a data release',
    description:
      'The release is deleted from the database at once, and from the bucket in the next night. The active release is refused (409 `release_in_use`), as are one that answers for its edition or is the newest of it, and one that is being read.',
    request: { params: z.object({ id: releaseId }) },
    responses: { ...enveloped('The release is deleted', releaseDeletionSchema), ...errors(404, 409, 422) },
    handler: async (c, { ctx, params: { id } }) => {
      await deleteRelease(ctx, { id });
      return privateAnswer(c, { id, status: 'deleted' });
    },
  });

  return router;
}
