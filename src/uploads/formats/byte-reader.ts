import { joinBytes } from '../../bytes.ts';

/** Reads a requested number of bytes at a time from a source that arrives in chunks. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffered: Uint8Array = new Uint8Array(0);
  /** Number of bytes returned so far. */
  at = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes: exactly `length`, or fewer at the end of the source. Valid until the next call. */
  async next(length: number): Promise<Uint8Array> {
    if (this.#buffered.length < length) {
      const parts = [this.#buffered];
      let gathered = this.#buffered.length;
      while (gathered < length) {
        const { done, value } = await this.#chunks.next();
        if (done) break;
        parts.push(value);
        gathered += value.length;
      }
      this.#buffered = joinBytes(parts);
    }
    const bytes = this.#buffered.subarray(0, length);
    this.#buffered = this.#buffered.subarray(bytes.length);
    this.at += bytes.length;
    return bytes;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.(undefined);
  }
}
