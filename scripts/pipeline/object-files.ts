import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { SnapshotName, SnapshotObject } from '../../src/areas/snapshot/layout.ts';

/** Writes a file in parts and computes its hashes. */
export function objectFile(directory: string, name: SnapshotName) {
  const stream = createWriteStream(join(directory, name));
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  let bytes = 0;
  return {
    async write(chunk: Uint8Array): Promise<void> {
      bytes += chunk.length;
      sha256.update(chunk);
      md5.update(chunk);
      if (!stream.write(chunk)) await once(stream, 'drain');
    },
    async end(): Promise<SnapshotObject> {
      stream.end();
      await finished(stream);
      return { name, bytes, sha256: sha256.digest('hex'), etag: md5.digest('hex') };
    },
  };
}

/** Writes an object of a snapshot whose bytes are in memory. */
export async function writeObject(directory: string, name: SnapshotName, bytes: Uint8Array): Promise<SnapshotObject> {
  await writeFile(join(directory, name), bytes);
  const hash = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex');
  return { name, bytes: bytes.length, sha256: hash('sha256'), etag: hash('md5') };
}

/** The object of a snapshot whose file is written. */
export async function storedObject(directory: string, name: SnapshotName): Promise<SnapshotObject> {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  let bytes = 0;
  for await (const chunk of createReadStream(join(directory, name)) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    sha256.update(chunk);
    md5.update(chunk);
  }
  return { name, bytes, sha256: sha256.digest('hex'), etag: md5.digest('hex') };
}
