import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { ArchiveWriter } from './archive.ts';
import { type ActiveRelease, type ExportOptions, exportBoundaries, type TileArea } from './areas.ts';
import { cutTiles } from './cut.ts';
import { generalize } from './generalize.ts';
import { vectorLayers } from './levels.ts';

export interface Built {
  /** Size of the archive. */
  bytes: number;
  tiles: number;
}

/** Shares of the time after which the boundaries are read, and after which they are simplified. */
const READING = 0.1;
const SIMPLIFYING = 0.5;

/**
 * Builds the archive of one level of a release. Temporary files are beside it until it is complete.
 * @returns undefined where no area of the level has a boundary
 */
export async function buildArchive(
  client: pg.ClientBase,
  release: ActiveRelease,
  { level, path, onProgress }: ExportOptions,
): Promise<Built | undefined> {
  const scratch = `${path}.scratch`;
  await mkdir(scratch, { recursive: true });
  try {
    const source = join(scratch, 'boundaries.json');
    const areas = await exportBoundaries(client, release.id, {
      level,
      path: source,
      onProgress: (fraction) => onProgress?.(READING * fraction),
    });
    if (areas.size === 0) return undefined;
    const { at, labels } = await generalize(source, level, {
      scratch,
      onProgress: (fraction) => onProgress?.(READING + (SIMPLIFYING - READING) * fraction),
    });
    const writer = await ArchiveWriter.open(path);
    try {
      for (let zoom = level.minzoom; zoom <= level.maxzoom; zoom += 1) {
        const options = { zoom, layer: level.slug, last: zoom === level.maxzoom };
        for (const { id, data } of cutTiles(await at(zoom), { areas, labels }, options)) await writer.add(id, data);
        // Every zoom has about twice as much data as the previous one.
        onProgress?.(SIMPLIFYING + (1 - SIMPLIFYING) / 2 ** (level.maxzoom - zoom));
      }
      const bytes = await writer.finish({
        minzoom: level.minzoom,
        maxzoom: level.maxzoom,
        bounds: extentOf(areas),
        metadata: {
          name: level.name,
          description: `${level.name} of the Philippines, data release ${release.id}`,
          attribution: release.attribution,
          type: 'overlay',
          version: release.id,
          data_release: release.id,
          vector_layers: vectorLayers(level),
        },
      });
      return { bytes, tiles: writer.tiles };
    } finally {
      await writer.discard();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function extentOf(areas: ReadonlyMap<string, TileArea>): [number, number, number, number] {
  const extent: [number, number, number, number] = [180, 90, -180, -90];
  for (const { bbox } of areas.values()) {
    extent[0] = Math.min(extent[0], bbox[0]);
    extent[1] = Math.min(extent[1], bbox[1]);
    extent[2] = Math.max(extent[2], bbox[2]);
    extent[3] = Math.max(extent[3], bbox[3]);
  }
  return extent;
}
