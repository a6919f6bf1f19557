import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Blob } from './manifest.ts';
import type { FileToPut } from './store.ts';

/** How many times a stream is read before it fails. */
const MAX_TRIES = 3;

let files = 0;

/**
 * Writes a stream to a file, hands the file with its hash to `use`, and removes it. A stream that breaks off is opened again.
 *
 * @param scratch a directory for the file
 * @param open the stream, and transforms behind it
 */
export async function spooled<T>(
  scratch: string,
  open: () => Promise<readonly [Readable, ...Transform[]]>,
  use: (file: FileToPut) => Promise<T>,
): Promise<T> {
  const path = join(scratch, `spool-${++files}`);
  try {
    for (let tries = 1; ; tries += 1) {
      const streams = await open();
      const hash = hashing();
      try {
        await pipeline([...streams, hash.stream, createWriteStream(path)]);
      } catch (error) {
        if (tries === MAX_TRIES) throw error;
        continue;
      }
      return await use({ path, ...hash.end() });
    }
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * A stream that passes bytes on and hashes them.
 *
 * @param check called with the hash at the end, and may throw
 */
export function hashing(check: (found: Blob) => void = () => undefined): { stream: Transform; end: () => Blob } {
  const hash = createHash('sha256');
  let found: Blob = { sha256: '', bytes: 0 };
  const stream = new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk);
      found = { ...found, bytes: found.bytes + chunk.length };
      done(null, chunk);
    },
    flush: (done) => {
      found = { ...found, sha256: hash.digest('hex') };
      try {
        check(found);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  return { stream, end: () => found };
}
