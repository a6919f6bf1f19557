import type { Bucket } from '../../storage/bucket.ts';
import { ByteCache } from './byte-cache.ts';
import { type Manifest, objectKey, type SnapshotObject } from './layout.ts';

/** How long the bucket may take to answer one read, milliseconds. */
const READ_TIMEOUT_MS = 1800;

/** How much of the time of a request is left to PostGIS, which answers where the bucket doesn't, milliseconds. */
export const RESERVED_MS = 2000;

/**
 * How long one read of a snapshot may take now, milliseconds.
 *
 * @param timeout the longest that it may ever take
 */
function timeFor({ deadline }: Bucket, timeout: number = READ_TIMEOUT_MS): number {
  return Math.min(deadline.scaled(timeout), deadline.left - deadline.scaled(RESERVED_MS));
}

/** How many reads a request should wait for at the same time: the platform opens six connections for it. */
export const MAX_CONCURRENT_READS = 6;

/** Small reads are of whole blocks of so many bytes, which are cached. */
const BLOCK_BYTES = 128 * 1024;

/** Longer reads are made for one answer and not cached. */
const MAX_CACHED_READ = 4 * BLOCK_BYTES;

/** The largest object that is cached as a whole. Others are passed on as they are read. */
const MAX_CACHED_BODY = 2 * 1024 * 1024;

/**
 * The cache of an instance for what was read of snapshots (texts, and cells of points) and for answers that were made of it.
 * It leaves room for an upload beside it in the 128 MB of an instance.
 */
export const byteCache = new ByteCache<{ readonly byteLength: number }>(32 * 1024 * 1024);

/** An object of a snapshot is missing, cut short, altered, or the bucket does not answer. */
export class SnapshotUnreadable extends Error {
  override readonly name = 'SnapshotUnreadable';
  /** Whether the request had less time than the bucket may take, so that this shows nothing about the bucket. */
  readonly isHurried: boolean;

  constructor(message: string, { isHurried = false, ...options }: ErrorOptions & { isHurried?: boolean } = {}) {
    super(message, options);
    this.isHurried = isHurried;
  }
}

/**
 * Asks the bucket with the time that there is for it.
 *
 * @param timeout the longest that it may ever take, milliseconds
 * @throws SnapshotUnreadable
 */
export async function readInTime<T>(
  bucket: Bucket,
  key: string,
  read: (timeout: number) => Promise<T>,
  timeout: number = READ_TIMEOUT_MS,
): Promise<T> {
  const time = timeFor(bucket, timeout);
  try {
    return await read(time);
  } catch (cause) {
    throw new SnapshotUnreadable(`${key} can not be read`, {
      cause,
      isHurried: time < bucket.deadline.scaled(timeout),
    });
  }
}

/** Parts of the immutable objects of one version of a release. */
export class SnapshotObjects {
  readonly #bucket: Bucket;
  readonly #manifest: Manifest;
  readonly #objects: ReadonlyMap<string, SnapshotObject>;

  /** @param like objects of the same manifest */
  constructor(bucket: Bucket, manifest: Manifest, like?: SnapshotObjects) {
    this.#bucket = bucket;
    this.#manifest = manifest;
    this.#objects = like ? like.#objects : new Map(manifest.objects.map((object) => [object.name, object]));
  }

  /** The same objects, read with the time that another request has. */
  readBy(bucket: Bucket): SnapshotObjects {
    return new SnapshotObjects(bucket, this.#manifest, this);
  }

  get version(): string {
    return this.#manifest.version;
  }

  has(name: string): boolean {
    return this.#objects.has(name);
  }

  /**
   * All bytes of an object, which the caller caches.
   *
   * @throws SnapshotUnreadable also where it has more bytes than the limit
   */
  async whole(name: string, limit: number): Promise<Uint8Array> {
    const { bytes } = this.#object(name);
    if (bytes > limit) throw new SnapshotUnreadable(`${this.key(name)} has ${bytes} bytes, more than ${limit}`);
    return this.#read(name, 0, bytes);
  }

  /**
   * All bytes of an object, to be passed on: from the cache where it was read before, as a stream where it is large.
   *
   * @throws SnapshotUnreadable
   */
  async body(name: string): Promise<Uint8Array | ReadableStream<Uint8Array>> {
    const { bytes } = this.#object(name);
    if (bytes > MAX_CACHED_BODY) return this.#found(name, (key, wanted) => this.#bucket.findBody(key, wanted));
    const key = this.key(name);
    const cached = byteCache.get(key) as Uint8Array | undefined;
    if (cached) return cached;
    const read = await this.#read(name, 0, bytes);
    byteCache.set(key, read);
    return read;
  }

  /** Gives the next part of a long answer all of the time again. */
  renew(): void {
    this.#bucket.deadline.renew();
  }

  /** The length of an object. */
  bytesOf(name: string): number {
    return this.#object(name).bytes;
  }

  /**
   * A range of an object, to be passed on.
   *
   * @throws SnapshotUnreadable
   */
  range(name: string, range: { offset: number; length: number }): Promise<ReadableStream<Uint8Array>> {
    return this.#found(name, (key, wanted) => this.#bucket.findBody(key, { ...wanted, range }));
  }

  /**
   * A part of an object, from the cache where it was read before.
   *
   * @throws SnapshotUnreadable
   */
  async part(name: string, offset: number, length: number): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array(0);
    if (length > MAX_CACHED_READ) return this.#read(name, offset, length);
    const { bytes } = this.#object(name);
    const first = Math.floor(offset / BLOCK_BYTES);
    const last = Math.floor((offset + length - 1) / BLOCK_BYTES);
    const start = first * BLOCK_BYTES;
    const found = this.#cachedBlocks(name, first, last);
    const blocks = found ?? (await this.#readBlocks(name, first, last, bytes));
    if (blocks.length === 1) return (blocks[0] as Uint8Array).subarray(offset - start, offset - start + length);
    const joined = new Uint8Array(length);
    let at = 0;
    for (const [i, block] of blocks.entries()) {
      const from = i === 0 ? offset - start : 0;
      const part = block.subarray(from, Math.min(block.length, from + length - at));
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  }

  /**
   * A part of an object, of which the caller caches what it makes of it.
   *
   * @throws SnapshotUnreadable
   */
  uncached(name: string, offset: number, length: number): Promise<Uint8Array> {
    return this.#read(name, offset, length);
  }

  #cachedBlocks(name: string, first: number, last: number): Uint8Array[] | undefined {
    const blocks: Uint8Array[] = [];
    for (let i = first; i <= last; i += 1) {
      const block = byteCache.get(this.#blockKey(name, i)) as Uint8Array | undefined;
      if (!block) return undefined;
      blocks.push(block);
    }
    return blocks;
  }

  async #readBlocks(name: string, first: number, last: number, size: number): Promise<Uint8Array[]> {
    const start = first * BLOCK_BYTES;
    const end = Math.min(size, (last + 1) * BLOCK_BYTES);
    const bytes = await this.#read(name, start, end - start);
    const blocks: Uint8Array[] = [];
    for (let i = first; i <= last; i += 1) {
      // Each block is a copy of its own, so that its eviction frees its memory.
      const block = bytes.slice((i - first) * BLOCK_BYTES, (i - first + 1) * BLOCK_BYTES);
      byteCache.set(this.#blockKey(name, i), block);
      blocks.push(block);
    }
    return blocks;
  }

  #blockKey(name: string, block: number): string {
    return `${this.key(name)}#${block}`;
  }

  #object(name: string): SnapshotObject {
    const object = this.#objects.get(name);
    if (!object) throw new SnapshotUnreadable(`The snapshot ${this.version} has no object ${name}`);
    return object;
  }

  async #read(name: string, offset: number, length: number): Promise<Uint8Array> {
    const range = { offset, length };
    const bytes = await this.#found(name, (key, wanted) => this.#bucket.findBytes(key, { ...wanted, range }));
    if (bytes.length === length) return bytes;
    throw new SnapshotUnreadable(`${this.key(name)} has ${bytes.length} bytes in place of ${length}`);
  }

  /** Asks the bucket. An object that was altered has another entity tag, and its body is not sent. */
  async #found<T>(
    name: string,
    find: (key: string, wanted: { etag: string; timeout: number }) => Promise<T | undefined>,
  ): Promise<T> {
    const { etag } = this.#object(name);
    const key = this.key(name);
    const found = await readInTime(this.#bucket, key, (timeout) => find(key, { etag, timeout }));
    if (found !== undefined) return found;
    throw new SnapshotUnreadable(`${key} is not there as it was published`);
  }

  /** The key of an object, which no other bytes have. */
  key(name: string): string {
    return objectKey(this.version, this.#object(name));
  }
}
