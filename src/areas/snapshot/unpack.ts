/**
 * Unpacks gzip bytes, or deflate bytes without a header.
 *
 * @param limit the most bytes that may come of it
 * @throws TypeError where the bytes are not packed so, RangeError where more comes of them
 */
export async function unpack(packed: Uint8Array, format: 'gzip' | 'deflate-raw', limit: number): Promise<Uint8Array> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream(format)).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new RangeError(`The bytes unpack to more than ${limit}`);
    }
    chunks.push(value);
  }
  const unpacked = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    unpacked.set(chunk, at);
    at += chunk.length;
  }
  return unpacked;
}
