/** Unpacks gzip bytes whose origin is trusted: they were verified when they were published. */
export function gunzip(packed: Uint8Array): Promise<Uint8Array> {
  return unpack(packed, 'gzip');
}

/** The same for bytes of deflate without a header. */
export function inflateRaw(packed: Uint8Array): Promise<Uint8Array> {
  return unpack(packed, 'deflate-raw');
}

async function unpack(packed: Uint8Array, format: 'gzip' | 'deflate-raw'): Promise<Uint8Array> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
