import { hashOf } from '../auth/key-token.ts';
import { hexOf } from '../hex.ts';
import type { Part } from './multipart.ts';

/**
 * Tells whether two forms have the same parts. Their bodies differ where the same form is sent again, because the
 * boundary between its parts is another one.
 */
export class FormDigest {
  readonly #parts: string[] = [];

  /** The same parts, which are hashed while they are read. */
  async *over(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
    for await (const part of parts) {
      const hash = new crypto.DigestStream('SHA-256');
      const chunks = hashed(part.chunks, hash.getWriter());
      yield { ...part, chunks };
      // What nobody has read is a part of the form too.
      for await (const _ of chunks);
      const content = hexOf(new Uint8Array(await hash.digest));
      this.#parts.push(JSON.stringify([part.name, part.fileName ?? null, content]));
    }
  }

  /** SHA-256 of the parts in any order, 64 hex digits, once all of them were read. */
  value(): Promise<string> {
    return hashOf(this.#parts.sort().join('\n'));
  }
}

async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<ArrayBuffer | ArrayBufferView>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    await writer.write(chunk);
    yield chunk;
  }
  await writer.close();
}
