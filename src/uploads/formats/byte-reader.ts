/** Bytes of a source that arrives in chunks, so many at a time. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array(0);
  /** How many bytes were given. */
  at = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes: exactly so many, or fewer where the source ends. They are the caller's until the next call. */
  async next(length: number): Promise<Uint8Array> {
    if (this.#held.length < length) {
      const parts = [this.#held];
      let gathered = this.#held.length;
      while (gathered < length) {
        const { done, value } = await this.#chunks.next();
        if (done) break;
        parts.push(value);
        gathered += value.length;
      }
      this.#held = joined(parts, gathered);
    }
    const bytes = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(bytes.length);
    this.at += bytes.length;
    return bytes;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.(undefined);
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
