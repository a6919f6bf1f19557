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
