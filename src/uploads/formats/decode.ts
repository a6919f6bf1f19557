import { FileFault } from './format.ts';

/** Decodes bytes that arrive in chunks. Its methods throw FileFault where bytes are not in the encoding. */
export class Decoder {
  readonly #decoder: InstanceType<typeof TextDecoder>;
  readonly #label: string;

  /** @throws FileFault where the encoding is not known */
  constructor(label = 'utf-8') {
    try {
      this.#decoder = new TextDecoder(label, { fatal: true, ignoreBOM: false });
    } catch {
      throw new FileFault(`is in an encoding that is not known: ${JSON.stringify(label.slice(0, 40))}`);
    }
    this.#label = this.#decoder.encoding;
  }

  push(chunk: Uint8Array): string {
    return this.#decode(() => this.#decoder.decode(chunk, { stream: true }));
  }

  end(): string {
    return this.#decode(() => this.#decoder.decode());
  }

  #decode(work: () => string): string {
    try {
      return work();
    } catch {
      throw new FileFault(`is not ${this.#label === 'utf-8' ? 'UTF-8' : `in its encoding, ${this.#label}`}`);
    }
  }
}
