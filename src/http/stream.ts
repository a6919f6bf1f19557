import { joinBytes } from '../bytes.ts';
import type { Deadline } from '../deadline.ts';

/**
 * A body of texts or bytes that come one after another. Each is encoded when the client asks for it, so a slow client holds
 * nothing in memory. When one fails the body breaks off, so that nobody takes a part for the whole.
 *
 * @param on `onPull`: is called before each text; `onFailure`: is called with the error, which the client can't be sent after
 * the answer has begun
 */
export function textStream(
  texts: AsyncGenerator<string | Uint8Array>,
  { onPull, onFailure }: { onPull: () => void; onFailure: (error: unknown) => void },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isCancelled = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        onPull();
        const { done, value } = await texts.next();
        // A reader who left while a text was made waits for none.
        if (isCancelled) return;
        if (done) controller.close();
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      } catch (error) {
        if (isCancelled) return;
        onFailure(error);
        throw error;
      }
    },
    async cancel() {
      isCancelled = true;
      await texts.return(undefined);
    },
  });
}

/** The same texts or chunks, once the first one is there: what fails until then can still be answered as an error. */
export async function startTexts<T = string>(texts: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
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

/** Bytes of one read. By itself a stream of the runtime gives 4 kB at a time, each in a turn of the event loop. */
const READ_BYTES = 64 * 1024;

/** Bytes of one read that waits until it has as many. */
const LARGE_READ_BYTES = 256 * 1024;

/** The bytes of a stream in few chunks, for whoever wants all of them. */
export async function* inLargeReads(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader({ mode: 'byob' });
  try {
    for (;;) {
      const { done, value } = await reader.readAtLeast(LARGE_READ_BYTES, new Uint8Array(LARGE_READ_BYTES));
      if (value && value.length > 0) yield value;
      if (done) return;
    }
  } finally {
    // A reader who stops early wants no more of it.
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * The chunks of a stream of bytes from outside. Each must come within the time that one answer may take; how long the
 * reader takes does not count.
 *
 * @param deadline of whoever waits for the chunks: each is a part of the work
 * @param failed the error for a stream that fails or stands still
 */
export async function* timelyChunks(
  body: ReadableStream<Uint8Array>,
  deadline: Deadline,
  failed: (error: unknown) => unknown = (error) => error,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader({ mode: 'byob' });
  try {
    for (;;) {
      const { done, value } = await deadline.within(deadline.forAnswer, () => reader.read(new Uint8Array(READ_BYTES)));
      if (done) return;
      deadline.partDone();
      yield value;
    }
  } catch (error) {
    throw failed(error);
  } finally {
    // A stream that stands still may never be cancelled.
    reader.cancel().catch(() => undefined);
  }
}

/**
 * A body of chunks that come from outside, once the first one is there. When they fail later, or do not have the stated
 * length, the body breaks off.
 *
 * @param length of the body, bytes; undefined where it is not known
 * @param onFailure called with the error, which the client can't be sent after the answer has begun
 */
export async function steadyStream(
  chunks: AsyncGenerator<Uint8Array>,
  length: number | undefined,
  onFailure: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  const started = await startTexts(chunks);
  const { readable, writable } = length === undefined ? new IdentityTransformStream() : new FixedLengthStream(length);
  const writer = writable.getWriter();
  // A stream that fails is noticed where it is written to.
  writer.closed.catch(() => undefined);
  let sent = 0;
  let isWriting = false;
  const send = async () => {
    try {
      for await (const chunk of started) {
        sent += chunk.length;
        if (length !== undefined && sent > length) break;
        isWriting = true;
        await writer.write(chunk);
        isWriting = false;
      }
      if (sent !== (length ?? sent)) throw new Error(`There were ${sent} bytes or more in place of ${length}`);
      await writer.close();
    } catch (error) {
      // Where writing fails, whoever reads has gone.
      if (!isWriting) onFailure(error);
      writer.abort(error).catch(() => undefined);
    }
  };
  send();
  return readable;
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
  return joinBytes(read);
}
