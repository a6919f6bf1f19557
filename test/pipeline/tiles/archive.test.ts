import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { tileIdToZxy } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArchiveDescription, ArchiveWriter } from '../../../scripts/pipeline/tiles/archive.ts';
import { openArchive } from '../../support/archive-file.ts';

let directory: string;
let count = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-archive-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const FACTS: ArchiveDescription = {
  minzoom: 0,
  maxzoom: 9,
  bounds: [116.9, 4.5, 126.6, 21.1],
  metadata: { name: 'Test', vector_layers: [] },
};

async function write(tiles: readonly (readonly [id: number, content: string])[]) {
  const path = join(directory, `${count++}.pmtiles`);
  const writer = await ArchiveWriter.open(path);
  for (const [id, content] of tiles) await writer.add(id, gzipSync(content));
  const size = await writer.finish(FACTS);
  return { path, size, archive: await openArchive(path) };
}

async function read(archive: Awaited<ReturnType<typeof openArchive>>, id: number): Promise<string | undefined> {
  const tile = await archive.getZxy(...tileIdToZxy(id));
  return tile && new TextDecoder().decode(tile.data);
}

describe('an archive', () => {
  it('has a header that says what is in it', async () => {
    const { path, size, archive } = await write([
      [0, 'world'],
      [1, 'sea'],
      [2, 'sea'],
      [3, 'land'],
      [7, 'sea'],
    ]);
    expect((await readFile(path)).length).toBe(size);
    expect(await archive.getHeader()).toMatchObject({
      ...{ specVersion: 3, clustered: true, tileType: 1, tileCompression: 2, internalCompression: 2 },
      ...{ numAddressedTiles: 5, numTileEntries: 4, numTileContents: 3 },
      ...{ minZoom: 0, maxZoom: 9, minLon: 116.9, minLat: 4.5, maxLon: 126.6, maxLat: 21.1 },
      ...{ centerZoom: 4, centerLon: 121.75, centerLat: 12.8 },
    });
    expect(await archive.getMetadata()).toEqual(FACTS.metadata);
    expect(await readdir(directory)).not.toContainEqual(expect.stringContaining('.tiles'));
  });

  it('returns every tile, and none that was not added', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat({ max: 300 }), { minLength: 1, maxLength: 120 }),
        fc.array(fc.string(), { minLength: 1, maxLength: 5 }),
        async (ids, contents) => {
          const tiles = ids.sort((a, b) => a - b).map((id) => [id, contents[id % contents.length] ?? ''] as const);
          const { archive } = await write(tiles);
          const expected = new Map(tiles);
          for (let id = 0; id <= 301; id += 1) expect(await read(archive, id)).toBe(expected.get(id));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('has leaf directories where the root would be larger than readers fetch at once', async () => {
    let id = 0;
    const tiles = Array.from({ length: 20_000 }, (_, i) => {
      const chance = createHash('sha256').update(String(i)).digest();
      id += 1 + ((chance[0] as number) % 17);
      return [id, chance.toString('hex').slice((chance[1] as number) % 60)] as const;
    });
    const { archive, path } = await write(tiles);
    const { rootDirectoryLength, leafDirectoryLength, tileDataOffset, tileDataLength } = await archive.getHeader();
    expect(127 + rootDirectoryLength).toBeLessThanOrEqual(16_384);
    expect(leafDirectoryLength).toBeGreaterThan(0);
    expect(tileDataOffset + (tileDataLength ?? 0)).toBe((await readFile(path)).length);
    for (const [tile, content] of tiles.filter((_, i) => i % 97 === 0)) expect(await read(archive, tile)).toBe(content);
    expect(await read(archive, id + 1)).toBeUndefined();
  });

  it('takes tiles in the order of the curve only, and has at least one', async () => {
    const writer = await ArchiveWriter.open(join(directory, 'order'));
    await writer.add(5, gzipSync('x'));
    await writer.add(6, gzipSync('x'));
    await expect(writer.add(6, gzipSync('y'))).rejects.toThrow('Tile 6 comes after tile 6');
    await writer.discard();
    const empty = await ArchiveWriter.open(join(directory, 'empty'));
    await expect(empty.finish(FACTS)).rejects.toThrow('at least one tile');
    await empty.discard();
    expect(await readdir(directory)).not.toContainEqual(expect.stringContaining('.tiles'));
  });
});
