import { gzipSync } from 'node:zlib';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import GeoJSONVT, { type RawFeature } from 'geojson-vt';
import { zxyToTileId } from 'pmtiles';
import type { TileArea } from './areas.ts';
import type { Generalized } from './generalize.ts';
import { LABELS } from './levels.ts';
import { EXTENT, type Shape } from './shapes.ts';

/** Units around a tile that it contains too, so that lines along its edge are as wide as elsewhere. */
const BUFFER = 64;

/** Units. Areas whose extent is smaller have a label only at the last zoom. */
const LABELLED = 128;

/** A gzipped vector tile and its place on the Hilbert curve through all tiles. */
export interface Tile {
  id: number;
  data: Uint8Array;
}

interface CutOptions {
  zoom: number;
  /** Name of the layer of polygons. */
  layer: string;
  /** Whether this is the last zoom of the archive. */
  last: boolean;
}

type Pair = [number, number];
interface TileFeature {
  id: number;
  type: 1 | 3;
  tags: Record<string, string>;
  geometry: Pair[] | Pair[][];
}

/**
 * Cuts the shapes of one zoom into tiles, in the order of the Hilbert curve. Positions are snapped to the grid of the
 * zoom before anything is cut, and no position is removed, so that neighbours share their border in every tile too.
 */
export function* cutTiles(
  shapes: readonly Shape[],
  { areas, labels }: { areas: ReadonlyMap<string, TileArea>; labels: Generalized['labels'] },
  { zoom, layer, last }: CutOptions,
): Generator<Tile> {
  const options = { maxZoom: zoom, indexMaxZoom: 0, tolerance: 0, extent: EXTENT };
  const polygons = new GeoJSONVT(
    {
      type: 'FeatureCollection',
      features: shapes.map((shape) => ({ type: 'Feature', ...shape })),
    },
    { ...options, buffer: BUFFER },
  );
  const points = new GeoJSONVT(
    {
      type: 'FeatureCollection',
      features: shapes.flatMap(({ properties }) => {
        const { code } = properties;
        const coordinates = labels.get(code);
        if (!coordinates || !(last || extentAt(zoom, areas.get(code)) >= LABELLED)) return [];
        return [{ type: 'Feature' as const, properties, geometry: { type: 'Point' as const, coordinates } }];
      }),
    },
    { ...options, buffer: 0 },
  );
  for (const [id, x, y] of tilesAt(zoom, polygons)) {
    const features = (index: GeoJSONVT) =>
      (index.getTileRaw(zoom, x, y)?.features ?? []).flatMap((raw) => featureOf(raw, areas));
    const drawn = features(polygons);
    if (!drawn.some(reachesIntoTile)) continue;
    const labelled = features(points);
    const layers = {
      [layer]: { features: drawn },
      ...(labelled.length > 0 ? { [LABELS]: { features: labelled } } : {}),
    };
    const encoded = fromGeojsonVt(layers as Parameters<typeof fromGeojsonVt>[0], { version: 2, extent: EXTENT });
    yield { id, data: gzipSync(encoded, { level: 9 }) };
  }
}

/** The larger side of an area's extent at a zoom, in units. */
function extentAt(zoom: number, area: TileArea | undefined): number {
  if (!area) return 0;
  const [west, south, east, north] = area.bbox;
  return (Math.max(east - west, north - south) / 360) * EXTENT * 2 ** zoom;
}

/** The tiles of a zoom that contain something, in their order: place on the curve, column, row. */
function tilesAt(zoom: number, index: GeoJSONVT): [number, number, number][] {
  const found: [number, number, number][] = [];
  const descend = (z: number, x: number, y: number) => {
    if (!index.getTileRaw(z, x, y)?.features.length) return;
    if (z === zoom) {
      found.push([zxyToTileId(z, x, y), x, y]);
      return;
    }
    for (const [right, down] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const)
      descend(z + 1, 2 * x + right, 2 * y + down);
  };
  descend(0, 0, 0);
  return found.sort(([a], [b]) => a - b);
}

function featureOf(raw: RawFeature, areas: ReadonlyMap<string, TileArea>): TileFeature[] {
  const code = String(raw.tags?.code);
  const tags = (areas.get(code)?.properties ?? {}) as Record<string, string>;
  const id = Number(code);
  if (raw.type === 4) return [{ id, type: 1, tags, geometry: [[inTile(raw.x), inTile(raw.y)]] }];
  if (raw.type !== 3) return [];
  const rings = raw.geometry.map(ringOf).filter((ring) => ring.length > 0);
  return rings.length > 0 ? [{ id, type: 3, tags, geometry: rings }] : [];
}

/** Snapping can put a point on the far edge of its tile, which belongs to the next tile; it is moved back. */
function inTile(unit: number): number {
  return Math.min(unit, EXTENT - 1);
}

/** A closed ring without repeated positions; empty where it has no area on the grid. */
function ringOf(flat: ArrayLike<number>): Pair[] {
  const ring: Pair[] = [];
  let doubledArea = 0;
  for (let i = 0; i < flat.length; i += 2) {
    const [x, y] = [flat[i] as number, flat[i + 1] as number];
    const before = ring.at(-1);
    if (before && before[0] === x && before[1] === y) continue;
    if (before) doubledArea += before[0] * y - x * before[1];
    ring.push([x, y]);
  }
  return doubledArea === 0 ? [] : ring;
}

/** Whether a part of the polygon may lie inside the tile itself and not only in the buffer around it. */
function reachesIntoTile({ geometry }: TileFeature): boolean {
  return (geometry as Pair[][]).some((ring) => {
    let [west, south, east, north] = [EXTENT, EXTENT, 0, 0];
    for (const [x, y] of ring) {
      west = Math.min(west, x);
      south = Math.min(south, y);
      east = Math.max(east, x);
      north = Math.max(north, y);
    }
    return west < EXTENT && south < EXTENT && east > 0 && north > 0;
  });
}
