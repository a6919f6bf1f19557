import { z } from '@hono/zod-openapi';
import { byteCount, moment } from '../http/schemas.ts';
import { sessionParam, ttlSeconds } from '../session-parameter.ts';
import { TILE_SESSIONS } from './sessions.ts';

const SLUG_RULE = 'must be 1 to 64 of a-z, 0-9 and -';

/** How the OpenAPI document describes a slug. */
const SLUG = { description: 'Name of an archive', example: 'provinces', pattern: '^[a-z0-9-]{1,64}$' };

const slug = z
  .string(SLUG_RULE)
  .regex(/^[a-z0-9-]{1,64}$/, SLUG_RULE)
  .openapi(SLUG);

export const slugParams = z.object({ slug });

/**
 * The last segment of `/{slug}.json`. In the OpenAPI document the ending is a part of the path; the router leaves it in the
 * parameter.
 */
export const tileJsonParams = z.object({
  slug: z
    .string()
    .regex(/^[a-z0-9-]{1,64}\.json$/, `${SLUG_RULE}, and then .json`)
    .transform((segment) => segment.slice(0, -'.json'.length))
    .openapi(SLUG),
});

/**
 * A whole number in the URL of a tile. It has one spelling, so that a tile has one URL. Its size is not limited
 * here: a number outside of the archive or of the world is the well-formed URL of a missing tile, hence 404. The
 * document names the limit of 32-bit integers, far beyond all tiles.
 *
 * @param ending the text after the number, which the router leaves in the parameter
 */
function tileNumber(description: string, example: number, ending = '') {
  return z
    .string()
    .regex(
      new RegExp(`^(0|[1-9]\\d{0,14})${ending.replace('.', '\\.')}$`),
      `must be a whole number of at most 15 digits, without zeros before it${ending && `, and then ${ending}`}`,
    )
    .transform((segment) => Number(segment.slice(0, segment.length - ending.length)))
    .openapi({ type: 'integer', minimum: 0, maximum: 2_147_483_647, description, example });
}

/** The segments of `/{slug}/{z}/{x}/{y}.mvt`. */
export const tileParams = z.object({
  slug,
  z: tileNumber('Zoom', 6),
  x: tileNumber('Column, from the west', 54),
  y: tileNumber('Row, from the north', 30, '.mvt'),
});

export const sessionQuery = z.object({ session: sessionParam(TILE_SESSIONS) });

const bounds = z.array(z.number()).length(4).openapi({ description: 'west, south, east, north' });

const vectorLayers = z.array(
  z.object({
    id: z.string(),
    description: z.string().optional(),
    minzoom: z.number().int().optional(),
    maxzoom: z.number().int().optional(),
    fields: z.record(z.string(), z.string()),
  }),
);

/** Members of both an archive's record and its TileJSON. */
const described = {
  name: z.string(),
  description: z.string().nullable(),
  attribution: z.string().nullable(),
  minzoom: z.number().int(),
  maxzoom: z.number().int(),
  bounds,
  center: z.array(z.number()).length(3).openapi({ description: 'longitude, latitude, zoom' }),
  vector_layers: vectorLayers,
};

export const tileQuery = sessionQuery.extend({
  v: z.string('must be given once').max(64, 'must have at most 64 characters').optional().openapi({
    description:
      'Version of the archive, as in the tile URLs of TileJSON and sessions: with it a tile may be cached for an hour, without it for a minute',
    example: '9a0364b9e99b',
  }),
});

export const archiveSchema = z
  .object({
    slug,
    ...described,
    size_bytes: byteCount,
    data_release: z.string().nullable().openapi({ description: 'The data release that the tiles were made from' }),
    updated_at: moment,
    tilejson: z.url(),
    pmtiles: z.url(),
  })
  .openapi('TileArchive');

const MAX_SLUGS = 64;
const SLUGS_RULE = `must be an array of 1 to ${MAX_SLUGS} slugs`;

export const newSessionSchema = z
  .strictObject({
    slugs: z
      .array(slug, SLUGS_RULE)
      .min(1, SLUGS_RULE)
      .max(MAX_SLUGS, SLUGS_RULE)
      .optional()
      .openapi({ description: 'Slugs of the archives to open; default: all, or the first 64 by slug' }),
    ttl_seconds: ttlSeconds,
  })
  .openapi({ example: { slugs: ['provinces'], ttl_seconds: 3600 } });

export const sessionSchema = z.object({
  session: z.string(),
  expires_at: moment,
  layers: z.array(z.object({ slug, tilejson: z.url(), tiles: z.string(), pmtiles: z.url() })),
});

/** TileJSON 3.0.0: https://github.com/mapbox/tilejson-spec/tree/master/3.0.0 */
export const tileJsonSchema = z
  .object({
    tilejson: z.literal('3.0.0'),
    scheme: z.literal('xyz'),
    tiles: z.array(z.string()),
    name: z.string(),
    description: z.string().optional(),
    attribution: z.string().optional(),
    minzoom: z.number().int(),
    maxzoom: z.number().int(),
    bounds,
    center: described.center,
    vector_layers: vectorLayers,
  })
  .openapi('TileJSON');
