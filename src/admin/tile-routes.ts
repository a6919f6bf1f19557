import type { AppContext, ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { enveloped, privateAnswer } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { logFailure } from '../log.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import type { TileArchive } from '../tiles/archive.ts';
import { archiveSchema, recordOf, slugParams } from '../tiles/schemas.ts';
import { dropArchive, storeArchive } from '../tiles/service.ts';

const UPLOADS = ['application/vnd.pmtiles', 'application/octet-stream'];

const responses = enveloped('The archive', archiveSchema);

/** What administrators do with tile archives. */
export function adminTileRoutes(): Router {
  const router = createRouter();

  operation(
    router,
    {
      operationId: 'put_tile_archive',
      method: 'put',
      path: '/{slug}',
      access: 'admin',
      tags: ['admin'],
      summary: 'Upload a tile archive',
      description:
        'A PMTiles archive of version 3 with vector tiles, which is served under the slug from then on. Its name, description, attribution and layers are those of its own metadata.',
      request: {
        params: slugParams,
        body: {
          required: true,
          content: { 'application/vnd.pmtiles': { schema: { type: 'string', format: 'binary' } } },
        },
      },
      responses: { ...responses, ...errors(411, 413, 415, 422) },
    },
    async (c, { ctx, params: { slug } }) => {
      const size = lengthOf(c);
      const body = c.req.raw.body;
      if (!body) throw new DomainError('invalid_archive', 'The body is empty. Send a PMTiles archive.');
      const stores = { db: ctx.db, bucket: ctx.bucket };
      const { archive, replaced } = await storeArchive(stores, slug, { body, size, actor: ctx.actor });
      if (replaced !== null) deleteAfterwards(ctx, replaced);
      return answer(c, archive);
    },
  );

  operation(
    router,
    {
      operationId: 'delete_tile_archive',
      method: 'delete',
      path: '/{slug}',
      access: 'admin',
      tags: ['admin'],
      summary: 'Remove a tile archive',
      request: { params: slugParams },
      responses: { ...responses, ...errors(404, 422) },
    },
    async (c, { ctx, params: { slug } }) => {
      const archive = await dropArchive(ctx.db, slug, ctx.actor);
      deleteAfterwards(ctx, archive.objectKey);
      return answer(c, archive);
    },
  );

  return router;
}

/**
 * The length of the body by its Content-Length. The bucket must know it before it takes the first byte.
 *
 * @throws DomainError `unsupported_media_type`, `length_required`
 */
function lengthOf(c: AppContext): number {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && !UPLOADS.includes(type)) {
    throw new DomainError('unsupported_media_type', `The body must be ${UPLOADS[0]} (Content-Type says ${type}).`);
  }
  const length = c.req.header('Content-Length');
  if (length !== undefined && /^\d{1,15}$/.test(length)) return Number(length);
  throw new DomainError('length_required', 'Send the size of the archive as Content-Length.');
}

/** Deletes an object that is not served any more. */
function deleteAfterwards(ctx: ServiceContext, key: string): void {
  ctx.waitUntil(
    // An object that stays is found by the job that deletes what uploads left over.
    ctx.bucket.delete(key).catch((error) => logFailure('tile_archive_not_deleted', error, { key })),
  );
}

function answer(c: AppContext, archive: TileArchive): Response {
  return privateAnswer(c, recordOf(archive, new URL(c.req.url).origin));
}
