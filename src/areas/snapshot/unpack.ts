import { collectBytes } from '../../http/stream.ts';

/**
 * Unpacks gzip bytes, or deflate bytes without a header.
 *
 * @param limit the most bytes that may come of it
 * @throws TypeError where the bytes are not packed so, RangeError where more comes of them
 */
export function unpack(packed: Uint8Array, format: 'gzip' | 'deflate-raw', limit: number): Promise<Uint8Array> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream(format));
  return collectBytes(inLargeReads(stream), limit, () => new RangeError(`The bytes unpack to more than ${limit}`));
}

/** Bytes of a read. By itself a stream of the runtime gives 4 kB at a time, each in a turn of the event loop. */
const READ_BYTES = 256 * 1024;

async function* inLargeReads(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader({ mode: 'byob' });
  try {
    for (;;) {
      const { done, value } = await reader.readAtLeast(READ_BYTES, new Uint8Array(READ_BYTES));
      if (value) yield value;
      if (done) return;
    }
  } finally {
    // A reader who stops early wants no more of it.
    await reader.cancel().catch(() => undefined);
  }
}
