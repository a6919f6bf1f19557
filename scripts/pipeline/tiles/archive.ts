import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { type Entry, packDirectories } from './directory.ts';

// PMTiles version 3: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md

const HEADER_BYTES = 127;

/** What the header and the root directory may have together: readers fetch so much at once. */
const FIRST_READ_BYTES = 16_384;

const GZIP = 2;
const MVT = 1;

/** Bytes gathered before they are written. */
const WRITE_BYTES = 1 << 20;

export interface ArchiveFacts {
  minzoom: number;
  maxzoom: number;
  /** west, south, east, north; degrees */
  bounds: readonly [number, number, number, number];
  /** The JSON metadata. */
  metadata: object;
}

/**
 * Writes a clustered PMTiles archive of gzipped vector tiles. Tiles come in the order of the curve and are put by in a
 * file beside the archive, each different one once, because the directories that stand before them are known last. In
 * memory are only the directories and a hash of every different tile.
 */
export class ArchiveWriter {
  readonly #path: string;
  readonly #tiles: FileHandle;
  readonly #entries: Entry[] = [];
  readonly #contents = new Map<string, { offset: number; length: number }>();
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Bytes of tiles that were added, each different one once. */
  bytes = 0;
  /** Tiles that were added. */
  tiles = 0;

  private constructor(path: string, tiles: FileHandle) {
    this.#path = path;
    this.#tiles = tiles;
  }

  static async open(path: string): Promise<ArchiveWriter> {
    return new ArchiveWriter(path, await open(`${path}.tiles`, 'w'));
  }

  /** @throws Error for a tile that does not come after the one before */
  async add(tileId: number, data: Uint8Array): Promise<void> {
    const last = this.#entries.at(-1);
    const next = last ? last.tileId + last.runLength : 0;
    if (tileId < next) throw new Error(`Tile ${tileId} comes after tile ${next - 1}`);
    this.tiles += 1;
    const { offset, length } = await this.#place(data);
    if (last && tileId === next && last.offset === offset) last.runLength += 1;
    else this.#entries.push({ tileId, offset, length, runLength: 1 });
  }

  /** Where the bytes stand, after they have been written unless they stand there already. */
  async #place(data: Uint8Array): Promise<{ offset: number; length: number }> {
    const hash = createHash('sha256').update(data).digest('base64');
    const known = this.#contents.get(hash);
    if (known) return known;
    const place = { offset: this.bytes, length: data.length };
    this.#contents.set(hash, place);
    this.bytes += data.length;
    this.#pending.push(data);
    this.#pendingBytes += data.length;
    if (this.#pendingBytes >= WRITE_BYTES) await this.#flush();
    return place;
  }

  async #flush(): Promise<void> {
    await this.#tiles.writeFile(Buffer.concat(this.#pending));
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  /**
   * Puts the archive together. Nothing can be added afterwards.
   * @returns its size in bytes
   * @throws Error where no tile was added
   */
  async finish(facts: ArchiveFacts): Promise<number> {
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

  /** Removes what was put by. Harmless after `finish`. */
  async discard(): Promise<void> {
    await this.#tiles.close().catch(() => {});
    await rm(`${this.#path}.tiles`, { force: true });
  }

  /** @param lengths of the root, the metadata, the leaves and the tiles, which stand in this order */
  #header({ minzoom, maxzoom, bounds }: ArchiveFacts, lengths: readonly number[]): Uint8Array {
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
    // The zoom at which the whole extent is about as large as a tile.
    const zoom = Math.floor(Math.log2(360 / Math.max(east - west, north - south)));
    header.writeUInt8(Math.min(Math.max(zoom, minzoom), maxzoom), 118);
    header.writeInt32LE(e7((west + east) / 2), 119);
    header.writeInt32LE(e7((south + north) / 2), 123);
    return header;
  }
}
