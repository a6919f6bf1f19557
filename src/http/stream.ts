/**
 * A body of texts that come one after another. Each is encoded when the client asks for it, so a slow client holds
 * nothing in memory. When a text fails the body breaks off, so that nobody takes a part for the whole.
 *
 * @param onFailure is told the reason: the answer has begun and can't tell it any more
 */
export function textStream(
  texts: AsyncGenerator<string>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        onFailure(error);
        throw error;
      }
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}

/** The same texts, once the first one is there: what fails until then can still be answered as an error. */
export async function startTexts(texts: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
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

/**
 * A document of texts between a head and a tail. Nothing is yielded before the first text is there.
 *
 * @param tail may depend on what the texts return at their end
 */
export async function* surround<T>(
  head: string,
  texts: AsyncGenerator<string, T>,
  tail: string | ((returned: T) => string),
): AsyncGenerator<string> {
  try {
    const first = await texts.next();
    yield first.done ? head : head + first.value;
    const returned = first.done ? first.value : yield* texts;
    yield typeof tail === 'string' ? tail : tail(returned);
  } finally {
    // The value returned here is not used by anybody.
    await texts.return(undefined as T);
  }
}

/**
 * All bytes of a stream. Reading stops at the limit.
 *
 * @param tooMany the error where there are more bytes than the limit
 */
export async function collectBytes(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
  tooMany: () => Error,
): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.byteLength;
    // An exception leaves the loop, which cancels the stream.
    if (length > limit) throw tooMany();
    read.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of read) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
