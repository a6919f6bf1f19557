import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

export interface DownloadLimits {
  maxBytes: number;
  /** How long the server may be silent: before it answers, and between two pieces of the file. */
  silenceMs: number;
  totalMs: number;
  /** Aborts the download from outside; its reason is thrown. */
  signal?: AbortSignal | undefined;
}

class DownloadFailed extends Error {
  /** Whether trying again may help, because the server is busy or the connection broke. */
  readonly isTemporary: boolean;

  constructor(message: string, isTemporary: boolean) {
    super(message);
    this.name = 'DownloadFailed';
    this.isTemporary = isTemporary;
  }
}

const LIMITS: DownloadLimits = { maxBytes: 2 * 1024 ** 3, silenceMs: 10_000, totalMs: 30 * 60_000 };

export function isUrl(given: string): boolean {
  return /^https?:\/\//i.test(given);
}

interface DownloadOptions {
  /** Called with the bytes received so far and the total, which is null where the server doesn't say. */
  onProgress?: (bytes: number, total: number | null) => void;
  limits?: DownloadLimits;
}

/**
 * Downloads a file over HTTP into a directory. Its name is the last part of the URL, because the ending tells the
 * format.
 * @returns the file's path
 * @throws DownloadFailed with the URL and the reason: no connection, silence, a status other than 200, or too large
 */
export async function download(
  url: string,
  directory: string,
  { onProgress, limits = LIMITS }: DownloadOptions = {},
): Promise<string> {
  const controller = new AbortController();
  const giveUp = (reason: string) => controller.abort(new Error(reason));
  const whole = setTimeout(() => giveUp(`it takes longer than ${limits.totalMs / 1000} s`), limits.totalMs);
  const silence = setTimeout(
    () => giveUp(`the server said nothing for ${limits.silenceMs / 1000} s`),
    limits.silenceMs,
  );
  const signal = limits.signal ? AbortSignal.any([limits.signal, controller.signal]) : controller.signal;
  let status: number | undefined;
  try {
    const response = await fetch(url, { signal });
    if (!response.ok || !response.body) {
      status = response.status;
      throw new Error(`the server answered with status ${status}`);
    }
    const length = Number(response.headers.get('content-length'));
    // Where the body is encoded for transport, this header is not the length of the file.
    const total = length > 0 && !response.headers.has('content-encoding') ? length : null;
    const path = join(directory, nameOf(response.url));
    let bytes = 0;
    const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
    await pipeline(
      body,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          silence.refresh();
          bytes += chunk.length;
          if (bytes > limits.maxBytes) throw new Error(`it is larger than ${limits.maxBytes} bytes`);
          onProgress?.(bytes, total);
          yield chunk;
        }
      },
      createWriteStream(path),
    );
    if (total !== null && bytes !== total) throw new Error(`it ended after ${bytes} of ${total} bytes`);
    return path;
  } catch (error) {
    limits.signal?.throwIfAborted();
    const { message, cause } = (controller.signal.reason ?? error) as Error;
    // A refused connection is an AggregateError that has a code but no message.
    const reason =
      cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code || cause.name : message;
    const isBusy = status === 429 || (status ?? 0) >= 500;
    const isBroken = status === undefined && !controller.signal.aborted;
    throw new DownloadFailed(`${url} can't be downloaded: ${reason}`, isBusy || isBroken);
  } finally {
    clearTimeout(whole);
    clearTimeout(silence);
  }
}

/** Makes a file name from a URL. It has letters, digits, points and dashes only, so that it stays in its directory. */
function nameOf(url: string): string {
  const last = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
  return last.replaceAll(/[^\w.-]/g, '_').replace(/^\.+/, '') || 'boundaries';
}
