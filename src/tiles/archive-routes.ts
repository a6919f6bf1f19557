import { z } from '@hono/zod-openapi';
import type { AppContext, ServiceContext } from '../context.ts';
import { errors, header } from '../http/error-schemas.ts';
import { rangedAnswer } from '../http/ranges.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { tileSession } from './admission.ts';
import type { TileArchive } from './archive.ts';
import { settled } from './caching.ts';
import { ArchiveGone } from './reader.ts';
import { sessionQuery, slugParams } from './schemas.ts';
import { current } from './service.ts';

const MEDIA_TYPE = 'application/vnd.pmtiles';

const content = { [MEDIA_TYPE]: { schema: z.unknown().openapi({ type: 'string', format: 'binary' }) } };

const headers = {
  ETag: header('Strong validator of the archive'),
  'Last-Modified': header('When the archive was put in place'),
  'Accept-Ranges': header('bytes'),
  'Cache-Control': header('private, no-transform'),
};

/**
 * Whole archives, of which readers ask for ranges.
 *
 * @param version of the API that the addresses are in; empty for those in none
 */
export function archiveRoutes(version: '' | 'v1'): Router {
  const router = createRouter();

  operation(
    router,
    {
      operationId: version === '' ? 'read_tile_archive' : `read_tile_archive_${version}`,
      method: 'get',
      path: '/{slug}',
      access: 'authenticated',
      scope: 'read:boundaries',
      pass: tileSession,
      tags: ['tiles'],
      summary: 'Read a PMTiles archive, or a range of it',
      description:
        'One range of bytes is answered with 206; a request for several with the whole archive. HEAD, If-Match, If-None-Match, If-Modified-Since and If-Range work as RFC 9110 has them.',
      request: { params: slugParams, query: sessionQuery },
      responses: {
        200: { description: 'The archive', content, headers },
        206: {
          description: 'The range',
          content,
          headers: { ...headers, 'Content-Range': header('Which bytes of how many') },
        },
        304: { description: 'The caller holds this archive', headers },
        ...errors(404, 412, 416, 422),
      },
    },
    (c, { ctx, params: { slug } }) => current(ctx.db, slug, (archive) => answer(c, ctx, archive)),
  );

  return router;
}

async function answer(c: AppContext, ctx: ServiceContext, archive: TileArchive): Promise<Response> {
  const { sizeBytes: size, objectKey } = archive;
  const etag = `"${archive.etag}"`;
  const held = settled(c, archive, etag);
  if (held) return held;
  return rangedAnswer(c, {
    etag,
    size,
    headers: { 'Content-Type': MEDIA_TYPE },
    read: async (range) => {
      const object = await ctx.bucket.get(objectKey, range ? { range } : {});
      if (!object) throw new ArchiveGone(`${objectKey} is not there`);
      return object.body;
    },
  });
}
