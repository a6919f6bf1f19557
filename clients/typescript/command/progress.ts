import { number } from './words.ts';

/** Interval of updates, milliseconds. */
const EVERY_MS = 100;

/** Shows the progress of a table in a line on standard error, if that is a terminal. */
export class Progress {
  readonly #size: number | undefined;
  readonly #isShown: boolean;
  #read = 0;
  #shownAt = 0;

  /** @param size of the table in bytes, if known */
  constructor({ size, isShown }: { size: number | undefined; isShown: boolean }) {
    this.#size = size;
    this.#isShown = isShown && process.stderr.isTTY === true;
  }

  /** Passes on chunks and counts their bytes. */
  async *counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.#read = 0;
    for await (const chunk of chunks) {
      this.#read += chunk.length;
      yield chunk;
    }
  }

  show(rows: number): void {
    if (!this.#isShown || Date.now() - this.#shownAt < EVERY_MS) return;
    this.#shownAt = Date.now();
    const share = this.#size ? ` ${Math.floor((100 * this.#read) / this.#size)}% read` : '';
    process.stderr.write(`\r\u001b[K${number(rows)} rows${share}`);
  }

  clear(): void {
    if (this.#shownAt > 0) process.stderr.write('\r\u001b[K');
  }
}
