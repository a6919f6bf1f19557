import type { Context } from 'hono';
import { DomainError } from '../errors.ts';
import { errorResponse } from './error-responses.ts';
import { rangeOf } from './preconditions.ts';

/** Stored bytes of which any range can be read. */
export interface Ranged {
  /** A strong entity tag, in its quotes. */
  readonly etag: string;
  /** In bytes. */
  readonly size: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Reads one range of the bytes, or all of them. */
  read(range: { offset: number; length: number } | undefined): Promise<ReadableStream>;
}

/**
 * Answers a GET or HEAD whose preconditions hold. One range of bytes is answered with 206, a range that begins behind the
 * end with 416, and everything else with all bytes. HEAD is answered with the headers for all bytes, and reads nothing.
 */
export async function rangedAnswer(c: Context, { etag, size, headers, read }: Ranged): Promise<Response> {
  const whole = { ...headers, 'Accept-Ranges': 'bytes', 'Content-Length': String(size) };
  if (c.req.method === 'HEAD') return c.body(null, 200, whole);
  const range = rangeOf(c, { etag, size });
  if (range === 'unsatisfiable') {
    const message = `The range lies outside of the ${size} bytes that there are (got "${c.req.header('Range')}").`;
    return errorResponse(new DomainError('range_not_satisfiable', message), c, { 'Content-Range': `bytes */${size}` });
  }
  const body = await read(range);
  if (!range) return c.body(body, 200, whole);
  const { offset, length } = range;
  return c.body(body, 206, {
    ...whole,
    'Content-Length': String(length),
    'Content-Range': `bytes ${offset}-${offset + length - 1}/${size}`,
  });
}
