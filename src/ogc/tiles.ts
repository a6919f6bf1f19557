import type { AppContext, ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { TileArchive } from '../tiles/archive.ts';
import { answerTile } from '../tiles/archive-routes.ts';
import { getArchive } from '../tiles/service.ts';
import type { AreaCollection } from './area-collections.ts';
import { type Link, type Links, MEDIA_TYPES, RELATIONS } from './links.ts';

// Web Mercator in square tiles, by OGC Two Dimensional Tile Matrix Set 2.0 (17-083r4), annex D.

export const TILE_MATRIX_SET = 'WebMercatorQuad';
const SET_URI = 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad';
const CRS_URI = 'http://www.opengis.net/def/crs/EPSG/0/3857';

/** The layer of points at which names stand. */
const LABELS = 'labels';

const TILE_PIXELS = 256;
/** Metres from the middle of the projection to its edge. */
const EDGE = 20_037_508.342_789_244;
/** Metres of a pixel of standardized rendering. */
const PIXEL = 0.000_28;
const MAX_ZOOM = 24;

/** @throws DomainError `collection_not_found` for a collection without tiles */
function slugOf({ id, tiles }: AreaCollection): string {
  if (tiles !== undefined) return tiles;
  throw new DomainError('collection_not_found', `The collection ${id} has no tiles.`);
}

/** The definition of the tile matrix set, for clients that don't know it. */
export function tileMatrixSet(): object {
  const tileMatrices = Array.from({ length: MAX_ZOOM + 1 }, (_, zoom) => {
    const cellSize = (2 * EDGE) / TILE_PIXELS / 2 ** zoom;
    return {
      id: String(zoom),
      scaleDenominator: cellSize / PIXEL,
      cellSize,
      cornerOfOrigin: 'topLeft',
      pointOfOrigin: [-EDGE, EDGE],
      tileWidth: TILE_PIXELS,
      tileHeight: TILE_PIXELS,
      matrixWidth: 2 ** zoom,
      matrixHeight: 2 ** zoom,
    };
  });
  return {
    id: TILE_MATRIX_SET,
    title: 'Google Maps Compatible for the World',
    uri: SET_URI,
    crs: CRS_URI,
    orderedAxes: ['X', 'Y'],
    wellKnownScaleSet: 'http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible',
    tileMatrices,
  };
}

/** The list of the tile matrix sets. */
export function tileMatrixSets(links: Links): object {
  const href = links.href(`/tileMatrixSets/${TILE_MATRIX_SET}`);
  const link = { rel: 'self', href, type: MEDIA_TYPES.json };
  return {
    tileMatrixSets: [
      { id: TILE_MATRIX_SET, title: 'Google Maps Compatible for the World', uri: SET_URI, links: [link] },
    ],
  };
}

/** The tilesets of a collection: one. */
export function tilesets(links: Links, collection: AreaCollection): object {
  slugOf(collection);
  const self = { rel: 'self', href: links.href(pathOf(collection)), type: MEDIA_TYPES.json };
  return {
    links: links.self(MEDIA_TYPES.json),
    tilesets: [{ ...headOf(collection), links: [self, ...tileLinks(links, collection)] }],
  };
}

/** What a tileset is said to be wherever it is named. */
function headOf({ title }: AreaCollection) {
  return { title, dataType: 'vector', crs: CRS_URI, tileMatrixSetURI: SET_URI };
}

/** The tileset of a collection. @throws DomainError `tile_archive_not_found` */
export async function tileset(links: Links, collection: AreaCollection, ctx: ServiceContext): Promise<object> {
  const archive = await getArchive(ctx, { slug: slugOf(collection) });
  const [west, south, east, north] = archive.bounds;
  return {
    ...headOf(collection),
    ...(archive.attribution !== null && { attribution: archive.attribution }),
    boundingBox: {
      lowerLeft: [west, south],
      upperRight: [east, north],
      crs: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
    },
    tileMatrixSetLimits: limitsOf(archive),
    layers: archive.vectorLayers.map(({ id, fields }) => ({
      id,
      dataType: 'vector',
      geometryDimension: id === LABELS ? 0 : 2,
      propertiesSchema: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(fields ?? {}).map(([name, type]) => [name, { type: type === 'Number' ? 'number' : 'string' }]),
        ),
      },
    })),
    links: [...links.self(MEDIA_TYPES.json), ...tileLinks(links, collection)],
  };
}

function pathOf({ id }: AreaCollection): string {
  return `/collections/${id}/tiles/${TILE_MATRIX_SET}`;
}

/** Where the tiles of a collection are, and what they are cut by. */
function tileLinks(links: Links, collection: AreaCollection): Link[] {
  const href = links.href(`${pathOf(collection)}/{tileMatrix}/{tileRow}/{tileCol}`);
  return [
    { rel: 'item', href, type: MEDIA_TYPES.tile, templated: true },
    { rel: RELATIONS.tilingScheme, href: links.href(`/tileMatrixSets/${TILE_MATRIX_SET}`), type: MEDIA_TYPES.json },
  ];
}

/** The tiles of each zoom that the box of an archive meets. */
function limitsOf({ minzoom, maxzoom, bounds: [west, south, east, north] }: TileArchive): object[] {
  return Array.from({ length: maxzoom - minzoom + 1 }, (_, i) => {
    const zoom = minzoom + i;
    const last = 2 ** zoom - 1;
    const column = (lon: number) => clamp(Math.floor(((lon + 180) / 360) * 2 ** zoom), last);
    const row = (lat: number) => {
      const y = Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI;
      return clamp(Math.floor(((1 - y) / 2) * 2 ** zoom), last);
    };
    return {
      tileMatrix: String(zoom),
      minTileRow: row(north),
      maxTileRow: row(south),
      minTileCol: column(west),
      maxTileCol: column(east),
    };
  });
}

function clamp(value: number, last: number): number {
  return Math.min(Math.max(value, 0), last);
}

/** A tile of a collection. Rows come before columns here. */
export function ogcTile(
  c: AppContext,
  ctx: ServiceContext,
  collection: AreaCollection,
  { z, x, y }: { z: number; x: number; y: number },
): Promise<Response> {
  return answerTile(c, ctx, slugOf(collection), { z, x, y, version: undefined });
}
