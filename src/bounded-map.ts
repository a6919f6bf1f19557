import { steadyTime } from './clock.ts';

/**
 * A map with a limit of entries: a new one evicts the oldest. So callers who choose its keys can't fill the memory of an
 * instance.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    super();
    this.#maxEntries = maxEntries;
  }

  /** Sets a value. The key becomes the newest. */
  override set(key: Key, value: Value): this {
    this.delete(key);
    if (this.size >= this.#maxEntries) this.delete(this.keys().next().value as Key);
    return super.set(key, value);
  }
}

/** The same with a TTL for each entry. */
export class TtlMap<Key, Value> {
  readonly #entries: BoundedMap<Key, { readonly value: Value; readonly endsAt: number }>;

  constructor(maxEntries: number) {
    this.#entries = new BoundedMap(maxEntries);
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry && steadyTime() >= entry.endsAt) this.#entries.delete(key);
    return this.#entries.get(key)?.value;
  }

  /** @param ttl milliseconds */
  set(key: Key, value: Value, ttl: number): void {
    this.#entries.set(key, { value, endsAt: steadyTime() + ttl });
  }

  deleteWhere(isDeleted: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) if (isDeleted(value)) this.#entries.delete(key);
  }
}
