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
  out: string | undefined;
  /** Make only the archives of this release that the service lacks. */
  onlyMissing: boolean;
  /** Upload to a service although it serves another release. */
  force: boolean;
  /** Called with 0 to 1 and what is being done. */
  onProgress: (fraction: number, label: string) => void;
  /** Called with a sentence about each archive. */
  say: (sentence: string) => void;
}

/**
 * Makes the archives of levels of the active release, uploads them and stores copies.
 * @param scratch directory for temporary files
 * @throws Error where no release is active, the service serves another one, or an upload fails
 */
export async function publishTiles(client: pg.ClientBase, scratch: string, options: PublishOptions): Promise<void> {
  const { levels, endpoint, out, onlyMissing, force, onProgress, say } = options;
  const release = await getActiveRelease(client);
  if (endpoint && !force) await requireSameRelease(endpoint, release.id);
  if (out !== undefined) await mkdir(out, { recursive: true });
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
    if (built && out !== undefined) await copyFile(path, join(out, `${slug}.pmtiles`));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    say(
      built
        ? `Tiles of ${slug}: ${built.tiles.toLocaleString('en')} in ${(built.bytes / 1e6).toFixed(1)} MB, ${seconds} s`
        : `No tiles of ${slug}: release ${release.id} has no boundaries of them.`,
    );
  }
}

/**
 * Checks that the service serves the release whose tiles are made. It doesn't where the wrong database was read; tiles
 * of one release would then be shown with the names and codes of another.
 *
 * @throws Error where the service serves another release
 */
async function requireSameRelease(endpoint: Endpoint, releaseId: string): Promise<void> {
  const served = await getRelease(endpoint);
  if (served === releaseId) return;
  throw new Error(
    `${endpoint.address} answers from release ${served}, and the database that was read from ${releaseId}. ` +
      'Set DATABASE_URL to the database of that service, or give --force.',
  );
}
