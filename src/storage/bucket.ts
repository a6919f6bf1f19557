import type { Deadline } from '../deadline.ts';
import { DomainError } from '../errors.ts';
import { hexOf } from '../hex.ts';
import { steadyStream, timelyChunks } from '../http/stream.ts';
import { logFailure } from '../log.ts';

/** A part of an object, bytes. */
interface Range {
  readonly offset: number;
  readonly length: number;
}

interface ReadOptions {
  /** The part that is wanted; all of the object where it is left out. */
  readonly range?: Range | undefined;
  /** The entity tag that the object must have. */
  readonly etag?: string;
  /** The SHA-256 of all of its bytes, 64 hexadecimal digits. A range of them is not held to it. */
  readonly sha256?: string;
  /** How long to wait at most, milliseconds. */
  readonly timeout?: number | undefined;
}

/** An upload in parts that was begun. */
export interface PartsUpload {
  readonly id: string;
  put(number: number, bytes: Uint8Array): Promise<R2UploadedPart>;
  complete(parts: R2UploadedPart[]): Promise<unknown>;
}

/** A stream or an object has other bytes than were announced. */
export class OtherBytes extends Error {
  override readonly name = 'OtherBytes';
}

/**
 * The object store, with a deadline for each of its answers. Methods throw DomainError `storage_unavailable` where it
 * refuses, does not answer in time or breaks off, and where an object is missing that must be there.
 */
export class Bucket {
  /** The binding of the platform. */
  readonly binding: R2Bucket;
  readonly deadline: Deadline;

  constructor(binding: R2Bucket, deadline: Deadline) {
    this.binding = binding;
    this.deadline = deadline;
  }

  /** All bytes, or a part of them. Undefined where there is no such object, or it has another entity tag. */
  findBytes(key: string, wanted: ReadOptions = {}): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const read = async () => {
      const object = await this.#open(key, wanted);
      const bytes = object && new Uint8Array(await object.arrayBuffer());
      if (bytes && wanted.sha256) requireDigest(await crypto.subtle.digest('SHA-256', bytes), wanted.sha256);
      return bytes;
    };
    return this.#ask(key, read, wanted.timeout);
  }

  /** A part of an object that must be there. */
  async getBytes(key: string, range: Range): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.findBytes(key, { range });
    if (bytes?.length === range.length) return bytes;
    throw storageUnavailable(key, bytes ? `It gave ${bytes.length} bytes in place of ${range.length}` : MISSING);
  }

  /** JSON, which is not checked. Undefined where there is no such object. */
  async findJson(key: string, wanted: ReadOptions = {}): Promise<unknown> {
    const bytes = await this.findBytes(key, wanted);
    try {
      return bytes && JSON.parse(new TextDecoder().decode(bytes));
    } catch (error) {
      throw storageUnavailable(key, error);
    }
  }

  /**
   * The chunks of an object or of a part of it, each of which is waited for by itself. Undefined where there is no such
   * object, or it has another entity tag.
   */
  async findChunks(
    key: string,
    wanted: ReadOptions = {},
    deadline = this.deadline.unhurried,
  ): Promise<{ chunks: AsyncGenerator<Uint8Array>; length: number } | undefined> {
    const late = (object?: R2ObjectBody) => object?.body.cancel();
    const object = await this.#ask(key, () => this.#open(key, wanted), wanted.timeout, late);
    if (!object) return undefined;
    const failed = (error: unknown) => storageUnavailable(key, error);
    return { chunks: timelyChunks(object.body, deadline, failed), length: wanted.range?.length ?? object.size };
  }

  /** The chunks of an object that must be there, for long work before an answer. */
  async getChunks(key: string, range?: Range): Promise<AsyncGenerator<Uint8Array>> {
    const found = await this.findChunks(key, { range }, this.deadline);
    if (found) return found.chunks;
    throw storageUnavailable(key, MISSING);
  }

  /**
   * An object or a part of it as the body of an answer, once its first bytes are there. Where it then breaks off, stands
   * still or turns out to be other bytes, the answer breaks off, and the log says so.
   */
  async findBody(key: string, wanted: ReadOptions = {}): Promise<ReadableStream<Uint8Array> | undefined> {
    const found = await this.findChunks(key, wanted);
    if (!found) return undefined;
    const { chunks, length } = found;
    const brokeOff = (error: unknown) => logFailure('object_broke_off', error, { key });
    const late = (body: ReadableStream) => body.cancel();
    const { range, sha256, timeout } = wanted;
    const sent = sha256 === undefined || range ? chunks : digested(chunks, sha256);
    return this.#ask(key, () => steadyStream(sent, length, brokeOff), timeout, late);
  }

  /** Null where there is no such object. */
  head(key: string): Promise<R2Object | null> {
    return this.#ask(key, () => this.binding.head(key));
  }

  async put(key: string, value: Uint8Array | string): Promise<void> {
    await this.#ask(key, () => this.binding.put(key, value));
  }

  /**
   * Stores a stream while it arrives. Only the bucket is waited for with a deadline, at each chunk and at the end.
   *
   * @param size of the stream, bytes
   * @throws OtherBytes if the stream has another size or digest than announced; and what the stream fails with
   */
  async putStream(
    key: string,
    chunks: AsyncIterable<Uint8Array>,
    { size, ...options }: { size: number } & Pick<R2PutOptions, 'sha256' | 'httpMetadata'>,
  ): Promise<R2Object> {
    const { readable, writable } = new FixedLengthStream(size);
    const writer = writable.getWriter();
    // A stream that fails is noticed where it is written to.
    writer.closed.catch(() => undefined);
    const storing = (async () => this.binding.put(key, readable, options))();
    let refusal: unknown;
    storing.catch((error) => {
      refusal = error;
    });
    // A bucket that refuses the object may leave its stream unread.
    const send = (step: () => Promise<unknown>) => this.#ask(key, () => Promise.race([step(), storing]));
    let sent = 0;
    try {
      for await (const chunk of chunks) {
        // Every chunk that was taken is a part of the work.
        if (sent > 0) this.deadline.partDone();
        sent += chunk.length;
        if (sent > size) break;
        await send(() => writer.write(chunk));
      }
      if (sent !== size) throw new OtherBytes(`${key} has ${sent} bytes or more in place of ${size}`);
      await send(() => writer.close());
      return await this.#ask(key, () => storing);
    } catch (error) {
      writer.abort(error).catch(() => undefined);
      if (isDigestRefusal(refusal)) throw new OtherBytes(`${key} has another digest`, { cause: refusal });
      throw refusal === undefined || error instanceof OtherBytes ? error : storageUnavailable(key, refusal);
    }
  }

  /** Begins an object that is sent in parts. */
  async startParts(key: string): Promise<PartsUpload> {
    const upload = await this.#ask(key, () => this.binding.createMultipartUpload(key));
    return {
      id: upload.uploadId,
      put: (number, bytes) => this.#ask(key, () => upload.uploadPart(number, bytes)),
      complete: (parts) => this.#ask(key, () => upload.complete(parts)),
    };
  }

  /** Removes the parts of an upload that was begun. Fails where it was completed or aborted before. */
  abortParts(key: string, id: string): Promise<void> {
    return this.#ask(key, () => this.binding.resumeMultipartUpload(key, id).abort());
  }

  delete(keys: string | string[]): Promise<void> {
    return this.#ask(String(keys), () => this.binding.delete(keys));
  }

  list(options: R2ListOptions): Promise<R2Objects> {
    return this.#ask(String(options.prefix), () => this.binding.list(options));
  }

  async #open(key: string, { range, etag }: ReadOptions): Promise<R2ObjectBody | undefined> {
    const onlyIf = etag === undefined ? {} : { onlyIf: { etagMatches: etag } };
    const object = await this.binding.get(key, { ...(range && { range }), ...onlyIf });
    return object && 'body' in object && object.body ? object : undefined;
  }

  async #ask<T>(
    key: string,
    start: () => Promise<T>,
    timeout = this.deadline.forAnswer,
    late?: (value: T) => unknown,
  ): Promise<T> {
    try {
      return await this.deadline.within(timeout, start, late);
    } catch (error) {
      throw error instanceof DomainError ? error : storageUnavailable(key, error);
    }
  }
}

const MISSING = 'It is not there';

/** The same chunks. The last one is given once all of them have the digest that they should have. */
async function* digested(chunks: AsyncGenerator<Uint8Array>, sha256: string): AsyncGenerator<Uint8Array> {
  const stream = new crypto.DigestStream('SHA-256');
  const writer = stream.getWriter();
  let last: Uint8Array | undefined;
  for await (const chunk of chunks) {
    await writer.write(chunk);
    if (last) yield last;
    last = chunk;
  }
  await writer.close();
  requireDigest(await stream.digest, sha256);
  if (last) yield last;
}

function requireDigest(digest: ArrayBuffer, sha256: string): void {
  if (hexOf(new Uint8Array(digest)) !== sha256) throw new OtherBytes('Its bytes have another SHA-256');
}

/**
 * The error for a bucket that doesn't do what it should.
 *
 * @param key of the object, for the log
 * @param cause an error, or what is wrong
 */
export function storageUnavailable(key: string, cause: unknown): DomainError {
  const message = 'The object store does not answer as it should. Try again in a few seconds.';
  const known = typeof cause === 'string' ? undefined : cause;
  const error = new Error(`${key}: ${known === undefined ? cause : 'it can not be used'}`, { cause: known });
  return new DomainError('storage_unavailable', message, { cause: error });
}

/** Whether the bucket refused bytes whose digest is not the announced one. */
function isDigestRefusal(error: unknown): boolean {
  return error instanceof Error && /checksum|\(10037\)/i.test(error.message);
}
