import { Compression, type Entry, type Header, PMTiles, ResolvedValueCache, type Source } from 'pmtiles';
import type { TileArchive } from './archive.ts';
import { inflate } from './inflate.ts';

/** The object of an archive is not there: another has taken its place since the archive was looked up. */
export class ArchiveGone extends Error {}

/** A single read of an archive is never longer: directories and tiles are small. */
export const MAX_READ_BYTES = 16 * 1024 * 1024;

/** What an unpacked directory may have. */
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;

/** How many entries of directories are kept, all archives together: about sixty bytes each. */
const MAX_ENTRIES = 200_000;

/** Forgets the directories that were not used for longest, so that the others stay within a size. */
class DirectoryCache extends ResolvedValueCache {
  override prune(): void {
    const kept = [...this.cache].sort(([, a], [, b]) => b.lastUsed - a.lastUsed);
    let entries = 0;
    for (const [key, { data }] of kept) {
      entries += Array.isArray(data) ? data.length : 1;
      if (entries > MAX_ENTRIES) this.cache.delete(key);
    }
  }
}

/**
 * Headers and directories of archives, by the key of their object. Kept from request to request, alone of all state:
 * an object is never written twice, so what is known of a key can't be outdated, and is the same for every caller.
 */
const directories = new DirectoryCache(undefined, undefined, unpacked);

function unpacked(data: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  return compression === Compression.None ? Promise.resolve(data) : inflate(data, MAX_DIRECTORY_BYTES);
}

/** Tiles are passed on as they are stored. */
const asStored = async (data: ArrayBuffer) => data;

export interface StoredTile {
  data: ArrayBuffer;
  /** How it is packed, in the words of Content-Encoding. */
  encoding: 'gzip' | undefined;
}

/**
 * A tile as it is stored: one read of the bucket, once the directories on the way to it are known.
 *
 * @returns undefined where the archive has no such tile
 * @throws ArchiveGone
 */
export async function readTile(
  bucket: R2Bucket,
  { objectKey }: Pick<TileArchive, 'objectKey'>,
  { z, x, y }: { z: number; x: number; y: number },
): Promise<StoredTile | undefined> {
  const archive = new PMTiles(sourceOf(bucket, objectKey), directories, asStored);
  const tile = await archive.getZxy(z, x, y);
  if (!tile) return undefined;
  const { tileCompression } = await archive.getHeader();
  return { data: tile.data, encoding: tileCompression === Compression.Gzip ? 'gzip' : undefined };
}

/**
 * The entries of the root directory, read from the bucket.
 *
 * @throws Error where they can't be read
 */
export function readRoot(bucket: R2Bucket, key: string, header: Header): Promise<Entry[]> {
  const { rootDirectoryOffset, rootDirectoryLength } = header;
  const unkept = new ResolvedValueCache(1, undefined, unpacked);
  return unkept.getDirectory(sourceOf(bucket, key), rootDirectoryOffset, rootDirectoryLength, header);
}

function sourceOf(bucket: R2Bucket, key: string): Source {
  return {
    getKey: () => key,
    getBytes: async (offset, length) => {
      if (length > MAX_READ_BYTES) throw new Error(`${key} asks for ${length} bytes at once`);
      const object = await bucket.get(key, { range: { offset, length } });
      if (!object) throw new ArchiveGone(`${key} is not there`);
      return { data: await object.arrayBuffer() };
    },
  };
}
