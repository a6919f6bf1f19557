import { deflateSync, inflateSync } from 'fflate';
import { joinBytes } from '../bytes.ts';

/** Buffered bytes up to which chunks are not compressed. Later chunks are. */
const PLAIN = 1024 * 1024;

/** Max buffered bytes, compressed. An instance has 128 MB for all of its requests. */
const MAX_WAITING = 12 * 1024 * 1024;

/** Bytes compressed at a time. */
const BLOCK = 256 * 1024;

export interface ReadAhead {
  readonly chunks: AsyncGenerator<Uint8Array>;
  /**
   * Discards the rest of the body and resolves when it has been read. Until then a client that is still sending notices
   * no response, or only a broken connection. Never rejects.
   */
  drained(): Promise<void>;
}

interface Waiting {
  readonly bytes: Uint8Array;
  readonly isCompressed: boolean;
}

/**
 * Reads the chunks of a body ahead of their consumer. Many clients read no response until they have sent their whole
 * body, so a response that is made while the body arrives must not block the body. The buffer is compressed and
 * bounded: a table compresses to a sixth or less, so that the largest one fits. Beyond the bound the body is blocked.
 */
export function readAhead(chunks: AsyncGenerator<Uint8Array>): ReadAhead {
  const queue: Waiting[] = [];
  let waitingBytes = 0;
  let hasEnded = false;
  let isLeft = false;
  let failure: { readonly error: unknown } | undefined;
  let changed = Promise.withResolvers<void>();
  const notify = () => {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
  const put = (bytes: Uint8Array, isCompressed: boolean) => {
    queue.push({ bytes, isCompressed });
    waitingBytes += bytes.length;
    notify();
  };
  const read = async () => {
    let block: Uint8Array[] = [];
    let size = 0;
    const flush = () => {
      if (size > 0) put(deflateSync(joinBytes(block), { level: 1 }), true);
      block = [];
      size = 0;
    };
    for await (const chunk of chunks) {
      if (isLeft) continue;
      if (waitingBytes < PLAIN) {
        flush();
        put(chunk, false);
      } else {
        block.push(chunk);
        size += chunk.length;
        if (size >= BLOCK) flush();
      }
      while (waitingBytes > MAX_WAITING && !isLeft) await changed.promise;
    }
    flush();
  };
  const reading = read()
    .catch((error: unknown) => {
      failure = { error };
    })
    .finally(() => {
      hasEnded = true;
      notify();
    });
  const leave = () => {
    isLeft = true;
    queue.length = 0;
    waitingBytes = 0;
    notify();
  };
  async function* waiting(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const next = queue.shift();
        if (next) {
          waitingBytes -= next.bytes.length;
          notify();
          yield next.isCompressed ? inflateSync(next.bytes) : next.bytes;
        } else if (hasEnded) {
          if (failure) throw failure.error;
          return;
        } else await changed.promise;
      }
    } finally {
      leave();
    }
  }
  const drained = () => {
    leave();
    return reading;
  };
  return { chunks: waiting(), drained };
}
