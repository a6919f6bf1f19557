import { z } from 'zod';
import type { ServiceContext } from '../../context.ts';
import { DomainError } from '../../errors.ts';
import { logFailure } from '../../log.ts';
import { type Bucket, storageUnavailable } from '../../storage/bucket.ts';
import { editionId } from '../edition-id.ts';
import type { AreaStore } from '../store.ts';
import { EDITIONS_KEY, editionName, HISTORY, POINTER_KEY } from './layout.ts';
import { memory, readInTime, SnapshotObjects, SnapshotUnreadable, timeFor } from './objects.ts';
import { openAreas, openEdition } from './open.ts';
import { findManifest } from './publication.ts';
import { snapshotAreas } from './store.ts';

/** Up to this age the pointer is believed without a look, milliseconds: no answer is older. */
const TTL_MS = 10_000;

/** From this age on the pointer is read again beside a request, milliseconds. */
const REFRESHED_MS = 5000;

/** How long the bucket may take to say which version is served, milliseconds. */
const POINTER_TIMEOUT_MS = 1500;

/** When the areas count as no longer being opened, milliseconds: the request that did may have been cancelled. */
const OPEN_TIMEOUT_MS = 3000;

/** How long a request waits for another one of the instance that is opening the same areas, milliseconds. */
const POLL_INTERVAL_MS = 5;

/** How long a version that can't be opened is not tried again, milliseconds. */
const BACKOFF_MS = 5000;

const pointerSchema = z.object({ version: z.string().regex(/^[A-Za-z0-9-]{1,128}$/) });

const editionsSchema = z.object({
  editions: z.record(
    z.string(),
    z.object({
      release: z.string(),
      version: pointerSchema.shape.version,
      // What an earlier build has written says less.
      published: z.string().nullable().default(null),
      counts: z.record(z.string(), z.number()).default({}),
      boundary_set: z.enum(['none', 'display', 'full']).default('none'),
    }),
  ),
});

/** The releases that answer for editions from their snapshots, by the ids of these. */
export type EditionIndex = z.output<typeof editionsSchema>['editions'];

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

/** An opened version, as requests read it. */
interface OpenedVersion {
  /** The id of its release. */
  readonly release: string;
  areas(bucket: Bucket): AreaStore;
  /** The ids of the editions that answer from it, its own first. */
  readonly editions: readonly string[];
  /** Whether all of it was there when it was opened: what takes longer to make is published later under the same version. */
  readonly isComplete: boolean;
  /** Opens the areas of an edition that the version carries. */
  edition(bucket: Bucket, id: string): Promise<(bucket: Bucket) => AreaStore>;
}

/** An opened version in the memory that those of editions share. */
interface CachedVersion {
  readonly opened: OpenedVersion;
  readonly byteLength: number;
}

/** The opened areas of an edition that a version carries. */
interface CachedEdition {
  readonly areas: OpenedVersion['areas'];
  readonly byteLength: number;
}

/** What an instance knows of the snapshots in one bucket. */
class Snapshots {
  #pointer: Pointer | undefined;
  /** How often the pointer was forgotten: what a read from before then brings is not believed. */
  #forgotten = 0;
  #refreshedAt = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #open: { readonly version: string; readonly opened: OpenedVersion } | undefined;
  /** The versions that a request is opening, and since when. */
  readonly #opening = new Map<string, number>();
  #reopenedAt = Number.NEGATIVE_INFINITY;
  #broken: { readonly key: string; readonly since: number } | undefined;
  #indexFailedAt = Number.NEGATIVE_INFINITY;
  #editions: { readonly index: EditionIndex; readonly readAt: number } | undefined;

  /** The areas of the version that is served. Undefined where none is published or the bucket doesn't give it. */
  async areas(ctx: Reader): Promise<AreaStore | undefined> {
    return (await this.#active(ctx))?.opened.areas(ctx.bucket);
  }

  async #active(ctx: Reader): Promise<{ version: string; opened: OpenedVersion } | undefined> {
    const version = await this.#version(ctx);
    if (version === null || version === undefined) return undefined;
    const opened = this.#open?.version === version ? this.#open.opened : await this.#opened(version, ctx.bucket);
    return opened && { version, opened };
  }

  /**
   * The areas of an edition: of a release of it that is published, else as the active release carries it. Undefined where
   * neither is, or the bucket doesn't give it.
   *
   * @param id `2023-4q`
   */
  async areasOfEdition(
    ctx: Reader,
    id: string,
  ): Promise<{ areas: AreaStore; release: string; version: string; isCarried?: boolean } | undefined> {
    const found = (await this.#editionIndex(ctx.bucket))?.[id];
    if (!found) return this.#carried(ctx, id);
    const { version, release } = found;
    if ((await this.#version(ctx)) === version) {
      const areas = await this.areas(ctx);
      return areas && { areas, release, version };
    }
    const key = `opened ${version}`;
    const cached = memory.get(key) as CachedVersion | undefined;
    const opened = cached?.opened ?? (await this.#opened(version, ctx.bucket, false));
    if (!opened) return undefined;
    const toCache: CachedVersion = { opened, byteLength: OPENED_BYTES };
    if (!cached) memory.set(key, toCache, 0.5);
    return { areas: opened.areas(ctx.bucket), release, version };
  }

  /** The areas of an edition that the active release carries, or is of. */
  async #carried(ctx: Reader, id: string) {
    const active = await this.#carrying(ctx);
    if (!active?.opened.editions.includes(id)) return undefined;
    const { version, opened } = active;
    const { release } = opened;
    if (opened.editions[0] === id) return { areas: opened.areas(ctx.bucket), release, version, isCarried: true };
    const key = `opened ${version} ${id}`;
    const cached = () => (memory.get(key) as CachedEdition | undefined)?.areas;
    const open = async () => {
      const areas = await opened.edition(ctx.bucket, id);
      const toCache: CachedEdition = { areas, byteLength: OPENED_BYTES };
      memory.set(key, toCache, 0.5);
      return areas;
    };
    const areas = cached() ?? (await this.#openOnce(`${version} ${id}`, ctx.bucket, { cached, open }));
    if (areas === undefined) throw storageUnavailable(editionName(id), 'It can not be read');
    return { areas: areas(ctx.bucket), release, version, isCarried: true };
  }

  /** The active release. What of it takes longer to make is published later under the same version: that is looked for. */
  async #carrying(ctx: Reader) {
    const active = await this.#active(ctx);
    return active && !active.opened.isComplete && this.reopen() ? this.#active(ctx) : active;
  }

  /**
   * The ids of the editions that the active release answers for; undefined where nothing is published.
   *
   * @throws DomainError `storage_unavailable` where those that it carries are not published yet, or can't be read
   */
  async carriedEditions(ctx: Reader): Promise<readonly string[] | undefined> {
    const active = await this.#carrying(ctx);
    if (!active) {
      const version = await this.activeVersion(ctx);
      if (version === null) return undefined;
      throw storageUnavailable(`The editions of ${version}`, 'They can not be read');
    }
    const { editions, isComplete } = active.opened;
    if (!isComplete) {
      const message = 'The other editions are not published yet. Try again in a few seconds.';
      throw new DomainError('storage_unavailable', message, {}, { cause: new Error(`of ${active.version}`) });
    }
    return editions;
  }

  /**
   * The versions that answer: the one that is served first, then those of editions. Nothing of them is opened.
   *
   * @throws DomainError `storage_unavailable` where the bucket does not say, or has nothing at all: whether nothing was
   *   published or all of it is lost, nobody can tell
   */
  async versions(ctx: Reader): Promise<string[]> {
    const active = await this.activeVersion(ctx);
    const named = Object.values(await this.editions(ctx)).map(({ version }) => version);
    if (active === null && named.length === 0) throw nothingPublished();
    return [...new Set([...(active === null ? [] : [active]), ...named])];
  }

  /**
   * The version that is served; null where none is published.
   *
   * @throws DomainError `storage_unavailable` where the bucket does not say
   */
  async activeVersion(ctx: Reader): Promise<string | null> {
    const version = await this.#version(ctx);
    if (version === undefined) throw storageUnavailable(POINTER_KEY, 'It can not be read');
    return version;
  }

  /**
   * The releases that answer for editions.
   *
   * @throws DomainError `storage_unavailable` where the bucket does not say
   */
  async editions({ bucket }: Pick<Reader, 'bucket'>): Promise<EditionIndex> {
    const index = await this.#editionIndex(bucket);
    if (!index) throw storageUnavailable(EDITIONS_KEY, 'It can not be read');
    return index;
  }

  /** The releases that answer for editions from their snapshots; none where the bucket does not say. */
  async releasesOfEditions(bucket: Bucket): Promise<string[]> {
    return Object.values((await this.#editionIndex(bucket)) ?? {}).map(({ release }) => release);
  }

  /**
   * Lets the areas of an edition be opened anew, as `reopen` does for the active ones.
   *
   * @param carried the id of the edition, where another version carries it
   */
  reopenEdition(version: string, carried?: string): void {
    if (carried === undefined) memory.delete(`opened ${version}`);
    else if (this.reopen()) memory.delete(`opened ${version} ${carried}`);
  }

  async #editionIndex(bucket: Bucket): Promise<EditionIndex | undefined> {
    const now = Date.now();
    if (this.#editions && now - this.#editions.readAt < TTL_MS) return this.#editions.index;
    if (now - this.#indexFailedAt < BACKOFF_MS) return this.#editions?.index;
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
    this.#open = undefined;
    this.#editions = undefined;
    this.#indexFailedAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Lets the areas be opened anew, now and then: one of their objects can't be read, as where the same release was
   * published again and its former objects were deleted.
   *
   * @returns whether they are opened anew
   */
  reopen(): boolean {
    if (Date.now() - this.#reopenedAt < BACKOFF_MS) return false;
    this.#reopenedAt = Date.now();
    this.#open = undefined;
    return true;
  }

  /** Whether a version is the one that is served, and opened. Never throws. */
  async serves(ctx: Reader, version: string): Promise<boolean> {
    return this.#open?.version === version && (await this.#version(ctx)) === version;
  }

  async #version(ctx: Reader): Promise<string | null | undefined> {
    const now = Date.now();
    const age = now - (this.#pointer?.readAt ?? Number.NEGATIVE_INFINITY);
    if (age > TTL_MS) {
      // A bucket that has just failed is not waited for by every request.
      if (now - this.#failedAt < BACKOFF_MS) return undefined;
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

  #opened(version: string, bucket: Bucket, isActive = true): Promise<OpenedVersion | undefined> {
    return this.#openOnce(version, bucket, {
      cached: () => {
        if (isActive) return this.#open?.version === version ? this.#open.opened : undefined;
        return (memory.get(`opened ${version}`) as CachedVersion | undefined)?.opened;
      },
      open: async () => {
        const opened = await openSnapshot(bucket, version);
        if (isActive) this.#open = { version, opened };
        return opened;
      },
    });
  }

  /** Opens something that other requests of the instance may be opening too. Undefined where it can't be opened. */
  async #openOnce<T>(
    key: string,
    bucket: Bucket,
    { cached, open }: { cached: () => T | undefined; open: () => Promise<T> },
  ): Promise<T | undefined> {
    const isBroken = () => this.#broken?.key === key && Date.now() - this.#broken.since < BACKOFF_MS;
    if (isBroken()) return undefined;
    // Promises of another request can't be awaited safely, so the state is looked at now and then.
    const since = () => this.#opening.get(key) ?? Number.NEGATIVE_INFINITY;
    while (Date.now() - since() < OPEN_TIMEOUT_MS) {
      if (timeFor(bucket) <= 0) return undefined;
      await bucket.deadline.count(() => scheduler.wait(POLL_INTERVAL_MS));
    }
    const found = cached();
    if (found) return found;
    if (isBroken() || timeFor(bucket) <= 0) return undefined;
    this.#opening.set(key, Date.now());
    try {
      return await open();
    } catch (error) {
      if (!isHurried(error)) this.#broken = { key, since: Date.now() };
      logFailure('snapshot_unreadable', error, { version: key });
      return undefined;
    } finally {
      this.#opening.delete(key);
    }
  }
}

function nothingPublished(): DomainError {
  const message =
    'No release is published here, or the object store has lost what was: run "npm run dev", which publishes one on this machine, or "npm run geo:publish" elsewhere.';
  return new DomainError('storage_unavailable', message, {}, { cause: new Error(`${POINTER_KEY} is not there`) });
}

/** Whether a request lacked the time to read, which is no reason for others not to try. */
function isHurried(error: unknown): boolean {
  return error instanceof SnapshotUnreadable && error.isHurried;
}

/** The name of an object with the areas of an edition. */
const CARRIED = /^edition-(\d{4}-\w\w)$/;

/** Opens one version of a release. */
async function openSnapshot(bucket: Bucket, version: string): Promise<OpenedVersion> {
  const find = (most: number) => findManifest(bucket, version, most);
  const manifest = await readInTime(bucket, `The manifest of ${version}`, find);
  if (!manifest) throw new SnapshotUnreadable(`There is no manifest of ${version}`);
  if (manifest.version !== version)
    throw new SnapshotUnreadable(`The manifest of ${version} is of ${manifest.version}`);
  const objects = new SnapshotObjects(bucket, manifest);
  const opened = await openAreas(objects);
  const areas = snapshotAreas(opened);
  return {
    release: manifest.release,
    areas: (reader) => areas(objects.readBy(reader)),
    editions: [
      editionId(opened.facts.edition),
      ...manifest.objects.flatMap(({ name }) => CARRIED.exec(name)?.[1] ?? []),
    ],
    isComplete: objects.has(HISTORY),
    edition: async (reader, id) => {
      const edition = snapshotAreas(await openEdition(objects.readBy(reader), id, opened));
      return (later) => edition(objects.readBy(later));
    },
  };
}

/** One for the life of an instance, by the bucket that it reads. */
const known = new WeakMap<R2Bucket, Snapshots>();

export function snapshotsIn({ binding }: Bucket): Snapshots {
  const found = known.get(binding) ?? new Snapshots();
  known.set(binding, found);
  return found;
}
