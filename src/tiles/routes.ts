import { z } from '@hono/zod-openapi';
import { enveloped, originOf, PRIVATE, privateAnswer } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { operation, Router } from '../operation.ts';
import { READERS, singleTileRoutes } from './archive-routes.ts';
import { listArchives } from './repo.ts';
import { addressesOf, archiveBody, tileJsonOf } from './representation.ts';
import {
  archiveSchema,
  newSessionSchema,
  sessionQuery,
  sessionSchema,
  tileJsonParams,
  tileJsonSchema,
} from './schemas.ts';
import { createTileSession, getArchive } from './service.ts';
import { tileSession } from './sessions.ts';

/** Vector tiles: the list of archives, sessions for maps, descriptions, and single tiles. */
export function tileRoutes(): Router {
  const router = new Router(['tiles']);

  operation(router, {
    operationId: 'list_tile_archives',
    method: 'get',
    path: '/',
    ...READERS,
    summary: 'List the tile archives',
    description: 'The content and zooms of each, and the URLs of its TileJSON and of the archive.',
    responses: enveloped('The archives by their slugs', z.array(archiveSchema)),
    handler: async (c, { ctx }) => {
      const archives = await listArchives(ctx.db);
      return privateAnswer(
        c,
        archives.map((archive) => archiveBody(originOf(c), archive)),
      );
    },
  });

  operation(router, {
    operationId: 'create_tile_session',
    method: 'post',
    path: '/sessions',
    ...READERS,
    summary: 'Create a tile session',
    description:
      'A map that can send no headers puts the session into the addresses of its tiles, as those of the answer have it. Whoever has the session can read the archives that it was asked for, until it expires. It expires with the key that asked for it, but a revocation of the key does not end it. Requests with it are not counted.',
    request: { body: { content: { 'application/json': { schema: newSessionSchema } } } },
    responses: { ...enveloped('The session', sessionSchema), ...errors(400, 404, 413, 415, 422) },
    handler: async (c, { ctx, body }) => {
      // A request without a body has no input at all.
      const { slugs, ttl_seconds: ttlSeconds } = body ?? {};
      const { session, expiresAt, archives } = await createTileSession(ctx, { slugs, ttlSeconds });
      const layers = archives.map((archive) => ({
        slug: archive.slug,
        ...addressesOf(originOf(c), archive, session),
      }));
      return privateAnswer(c, { session, expires_at: expiresAt.toISOString(), layers });
    },
  });

  operation(router, {
    operationId: 'get_tilejson',
    method: 'get',
    path: '/{slug}.json',
    ...READERS,
    queryCredential: tileSession,
    summary: 'Describe an archive as TileJSON 3.0',
    description: 'The tile URL in it contains the session of the request.',
    request: { params: tileJsonParams, query: sessionQuery },
    responses: {
      200: { description: 'TileJSON', content: { 'application/json': { schema: tileJsonSchema } } },
      ...errors(404, 422),
    },
    handler: async (c, { ctx, params: { slug }, query: { session } }) => {
      const archive = await getArchive(ctx, { slug });
      const { tiles } = addressesOf(originOf(c), archive, session);
      return c.json(tileJsonOf(archive, tiles), 200, PRIVATE);
    },
  });

  router.route('/', singleTileRoutes());
  return router;
}
