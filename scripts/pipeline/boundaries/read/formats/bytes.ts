import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip, gunzipSync, constants as zlib } from 'node:zlib';
import { type SourceFile, UnreadableFile } from './format.ts';

const CHUNK = 1024 * 1024;
const HEAD = 4000;
/** Characters. V8 can't hold a longer string. */
const MAX_TEXT = 500_000_000;

/** The bytes of a file, unpacked where its name ends in `.gz`. */
export function bytesOf(file: SourceFile): Readable {
  const source = createReadStream(file.path, { highWaterMark: CHUNK });
  if (!isGzip(file)) return source;
  // `pipe` alone would leave the reader waiting for ever when the file itself can't be read.
  return pipeline(source, createGunzip({ chunkSize: CHUNK }), () => undefined);
}

/**
 * The whole text of a file, unpacked.
 * @throws UnreadableFile when it can't be read, and when it is longer than a string can be
 */
export async function textOf(file: SourceFile): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for await (const chunk of bytesOf(file)) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > MAX_TEXT) {
        throw new Error('is too large to be read as one text; as newline-delimited GeoJSON it can be of any size');
      }
    }
    return text + decoder.decode();
  } catch (error) {
    throw new UnreadableFile(file.name, null, reasonOf(error));
  }
}

/** The first characters of a file, unpacked. Empty where it can't be unpacked. */
export async function headOf(file: SourceFile): Promise<string> {
  const handle = await open(file.path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    const bytes = buffer.subarray(0, bytesRead);
    // Flushing instead of finishing unpacks these bytes although the rest of the file is missing.
    const head = isGzip(file) ? gunzipSync(bytes, { finishFlush: zlib.Z_SYNC_FLUSH }) : bytes;
    return head.toString('utf8', 0, HEAD);
  } catch {
    return '';
  } finally {
    await handle.close();
  }
}

/** Describes an error of reading, unpacking or decoding for somebody who knows the file and not zlib. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return 'is cut off: the packed data ends too early';
  if (code?.startsWith('Z_')) return `is damaged: ${message}`;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'is not UTF-8';
  return message;
}

function isGzip(file: SourceFile): boolean {
  return /\.gz$/i.test(file.name);
}
