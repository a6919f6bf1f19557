const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');

/**
 * Reads the responses of an HTTP/1.1 connection as they arrive, and discards their bodies
 * (https://www.rfc-editor.org/rfc/rfc9112#section-6).
 */
export class ResponseReader {
  readonly #onAnswer: (status: number, bytes: number) => void;
  /** Received bytes of an incomplete head or chunk header. */
  #pending: Buffer = Buffer.alloc(0);
  #state: 'head' | 'body' | 'chunk-line' | 'chunk' | 'trailer' = 'head';
  #status = 0;
  /** Bytes of the body so far. */
  #bytes = 0;
  /** Outstanding bytes of the body, or of a chunk with its line end. */
  #rest = 0;

  /** @param onAnswer called with the status of an answer and the bytes of its body, once it is complete */
  constructor(onAnswer: (status: number, bytes: number) => void) {
    this.#onAnswer = onAnswer;
  }

  /** @throws Error if a response has no length */
  push(chunk: Buffer): void {
    let data = this.#pending.length > 0 ? Buffer.concat([this.#pending, chunk]) : chunk;
    this.#pending = Buffer.alloc(0);
    while (data.length > 0) {
      if (this.#state === 'body' || this.#state === 'chunk') {
        const taken = Math.min(this.#rest, data.length);
        this.#rest -= taken;
        data = data.subarray(taken);
        if (this.#rest > 0) return;
        if (this.#state === 'chunk') this.#state = 'chunk-line';
        else this.#end();
        continue;
      }
      const mark = this.#state === 'head' ? HEAD_END : LINE_END;
      const at = data.indexOf(mark);
      if (at === -1) {
        this.#pending = data;
        return;
      }
      const text = data.toString('latin1', 0, at);
      data = data.subarray(at + mark.length);
      if (this.#state === 'head') this.#readHead(text);
      else this.#readLine(text);
    }
  }

  #readHead(head: string): void {
    this.#status = Number(head.slice(9, 12));
    this.#bytes = 0;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined) {
      this.#state = 'body';
      this.#rest = this.#bytes = Number(length);
      if (this.#rest === 0) this.#end();
    } else if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#state = 'chunk-line';
    else if (this.#status === 304 || this.#status === 204) this.#end();
    else throw new Error(`An answer has no length: ${head}`);
  }

  #readLine(line: string): void {
    if (this.#state === 'trailer') {
      if (line === '') this.#end();
      return;
    }
    const size = Number.parseInt(line, 16);
    this.#bytes += size;
    this.#state = size === 0 ? 'trailer' : 'chunk';
    this.#rest = size + LINE_END.length;
  }

  #end(): void {
    this.#state = 'head';
    this.#onAnswer(this.#status, this.#bytes);
  }
}
