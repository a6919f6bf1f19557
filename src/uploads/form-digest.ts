import { hashOf } from '../auth/key-token.ts';
import { hexOf } from '../hex.ts';
import type { Part } from './multipart.ts';

/**
 * Digest of a form's parts, independent of the boundary between them, which differs when the same form is sent again.
 */
export class FormDigest {
  readonly #parts: string[] = [];

  /** Passes on the parts and hashes them while they are read. */
  async *over(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
    for await (const part of parts) {
      const hash = new crypto.DigestStream('SHA-256');
      const chunks = hashed(part.chunks, hash.getWriter());
      yield { ...part, chunks };
      // The unread rest counts too.
      for await (const _ of chunks);
      const content = hexOf(new Uint8Array(await hash.digest));
      this.#parts.push(JSON.stringify([part.name, part.fileName ?? null, content]));
    }
  }

  /** SHA-256 of the parts in any order, 64 hex digits. Call it after all of them have been read. */
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
