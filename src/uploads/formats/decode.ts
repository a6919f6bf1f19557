import { joinBytes } from '../../bytes.ts';
import { windows1252 } from '../../csv/windows-1252.ts';
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

/** How much of a table is looked at from its first byte beyond ASCII on, bytes: it tells the encoding. */
const LOOKED_AT = 16 * 1024;

/**
 * Decodes a table that arrives in chunks: UTF-16 with its mark, UTF-8, or else Windows-1252, which is what spreadsheets of
 * the West save. `push` and `end` throw FileFault where bytes are not in the encoding that was told.
 */
export class TableDecoder {
  #told: Pick<Decoder, 'push' | 'end'> | undefined;
  /** The first two bytes, and later what is looked at, until there is enough of it. */
  #held: Uint8Array = new Uint8Array();
  #hasBegun = false;

  push(chunk: Uint8Array): string {
    if (this.#told) return this.#told.push(chunk);
    const bytes = joinBytes([this.#held, chunk]);
    this.#held = bytes;
    if (!this.#hasBegun) {
      if (bytes.length < 2) return '';
      this.#hasBegun = true;
      const mark = (bytes[0] as number) * 256 + (bytes[1] as number);
      if (mark === 0xfffe || mark === 0xfeff) return this.#tell(new Decoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be'));
    }
    const at = firstLetter(bytes);
    this.#held = bytes.slice(at);
    const plain = new TextDecoder().decode(bytes.subarray(0, at));
    return this.#held.length < LOOKED_AT ? plain : plain + this.#tell(decoderOf(this.#held, false));
  }

  end(): string {
    const rest = this.#told ? '' : this.#tell(decoderOf(this.#held, true));
    return rest + (this.#told?.end() ?? '');
  }

  #tell(decoder: Pick<Decoder, 'push' | 'end'>): string {
    const held = this.#held;
    this.#told = decoder;
    this.#held = new Uint8Array();
    return decoder.push(held);
  }
}

/** Where the first byte beyond ASCII is; behind the end where there is none. */
function firstLetter(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && (bytes[at] as number) < 0x80) at += 1;
  return at;
}

function decoderOf(bytes: Uint8Array, isWhole: boolean): Pick<Decoder, 'push' | 'end'> {
  try {
    // A character may be cut at the end of a part.
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, LOOKED_AT), {
      stream: !isWhole,
    });
    return new Decoder();
  } catch {
    return { push: windows1252, end: () => '' };
  }
}
