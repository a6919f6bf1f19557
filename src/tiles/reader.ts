import { Compression, type Entry, type Header, PMTiles, ResolvedValueCache, type Source } from 'pmtiles';
import { DomainError } from '../errors.ts';
import { type Bucket, storageUnavailable } from '../storage/bucket.ts';
import type { TileArchive, TileCoordinates } from './archive.ts';

/** The object of an archive is not in the bucket: another archive replaced this one after it was looked up. */
export class ArchiveGone extends Error {}

/** The longest single read of an archive, bytes. Directories and tiles are small. */
export const MAX_READ_BYTES = 16 * 1024 * 1024;

/** Max size of a decompressed directory, bytes. */
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;

/** Max cached directory entries of all archives together. An entry takes about sixty bytes. */
const MAX_ENTRIES = 200_000;

/** LRU cache of directories with at most `MAX_ENTRIES` entries. */
class DirectoryCache extends ResolvedValueCache {
  override prune(): void {
    const newest = [...this.cache].sort(([, a], [, b]) => b.lastUsed - a.lastUsed);
    let entries = 0;
    for (const [key, { data }] of newest) {
      entries += Array.isArray(data) ? data.length : 1;
      if (entries > MAX_ENTRIES) this.cache.delete(key);
    }
  }
}

/**
 * Headers and directories of archives by object key, cached across requests. This is safe because an object is never
 * rewritten and is the same for every caller.
 */
const directories = new DirectoryCache(undefined, undefined, unpackDirectory);

function unpackDirectory(data: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  return compression === Compression.None ? Promise.resolve(data) : inflate(data, MAX_DIRECTORY_BYTES);
}

/** Tiles are not decompressed: they are sent as stored. */
const asStored = async (data: ArrayBuffer) => data;

export interface StoredTile {
  data: ArrayBuffer;
  /** Its compression, as a value of Content-Encoding. */
  encoding: 'gzip' | undefined;
}

/**
 * Reads a tile as it is stored. One read of the bucket if its directories are cached.
 *
 * @returns undefined if the archive has no such tile
 * @throws ArchiveGone; DomainError `storage_unavailable`, also where the bytes are not those of an archive
 */
export async function readTile(
  bucket: Bucket,
  { objectKey }: Pick<TileArchive, 'objectKey'>,
  { z, x, y }: TileCoordinates,
): Promise<StoredTile | undefined> {
  try {
    const archive = new PMTiles(sourceOf(bucket, objectKey), directories, asStored);
    const tile = await archive.getZxy(z, x, y);
    if (!tile) return undefined;
    const { tileCompression } = await archive.getHeader();
    return { data: tile.data, encoding: tileCompression === Compression.Gzip ? 'gzip' : undefined };
  } catch (error) {
    if (error instanceof ArchiveGone || error instanceof DomainError) throw error;
    throw storageUnavailable(objectKey, error);
  }
}

/**
 * Reads the entries of the root directory from the bucket.
 *
 * @throws Error if they can't be read
 */
export function readRoot(bucket: Bucket, key: string, header: Header): Promise<Entry[]> {
  const { rootDirectoryOffset, rootDirectoryLength } = header;
  const ownCache = new ResolvedValueCache(1, undefined, unpackDirectory);
  return ownCache.getDirectory(sourceOf(bucket, key), rootDirectoryOffset, rootDirectoryLength, header);
}

function sourceOf(bucket: Bucket, key: string): Source {
  return {
    getKey: () => key,
    getBytes: async (offset, length) => {
      if (length > MAX_READ_BYTES) throw new Error(`${key} asks for ${length} bytes at once`);
      const bytes = await bucket.findBytes(key, { range: { offset, length } });
      if (!bytes) throw new ArchiveGone(`${key} is not there`);
      // Only the first read may reach beyond the end.
      if (offset > 0 && bytes.length !== length)
        throw storageUnavailable(key, `It gave ${bytes.length} bytes of ${length}`);
      return { data: bytes.buffer };
    },
  };
}

/**
 * Decompresses gzip up to a limit.
 *
 * @throws Error if the bytes are not gzip, or decompress to more than the limit
 */
export async function inflate(compressed: ArrayBuffer, maxBytes: number): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of new Blob([compressed]).stream().pipeThrough(new DecompressionStream('gzip'))) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`Unpacks to more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return new Blob(chunks).arrayBuffer();
}
