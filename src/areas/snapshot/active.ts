import { z } from 'zod';
import type { ServiceContext } from '../../context.ts';
import { logFailure } from '../../log.ts';
import { type Bucket, storageUnavailable } from '../../storage/bucket.ts';
import type { AreaStore } from '../store.ts';
import { EDITIONS_KEY, POINTER_KEY } from './layout.ts';
import { memory, readInTime, SnapshotObjects, SnapshotUnreadable, timeFor } from './objects.ts';
import { openAreas } from './open.ts';
import { findManifest } from './publication.ts';
import { snapshotAreas } from './store.ts';

/** Up to this age the pointer is believed without a look, milliseconds: no answer is older. */
const BELIEVED_MS = 10_000;

/** From this age on the pointer is read again beside a request, milliseconds. */
const REFRESHED_MS = 5000;

/** How long the bucket may take to say which version is served, milliseconds. */
const POINTER_TIMEOUT_MS = 500;

/** When the areas count as no longer being opened, milliseconds: the request that did may have been cancelled. */
const OPEN_TIMEOUT_MS = 3000;

/** How long a request waits for another one of the instance that is opening the same areas, milliseconds. */
const GLANCE_MS = 5;

/** How long a version that can't be opened is not tried again, milliseconds. */
const PAUSE_MS = 5000;

const pointerSchema = z.object({ version: z.string().regex(/^[A-Za-z0-9-]{1,128}$/) });

const editionsSchema = z.object({
  editions: z.record(z.string(), z.object({ release: z.string(), version: pointerSchema.shape.version })),
});

/** The releases that answer for editions, by the ids of these. */
type EditionIndex = z.output<typeof editionsSchema>['editions'];

/**
 * About what the opened areas of an edition take of the memory of an instance, with the index of their names. They share
 * the budget of what is read of snapshots: the active ones are beside it.
 */
const OPENED_BYTES = 14 * 1024 * 1024;

/** The pointer as an instance last read it. */
interface Pointer {
  /** Null: nothing is published. */
  readonly version: string | null;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
}

/** Who reads areas. */
type Reader = Pick<ServiceContext, 'bucket' | 'waitUntil' | 'afterAnswer'>;

/** The areas of an opened version, as a request reads them. */
type OpenedVersion = (bucket: Bucket) => AreaStore;

/** The opened areas of an edition in the memory that they share. */
interface RememberedVersion {
  readonly areas: OpenedVersion;
  readonly byteLength: number;
}

/** What an instance knows of the snapshots in one bucket. */
class Snapshots {
  #pointer: Pointer | undefined;
  /** How often the pointer was forgotten: what a read from before then brings is not believed. */
  #forgotten = 0;
  #refreshedAt = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #open: { readonly version: string; readonly areas: OpenedVersion } | undefined;
  /** The versions that a request is opening, and since when. */
  readonly #opening = new Map<string, number>();
  #reopenedAt = Number.NEGATIVE_INFINITY;
  #broken: { readonly version: string; readonly since: number } | undefined;
  #indexFailedAt = Number.NEGATIVE_INFINITY;
  #editions: { readonly index: EditionIndex; readonly readAt: number } | undefined;

  /** The areas of the version that is served. Undefined where none is published or the bucket doesn't give it. */
  async areas(ctx: Reader): Promise<AreaStore | undefined> {
    const version = await this.#version(ctx);
    if (version === null || version === undefined) return undefined;
    const areas = this.#open?.version === version ? this.#open.areas : await this.#opened(version, ctx.bucket);
    return areas?.(ctx.bucket);
  }

  /**
   * The areas of an edition. Undefined where none is published or the bucket doesn't give it.
   *
   * @param id `2023-4q`
   */
  async areasOfEdition(
    ctx: Reader,
    id: string,
  ): Promise<{ areas: AreaStore; release: string; version: string } | undefined> {
    const found = (await this.#editionIndex(ctx.bucket))?.[id];
    if (!found) return undefined;
    const { version, release } = found;
    if ((await this.#version(ctx)) === version) {
      const areas = await this.areas(ctx);
      return areas && { areas, release, version };
    }
    const key = `opened ${version}`;
    const known = memory.get(key) as RememberedVersion | undefined;
    const areas = known?.areas ?? (await this.#opened(version, ctx.bucket, false));
    if (!areas) return undefined;
    const remembered: RememberedVersion = { areas, byteLength: OPENED_BYTES };
    if (!known) memory.set(key, remembered, 0.5);
    return { areas: areas(ctx.bucket), release, version };
  }

  /**
   * The versions that answer: the one that is served first, then those of editions. Nothing of them is opened.
   *
   * @throws DomainError `storage_unavailable` where the bucket does not say
   */
  async versions(ctx: Reader): Promise<string[]> {
    const active = await this.#version(ctx);
    const index = await this.#editionIndex(ctx.bucket);
    if (active === undefined || !index) throw storageUnavailable(POINTER_KEY, 'It can not be read');
    const named = Object.values(index).map(({ version }) => version);
    return [...new Set([...(active === null ? [] : [active]), ...named])];
  }

  /** The releases that answer for editions from their snapshots; none where the bucket does not say. */
  async releasesOfEditions(bucket: Bucket): Promise<string[]> {
    return Object.values((await this.#editionIndex(bucket)) ?? {}).map(({ release }) => release);
  }

  /** Lets the areas of an edition be opened anew, as `reopen` does for the active ones. */
  reopenEdition(version: string): void {
    memory.delete(`opened ${version}`);
  }

  async #editionIndex(bucket: Bucket): Promise<EditionIndex | undefined> {
    const now = Date.now();
    if (this.#editions && now - this.#editions.readAt < BELIEVED_MS) return this.#editions.index;
    if (now - this.#indexFailedAt < PAUSE_MS) return this.#editions?.index;
    try {
      const find = (most: number) => bucket.findJson(EDITIONS_KEY, { most });
      const found = await readInTime(bucket, EDITIONS_KEY, find, POINTER_TIMEOUT_MS);
      const index = found === undefined ? {} : editionsSchema.parse(found).editions;
      this.#editions = { index, readAt: now };
      return index;
    } catch (error) {
      logFailure('snapshot_pointer_unreadable', error, {});
      this.#indexFailedAt = now;
      // What was published once is still there.
      return this.#editions?.index;
    }
  }

  /** Lets the next answer be of the release that the pointer names then: this instance has activated one. */
  forget(): void {
    this.#forgotten += 1;
    this.#pointer = undefined;
    this.#editions = undefined;
    this.#indexFailedAt = Number.NEGATIVE_INFINITY;
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

  /** Whether a version is the one that is served, and opened. Never throws. */
  async serves(ctx: Reader, version: string): Promise<boolean> {
    return this.#open?.version === version && (await this.#version(ctx)) === version;
  }

  async #version(ctx: Reader): Promise<string | null | undefined> {
    const now = Date.now();
    const age = now - (this.#pointer?.readAt ?? Number.NEGATIVE_INFINITY);
    if (age > BELIEVED_MS) {
      // A bucket that has just failed is not waited for by every request.
      if (now - this.#failedAt < PAUSE_MS) return undefined;
      return this.#readPointer(ctx.bucket);
    }
    if (age > REFRESHED_MS && now - this.#refreshedAt > REFRESHED_MS) {
      this.#refreshedAt = now;
      ctx.waitUntil(this.#readPointer(ctx.afterAnswer.bucket));
    }
    return this.#pointer?.version;
  }

  /** Reads which version is served. Undefined where the bucket doesn't say. Never throws. */
  async #readPointer(bucket: Bucket): Promise<string | null | undefined> {
    const readAt = Date.now();
    const forgotten = this.#forgotten;
    try {
      const find = (most: number) => bucket.findJson(POINTER_KEY, { most });
      const pointer = await readInTime(bucket, POINTER_KEY, find, POINTER_TIMEOUT_MS);
      const version = pointer === undefined ? null : pointerSchema.parse(pointer).version;
      // Another read that began later may have ended before this one.
      const isNewest = readAt >= (this.#pointer?.readAt ?? readAt);
      if (forgotten === this.#forgotten && isNewest) this.#pointer = { version, readAt };
      return version;
    } catch (error) {
      if (!isHurried(error)) this.#failedAt = Date.now();
      logFailure('snapshot_pointer_unreadable', error, {});
      return undefined;
    }
  }

  async #opened(version: string, bucket: Bucket, isActive = true): Promise<OpenedVersion | undefined> {
    if (this.#broken?.version === version && Date.now() - this.#broken.since < PAUSE_MS) return undefined;
    // Promises of another request can't be awaited safely, so the state is looked at now and then.
    const since = () => this.#opening.get(version) ?? Number.NEGATIVE_INFINITY;
    const opened = () => {
      if (isActive) return this.#open?.version === version ? this.#open.areas : undefined;
      return (memory.get(`opened ${version}`) as RememberedVersion | undefined)?.areas;
    };
    while (Date.now() - since() < OPEN_TIMEOUT_MS) {
      if (timeFor(bucket) <= 0) return undefined;
      await bucket.patience.count(() => scheduler.wait(GLANCE_MS));
    }
    const found = opened();
    if (found) return found;
    if (this.#broken?.version === version && Date.now() - this.#broken.since < PAUSE_MS) return undefined;
    if (timeFor(bucket) <= 0) return undefined;
    this.#opening.set(version, Date.now());
    try {
      const areas = await openSnapshot(bucket, version);
      if (isActive) this.#open = { version, areas };
      return areas;
    } catch (error) {
      if (!isHurried(error)) this.#broken = { version, since: Date.now() };
      logFailure('snapshot_unreadable', error, { version });
      return undefined;
    } finally {
      this.#opening.delete(version);
    }
  }
}

/** Whether a request lacked the time to read, which is no reason for others not to try. */
function isHurried(error: unknown): boolean {
  return error instanceof SnapshotUnreadable && error.isHurried;
}

/** Opens one version of a release. */
async function openSnapshot(bucket: Bucket, version: string): Promise<OpenedVersion> {
  const find = (most: number) => findManifest(bucket, version, most);
  const manifest = await readInTime(bucket, `The manifest of ${version}`, find);
  if (!manifest) throw new SnapshotUnreadable(`There is no manifest of ${version}`);
  if (manifest.version !== version)
    throw new SnapshotUnreadable(`The manifest of ${version} is of ${manifest.version}`);
  const objects = new SnapshotObjects(bucket, manifest);
  const areas = snapshotAreas(await openAreas(objects));
  return (reader) => areas(objects.readBy(reader));
}

/** One for the life of an instance, by the bucket that it reads. */
const known = new WeakMap<R2Bucket, Snapshots>();

export function snapshotsIn({ binding }: Bucket): Snapshots {
  const found = known.get(binding) ?? new Snapshots();
  known.set(binding, found);
  return found;
}
