import { steadyTime } from './clock.ts';

/**
 * A memory of an instance with room for so many entries: a new one takes the place of the oldest. What callers choose
 * can't fill more than that.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  /** Sets a value. The key becomes the newest. */
  override set(key: Key, value: Value): this {
    this.delete(key);
    if (this.size >= this.#most) this.delete(this.keys().next().value as Key);
    return super.set(key, value);
  }
}

/** The same for entries that end: each has a time to live of its own. */
export class TtlMap<Key, Value> {
  readonly #entries: BoundedMap<Key, { readonly value: Value; readonly endsAt: number }>;

  constructor(most: number) {
    this.#entries = new BoundedMap(most);
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
