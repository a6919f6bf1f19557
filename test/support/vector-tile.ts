import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';

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

/** The features of a layer of an unpacked tile; none where it has no such layer. */
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
