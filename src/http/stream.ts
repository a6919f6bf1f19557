/**
 * A body made of texts that come one after another, encoded as they are asked for: what a slow client has not taken is
 * not made. When a text can't be had the body breaks off, so that nobody takes a part for the whole; `failed` is told why,
 * since the answer has begun and can't say it any more.
 */
export function bodyOf(texts: AsyncGenerator<string>, failed: (error: unknown) => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        failed(error);
        throw error;
      }
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}
