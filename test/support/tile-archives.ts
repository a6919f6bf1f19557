import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import pg from 'pg';
import { ArchiveWriter } from '../../scripts/pipeline/tiles/archive.ts';
import { getActiveRelease } from '../../scripts/pipeline/tiles/areas.ts';
import { buildArchive } from '../../scripts/pipeline/tiles/build.ts';
import { TILE_LEVELS, type TileLevel } from '../../scripts/pipeline/tiles/levels.ts';

/** Archives for tests of the API to upload; tiles.ts says what is in them. */
export async function makeTileArchives(
  postgresUrl: string,
): Promise<Record<'regions.pmtiles' | 'many.pmtiles', Uint8Array<ArrayBuffer>>> {
  const directory = await mkdtemp(join(tmpdir(), 'pgds-archives-'));
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    const regions = join(directory, 'regions.pmtiles');
    const [level] = TILE_LEVELS;
    await buildArchive(client, await getActiveRelease(client), { level: level as TileLevel, path: regions });
    const many = join(directory, 'many.pmtiles');
    await writeMany(many);
    return { 'regions.pmtiles': await readFile(regions), 'many.pmtiles': await readFile(many) };
  } finally {
    await client.end();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Number of tiles at the zooms 0 to z. */
const tilesTo = (zoom: number) => (4 ** (zoom + 1) - 1) / 3;

/** All tiles of zooms 0 to 4, and many of zoom 9 with irregular gaps and lengths, so that their directory stays large. */
async function writeMany(path: string): Promise<void> {
  const writer = await ArchiveWriter.open(path);
  for (let id = 0; id < tilesTo(9); ) {
    const chance = createHash('sha256').update(String(id)).digest();
    const tags = {
      id,
      text: chance
        .toString('hex')
        .repeat(2)
        .slice(0, (chance[0] as number) % 128),
    };
    const layers = { many: { features: [{ type: 1, tags, geometry: [[2048, 2048]] }] } };
    const tile = fromGeojsonVt(layers as unknown as Parameters<typeof fromGeojsonVt>[0], { version: 2, extent: 4096 });
    await writer.add(id, gzipSync(tile, { level: 1 }));
    if (id + 1 < tilesTo(4)) id += 1;
    else id = Math.max(id, tilesTo(8)) + 1 + ((chance[1] as number) % 32);
  }
  const bounds = [-180, -85, 180, 85] as const;
  const metadata = { name: 'Many', vector_layers: [{ id: 'many', fields: { id: 'Number' } }] };
  await writer.finish({ minzoom: 0, maxzoom: 9, bounds, metadata });
}
