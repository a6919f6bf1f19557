import { deflateSync, inflateSync } from 'fflate';
import { joinBytes } from '../bytes.ts';

/** How much of a body waits as it came, bytes. What comes then is packed while it waits. */
const PLAIN = 1024 * 1024;

/** How much of a body waits at most, packed, bytes. An instance has 128 MB for all of its requests. */
const MOST = 12 * 1024 * 1024;

/** How much is packed at a time, bytes. */
const BLOCK = 256 * 1024;

/** A body that is read ahead. */
export interface ReadAhead {
  readonly chunks: AsyncGenerator<Uint8Array>;
  /**
   * Ends when all of the body has been read, of which nobody wants more. A client that is sending notices no answer before
   * that, or only that its connection is gone. Never throws.
   */
  drained(): Promise<void>;
}

interface Waiting {
  readonly bytes: Uint8Array;
  readonly isPacked: boolean;
}

/**
 * The chunks of a body, which is read before anybody asks for them. Many clients read nothing of an answer until they have
 * sent all of their body; so an answer that is made while the body comes must not keep the body waiting. What is read ahead
 * is packed, and bounded: a table packs to a sixth or less, so that all of the largest finds room. Beyond that the
 * body is kept waiting.
 */
export function readAhead(chunks: AsyncGenerator<Uint8Array>): ReadAhead {
  const queue: Waiting[] = [];
  let held = 0;
  let hasEnded = false;
  let isLeft = false;
  let failure: { readonly error: unknown } | undefined;
  let changed = Promise.withResolvers<void>();
  const notify = () => {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
  const put = (bytes: Uint8Array, isPacked: boolean) => {
    queue.push({ bytes, isPacked });
    held += bytes.length;
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
      if (held < PLAIN) {
        flush();
        put(chunk, false);
      } else {
        block.push(chunk);
        size += chunk.length;
        if (size >= BLOCK) flush();
      }
      while (held > MOST && !isLeft) await changed.promise;
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
    held = 0;
    notify();
  };
  async function* waiting(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const next = queue.shift();
        if (next) {
          held -= next.bytes.length;
          notify();
          yield next.isPacked ? inflateSync(next.bytes) : next.bytes;
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
