import { request } from '../shared/api.ts';
import { saveFile } from '../shared/dom.ts';
import { fileNameOf } from '../shared/file-name.ts';
import { size } from '../shared/format.ts';

interface SaveOptions {
  readonly token: string;
  readonly signal?: AbortSignal;
  /** The name of the file, unless the answer names it. */
  readonly fileName: string;
  /** Called with a sentence to show: how much was read so far, and at the end that the file is saved. */
  readonly onProgress: (sentence: string) => void;
}

/**
 * Saves the answer to a request as a file.
 *
 * @throws PsgcError, the error of a body that breaks off, and what aborted the request
 */
export async function saveAnswer(path: string, { token, signal, fileName, onProgress }: SaveOptions): Promise<void> {
  onProgress('Reading…');
  const response = await request(path, { token, ...(signal && { signal }) });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (const reader = response.body?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    bytes += value.length;
    onProgress(`Reading… ${size(bytes)}`);
  }
  const name = fileNameOf(response) ?? fileName;
  saveFile(new Blob(parts), name);
  onProgress(`${name} is saved: ${size(bytes)}.`);
}
