import { z } from 'zod';
import { logFailure } from '../../log.ts';
import type { AreaStore } from '../store.ts';
import { POINTER_KEY } from './layout.ts';
import { SnapshotObjects, SnapshotUnreadable } from './objects.ts';
import { openAreas } from './open.ts';
import { findManifest } from './publication.ts';
import { snapshotAreas } from './store.ts';

/** Up to this age the pointer is believed without a look, milliseconds: no answer is older. */
const BELIEVED_MS = 10_000;

/** From this age on the pointer is read again beside a request, milliseconds. */
const REFRESHED_MS = 5000;

/** How long the bucket may take to say which version is served, milliseconds. */
const POINTER_TIMEOUT_MS = 500;

/** How long the areas may take to be read and opened, milliseconds. */
const OPEN_TIMEOUT_MS = 3000;

/** How long a request waits for another one of the instance that is opening the same areas, milliseconds. */
const GLANCE_MS = 5;

/** How long a version that can't be opened is not tried again, milliseconds. */
const PAUSE_MS = 5000;

const pointerSchema = z.object({ version: z.string().regex(/^[A-Za-z0-9-]{1,128}$/) });

/** The pointer as an instance last read it. */
interface Pointer {
  /** Null: nothing is published. */
  readonly version: string | null;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
}

/** What an instance knows of the snapshots in one bucket. */
class Snapshots {
  readonly #bucket: R2Bucket;
  #pointer: Pointer | undefined;
  /** How often the pointer was forgotten: what a read from before then brings is not believed. */
  #forgotten = 0;
  #refreshedAt = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #open: { readonly version: string; readonly areas: AreaStore } | undefined;
  /** The version that a request is opening, and since when. */
  #opening: { readonly version: string; readonly since: number } | undefined;
  #reopenedAt = Number.NEGATIVE_INFINITY;
  #broken: { readonly version: string; readonly since: number } | undefined;

  constructor(bucket: R2Bucket) {
    this.#bucket = bucket;
  }

  /**
   * The areas of the version that is served. Undefined where none is published or the bucket doesn't give it.
   *
   * @param waitUntil lets the pointer be read again after the answer
   */
  async areas(waitUntil: (work: Promise<unknown>) => void): Promise<AreaStore | undefined> {
    const version = await this.#version(waitUntil);
    if (version === null || version === undefined) return undefined;
    if (this.#open?.version === version) return this.#open.areas;
    return this.#opened(version);
  }

  /** Lets the next answer be of the release that the pointer names then: this instance has activated one. */
  forget(): void {
    this.#forgotten += 1;
    this.#pointer = undefined;
  }

  /**
   * Lets the areas be opened anew, now and then: one of their objects can't be read, as where the same release was
   * published again and its former objects were deleted.
   */
  reopen(): void {
    if (Date.now() - this.#reopenedAt < PAUSE_MS) return;
    this.#reopenedAt = Date.now();
    this.#open = undefined;
  }

  async #version(waitUntil: (work: Promise<unknown>) => void): Promise<string | null | undefined> {
    const now = Date.now();
    const age = now - (this.#pointer?.readAt ?? Number.NEGATIVE_INFINITY);
    if (age > BELIEVED_MS) {
      // A bucket that has just failed is not waited for by every request.
      if (now - this.#failedAt < PAUSE_MS) return undefined;
      return this.#readPointer();
    }
    if (age > REFRESHED_MS && now - this.#refreshedAt > REFRESHED_MS) {
      this.#refreshedAt = now;
      waitUntil(this.#readPointer());
    }
    return this.#pointer?.version;
  }

  /** Reads which version is served. Undefined where the bucket doesn't say. Never throws. */
  async #readPointer(): Promise<string | null | undefined> {
    const readAt = Date.now();
    const forgotten = this.#forgotten;
    try {
      const version = await inTime(POINTER_TIMEOUT_MS, this.#get(), 'the pointer');
      // Another read that began later may have ended before this one.
      const isNewest = readAt >= (this.#pointer?.readAt ?? readAt);
      if (forgotten === this.#forgotten && isNewest) this.#pointer = { version, readAt };
      return version;
    } catch (error) {
      this.#failedAt = Date.now();
      logFailure('snapshot_pointer_unreadable', error, {});
      return undefined;
    }
  }

  async #get(): Promise<string | null> {
    const object = await this.#bucket.get(POINTER_KEY);
    return object ? pointerSchema.parse(await object.json()).version : null;
  }

  async #opened(version: string): Promise<AreaStore | undefined> {
    if (this.#broken?.version === version && Date.now() - this.#broken.since < PAUSE_MS) return undefined;
    // Promises of another request can't be awaited safely, so the state is looked at now and then.
    while (this.#opening?.version === version && Date.now() - this.#opening.since < OPEN_TIMEOUT_MS) {
      await scheduler.wait(GLANCE_MS);
    }
    if (this.#open?.version === version) return this.#open.areas;
    if (this.#broken?.version === version && Date.now() - this.#broken.since < PAUSE_MS) return undefined;
    this.#opening = { version, since: Date.now() };
    try {
      const areas = await inTime(OPEN_TIMEOUT_MS, openSnapshot(this.#bucket, version), 'the areas');
      this.#open = { version, areas };
      return areas;
    } catch (error) {
      this.#broken = { version, since: Date.now() };
      logFailure('snapshot_unreadable', error, { version });
      return undefined;
    } finally {
      this.#opening = undefined;
    }
  }
}

/** Opens one version of a release. */
async function openSnapshot(bucket: R2Bucket, version: string): Promise<AreaStore> {
  const manifest = await findManifest(bucket, version);
  if (!manifest) throw new SnapshotUnreadable(`There is no manifest of ${version}`);
  if (manifest.version !== version)
    throw new SnapshotUnreadable(`The manifest of ${version} is of ${manifest.version}`);
  const objects = new SnapshotObjects(bucket, manifest);
  return snapshotAreas(await openAreas(objects), objects);
}

/** @throws SnapshotUnreadable where it takes longer */
async function inTime<T>(milliseconds: number, work: Promise<T>, what: string): Promise<T> {
  // What fails after it was given up is known to have failed.
  work.catch(() => undefined);
  const late = Symbol();
  const result = await Promise.race([work, scheduler.wait(milliseconds).then((): typeof late => late)]);
  if (result === late) throw new SnapshotUnreadable(`The bucket did not give ${what} in ${milliseconds} ms`);
  return result as T;
}

/** One for the life of an instance, by the bucket that it reads. */
const known = new WeakMap<R2Bucket, Snapshots>();

export function snapshotsIn(bucket: R2Bucket): Snapshots {
  const found = known.get(bucket) ?? new Snapshots(bucket);
  known.set(bucket, found);
  return found;
}
