import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { describeError, writeLine } from '../log.ts';
import { startTexts, textStream } from './stream.ts';

/** The declared 200 of an operation that answers in the envelope `{ data, meta?, error }`. */
export function enveloped(description: string, data: z.ZodType, meta?: z.ZodType) {
  const schema = z.object({ data, ...(meta ? { meta } : {}), error: z.null() });
  return { 200: { description, content: { 'application/json': { schema } } } };
}

/** Answers that only their caller may see: no cache on the way keeps them. */
export const PRIVATE = { 'Cache-Control': 'private, no-store' } as const;

/** A private answer in the envelope. */
export function privateAnswer(c: Context, data: unknown, meta?: unknown): Response {
  return c.json({ data, ...(meta === undefined ? {} : { meta }), error: null }, 200, PRIVATE);
}

/** A private answer of ready text. */
export function privateText(c: Context, text: string, type = 'application/json'): Response {
  return c.body(text, 200, { ...PRIVATE, 'Content-Type': type });
}

/** A private answer of texts as they are made. A failure before the first text is thrown; a later one breaks the body off. */
export async function privateStream(
  c: Context,
  texts: AsyncGenerator<string>,
  headers: Record<string, string>,
): Promise<Response> {
  return c.body(streamOf(c, await startTexts(texts)), 200, { ...PRIVATE, ...headers });
}

/** A body of texts as they are made. Where one fails, the body breaks off and the log says why. */
export function streamOf(c: Context, texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  return textStream(texts, (error) => {
    const { requestId, release } = c.var;
    const facts = { request_id: requestId, path: c.req.path, release, error: describeError(error) };
    writeLine('error', Date.now(), facts);
  });
}
