/** The bytes of several parts, one after another. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** How long a slice is, bytes, but for its last part. */
const SLICE = 256 * 1024;

/** The bytes of parts that are made one after another, in slices: all at once may be more than the memory has place for. */
export function* slicesOf<T>(items: Iterable<T>, partOf: (item: T) => Uint8Array): Generator<Uint8Array> {
  let slice: Uint8Array[] = [];
  let bytes = 0;
  for (const item of items) {
    const part = partOf(item);
    slice.push(part);
    bytes += part.length;
    if (bytes < SLICE) continue;
    yield joinBytes(slice);
    [slice, bytes] = [[], 0];
  }
  if (bytes > 0) yield joinBytes(slice);
}
