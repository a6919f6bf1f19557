import { z } from 'zod';
import { CachedValue, type CachePolicy } from '../../cached-value.ts';
import { steadyTime } from '../../clock.ts';
import type { ServiceContext } from '../../context.ts';
import { DomainError } from '../../errors.ts';
import { logFailure } from '../../log.ts';
import { type Bucket, storageUnavailable } from '../../storage/bucket.ts';
import { editionId } from '../edition-id.ts';
import type { AreaStore } from '../store.ts';
import { EDITIONS_KEY, editionName, HISTORY, manifestKey, POINTER_KEY, VERSIONS } from './layout.ts';
import { byteCache, RESERVED_MS, readInTime, SnapshotObjects, SnapshotUnreadable } from './objects.ts';
import { openAreas, openEdition } from './open.ts';
import { findManifest } from './publication.ts';
import { snapshotAreas } from './store.ts';

/** How long the bucket may take to say which version is served, milliseconds. */
const POINTER_TIMEOUT_MS = 1500;

/** For how long a failure is not tried again, milliseconds. */
const BACKOFF_MS = 5000;

/** How often the active areas are opened anew to look for versions of areas that they lack, milliseconds. */
const VERSIONS_BACKOFF_MS = 60_000;

/** No answer is older than the TTL of the pointer. */
const POINTER_POLICY: CachePolicy = {
  ttl: 10_000,
  refreshAfter: 5000,
  backoff: BACKOFF_MS,
  abandonAfter: POINTER_TIMEOUT_MS + 500,
  reserve: RESERVED_MS,
  isOfRequest: isHurried,
};

/** Editions that were published once are still there while the bucket does not say so. */
const EDITIONS_POLICY: CachePolicy = { ...POINTER_POLICY, maxStale: Number.POSITIVE_INFINITY };

/** A version is immutable. */
const OPENED_POLICY: CachePolicy = { ...POINTER_POLICY, ttl: Number.POSITIVE_INFINITY, abandonAfter: 3000 };

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
 * the budget of the cache; the active ones are outside of it.
 */
const OPENED_BYTES = 14 * 1024 * 1024;

/** Who reads areas. */
type Reader = Pick<ServiceContext, 'bucket' | 'deadline' | 'waitUntil' | 'afterAnswer'>;

/** An opened version, as requests read it. */
interface OpenedVersion {
  /** The id of its release. */
  readonly release: string;
  areas(bucket: Bucket): AreaStore;
  /** The ids of the editions that answer from it, its own first. */
  readonly editions: readonly string[];
  /** Whether it has the versions of areas. Versions that earlier builds published have none. */
  readonly hasVersions: boolean;
  /** Whether all of it was there when it was opened: what takes longer to make is published later under the same version. */
  readonly isComplete: boolean;
  /** Opens the areas of an edition that the version carries. */
  edition(bucket: Bucket, id: string): Promise<(bucket: Bucket) => AreaStore>;
}

/** Something opened, in the cache that what was read of snapshots shares. */
interface Opening<T> {
  readonly cached: CachedValue<T>;
  readonly byteLength: number;
}

/** The snapshots in one bucket, as an instance has read them. */
class Snapshots {
  /** The version that is served; null where nothing is published. */
  readonly #pointer = new CachedValue<string | null>(POINTER_POLICY);
  readonly #editions = new CachedValue<EditionIndex>(EDITIONS_POLICY);
  #open: { readonly version: string; readonly cached: CachedValue<OpenedVersion> } | undefined;
  #reopenedAt = Number.NEGATIVE_INFINITY;
  /** Tells what is opened here from what is opened of another bucket. */
  readonly #id = crypto.randomUUID();

  /** The areas of the version that is served. Undefined where none is published or the bucket doesn't give it. */
  async areas(ctx: Reader): Promise<AreaStore | undefined> {
    return (await this.#active(ctx))?.opened.areas(ctx.bucket);
  }

  async #active(ctx: Reader): Promise<{ version: string; opened: OpenedVersion } | undefined> {
    const version = await this.#version(ctx);
    if (version === null || version === undefined) return undefined;
    if (this.#open?.version !== version) this.#open = { version, cached: new CachedValue(OPENED_POLICY) };
    const { bucket } = ctx;
    const opened = await open(this.#open.cached, bucket, version, () => openSnapshot(bucket, version));
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
    const opened = await this.#openCached(ctx.bucket, version, () => openSnapshot(ctx.bucket, version));
    return opened && { areas: opened.areas(ctx.bucket), release, version };
  }

  /** The areas of an edition that the active release carries, or is of. */
  async #carried(ctx: Reader, id: string) {
    const active = await this.#carrying(ctx);
    if (!active?.opened.editions.includes(id)) return undefined;
    const { version, opened } = active;
    const { release } = opened;
    const isOwn = opened.editions[0] === id;
    const areas = isOwn ? opened.areas(ctx.bucket) : await this.#openBeside(ctx, active, id);
    return { areas, release, version, isCarried: true };
  }

  /**
   * Every version of every area in all editions, as the active release carries them.
   *
   * @throws DomainError `storage_unavailable` where there is none, or it can't be read
   */
  async areasThroughTime(ctx: Reader): Promise<{ areas: AreaStore; version: string }> {
    let active = await this.#carrying(ctx);
    // The same version may be published again by a build that makes them, which is rare.
    if (active && !active.opened.hasVersions && this.reopen(VERSIONS_BACKOFF_MS)) active = await this.#active(ctx);
    if (active?.opened.hasVersions) {
      return { areas: await this.#openBeside(ctx, active, VERSIONS), version: active.version };
    }
    const message = active?.opened.isComplete
      ? 'The release was published before there were versions of areas. They are published with it again by "npm run geo:publish".'
      : 'The versions of areas are not published yet, or can not be read. Try again in a few seconds.';
    const cause = active
      ? `${manifestKey(active.version)} names no ${editionName(VERSIONS)}`
      : `${POINTER_KEY} or what it names can not be read`;
    throw new DomainError('storage_unavailable', message, {}, { cause: new Error(cause) });
  }

  /** @throws DomainError `storage_unavailable` where what a release carries beside its own areas can't be read */
  async #openBeside(
    { bucket }: Reader,
    { version, opened }: { version: string; opened: OpenedVersion },
    name: string,
  ): Promise<AreaStore> {
    const areas = await this.#openCached(bucket, `${version} ${name}`, () => opened.edition(bucket, name));
    if (areas === undefined) throw storageUnavailable(editionName(name), 'It can not be read');
    return areas(bucket);
  }

  /** The active release. What of it takes longer to make is published later under the same version: that is looked for. */
  async #carrying(ctx: Reader) {
    const active = await this.#active(ctx);
    return active && !active.opened.isComplete && this.reopen() ? this.#active(ctx) : active;
  }

  /** Whether the active release has the versions of areas. Never throws. */
  async hasVersions(ctx: Reader): Promise<boolean> {
    return (await this.#active(ctx))?.opened.hasVersions ?? false;
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
    if (carried === undefined) byteCache.delete(this.#keyOf(version));
    else if (this.reopen()) byteCache.delete(this.#keyOf(`${version} ${carried}`));
  }

  /** Undefined where the bucket does not say. */
  #editionIndex(bucket: Bucket): Promise<EditionIndex | undefined> {
    const { deadline } = bucket;
    return this.#editions.get({ deadline, load: () => readEditions(bucket) }).catch(() => undefined);
  }

  /** Lets the next answer be of the release that the pointer names then: this instance has activated one. */
  forget(): void {
    this.#pointer.forget();
    this.#editions.forget();
    this.#open = undefined;
  }

  /**
   * Lets the areas be opened anew, now and then: one of their objects can't be read, as where the same release was
   * published again and its former objects were deleted.
   *
   * @returns whether they are opened anew
   */
  reopen(backoff = BACKOFF_MS): boolean {
    if (steadyTime() - this.#reopenedAt < backoff) return false;
    this.#reopenedAt = steadyTime();
    this.#open = undefined;
    return true;
  }

  /** Whether a version is the one that is served, and opened. Never throws. */
  async serves(ctx: Reader, version: string): Promise<boolean> {
    return this.#open?.version === version && !!this.#open.cached.value && (await this.#version(ctx)) === version;
  }

  /** The version that is served; null where none is, undefined where the bucket doesn't say. Never throws. */
  #version(ctx: Reader): Promise<string | null | undefined> {
    const loading = {
      deadline: ctx.deadline,
      load: () => readPointer(ctx.bucket),
      background: (refresh: (load: () => Promise<string | null>) => Promise<void>) =>
        ctx.waitUntil(refresh(() => readPointer(ctx.afterAnswer.bucket))),
    };
    return this.#pointer.get(loading).catch(() => undefined);
  }

  /** Opens the areas of an edition within the budget of the cache. Undefined where that fails. */
  async #openCached<T>(bucket: Bucket, name: string, load: () => Promise<T>): Promise<T | undefined> {
    const key = this.#keyOf(name);
    const found = byteCache.get(key) as Opening<T> | undefined;
    const opening = found ?? { cached: new CachedValue<T>(OPENED_POLICY), byteLength: 0 };
    if (!found) byteCache.set(key, opening);
    const opened = await open(opening.cached, bucket, name, load);
    if (opened && opening.byteLength === 0)
      byteCache.set(key, { ...opening, byteLength: OPENED_BYTES } as Opening<T>, 0.5);
    return opened;
  }

  #keyOf(name: string): string {
    return `opened ${this.#id} ${name}`;
  }
}

/** Undefined where it can't be opened. */
function open<T>(
  cached: CachedValue<T>,
  bucket: Bucket,
  version: string,
  load: () => Promise<T>,
): Promise<T | undefined> {
  const { deadline } = bucket;
  const opening = () => logged('snapshot_unreadable', load, { version });
  return cached.get({ deadline, load: opening }).catch(() => undefined);
}

/** The version that the pointer names; null where there is none. */
function readPointer(bucket: Bucket): Promise<string | null> {
  return logged('snapshot_pointer_unreadable', async () => {
    const pointer = await readNamed(bucket, POINTER_KEY);
    return pointer === undefined ? null : pointerSchema.parse(pointer).version;
  });
}

function readEditions(bucket: Bucket): Promise<EditionIndex> {
  return logged('snapshot_pointer_unreadable', async () => {
    const found = await readNamed(bucket, EDITIONS_KEY);
    return found === undefined ? {} : editionsSchema.parse(found).editions;
  });
}

function readNamed(bucket: Bucket, key: string): Promise<unknown> {
  return readInTime(bucket, key, (timeout) => bucket.findJson(key, { timeout }), POINTER_TIMEOUT_MS);
}

async function logged<T>(event: string, load: () => Promise<T>, facts: Record<string, string> = {}): Promise<T> {
  try {
    return await load();
  } catch (error) {
    logFailure(event, error, facts);
    throw error;
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
  const find = (timeout: number) => findManifest(bucket, version, timeout);
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
    hasVersions: objects.has(editionName(VERSIONS)),
    edition: async (reader, id) => {
      const edition = snapshotAreas(await openEdition(objects.readBy(reader), id, opened));
      return (later) => edition(objects.readBy(later));
    },
  };
}

/** One for the life of an instance, by the bucket that it reads. */
const byBucket = new WeakMap<R2Bucket, Snapshots>();

export function snapshotsIn({ binding }: Bucket): Snapshots {
  const found = byBucket.get(binding) ?? new Snapshots();
  byBucket.set(binding, found);
  return found;
}
