import { hostname } from 'node:os';
import { pipeline as connect, Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { type Blob, blobsOf, isId, type Manifest, readManifest, written } from './manifest.ts';
import { hashing, spooled } from './spool.ts';
import { type FileToPut, firstOf, type Store } from './store.ts';

const MANIFESTS = 'backups/';
const BLOBS = 'objects/';
const LOCK = 'lock';

/** A lock that is older than this counts as that of a dead run, milliseconds. */
const DEAD_AFTER_MS = 24 * 3_600_000;

/** Blobs that are read at once. */
const AT_ONCE = 4;

/** The run that has the lock of a place for backups. */
interface Owner {
  readonly host: string;
  readonly pid: number;
  /** RFC 3339. */
  readonly since: string;
}

/**
 * A place for backups. `objects/` has blobs by their SHA-256, which backups share: a blob that is there is not sent again.
 * `backups/` has a manifest for each backup, which is written after all blobs that it names.
 */
export class Backups {
  readonly store: Store;
  readonly #scratch: string;
  #known: Map<string, number> | undefined;

  /** @param scratch a directory for temporary files */
  constructor(store: Store, scratch: string) {
    this.store = store;
    this.#scratch = scratch;
  }

  /** The ids of all backups, the oldest first. */
  async list(): Promise<string[]> {
    const ids: string[] = [];
    for await (const { key } of this.store.list(MANIFESTS)) {
      const id = key.slice(MANIFESTS.length).replace(/\.json$/, '');
      if (isId(id)) ids.push(id);
    }
    return ids.sort();
  }

  /**
   * The manifest of a backup.
   *
   * @param id that of the newest backup unless given
   * @throws Error if there is no such backup, or its manifest was changed
   */
  async get(id?: string): Promise<{ id: string; manifest: Manifest }> {
    const ids = await this.list();
    const wanted = id ?? ids.at(-1);
    if (wanted === undefined) throw new Error(`There is no backup in ${this.store.name}.`);
    if (!ids.includes(wanted)) {
      throw new Error(`There is no backup ${wanted} in ${this.store.name}; it has ${ids.join(', ') || 'none'}.`);
    }
    return { id: wanted, manifest: await this.#read(wanted) };
  }

  async #read(id: string): Promise<Manifest> {
    const found = await this.store.get(keyOfManifest(id));
    if (!found) throw new Error(`The backup ${id} is gone from ${this.store.name}.`);
    return readManifest(id, await textOf(found.body));
  }

  /** @throws Error if the place has something other than backups */
  async requirePlace(): Promise<void> {
    if ((await firstOf(this.store, MANIFESTS)) || (await firstOf(this.store, BLOBS))) return;
    const other = await firstOf(this.store);
    if (other && other.key !== LOCK) {
      throw new Error(`${this.store.name} is no place for backups: it has ${other.key}. Name an empty one.`);
    }
  }

  /** Stores a file unless the place has its bytes. @returns the bytes that were sent */
  async add({ path, bytes, sha256 }: FileToPut): Promise<number> {
    this.#known ??= await this.#blobs();
    if (this.#known.get(sha256) === bytes) return 0;
    await this.store.put(keyOfBlob(sha256), { path, bytes, sha256 });
    this.#known.set(sha256, bytes);
    return bytes;
  }

  /** Whether the place has a blob, by a listing. */
  async has({ sha256, bytes }: Blob): Promise<boolean> {
    this.#known ??= await this.#blobs();
    return this.#known.get(sha256) === bytes;
  }

  /** Writes the manifest, which makes a backup of the stored blobs. @returns the id of the backup */
  async write(content: Manifest): Promise<string> {
    const { id, text } = written(content);
    const open = async () => [Readable.from([Buffer.from(text)])] as const;
    await spooled(this.#scratch, open, (file) => this.store.put(keyOfManifest(id), file));
    return id;
  }

  /**
   * The bytes of a blob.
   *
   * @returns a stream that ends with an error if the bytes don't have the SHA-256 of the blob
   * @throws Error if the blob is missing
   */
  async open({ sha256, bytes }: Blob): Promise<Readable> {
    const key = keyOfBlob(sha256);
    const found = await this.store.get(key);
    if (!found) throw new Error(`${this.store.name}: ${key} is missing.`);
    const { stream } = hashing((read) => {
      if (read.sha256 === sha256 && read.bytes === bytes) return;
      throw new Error(`${this.store.name}: ${key} has other bytes than were stored.`);
    });
    // Whoever reads the last stream gets the error of the first one.
    connect(found.body, stream, () => undefined);
    return stream;
  }

  /**
   * Reads all blobs of a backup and compares them with their hashes.
   *
   * @param onProgress called with 0 to 1
   * @throws Error that names missing and altered blobs
   */
  async verify(content: Manifest, onProgress: (fraction: number) => void = () => undefined): Promise<void> {
    const blobs = blobsOf(content);
    const total = blobs.reduce((sum, { bytes }) => sum + bytes, 0) || 1;
    const faults: string[] = [];
    let read = 0;
    await Readable.from(blobs).forEach(
      async (blob: Blob) => {
        try {
          const body = await this.open(blob);
          await pipeline(body, async (chunks: AsyncIterable<Buffer>) => {
            for await (const chunk of chunks) {
              read += chunk.length;
              onProgress(read / total);
            }
          });
        } catch (error) {
          faults.push((error as Error).message);
        }
      },
      { concurrency: AT_ONCE },
    );
    if (faults.length > 0) {
      const more = faults.length > 5 ? ` And ${faults.length - 5} more.` : '';
      throw new Error(`The backup is damaged. ${faults.slice(0, 5).join(' ')}${more}`);
    }
  }

  /**
   * Deletes all backups but the newest, and the blobs that no backup needs. Only the run with the lock may call it, because the
   * blobs of another run are not named by a manifest yet.
   *
   * @param count how many stay, at least 1
   * @returns the ids of those that were deleted
   */
  async deleteAllBut(count: number): Promise<string[]> {
    const ids = await this.list();
    const needed = new Set<string>();
    // Read first: nothing is deleted where a manifest can't be read.
    for (const id of ids.slice(-count)) for (const { sha256 } of blobsOf(await this.#read(id))) needed.add(sha256);
    const old = ids.slice(0, -count);
    await this.store.delete(old.map(keyOfManifest));
    const unneeded = [...(await this.#blobs()).keys()].filter((sha256) => !needed.has(sha256));
    await this.store.delete(unneeded.map(keyOfBlob));
    this.#known = undefined;
    return old;
  }

  /**
   * Works as the only run on this place.
   *
   * @throws Error if another run has the lock
   */
  async withLock<T>(work: () => Promise<T>): Promise<T> {
    const mine: Owner = { host: hostname(), pid: process.pid, since: new Date().toISOString() };
    while (!(await this.store.create(LOCK, JSON.stringify(mine)))) {
      const found = await this.store.get(LOCK);
      if (!found) continue;
      const owner = ownerIn(await textOf(found.body));
      if (owner && !isDead(owner)) {
        throw new Error(
          `Another run works on ${this.store.name} since ${owner.since} (process ${owner.pid} on ${owner.host}). If it is gone, delete ${LOCK} there.`,
        );
      }
      await this.store.delete([LOCK]);
    }
    try {
      return await work();
    } finally {
      await this.store.delete([LOCK]);
    }
  }

  async #blobs(): Promise<Map<string, number>> {
    const blobs = new Map<string, number>();
    for await (const { key, bytes } of this.store.list(BLOBS)) blobs.set(key.slice(-64), bytes);
    return blobs;
  }
}

/** The parts that taking and restoring a backup share. */
export interface BackupContext {
  /** Calls with a new connection to the database. */
  readonly withConnection: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;
  readonly bucket: Store;
  readonly backups: Backups;
  /** A directory for temporary files. */
  readonly scratch: string;
  /** Called with 0 to 1 and what is being done. */
  readonly onProgress: (fraction: number, label: string) => void;
}

const keyOfManifest = (id: string) => `${MANIFESTS}${id}.json`;
const keyOfBlob = (sha256: string) => `${BLOBS}${sha256.slice(0, 2)}/${sha256}`;

function ownerIn(text: string): Owner | undefined {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return undefined;
  }
}

function isDead({ host, pid, since }: Owner): boolean {
  if (Date.now() - Date.parse(since) > DEAD_AFTER_MS) return true;
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
