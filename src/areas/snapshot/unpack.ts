import { collectBytes, inLargeReads } from '../../http/stream.ts';

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
