import { z } from '@hono/zod-openapi';
import type { AppContext, ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import { errors, header } from '../http/error-schemas.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { tileSession } from './admission.ts';
import type { TileArchive } from './archive.ts';
import { settled } from './caching.ts';
import { readTile } from './reader.ts';
import {
  addressesOf,
  archiveSchema,
  newSessionSchema,
  recordOf,
  sessionQuery,
  sessionSchema,
  tileJsonOf,
  tileJsonParams,
  tileJsonSchema,
  tileParams,
  tileQuery,
  versionOf,
} from './schemas.ts';
import { archivesToOpen, current, getArchive, getArchives } from './service.ts';
import { mintSession } from './sessions.ts';

const TILE = 'application/vnd.mapbox-vector-tile';

const reading = { access: 'authenticated', scope: 'read:boundaries' } as const;

const validators = { ETag: header('Strong validator'), 'Cache-Control': header('private') };

/** Vector tiles: which there are, sessions for maps, and single tiles. */
export function tileRoutes(): Router {
  const router = createRouter();

  operation(
    router,
    {
      operationId: 'list_tile_archives',
      method: 'get',
      path: '/',
      ...reading,
      tags: ['tiles'],
      summary: 'List the tile archives',
      responses: enveloped('The archives by their slugs', z.array(archiveSchema)),
    },
    async (c, { ctx }) => {
      const archives = await getArchives(ctx.db, undefined);
      return secret(c, { data: archives.map((archive) => recordOf(archive, originOf(c))), error: null });
    },
  );

  operation(
    router,
    {
      operationId: 'create_tile_session',
      method: 'post',
      path: '/sessions',
      ...reading,
      tags: ['tiles'],
      summary: 'Open tiles to a map',
      description:
        'A map that can send no headers puts the session into the addresses of its tiles, as those of the answer have it. It opens the archives that it was asked for, until it expires, to whoever has it; requests with it are not counted.',
      request: { body: { content: { 'application/json': { schema: newSessionSchema } } } },
      responses: { ...enveloped('The session', sessionSchema), ...errors(400, 404, 413, 415, 422) },
    },
    async (c, { ctx, body }) => {
      const archives = await archivesToOpen(ctx.db, body?.slugs);
      const slugs = archives.map(({ slug }) => slug);
      // Whole seconds, as the session has it.
      const expires = new Date((Math.floor(Date.now() / 1000) + (body?.ttl_seconds ?? DEFAULT_TTL)) * 1000);
      const session = await mintSession(c.var.config.TILE_SESSION_SECRET, slugs, expires);
      const layers = archives.map((archive) => ({
        slug: archive.slug,
        ...addressesOf(originOf(c), archive, session),
      }));
      return secret(c, { data: { session, expires_at: expires.toISOString(), layers }, error: null });
    },
  );

  operation(
    router,
    {
      operationId: 'get_tilejson',
      method: 'get',
      path: '/{slug}.json',
      ...reading,
      tags: ['tiles'],
      pass: tileSession,
      summary: 'Describe an archive as TileJSON 3.0',
      description: 'The address of the tiles in it has the session that the description was asked for with.',
      request: { params: tileJsonParams, query: sessionQuery },
      responses: {
        200: { description: 'TileJSON', content: { 'application/json': { schema: tileJsonSchema } } },
        ...errors(404, 422),
      },
    },
    async (c, { ctx, params: { slug }, query: { session } }) => {
      const archive = await getArchive(ctx.db, slug);
      const { tiles } = addressesOf(originOf(c), archive, session);
      return secret(c, tileJsonOf(archive, tiles));
    },
  );

  operation(
    router,
    {
      operationId: 'get_tile',
      method: 'get',
      path: '/{slug}/{z}/{x}/{y}.mvt',
      ...reading,
      tags: ['tiles'],
      pass: tileSession,
      summary: 'Get a vector tile',
      request: { params: tileParams, query: tileQuery },
      responses: {
        200: {
          description: 'The tile, packed as it is stored',
          content: { [TILE]: { schema: z.unknown().openapi({ type: 'string', format: 'binary' }) } },
          headers: { ...validators, 'Content-Encoding': header('gzip, where the tile is stored so') },
        },
        204: { description: 'Nothing is drawn in this tile', headers: validators },
        304: { description: 'The caller holds this tile', headers: validators },
        ...errors(404, 412, 422),
      },
    },
    (c, { ctx, params: { slug, ...tile }, query: { v } }) =>
      current(ctx.db, slug, (archive) => answerTile(c, ctx, archive, { ...tile, version: v })),
  );

  return router;
}

const DEFAULT_TTL = 3600;

/** How long a browser may use a tile of an address that the next archive's will have as well, seconds. */
const UNVERSIONED_FRESH_SECONDS = 60;

interface WantedTile {
  z: number;
  x: number;
  y: number;
  /** That of the archive that the caller means; undefined where any will do. */
  version: string | undefined;
}

async function answerTile(c: AppContext, ctx: ServiceContext, archive: TileArchive, { version, ...tile }: WantedTile) {
  const { z, x, y } = tile;
  const { minzoom, maxzoom, slug } = archive;
  if (z < minzoom || z > maxzoom || x >= 2 ** z || y >= 2 ** z) {
    throw new DomainError(
      'tile_not_found',
      `There is no tile ${z}/${x}/${y} of "${slug}": it has zooms ${minzoom} to ${maxzoom}, and rows and columns 0 to 2^z - 1.`,
    );
  }
  // Packed and unpacked are two representations, each with a tag of its own.
  const packed = takes('gzip', acceptedEncodings(c));
  const etag = `"${archive.etag}-${z}-${x}-${y}${packed ? '' : '-plain'}"`;
  const held = settled(c, archive, etag, version === versionOf(archive) ? undefined : UNVERSIONED_FRESH_SECONDS);
  c.header('Vary', 'Accept-Encoding', { append: true });
  if (held) return held;
  const stored = await readTile(ctx.bucket, archive, tile);
  if (!stored) return c.body(null, 204);
  c.header('Content-Type', TILE);
  const { data, encoding } = stored;
  if (encoding === undefined) return c.body(data);
  if (!packed) return c.body(new Blob([data]).stream().pipeThrough(new DecompressionStream(encoding)));
  c.header('Content-Encoding', encoding);
  // As it is stored: the runtime would pack it a second time.
  return new Response(data, { headers: c.res.headers, encodeBody: 'manual' });
}

/** The platform asks for gzip in the name of every caller, and keeps what the caller said beside it. */
function acceptedEncodings(c: AppContext): string | undefined {
  const said = c.req.raw.cf?.clientAcceptEncoding;
  return typeof said === 'string' ? said : c.req.header('Accept-Encoding');
}

/** Whether a caller takes an encoding (RFC 9110, 12.5.3). One who does not say takes any. */
function takes(encoding: string, accepted: string | undefined): boolean {
  if (accepted === undefined) return true;
  const choices = accepted.toLowerCase().split(',');
  const named = (name: string) => choices.find((choice) => choice.split(';')[0]?.trim() === name);
  const choice = named(encoding) ?? named('*');
  return choice !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(choice);
}

function enveloped(description: string, data: z.ZodType) {
  const schema = z.object({ data, error: z.null() });
  return { 200: { description, content: { 'application/json': { schema } } } };
}

/** An answer that may have a session in it. */
function secret(c: AppContext, body: object): Response {
  c.header('Cache-Control', 'no-store');
  return c.json(body);
}

function originOf(c: AppContext): string {
  return new URL(c.req.url).origin;
}
