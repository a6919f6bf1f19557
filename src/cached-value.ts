import { steadyTime } from './clock.ts';
import type { Deadline } from './deadline.ts';

/** How often a request looks whether another request's load has ended, milliseconds. */
const POLL_INTERVAL_MS = 10;

/** How long a value is used and how often it is loaded. All times are milliseconds. */
export interface CachePolicy {
  /** Up to this age a value is used without a load. */
  readonly ttl: number;
  /** From this age on a value is loaded again in the background, where the caller of `get` gives a `background`. */
  readonly refreshAfter?: number;
  /** Up to this age a value is used if no newer one can be loaded. Default: the TTL. */
  readonly maxStale?: number;
  /** Min time between the beginnings of two loads. Default: 0. */
  readonly backoff?: number;
  /** Max backoff. While a value can be used, each further failure doubles the backoff up to this. Default: `backoff`. */
  readonly maxBackoff?: number;
  /** When a load counts as abandoned: the request that began it may have been cancelled. */
  readonly abandonAfter: number;
  /** Time of its own deadline that a request keeps for its own load when it waits for another request's load. Default: 0. */
  readonly reserve?: number;
  /**
   * Whether an error comes from the request (it had too little time) and says nothing about the source. Then another request may
   * load at once.
   */
  readonly isRequestFault?: (error: unknown) => boolean;
}

interface Loading<T> {
  readonly deadline: Deadline;
  readonly load: () => Promise<T>;
  /** Runs the refresh of an old value in the background. It takes a `load` of its own and never throws. */
  readonly background?: (refresh: (load: () => Promise<T>) => Promise<void>) => void;
  /** Whether a value is the one that is asked for. Default: any. Only for policies without a backoff. */
  readonly isWanted?: (value: T) => boolean;
}

/**
 * A value that an instance caches and loads again when it is old (stale-while-revalidate). One request of the instance loads it
 * for all. Others poll for the result, because the runtime forbids to await a promise of another request.
 */
export class CachedValue<T> {
  readonly #policy: CachePolicy;
  #entry: { readonly value: T; readonly loadedAt: number } | undefined;
  /** The current load. It stays set where the request that began it is cancelled. */
  #current: { readonly since: number } | undefined;
  #lastLoadAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #failure: unknown;

  constructor(policy: CachePolicy) {
    this.#policy = policy;
  }

  /** The value, unless it is too old to be used. */
  get value(): T | undefined {
    return this.#isUsable ? this.#entry?.value : undefined;
  }

  /** When the next load may begin, by `steadyTime`. */
  get nextLoadAt(): number {
    const { backoff = 0, maxBackoff = backoff, abandonAfter } = this.#policy;
    if (this.#isUsable) return this.#lastLoadAt + Math.min(backoff * 2 ** Math.max(0, this.#failures - 1), maxBackoff);
    // An abandoned load shows nothing about the source, so another may follow at once.
    return this.#current ? this.#current.since + abandonAfter : this.#lastLoadAt + backoff;
  }

  /** @throws what the load throws, or threw lately, where no value can be used */
  async get(loading: Loading<T>): Promise<T> {
    const { ttl, refreshAfter = Number.POSITIVE_INFINITY } = this.#policy;
    const { isWanted = () => true, background } = loading;
    const entry = this.#entry;
    if (!entry || !isWanted(entry.value)) return this.#renew(loading, ttl);
    if (this.#age > ttl) return this.#isUsable && this.#isLoading ? entry.value : this.#renew(loading, ttl);
    if (background && this.#age > refreshAfter && !this.#isLoading && steadyTime() >= this.nextLoadAt) {
      background(async (load) => {
        await this.#load(load).catch(() => undefined);
      });
    }
    return entry.value;
  }

  /**
   * Loads the value again although it is not old. Within the backoff it returns the value it has.
   *
   * @throws as `get`
   */
  reload(loading: Loading<T>): Promise<T> {
    return this.#renew(loading, Number.NEGATIVE_INFINITY);
  }

  /** Caches a value that was loaded elsewhere. @param age milliseconds */
  put(value: T, age = 0): void {
    this.#entry = { value, loadedAt: steadyTime() - age };
  }

  /** Drops the value and what a current load brings, because the source has changed. */
  forget(): void {
    this.#entry = undefined;
    this.#current = undefined;
    this.#lastLoadAt = Number.NEGATIVE_INFINITY;
  }

  get #age(): number {
    return this.#entry ? steadyTime() - this.#entry.loadedAt : Number.POSITIVE_INFINITY;
  }

  get #isUsable(): boolean {
    return this.#entry !== undefined && this.#age <= (this.#policy.maxStale ?? this.#policy.ttl);
  }

  get #isLoading(): boolean {
    return this.#current !== undefined && steadyTime() - this.#current.since < this.#policy.abandonAfter;
  }

  /** @param maxAge max age of a value that is returned without a load; `-Infinity`: always load, except within the backoff */
  async #renew({ deadline, load, isWanted = () => true }: Loading<T>, maxAge: number): Promise<T> {
    const { abandonAfter, reserve = 0 } = this.#policy;
    const hasTime = () => deadline.left > reserve + POLL_INTERVAL_MS;
    // The clock of a test may stand still, so waits are added up too.
    for (let waited = 0; this.#isLoading && waited < abandonAfter && hasTime(); waited += POLL_INTERVAL_MS) {
      await deadline.count(() => new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS)));
    }
    const usable = () => (this.#entry && this.#isUsable && isWanted(this.#entry.value) ? this.#entry : undefined);
    const found = usable();
    if (found && (this.#age <= maxAge || (!this.#isLoading && steadyTime() < this.nextLoadAt))) return found.value;
    if (!this.#isLoading && steadyTime() < this.nextLoadAt) throw this.#failure;
    try {
      // Another request still loads and no time is left to wait, so this request calls its own `load`, which its deadline ends.
      // `#load` does not run, so only what `load` itself puts is cached.
      return await (this.#isLoading ? load() : this.#load(load));
    } catch (error) {
      const stale = usable();
      if (stale) return stale.value;
      throw error;
    }
  }

  async #load(load: () => Promise<T>): Promise<T> {
    const before = this.#lastLoadAt;
    const current = { since: steadyTime() };
    this.#current = current;
    this.#lastLoadAt = current.since;
    // A load that `forget` or a later load has replaced changes nothing in the cache.
    const isCurrent = () => this.#current === current;
    try {
      const value = await load();
      if (isCurrent()) {
        this.#entry = { value, loadedAt: current.since };
        this.#failures = 0;
      }
      return value;
    } catch (error) {
      if (isCurrent() && this.#policy.isRequestFault?.(error)) this.#lastLoadAt = before;
      else if (isCurrent()) {
        this.#failures += 1;
        this.#failure = error;
      }
      throw error;
    } finally {
      if (isCurrent()) this.#current = undefined;
    }
  }
}
