import { z } from '@hono/zod-openapi';
import type { AppContext, ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { nameRelease } from '../http/answers.ts';
import { takesGzip } from '../http/encodings.ts';
import { errors, header } from '../http/error-schemas.ts';
import { unchangedAnswer } from '../http/preconditions.ts';
import { RANGES_NOTE, storedAnswer, storedResponses } from '../http/ranges.ts';
import { operation, Router } from '../operation.ts';
import { ARCHIVE_TYPE, type TileArchive, type TileCoordinates, versionOf } from './archive.ts';
import { ArchiveGone, readTile, type StoredTile } from './reader.ts';
import { sessionQuery, slugParams, tileParams, tileQuery } from './schemas.ts';
import { getArchive, successorOf } from './service.ts';
import { tileSession } from './sessions.ts';

// Routes that read an archive's object: single tiles, byte ranges, or all of it.

/** Who may read tiles. */
export const READERS = { access: 'authenticated', scope: 'read:boundaries' } as const;

const TILE_TYPE = 'application/vnd.mapbox-vector-tile';

const binary = z.unknown().openapi({ type: 'string', format: 'binary' });

/** max-age of an archive, and of a tile whose URL names a version, seconds. */
const MAX_AGE_SECONDS = 3600;

/** max-age of a tile whose URL names no version or an older one, seconds: the URL may soon lead to another archive. */
const UNVERSIONED_MAX_AGE_SECONDS = 60;

const tileHeaders = { ETag: header('Strong validator'), 'Cache-Control': header('private, max-age, no-transform') };

export function singleTileRoutes(): Router {
  const router = new Router(['tiles']);

  operation(router, {
    operationId: 'get_tile',
    method: 'get',
    path: '/{slug}/{z}/{x}/{y}.mvt',
    ...READERS,
    queryCredential: tileSession,
    summary: 'Get a vector tile',
    description:
      'A Mapbox Vector Tile of the XYZ scheme in Web Mercator. Tiles outside the zooms of the archive are 404.',
    request: { params: tileParams, query: tileQuery },
    responses: {
      200: {
        description: 'The tile, compressed as stored',
        content: { [TILE_TYPE]: { schema: binary } },
        headers: { ...tileHeaders, 'Content-Encoding': header('gzip, if the tile is stored compressed') },
      },
      204: { description: 'The tile is empty', headers: tileHeaders },
      304: { description: "The caller's copy is current", headers: tileHeaders },
      ...errors(404, 412, 422),
    },
    handler: (c, { ctx, params: { slug, z, x, y }, query: { v } }) => answerTile(c, ctx, slug, { z, x, y, version: v }),
  });

  return router;
}

/** The answer with a tile, or 204 where nothing is drawn in it. */
export async function answerTile(
  c: AppContext,
  ctx: ServiceContext,
  slug: string,
  wanted: WantedTile,
): Promise<Response> {
  const archive = await getArchive(ctx, { slug });
  try {
    return await tileOf(c, ctx, { archive, wanted });
  } catch (error) {
    return tileOf(c, ctx, { archive: await successorOf(ctx, { archive, error }), wanted });
  }
}

interface WantedTile extends TileCoordinates {
  /** The version of the archive that the URL names. */
  readonly version: string | undefined;
}

/**
 * The answer with a tile of an archive.
 *
 * @throws ArchiveGone if the archive's object is missing
 */
async function tileOf(
  c: AppContext,
  ctx: ServiceContext,
  { archive, wanted: { z, x, y, version } }: { archive: TileArchive; wanted: WantedTile },
): Promise<Response> {
  requireInside(archive, { z, x, y });
  // The compressed and the plain tile are two representations, so each has its own tag.
  const asGzip = takesGzip(c);
  const etag = `"${archive.etag}-${z}-${x}-${y}${asGzip ? '' : '-plain'}"`;
  const maxAge = version === versionOf(archive) ? MAX_AGE_SECONDS : UNVERSIONED_MAX_AGE_SECONDS;
  const unchanged = setTileHeaders(c, archive, { etag, maxAge });
  c.header('Vary', 'Accept-Encoding', { append: true });
  if (unchanged) return unchanged;
  const tile = await readTile(ctx.bucket, archive, { z, x, y });
  return tile ? tileAnswer(c, tile, asGzip) : c.body(null, 204);
}

const archiveContent = { [ARCHIVE_TYPE]: { schema: binary } };

const archiveHeaders = {
  ETag: header('Strong validator of the archive'),
  'Last-Modified': header('Time of the upload'),
  'Cache-Control': header('private, max-age, no-transform'),
};

/**
 * Routes for whole archives, of which PMTiles readers request ranges.
 *
 * @param version of the API in the URLs; empty for URLs without one
 */
export function archiveRoutes(version: '' | 'v1'): Router {
  const router = new Router(['tiles']);

  operation(router, {
    operationId: version === '' ? 'read_tile_archive' : `read_tile_archive_${version}`,
    method: 'get',
    path: '/{slug}',
    ...READERS,
    queryCredential: tileSession,
    summary: 'Read a PMTiles archive, or a range of it',
    description: RANGES_NOTE,
    request: { params: slugParams, query: sessionQuery },
    responses: storedResponses('archive', { content: archiveContent, headersOf304: archiveHeaders }),
    handler: async (c, { ctx, params: { slug } }) => {
      const archive = await getArchive(ctx, { slug });
      try {
        return await bytesOf(c, ctx, archive);
      } catch (error) {
        return bytesOf(c, ctx, await successorOf(ctx, { archive, error }));
      }
    },
  });

  return router;
}

/**
 * The answer with an archive or a range of it.
 *
 * @throws ArchiveGone if the archive's object is missing
 */
async function bytesOf(c: AppContext, ctx: ServiceContext, archive: TileArchive): Promise<Response> {
  setArchiveHeaders(c, archive);
  return storedAnswer(c, {
    etag: `"${archive.etag}"`,
    modified: new Date(archive.updatedAt),
    cacheControl: cacheControl(MAX_AGE_SECONDS),
    size: archive.sizeBytes,
    headers: { 'Content-Type': ARCHIVE_TYPE },
    read: async (range) => {
      const body = await ctx.bucket.findBody(archive.objectKey, { range });
      if (!body) throw new ArchiveGone(`${archive.objectKey} is not there`);
      return body;
    },
  });
}

/** @throws DomainError `tile_not_found` if a tile is outside of the zooms of an archive, or of the world */
function requireInside(archive: TileArchive, { z, x, y }: TileCoordinates): void {
  const { minzoom, maxzoom, slug } = archive;
  if (z >= minzoom && z <= maxzoom && x < 2 ** z && y < 2 ** z) return;
  throw new DomainError(
    'tile_not_found',
    `There is no tile ${z}/${x}/${y} of "${slug}": it has zooms ${minzoom} to ${maxzoom}, and rows and columns 0 to 2^z - 1.`,
  );
}

/**
 * Sets the headers that caches need for a tile, and evaluates the preconditions of the request.
 *
 * @param etag a strong entity tag, in its quotes
 * @param maxAge how long a browser may use its copy without asking again
 * @returns 304 if the caller has this tile already
 * @throws DomainError `precondition_failed`
 */
function setTileHeaders(
  c: AppContext,
  archive: TileArchive,
  { etag, maxAge }: { etag: string; maxAge: number },
): Response | undefined {
  const modified = new Date(Math.floor(Date.parse(archive.updatedAt) / 1000) * 1000);
  setArchiveHeaders(c, archive);
  return unchangedAnswer(c, { etag, modified }, { 'Cache-Control': cacheControl(maxAge) });
}

/** Sets the headers of the data release and of `Vary` by credentials. */
function setArchiveHeaders(c: AppContext, { releaseId }: TileArchive): void {
  if (releaseId !== null) nameRelease(c, releaseId);
  c.header('Vary', 'Authorization', { append: true });
}

/** Private, because the response needed credentials. No-transform, because compressed tiles must not be changed. */
function cacheControl(maxAge: number): string {
  return `private, max-age=${maxAge}, no-transform`;
}

/** @param asGzip whether the caller accepts the tile as stored, in gzip */
function tileAnswer(c: AppContext, { data, encoding }: StoredTile, asGzip: boolean): Response {
  c.header('Content-Type', TILE_TYPE);
  if (encoding === undefined) return c.body(data);
  if (!asGzip) return c.body(new Blob([data]).stream().pipeThrough(new DecompressionStream(encoding)));
  c.header('Content-Encoding', encoding);
  // Without `manual` the runtime would compress the tile a second time.
  return new Response(data, { headers: c.res.headers, encodeBody: 'manual' });
}
