import { type Bucket, OtherBytes } from '../storage/bucket.ts';
import { ARCHIVE_TYPE } from './archive.ts';
import { HEADER_BYTES, invalidArchive } from './header.ts';

/** Every object of an archive has a key with this prefix, and no other object has. */
export const OBJECT_PREFIX = 'tiles/';

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
 * @throws DomainError `invalid_archive` if the upload breaks off before its announced size; `storage_unavailable`
 */
export async function storeObject(
  bucket: Bucket,
  key: string,
  { beginning, rest, size }: StartedUpload & { readonly size: number },
): Promise<R2Object> {
  const brokenOff = () => invalidArchive(`it breaks off before the ${size} bytes that Content-Length says`);
  const chunks = async function* () {
    yield beginning;
    for (;;) {
      const { done, value } = await rest.read().catch(() => Promise.reject(brokenOff()));
      if (done) return;
      yield value;
    }
  };
  try {
    return await bucket.putStream(key, chunks(), { size, httpMetadata: { contentType: ARCHIVE_TYPE } });
  } catch (error) {
    throw error instanceof OtherBytes ? brokenOff() : error;
  }
}
