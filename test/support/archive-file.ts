import { readFile } from 'node:fs/promises';
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
