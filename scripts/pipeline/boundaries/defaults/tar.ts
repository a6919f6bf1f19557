const BLOCK = 512;
const REGULAR = new Set(['0', '\0']);

/**
 * The content of one regular file in a tar archive, which is read no further than that.
 * https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html has the header's layout ("ustar").
 * @param name the file's path within the archive, of at most 100 bytes
 * @param maxBytes how long it may be
 * @throws when it isn't there or too long, and when the archive is cut off or none
 */
export async function fileInTar(archive: AsyncIterable<Uint8Array>, name: string, maxBytes: number): Promise<Buffer> {
  const reader = new BlockReader(archive);
  for (;;) {
    const header = await reader.take(BLOCK);
    // Two blocks of zeros end an archive.
    if (header.every((byte) => byte === 0)) throw new Error(`The archive has no file ${name}`);
    const size = octal(header.subarray(124, 136));
    if (size === undefined || octal(header.subarray(148, 156)) !== checksum(header)) {
      throw new Error('The archive is damaged or no tar archive');
    }
    const padding = (BLOCK - (size % BLOCK)) % BLOCK;
    const isWanted = text(header.subarray(0, 100)) === name && text(header.subarray(345, 500)) === '';
    if (!isWanted || !REGULAR.has(String.fromCharCode(header[156] ?? 0))) {
      await reader.skip(size + padding);
      continue;
    }
    if (size > maxBytes) throw new Error(`${name} has ${size} bytes, more than the ${maxBytes} expected at most`);
    return reader.take(size);
  }
}

function text(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? field.length : end);
}

/** A number of octal digits; undefined where there is something else, such as the binary numbers of huge files. */
function octal(field: Buffer): number | undefined {
  const digits = text(field).trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

/** The sum of a header's bytes, with blanks in place of the checksum itself. */
function checksum(header: Buffer): number {
  return header.reduce((sum, byte, i) => sum + (i >= 148 && i < 156 ? 0x20 : byte), 0);
}

/** Takes a stream of pieces of any length apart as it is asked to. */
class BlockReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  async take(bytes: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    await this.#advance(bytes, (part) => parts.push(part));
    return Buffer.concat(parts);
  }

  async skip(bytes: number): Promise<void> {
    await this.#advance(bytes, () => {});
  }

  async #advance(bytes: number, use: (part: Uint8Array) => void): Promise<void> {
    for (let missing = bytes; missing > 0; ) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#pieces.next();
        if (done) throw new Error('The archive is cut off');
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      missing -= part.length;
      use(part);
    }
  }
}
