/**
 * Unpacks gzip, and no more than may come out of it.
 *
 * @throws Error for what is no gzip or becomes too much
 */
export async function inflate(packed: ArrayBuffer, maxBytes: number): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`Unpacks to more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return new Blob(chunks).arrayBuffer();
}
