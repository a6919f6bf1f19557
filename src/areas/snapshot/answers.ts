import type { Context } from 'hono';
import { type AnswerCopies, type AnswerCopy, COPIED_HEADERS, copyNameOf } from '../../http/edge-cache.ts';
import { memory } from './objects.ts';

/** The largest answer that an instance remembers, bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

interface RememberedAnswer extends AnswerCopy {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly byteLength: number;
}

/** The copy of the answer at an address in the one spelling that copies have. */
export function rememberedAt(address: string): RememberedAnswer | undefined {
  return memory.get(address) as RememberedAnswer | undefined;
}

/**
 * The copies of the answer to a request that this instance remembers, beside the texts that answers are made of. What is
 * asked often is made once.
 */
export function answersInMemory(c: Context, hasLinks: boolean): AnswerCopies | undefined {
  const name = copyNameOf(c, hasLinks);
  if (!name) return undefined;
  const key = name.origin + name.pathAndQuery;
  return {
    mostBytes: MAX_BYTES,
    find: async () => rememberedAt(key),
    store: (copy, provenance) => {
      const headers = new Map(COPIED_HEADERS.map((header) => [header, copy.headers.get(header)]));
      const remember = async () => {
        const body = new Uint8Array(await copy.arrayBuffer());
        const { byteLength } = body;
        const value = {
          ...provenance,
          headers: { get: (header: string) => headers.get(header) ?? null },
          body,
          byteLength,
        };
        if (byteLength <= MAX_BYTES) memory.set(key, value);
      };
      // Where the texts can't be read, there is no copy.
      c.executionCtx.waitUntil(remember().catch(() => undefined));
    },
  };
}
