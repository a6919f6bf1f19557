import { Zip, ZipDeflate } from 'fflate';
import { joinBytes } from '../bytes.ts';

/** A file of an archive. */
export interface ZippedFile {
  readonly name: string;
  readonly chunks: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>;
}

/** How much of an archive is sent at once, bytes. */
const CHUNK = 64 * 1024;

/** How hard is packed. Of coordinates, more makes hardly less and takes much longer. */
const LEVEL = 1;

const encoder = new TextEncoder();

/** An archive of files as they are made, the same for the same files. */
export async function* zipChunks(files: Iterable<ZippedFile>, changed: Date): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = [];
  let bytes = 0;
  const take = () => {
    const taken = joinBytes(made);
    [made, bytes] = [[], 0];
    return taken;
  };
  const archive = new Zip((error, chunk) => {
    if (error) throw error;
    made.push(chunk);
    bytes += chunk.length;
  });
  for (const { name, chunks } of files) {
    const file = new ZipDeflate(name, { level: LEVEL });
    file.mtime = changed;
    archive.add(file);
    for await (const chunk of chunks) {
      file.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
      if (bytes >= CHUNK) yield take();
    }
    file.push(new Uint8Array(), true);
    // What is read for the next file may take long: the answer begins with the first one.
    yield take();
  }
  archive.end();
  yield take();
}
