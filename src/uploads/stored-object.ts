import type { Bucket, PartsUpload } from '../storage/bucket.ts';
import type { RandomAccess } from './formats/format.ts';

/** Size of all parts of an object except the last, bytes: R2's minimum. */
const PART_BYTES = 5 * 1024 * 1024;

/**
 * Writes an object of unknown length while its bytes arrive. An object smaller than a part is put in one piece. Atomic:
 * nothing is visible under the key before `finish`.
 */
export class ObjectWriter {
  readonly #bucket: Bucket;
  readonly #key: string;
  readonly #started: (multipartId: string) => Promise<void>;
  readonly #part = new Uint8Array(PART_BYTES);
  readonly #parts: R2UploadedPart[] = [];
  #filled = 0;
  #upload: PartsUpload | undefined;

  /** @param started called with the id of a multipart upload before its first part is sent */
  constructor(bucket: Bucket, key: string, started: (multipartId: string) => Promise<void>) {
    this.#bucket = bucket;
    this.#key = key;
    this.#started = started;
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      const taken = rest.subarray(0, PART_BYTES - this.#filled);
      this.#part.set(taken, this.#filled);
      this.#filled += taken.length;
      rest = rest.subarray(taken.length);
      if (this.#filled === PART_BYTES) await this.#send();
    }
  }

  async finish(): Promise<void> {
    if (!this.#upload) {
      await this.#bucket.put(this.#key, this.#part.subarray(0, this.#filled));
      return;
    }
    if (this.#filled > 0) await this.#send();
    await this.#upload.complete(this.#parts);
  }

  async #send(): Promise<void> {
    if (!this.#upload) {
      this.#upload = await this.#bucket.startParts(this.#key);
      await this.#started(this.#upload.id);
    }
    const part = await this.#upload.put(this.#parts.length + 1, this.#part.subarray(0, this.#filled));
    this.#parts.push(part);
    this.#bucket.deadline.partDone();
    this.#filled = 0;
  }
}

/** Max size of an object read in one request, bytes, so that a slow bucket is waited for once. */
const SMALL_BYTES = 1024 * 1024;

export function randomAccess(bucket: Bucket, key: string, bytes: number): RandomAccess {
  let whole: Promise<Uint8Array> | undefined;
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    if (length === 0) return new Uint8Array(0);
    if (bytes <= SMALL_BYTES) {
      whole ??= bucket.getBytes(key, { offset: 0, length: bytes });
      return (await whole).slice(offset, offset + length);
    }
    const part = await bucket.getBytes(key, { offset, length });
    bucket.deadline.partDone();
    return part;
  };
  const stream = async (offset: number, length: number): Promise<AsyncIterable<Uint8Array>> =>
    bytes <= SMALL_BYTES ? once(await read(offset, length)) : bucket.getChunks(key, { offset, length });
  return { bytes, read, stream };
}

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}
