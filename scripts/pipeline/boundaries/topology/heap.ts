/** A binary min-heap of numbers by key. */
export class MinHeap {
  readonly #keys: number[] = [];
  readonly #values: number[] = [];

  push(key: number, value: number): void {
    let i = this.#keys.length;
    this.#keys.push(key);
    this.#values.push(value);
    for (let up = (i - 1) >> 1; i > 0 && (this.#keys[up] as number) > key; up = (i - 1) >> 1) {
      this.#keys[i] = this.#keys[up] as number;
      this.#values[i] = this.#values[up] as number;
      i = up;
    }
    this.#keys[i] = key;
    this.#values[i] = value;
  }

  /** Takes out the value with the smallest key; undefined if empty. */
  pop(): { key: number; value: number } | undefined {
    const [key, value] = [this.#keys[0], this.#values[0]];
    const [lastKey, lastValue] = [this.#keys.pop(), this.#values.pop()];
    if (key === undefined || value === undefined || lastKey === undefined || lastValue === undefined) return undefined;
    const size = this.#keys.length;
    if (size === 0) return { key, value };
    let i = 0;
    for (let down = 1; down < size; down = 2 * i + 1) {
      if (down + 1 < size && (this.#keys[down + 1] as number) < (this.#keys[down] as number)) down += 1;
      if ((this.#keys[down] as number) >= lastKey) break;
      this.#keys[i] = this.#keys[down] as number;
      this.#values[i] = this.#values[down] as number;
      i = down;
    }
    this.#keys[i] = lastKey;
    this.#values[i] = lastValue;
    return { key, value };
  }
}
