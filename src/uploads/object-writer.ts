/** Parts of an object are all of this size but the last, bytes: the least that the store takes. */
const PART_BYTES = 5 * 1024 * 1024;

/**
 * Writes an object as its bytes arrive, whose length nobody knows. One that is smaller than a part is put in one piece.
 * Nothing is visible under the key before `finish`.
 */
export class ObjectWriter {
  readonly #bucket: R2Bucket;
  readonly #key: string;
  readonly #started: (multipartId: string) => Promise<void>;
  readonly #part = new Uint8Array(PART_BYTES);
  readonly #parts: R2UploadedPart[] = [];
  #filled = 0;
  #upload: R2MultipartUpload | undefined;
  /** Bytes that were written. */
  bytes = 0;

  /** @param started told of an upload in parts before its first part is sent */
  constructor(bucket: R2Bucket, key: string, started: (multipartId: string) => Promise<void>) {
    this.#bucket = bucket;
    this.#key = key;
    this.#started = started;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.bytes += chunk.length;
    for (let rest = chunk; rest.length > 0; ) {
      const taken = rest.subarray(0, PART_BYTES - this.#filled);
      this.#part.set(taken, this.#filled);
      this.#filled += taken.length;
      rest = rest.subarray(taken.length);
      if (this.#filled === PART_BYTES) await this.#send();
    }
  }

  /** Makes the object visible. */
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
      this.#upload = await this.#bucket.createMultipartUpload(this.#key);
      await this.#started(this.#upload.uploadId);
    }
    const part = await this.#upload.uploadPart(this.#parts.length + 1, this.#part.subarray(0, this.#filled));
    this.#parts.push(part);
    this.#filled = 0;
  }
}
