import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { type Entry, packDirectories } from './directory.ts';

// PMTiles version 3: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md

const HEADER_BYTES = 127;

/** Bytes that the header and the root directory may have together, because readers fetch this much at first. */
const FIRST_READ_BYTES = 16_384;

const GZIP = 2;
const MVT = 1;

/** How many bytes are collected before they are written. */
const WRITE_BYTES = 1 << 20;

export interface ArchiveDescription {
  minzoom: number;
  maxzoom: number;
  /** west, south, east, north; degrees */
  bounds: readonly [number, number, number, number];
  metadata: object;
}

/**
 * Writes a clustered PMTiles archive of gzipped vector tiles. The directories come before the tiles in an archive, but
 * are known only after the last tile. So the tiles, which are added in the order of the curve, are first written to a
 * file beside the archive, and equal ones only once. Only the directories and a hash of every distinct tile are in
 * memory.
 */
export class ArchiveWriter {
  readonly #path: string;
  readonly #tiles: FileHandle;
  readonly #entries: Entry[] = [];
  readonly #contents = new Map<string, { offset: number; length: number }>();
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Bytes of the tiles that were added; equal ones count once. */
  bytes = 0;
  /** Number of tiles that were added. */
  tiles = 0;

  private constructor(path: string, tiles: FileHandle) {
    this.#path = path;
    this.#tiles = tiles;
  }

  static async open(path: string): Promise<ArchiveWriter> {
    return new ArchiveWriter(path, await open(`${path}.tiles`, 'w'));
  }

  /** Adds a tile. @throws Error for a tile that doesn't come after the previous one */
  async add(tileId: number, data: Uint8Array): Promise<void> {
    const last = this.#entries.at(-1);
    const next = last ? last.tileId + last.runLength : 0;
    if (tileId < next) throw new Error(`Tile ${tileId} comes after tile ${next - 1}`);
    this.tiles += 1;
    const { offset, length } = await this.#store(data);
    if (last && tileId === next && last.offset === offset) last.runLength += 1;
    else this.#entries.push({ tileId, offset, length, runLength: 1 });
  }

  /** Writes the bytes unless an equal tile was written, and returns where they are. */
  async #store(data: Uint8Array): Promise<{ offset: number; length: number }> {
    const hash = createHash('sha256').update(data).digest('base64');
    const existing = this.#contents.get(hash);
    if (existing) return existing;
    const location = { offset: this.bytes, length: data.length };
    this.#contents.set(hash, location);
    this.bytes += data.length;
    this.#pending.push(data);
    this.#pendingBytes += data.length;
    if (this.#pendingBytes >= WRITE_BYTES) await this.#flush();
    return location;
  }

  async #flush(): Promise<void> {
    await this.#tiles.writeFile(Buffer.concat(this.#pending));
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  /**
   * Writes the archive. Nothing can be added afterwards.
   * @returns its size in bytes
   * @throws Error if no tile was added
   */
  async finish(facts: ArchiveDescription): Promise<number> {
    if (this.tiles === 0) throw new Error('An archive has at least one tile.');
    await this.#flush();
    await this.#tiles.close();
    const { root, leaves } = packDirectories(this.#entries, FIRST_READ_BYTES - HEADER_BYTES);
    const metadata = gzipSync(JSON.stringify(facts.metadata), { level: 9 });
    const header = this.#header(facts, [root.length, metadata.length, leaves.length, this.bytes]);
    const archive = await open(this.#path, 'w');
    try {
      await archive.writeFile(Buffer.concat([header, root, metadata, leaves]));
      await archive.writeFile(createReadStream(`${this.#path}.tiles`));
    } finally {
      await archive.close();
    }
    await this.discard();
    return header.length + root.length + metadata.length + leaves.length + this.bytes;
  }

  /** Removes the temporary file. Harmless after `finish`. */
  async discard(): Promise<void> {
    await this.#tiles.close().catch(() => {});
    await rm(`${this.#path}.tiles`, { force: true });
  }

  /** @param lengths of the root, the metadata, the leaves and the tiles, which follow in this order */
  #header({ minzoom, maxzoom, bounds }: ArchiveDescription, lengths: readonly number[]): Uint8Array {
    const header = Buffer.alloc(HEADER_BYTES);
    header.write('PMTiles', 'latin1');
    header.writeUInt8(3, 7);
    let offset = HEADER_BYTES;
    for (const [i, length] of lengths.entries()) {
      header.writeBigUInt64LE(BigInt(offset), 8 + 16 * i);
      header.writeBigUInt64LE(BigInt(length), 16 + 16 * i);
      offset += length;
    }
    for (const [i, count] of [this.tiles, this.#entries.length, this.#contents.size].entries()) {
      header.writeBigUInt64LE(BigInt(count), 72 + 8 * i);
    }
    header.set([1, GZIP, GZIP, MVT, minzoom, maxzoom], 96);
    const e7 = (degrees: number) => Math.round(degrees * 1e7);
    for (const [i, degrees] of bounds.entries()) header.writeInt32LE(e7(degrees), 102 + 4 * i);
    const [west, south, east, north] = bounds;
    // At this zoom the whole extent is about as large as a tile.
    const zoom = Math.floor(Math.log2(360 / Math.max(east - west, north - south)));
    header.writeUInt8(Math.min(Math.max(zoom, minzoom), maxzoom), 118);
    header.writeInt32LE(e7((west + east) / 2), 119);
    header.writeInt32LE(e7((south + north) / 2), 123);
    return header;
  }
}
