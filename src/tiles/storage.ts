import { ARCHIVE_TYPE } from './archive.ts';
import { HEADER_BYTES, invalidArchive } from './header.ts';

/** Every object of an archive has a key with this prefix, and no other object has. */
export const OBJECT_PREFIX = 'tiles/';

/** The key of a new object. */
export function newObjectKey(): string {
  return `${OBJECT_PREFIX}${crypto.randomUUID()}.pmtiles`;
}

/** An upload whose first chunks have been read, at least as far as its header reaches. */
export interface StartedUpload {
  readonly beginning: Uint8Array<ArrayBuffer>;
  /** Reads the chunks after the beginning. */
  readonly rest: ReadableStreamDefaultReader<Uint8Array>;
}

export async function startUpload(body: ReadableStream<Uint8Array>): Promise<StartedUpload> {
  const rest = body.getReader();
  const chunks: Uint8Array[] = [];
  for (let length = 0; length < HEADER_BYTES; ) {
    const { done, value } = await rest.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  return { beginning: new Uint8Array(await new Blob(chunks).arrayBuffer()), rest };
}

/**
 * Writes an upload into the bucket while it arrives. The bucket needs to know the length of a stream beforehand.
 *
 * @throws DomainError `invalid_archive` if the upload breaks off before its announced size
 */
export async function storeObject(
  bucket: R2Bucket,
  key: string,
  { beginning, rest, size }: StartedUpload & { readonly size: number },
): Promise<R2Object> {
  const { readable, writable } = new FixedLengthStream(size);
  let brokenOff = false;
  const next = () =>
    rest.read().catch((error) => {
      brokenOff = true;
      throw error;
    });
  const send = async () => {
    const writer = writable.getWriter();
    try {
      await writer.write(beginning);
      for (let part = await next(); !part.done; part = await next()) await writer.write(part.value);
      await writer.close();
    } catch (error) {
      await writer.abort(error);
      throw error;
    }
  };
  const options = { httpMetadata: { contentType: ARCHIVE_TYPE } };
  const [sent, stored] = await Promise.allSettled([send(), bucket.put(key, readable, options)]);
  if (brokenOff) throw invalidArchive(`it breaks off before the ${size} bytes that Content-Length says`);
  if (stored.status === 'rejected') throw stored.reason;
  if (sent.status === 'rejected') throw sent.reason;
  return stored.value;
}
