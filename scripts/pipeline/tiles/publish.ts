import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { type Endpoint, getRelease } from '../service.ts';
import { getActiveRelease } from './areas.ts';
import { buildArchive } from './build.ts';
import { hasArchive, uploadArchive } from './endpoint.ts';
import type { TileLevel } from './levels.ts';

interface PublishOptions {
  levels: readonly TileLevel[];
  /** The service to upload to; without it the archives are not uploaded. */
  endpoint: Endpoint | undefined;
  /** The directory for copies of the archives; undefined: no copies. */
  outDirectory: string | undefined;
  /** Skip archives that the service has of this release. Ignored without `endpoint`. */
  onlyMissing: boolean;
  /** Upload even if the service serves another release. */
  force: boolean;
  /** Called with 0 to 1 and what is being done. */
  onProgress: (fraction: number, label: string) => void;
  /** Called with a sentence about each archive. */
  onArchive: (sentence: string) => void;
}

/**
 * Makes the archives of levels of the active release, uploads them and stores copies.
 * @param scratch directory for temporary files
 * @throws Error if no release is active, the service serves another one, or an upload fails
 */
export async function publishTiles(client: pg.ClientBase, scratch: string, options: PublishOptions): Promise<void> {
  const { levels, endpoint, outDirectory, onlyMissing, force, onProgress, onArchive } = options;
  const release = await getActiveRelease(client);
  if (endpoint && !force) await requireSameRelease(endpoint, release.id);
  if (outDirectory !== undefined) await mkdir(outDirectory, { recursive: true });
  for (const [i, level] of levels.entries()) {
    const { slug } = level;
    if (onlyMissing && endpoint && (await hasArchive(endpoint, slug, release.id))) continue;
    const started = performance.now();
    const path = join(scratch, `${slug}.pmtiles`);
    const built = await buildArchive(client, release, {
      level,
      path,
      onProgress: (fraction) => onProgress((i + fraction) / levels.length, `Tiles of ${slug}`),
    });
    if (built && endpoint) await uploadArchive(endpoint, slug, path);
    if (built && outDirectory !== undefined) await copyFile(path, join(outDirectory, `${slug}.pmtiles`));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    onArchive(
      built
        ? `Tiles of ${slug}: ${built.tiles.toLocaleString('en')} in ${(built.bytes / 1e6).toFixed(1)} MB, ${seconds} s`
        : `No tiles of ${slug}: release ${release.id} has no boundaries of them.`,
    );
  }
}

/**
 * Checks that the service serves the release whose tiles are made. It differs if DATABASE_URL names another database; the tiles
 * would then be shown with another release's names and codes.
 *
 * @throws Error if the service serves another release
 */
async function requireSameRelease(endpoint: Endpoint, releaseId: string): Promise<void> {
  const served = await getRelease(endpoint);
  if (served === releaseId) return;
  throw new Error(
    `${endpoint.address} serves release ${served}, but the database has ${releaseId} active. ` +
      'Set DATABASE_URL to the database of that service, or give --force.',
  );
}
