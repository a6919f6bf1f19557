import type { AppContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { enveloped, originOf, privateAnswer } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { announcedSize } from '../http/raw-body.ts';
import { operation, Router } from '../operation.ts';
import { ARCHIVE_TYPE, type TileArchive } from '../tiles/archive.ts';
import { archiveBody } from '../tiles/representation.ts';
import { archiveSchema, slugParams } from '../tiles/schemas.ts';
import { deleteArchive, putArchive } from '../tiles/service.ts';

const UPLOAD_TYPES = [ARCHIVE_TYPE, 'application/octet-stream'];

const responses = enveloped('The archive', archiveSchema);

/** What administrators do with tile archives. */
export function adminTileRoutes(): Router {
  const router = new Router(['admin']);

  operation(router, {
    operationId: 'put_tile_archive',
    method: 'put',
    path: '/{slug}',
    access: 'admin',
    summary: 'Upload a tile archive',
    description:
      'A PMTiles version 3 archive with vector tiles, served under the slug from then on. Name, description, attribution and layers come from its metadata.',
    request: {
      params: slugParams,
      body: {
        required: true,
        content: { [ARCHIVE_TYPE]: { schema: { type: 'string', format: 'binary' } } },
      },
    },
    responses: { ...responses, ...errors(411, 413, 415, 422) },
    handler: async (c, { ctx, params: { slug } }) => {
      requireUploadType(c);
      const size = announcedSize(c, 'archive');
      const body = c.req.raw.body;
      if (!body || size === 0) throw new DomainError('invalid_archive', 'The body is empty. Send a PMTiles archive.');
      const archive = await putArchive(ctx, { slug, body, size });
      return archiveAnswer(c, archive);
    },
  });

  operation(router, {
    operationId: 'delete_tile_archive',
    method: 'delete',
    path: '/{slug}',
    access: 'admin',
    summary: 'Remove a tile archive',
    description: 'From the next request on it is neither listed nor served.',
    request: { params: slugParams },
    responses: { ...responses, ...errors(404, 422) },
    handler: async (c, { ctx, params: { slug } }) => {
      const archive = await deleteArchive(ctx, { slug });
      return archiveAnswer(c, archive);
    },
  });

  return router;
}

/** @throws DomainError `unsupported_media_type` */
function requireUploadType(c: AppContext): void {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (type === undefined || UPLOAD_TYPES.includes(type)) return;
  throw new DomainError('unsupported_media_type', `The body must be ${ARCHIVE_TYPE} (Content-Type says ${type}).`);
}

function archiveAnswer(c: AppContext, archive: TileArchive): Response {
  return privateAnswer(c, archiveBody(originOf(c), archive));
}
