import { readFile } from 'node:fs/promises';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { PMTiles } from 'pmtiles';

/** Opens an archive with the reader that everybody uses. */
export async function openArchive(path: string): Promise<PMTiles> {
  const bytes = await readFile(path);
  return new PMTiles({
    getKey: () => path,
    getBytes: async (offset, length) => ({ data: Uint8Array.from(bytes.subarray(offset, offset + length)).buffer }),
  });
}

/** Where a place lies at a zoom, in tiles from the west and from the north. */
export function placeOf(lon: number, lat: number, zoom: number): [x: number, y: number] {
  const sine = Math.sin((lat * Math.PI) / 180);
  return [(lon / 360 + 0.5) * 2 ** zoom, (0.5 - (0.25 * Math.log((1 + sine) / (1 - sine))) / Math.PI) * 2 ** zoom];
}

/** All tiles of a zoom by `x/y`, unpacked. */
export async function tilesOf(archive: PMTiles, zoom: number): Promise<Map<string, Uint8Array>> {
  const { minLon, minLat, maxLon, maxLat } = await archive.getHeader();
  const [west, north] = placeOf(minLon, maxLat, zoom).map(Math.floor) as [number, number];
  const [east, south] = placeOf(maxLon, minLat, zoom).map(Math.floor) as [number, number];
  const tiles = new Map<string, Uint8Array>();
  for (let x = west; x <= east; x += 1) {
    for (let y = north; y <= south; y += 1) {
      const tile = await archive.getZxy(zoom, x, y);
      if (tile) tiles.set(`${x}/${y}`, new Uint8Array(tile.data));
    }
  }
  return tiles;
}

/** A polygon of a tile: what it is and its rings, in units of the tile. */
export interface TilePolygon {
  code: string;
  rings: { x: number; y: number }[][];
}

/** The polygons of a layer of an unpacked tile. */
export function polygonsOf(tile: Uint8Array, layer: string): TilePolygon[] {
  return featuresOf(tile, layer).map((feature) => ({
    code: String(feature.properties.code),
    rings: feature.loadGeometry(),
  }));
}

export function featuresOf(tile: Uint8Array, layer: string) {
  const found = new VectorTile(new PbfReader(tile)).layers[layer];
  return Array.from({ length: found?.length ?? 0 }, (_, i) => found?.feature(i)).filter(
    (feature) => feature !== undefined,
  );
}

/** Codes of the polygons around a point, by the even-odd rule. */
export function codesAt(polygons: readonly TilePolygon[], x: number, y: number): string[] {
  return polygons.flatMap(({ code, rings }) => {
    let inside = false;
    for (const ring of rings) {
      for (const [i, a] of ring.entries()) {
        const b = ring.at(i - 1) as { x: number; y: number };
        if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
      }
    }
    return inside ? [code] : [];
  });
}
