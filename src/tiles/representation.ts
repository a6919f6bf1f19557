import type { z } from '@hono/zod-openapi';
import { type TileArchive, versionOf } from './archive.ts';
import type { archiveSchema, tileJsonSchema } from './schemas.ts';

/**
 * The URLs of an archive: of its TileJSON, of its tiles (a template with `{z}`, `{x}` and `{y}`), and of its PMTiles file. The URL of
 * tiles contains the archive's version, so that after a replacement no browser mixes cached old tiles with new ones. Readers of
 * PMTiles need none: they compare the entity tags of the ranges that they read.
 *
 * @param origin of this service
 * @param session of tiles, as `createTileSession` gives it; with it the URLs work without a header
 */
export function addressesOf(origin: string, archive: Pick<TileArchive, 'slug' | 'etag'>, session?: string) {
  const { slug } = archive;
  const sessionParam = session === undefined ? {} : { session };
  const query = session === undefined ? '' : `?${new URLSearchParams(sessionParam)}`;
  const versioned = new URLSearchParams({ v: versionOf(archive), ...sessionParam });
  return {
    tilejson: `${origin}/v1/tiles/${slug}.json${query}`,
    tiles: `${origin}/v1/tiles/${slug}/{z}/{x}/{y}.mvt?${versioned}`,
    pmtiles: `${origin}/tiles/pmtiles/${slug}${query}`,
  };
}

/** An archive as the API shows it. */
export function archiveBody(origin: string, archive: TileArchive): z.output<typeof archiveSchema> {
  const { slug, name, description, attribution, minzoom, maxzoom, bounds, center, vectorLayers } = archive;
  const { tilejson, pmtiles } = addressesOf(origin, archive);
  return {
    slug,
    name,
    description,
    attribution,
    minzoom,
    maxzoom,
    bounds,
    center,
    vector_layers: vectorLayers,
    size_bytes: archive.sizeBytes,
    data_release: archive.releaseId,
    updated_at: archive.updatedAt,
    tilejson,
    pmtiles,
  };
}

/**
 * An archive as TileJSON.
 *
 * @param tiles the URL of the tiles, a template with `{z}`, `{x}` and `{y}`
 */
export function tileJsonOf(archive: TileArchive, tiles: string): z.output<typeof tileJsonSchema> {
  const { name, description, attribution, minzoom, maxzoom, bounds, center, vectorLayers } = archive;
  return {
    tilejson: '3.0.0',
    scheme: 'xyz',
    tiles: [tiles],
    name,
    ...(description === null ? {} : { description }),
    ...(attribution === null ? {} : { attribution }),
    minzoom,
    maxzoom,
    bounds,
    center,
    vector_layers: vectorLayers,
  };
}
