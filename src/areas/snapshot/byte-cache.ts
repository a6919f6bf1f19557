/**
 * A cache of an instance with a budget of bytes. The least recently used entries are evicted. What is cached comes from
 * immutable objects, so it has no TTL.
 */
export class ByteCache<Value extends { readonly byteLength: number }> {
  readonly #budget: number;
  readonly #entries = new Map<string, Value>();
  #bytes = 0;

  /** @param budget the most bytes of all values together */
  constructor(budget: number) {
    this.#budget = budget;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /**
   * Caches a value, unless it is too large.
   *
   * @param share of the budget that it may take
   */
  set(key: string, value: Value, share = 0.25): void {
    if (value.byteLength > this.#budget * share) return;
    this.delete(key);
    this.#entries.set(key, value);
    this.#bytes += value.byteLength;
    for (const [oldest] of this.#entries) {
      if (this.#bytes <= this.#budget) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= value.byteLength;
  }
}
