import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import pg from 'pg';
import { ArchiveWriter } from '../../scripts/pipeline/tiles/archive.ts';
import { getActiveRelease } from '../../scripts/pipeline/tiles/areas.ts';
import { buildArchive } from '../../scripts/pipeline/tiles/build.ts';
import { TILE_LEVELS, type TileLevel } from '../../scripts/pipeline/tiles/levels.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Archives for tests of the API to upload; tiles.ts says what is in them. */
export type TileArchives = Record<'regions.pmtiles' | 'many.pmtiles', Bytes>;

/** Begins to make the archives in a thread of its own, so that a database can be made meanwhile. Gives what ends it. */
export function beginTileArchives(): (postgresUrl: string) => Promise<TileArchives> {
  const thread = new Worker(new URL('./tile-archives-thread.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  // Where the database can not be made, nobody waits for the thread.
  thread.unref();
  return async (postgresUrl) => {
    thread.postMessage(postgresUrl);
    const [archives] = await once(thread, 'message');
    return archives;
  };
}

/** The archive of the regions of the drawn country. */
export function archiveOfRegions(postgresUrl: string): Promise<Bytes> {
  return written(async (path) => {
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    try {
      const [level] = TILE_LEVELS;
      await buildArchive(client, await getActiveRelease(client), { level: level as TileLevel, path });
    } finally {
      await client.end();
    }
  });
}

/** An archive of many small tiles. */
export const archiveOfMany = (): Promise<Bytes> => written(writeMany);

/** The bytes of a file that is written to a path. */
async function written(write: (path: string) => Promise<void>): Promise<Bytes> {
  const directory = await mkdtemp(join(tmpdir(), 'pgds-archives-'));
  const path = join(directory, 'archive.pmtiles');
  try {
    await write(path);
    return await readFile(path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** To make room for what is packed takes longer than to pack a tile of two hundred bytes, so there is little room. */
const SMALL = { level: 1, memLevel: 1, windowBits: 9 };

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
    await writer.add(id, gzipSync(tile, SMALL));
    if (id + 1 < tilesTo(4)) id += 1;
    else id = Math.max(id, tilesTo(8)) + 1 + ((chance[1] as number) % 48);
  }
  const bounds = [-180, -85, 180, 85] as const;
  const metadata = { name: 'Many', vector_layers: [{ id: 'many', fields: { id: 'Number' } }] };
  await writer.finish({ minzoom: 0, maxzoom: 9, bounds, metadata });
}
