import { CachedValue, type CachePolicy } from '../../cached-value.ts';
import { steadyTime } from '../../clock.ts';
import type { ServiceContext } from '../../context.ts';
import { DomainError } from '../../errors.ts';
import { type Bucket, storageUnavailable } from '../../storage/bucket.ts';
import type { AreaStore } from '../store.ts';
import { EDITIONS_KEY, editionName, manifestKey, POINTER_KEY, THROUGH_TIME } from './layout.ts';
import { byteCache, RESERVED_MS, SnapshotUnreadable } from './objects.ts';
import { type OpenedVersion, openVersion } from './opened-version.ts';
import { type EditionIndex, logged, POINTER_TIMEOUT_MS, readEditions, readPointer } from './pointers.ts';

/** The least time between two tries after a failure, milliseconds. */
const BACKOFF_MS = 5000;

/** How often the active version is opened again to look for the versions of areas that it lacks, milliseconds. */
const THROUGH_TIME_BACKOFF_MS = 60_000;

/** No answer is older than the TTL of the pointer. */
const POINTER_POLICY: CachePolicy = {
  ttl: 10_000,
  refreshAfter: 5000,
  backoff: BACKOFF_MS,
  abandonAfter: POINTER_TIMEOUT_MS + 500,
  reserve: RESERVED_MS,
  // A request that lacked time says nothing about the bucket, so others may try at once.
  isRequestFault: (error) => error instanceof SnapshotUnreadable && error.isHurried,
};

/** Published editions stay published, so the last known ones are used while the bucket can't be read. */
const EDITIONS_POLICY: CachePolicy = { ...POINTER_POLICY, maxStale: Number.POSITIVE_INFINITY };

/** A version is immutable. */
const OPENED_POLICY: CachePolicy = { ...POINTER_POLICY, ttl: Number.POSITIVE_INFINITY, abandonAfter: 3000 };

/**
 * Approximate memory of the opened areas of an edition with the index of their names, bytes. They are in `byteCache` and
 * count towards its budget; those of the active version are not.
 */
const OPENED_BYTES = 14 * 1024 * 1024;

/** What of a request's context reading needs. */
type Reader = Pick<ServiceContext, 'bucket' | 'deadline' | 'waitUntil' | 'afterAnswer'>;

/** An entry of `byteCache`: a version, or the areas of an edition, once they are opened. */
interface Opening<T> {
  readonly cached: CachedValue<T>;
  readonly byteLength: number;
}

/** Caches the snapshots of one bucket for the life of an instance. */
class Snapshots {
  /** The active version; null where none is published. */
  readonly #pointer = new CachedValue<string | null>(POINTER_POLICY);
  readonly #editions = new CachedValue<EditionIndex>(EDITIONS_POLICY);
  #opened: { readonly version: string; readonly cached: CachedValue<OpenedVersion> } | undefined;
  #reopenedAt = Number.NEGATIVE_INFINITY;
  /** Part of the keys in `byteCache`, which all buckets share. */
  readonly #id = crypto.randomUUID();

  /** The areas of the active version; undefined where none is published or it can't be read. */
  async areas(ctx: Reader): Promise<AreaStore | undefined> {
    return (await this.#active(ctx))?.opened.areas(ctx.bucket);
  }

  async #active(ctx: Reader): Promise<{ version: string; opened: OpenedVersion } | undefined> {
    const version = await this.#version(ctx);
    if (version === null || version === undefined) return undefined;
    if (this.#opened?.version !== version) this.#opened = { version, cached: new CachedValue(OPENED_POLICY) };
    const { bucket } = ctx;
    const opened = await open(this.#opened.cached, bucket, version, () => openVersion(bucket, version));
    return opened && { version, opened };
  }

  /**
   * The areas of an edition: those of its own published release, else those included in the active release. Undefined
   * where there are neither, or they can't be read.
   *
   * @param id `2023-4q`
   */
  async areasOfEdition(
    ctx: Reader,
    id: string,
  ): Promise<{ areas: AreaStore; release: string; version: string; isIncluded?: boolean } | undefined> {
    const found = (await this.#editionIndex(ctx.bucket))?.[id];
    if (!found) return this.#includedEdition(ctx, id);
    const { version, release } = found;
    if ((await this.#version(ctx)) === version) {
      const areas = await this.areas(ctx);
      return areas && { areas, release, version };
    }
    const opened = await this.#openCached(ctx.bucket, version, () => openVersion(ctx.bucket, version));
    return opened && { areas: opened.areas(ctx.bucket), release, version };
  }

  /** The areas of an edition that the active release is of, or includes. */
  async #includedEdition(ctx: Reader, id: string) {
    const active = await this.#activeWithEditions(ctx);
    if (!active?.opened.editions.includes(id)) return undefined;
    const { version, opened } = active;
    const { release } = opened;
    const isOwn = opened.editions[0] === id;
    const areas = isOwn ? opened.areas(ctx.bucket) : await this.#openIncluded(ctx, active, id);
    return { areas, release, version, isIncluded: true };
  }

  /**
   * Every version of every area in all editions, from the active release.
   *
   * @throws DomainError `storage_unavailable` where they are not published, or can't be read
   */
  async areasThroughTime(ctx: Reader): Promise<{ areas: AreaStore; version: string }> {
    let active = await this.#activeWithEditions(ctx);
    // A later build may have published the same version again, with the versions of areas.
    if (active && !active.opened.hasAreasThroughTime && this.reopen(THROUGH_TIME_BACKOFF_MS))
      active = await this.#active(ctx);
    if (active?.opened.hasAreasThroughTime) {
      return { areas: await this.#openIncluded(ctx, active, THROUGH_TIME), version: active.version };
    }
    const message = active?.opened.isComplete
      ? 'The release was published before there were versions of areas. They are published with it again by "npm run geo:publish".'
      : 'The versions of areas are not published yet, or can not be read. Try again in a few seconds.';
    const cause = active
      ? `${manifestKey(active.version)} names no ${editionName(THROUGH_TIME)}`
      : `${POINTER_KEY} or what it names can not be read`;
    throw new DomainError('storage_unavailable', message, { cause: new Error(cause) });
  }

  /**
   * @param name the id of an edition that the version includes, or `THROUGH_TIME`
   * @throws DomainError `storage_unavailable`
   */
  async #openIncluded(
    { bucket }: Reader,
    { version, opened }: { version: string; opened: OpenedVersion },
    name: string,
  ): Promise<AreaStore> {
    const areas = await this.#openCached(bucket, `${version} ${name}`, () => opened.openEdition(bucket, name));
    if (areas === undefined) throw storageUnavailable(editionName(name), 'It can not be read');
    return areas(bucket);
  }

  /**
   * The active version. One that was opened before its editions were published is opened again, because they are
   * published under the same version.
   */
  async #activeWithEditions(ctx: Reader) {
    const active = await this.#active(ctx);
    return active && !active.opened.isComplete && this.reopen() ? this.#active(ctx) : active;
  }

  /** Whether the active version has every version of every area. Never throws. */
  async hasAreasThroughTime(ctx: Reader): Promise<boolean> {
    return (await this.#active(ctx))?.opened.hasAreasThroughTime ?? false;
  }

  /**
   * The ids of the editions in the active release; undefined where none is published.
   *
   * @throws DomainError `storage_unavailable` where they are not published yet, or can't be read
   */
  async includedEditions(ctx: Reader): Promise<readonly string[] | undefined> {
    const active = await this.#activeWithEditions(ctx);
    if (!active) {
      const version = await this.activeVersion(ctx);
      if (version === null) return undefined;
      throw storageUnavailable(`The editions of ${version}`, 'They can not be read');
    }
    const { editions, isComplete } = active.opened;
    if (!isComplete) {
      const message = 'The other editions are not published yet. Try again in a few seconds.';
      throw new DomainError('storage_unavailable', message, { cause: new Error(`of ${active.version}`) });
    }
    return editions;
  }

  /**
   * The published versions, the active one first, then those of editions. None of them is opened.
   *
   * @throws DomainError `storage_unavailable` where the bucket can't be read or has none, because none was published or
   *   all were lost
   */
  async versions(ctx: Reader): Promise<string[]> {
    const active = await this.activeVersion(ctx);
    const named = Object.values(await this.editions(ctx)).map(({ version }) => version);
    if (active === null && named.length === 0) throw nothingPublished();
    return [...new Set([...(active === null ? [] : [active]), ...named])];
  }

  /**
   * The active version; null where none is published.
   *
   * @throws DomainError `storage_unavailable`
   */
  async activeVersion(ctx: Reader): Promise<string | null> {
    const version = await this.#version(ctx);
    if (version === undefined) throw storageUnavailable(POINTER_KEY, 'It can not be read');
    return version;
  }

  /** @throws DomainError `storage_unavailable` */
  async editions({ bucket }: Pick<Reader, 'bucket'>): Promise<EditionIndex> {
    const index = await this.#editionIndex(bucket);
    if (!index) throw storageUnavailable(EDITIONS_KEY, 'It can not be read');
    return index;
  }

  /** The ids of the published releases of editions; none where the bucket can't be read. */
  async releasesOfEditions(bucket: Bucket): Promise<string[]> {
    return Object.values((await this.#editionIndex(bucket)) ?? {}).map(({ release }) => release);
  }

  /**
   * Discards the opened areas of an edition, as `reopen` does for the active version.
   *
   * @param included the id of the edition, or `THROUGH_TIME`, where the version includes it; undefined: the version is its own
   */
  reopenEdition(version: string, included?: string): void {
    if (included === undefined) byteCache.delete(this.#keyOf(version));
    else if (this.reopen()) byteCache.delete(this.#keyOf(`${version} ${included}`));
  }

  /** Undefined where it can't be read. */
  #editionIndex(bucket: Bucket): Promise<EditionIndex | undefined> {
    const { deadline } = bucket;
    return this.#editions.get({ deadline, load: () => readEditions(bucket) }).catch(() => undefined);
  }

  /** Discards what is cached of the active version and of editions, after this instance has activated a release. */
  forget(): void {
    this.#pointer.forget();
    this.#editions.forget();
    this.#opened = undefined;
  }

  /**
   * Discards the opened active version after one of its objects could not be read. The same version may have been
   * published again, and its former objects deleted.
   *
   * @param backoff the least time since the last call that discarded it, milliseconds
   * @returns whether it was discarded, and the next request opens it again
   */
  reopen(backoff = BACKOFF_MS): boolean {
    if (steadyTime() - this.#reopenedAt < backoff) return false;
    this.#reopenedAt = steadyTime();
    this.#opened = undefined;
    return true;
  }

  /** Whether a version is active and opened. Never throws. */
  async serves(ctx: Reader, version: string): Promise<boolean> {
    return this.#opened?.version === version && !!this.#opened.cached.value && (await this.#version(ctx)) === version;
  }

  /** The active version; null where none is published, undefined where the pointer can't be read. Never throws. */
  #version(ctx: Reader): Promise<string | null | undefined> {
    const loading = {
      deadline: ctx.deadline,
      load: () => readPointer(ctx.bucket),
      background: (refresh: (load: () => Promise<string | null>) => Promise<void>) =>
        ctx.waitUntil(refresh(() => readPointer(ctx.afterAnswer.bucket))),
    };
    return this.#pointer.get(loading).catch(() => undefined);
  }

  /** Opens a version or the areas of an edition, and caches it in `byteCache`. Undefined where that fails. */
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

/** Undefined where it can't be opened, which is logged. */
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

function nothingPublished(): DomainError {
  const message =
    'No release is published here, or the object store has lost what was: run "npm run dev", which publishes one on this machine, or "npm run geo:publish" elsewhere.';
  return new DomainError('storage_unavailable', message, { cause: new Error(`${POINTER_KEY} is not there`) });
}

const byBucket = new WeakMap<R2Bucket, Snapshots>();

export function snapshotsIn({ binding }: Bucket): Snapshots {
  const found = byBucket.get(binding) ?? new Snapshots();
  byBucket.set(binding, found);
  return found;
}
