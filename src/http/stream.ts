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

/**
 * The same texts, once the first one is there: what fails before anything has been said can still be answered as a
 * failure.
 */
export async function started(texts: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const first = await texts.next();
  return (async function* () {
    try {
      if (first.done) return;
      yield first.value;
      yield* texts;
    } finally {
      await texts.return(undefined);
    }
  })();
}
