/** How a feature begins in an answer of the service. A property may have the same, so it is counted for an estimate only. */
const FEATURE = '{"type":"Feature",';

/** Passes features on as they are, and counts them. */
export function counting(
  onRead: (count: number) => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  // Here each byte is a character, so that no part of a body ends within one.
  const decoder = new TextDecoder('latin1');
  let count = 0;
  let end = '';
  return new TransformStream({
    transform(part, controller) {
      const text = end + decoder.decode(part);
      for (let at = text.indexOf(FEATURE); at >= 0; at = text.indexOf(FEATURE, at + 1)) count += 1;
      end = text.slice(1 - FEATURE.length);
      onRead(count);
      controller.enqueue(part);
    },
  });
}
