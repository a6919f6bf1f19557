import { enveloped, privateAnswer } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { operation, Router } from '../operation.ts';
import { newSessionSchema, sessionSchema } from './schemas.ts';
import { createOgcSession } from './sessions.ts';

/** Sessions for tools that send no headers. They are a part of the API like others. */
export function ogcSessionRoutes(): Router {
  const router = new Router(['ogc']);
  operation(router, {
    operationId: 'create_ogc_session',
    method: 'post',
    path: '/sessions',
    access: 'authenticated',
    summary: 'Create an OGC API session',
    description:
      'QGIS, ArcGIS and GDAL take an address: put the session into it, as `href` of the answer has it. Whoever has the session can read the areas and datasets that it was asked for, until it expires. It expires with the key that asked for it, but a revocation of the key does not end it.',
    request: { body: { required: false, content: { 'application/json': { schema: newSessionSchema } } } },
    responses: { ...enveloped('The session', sessionSchema), ...errors(400, 403, 404, 413, 415, 422) },
    handler: async (c, { ctx, body }) => {
      const { session, expiresAt } = await createOgcSession(ctx, body ?? {});
      const href = new URL(`/ogc?session=${session}`, c.req.url).href;
      return privateAnswer(c, { session, expires_at: expiresAt.toISOString(), href });
    },
  });
  return router;
}
