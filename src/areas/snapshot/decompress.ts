import { collectBytes, inLargeReads } from '../../http/stream.ts';

/**
 * Decompresses gzip bytes, or deflate bytes without a header.
 *
 * @param limit the most bytes that it may give
 * @throws TypeError if the bytes have another format, RangeError where they give more than the limit
 */
export function decompress(compressed: Uint8Array, format: 'gzip' | 'deflate-raw', limit: number): Promise<Uint8Array> {
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream(format));
  return collectBytes(inLargeReads(stream), limit, () => new RangeError(`The bytes unpack to more than ${limit}`));
}
