/**
 * A body made of texts that come one after another, encoded as they are asked for: what a slow client has not taken is
 * not made. When a text can't be had the body breaks off, so that nobody takes a part for the whole.
 */
export function bodyOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}
