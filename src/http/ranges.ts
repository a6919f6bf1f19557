import type { Context } from 'hono';
import { DomainError } from '../errors.ts';
import { errorResponse } from './error-responses.ts';
import { errors, header } from './error-schemas.ts';
import { rangeOf, unchangedAnswer } from './preconditions.ts';

/** So many bytes from an offset on. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** Stored bytes of which any range can be read. */
interface Ranged {
  /** A strong entity tag, in its quotes. */
  readonly etag: string;
  /** In bytes. */
  readonly size: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Reads one range of the bytes, or all of them. */
  read(range: ByteRange | undefined): Promise<ReadableStream | Uint8Array<ArrayBuffer>>;
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

type Declared = Readonly<Record<string, ReturnType<typeof header>>>;

/**
 * The declared answers of an operation that gives a `storedAnswer`.
 *
 * @param noun `file`
 * @param headersOf304 headers that 304 has too
 * @param others headers of the bytes besides `Accept-Ranges`
 */
export function storedResponses(
  noun: string,
  {
    content,
    headersOf304,
    others = {},
  }: { content: Record<string, object>; headersOf304: Declared; others?: Declared },
) {
  const headers = { ...headersOf304, ...others, 'Accept-Ranges': header('bytes') };
  return {
    200: { description: `The ${noun}`, content, headers },
    206: {
      description: 'The range',
      content,
      headers: { ...headers, 'Content-Range': header('Range and total size in bytes') },
    },
    304: { description: "The caller's copy is current", headers: headersOf304 },
    ...errors(404, 412, 416, 422),
  };
}

/** What an operation with such answers says of ranges. */
export const RANGES_NOTE =
  'One range of bytes is answered with 206; a request for several with all bytes. HEAD, If-Match, If-None-Match, If-Modified-Since and If-Range work as RFC 9110 has them.';

/** Stored bytes that never change under their entity tag, and what caches need to know of them. */
interface Stored extends Ranged {
  /** When they were stored. Only whole seconds of it count. */
  readonly modified: Date;
  readonly cacheControl: string;
}

/**
 * Answers a GET or HEAD of stored bytes with them, a range of them, or 304 where the caller has them.
 *
 * @throws DomainError `precondition_failed`
 */
export async function storedAnswer(c: Context, { modified, cacheControl, ...stored }: Stored): Promise<Response> {
  const validators = { etag: stored.etag, modified: new Date(Math.floor(modified.getTime() / 1000) * 1000) };
  return unchangedAnswer(c, validators, { 'Cache-Control': cacheControl }) ?? rangedAnswer(c, stored);
}
