import { z } from '@hono/zod-openapi';
import type { AppContext } from '../context.ts';
import { logBrokenOff } from '../log.ts';
import { bodyOf, started } from './stream.ts';

/** The 200 of an operation, in the envelope of the API. */
export function enveloped(description: string, data: z.ZodType, meta?: z.ZodType) {
  const schema = z.object({ data, ...(meta ? { meta } : {}), error: z.null() });
  return { 200: { description, content: { 'application/json': { schema } } } };
}

/** What only some may see is kept by nobody on the way. */
const PRIVATE = { 'Cache-Control': 'private, no-store' };

/** A record or several that only some may see. */
export function privately(c: AppContext, data: unknown, meta?: unknown): Response {
  return c.json({ data, ...(meta === undefined ? {} : { meta }), error: null }, 200, PRIVATE);
}

/** The same of ready text. */
export function privateText(c: AppContext, text: string, type = 'application/json'): Response {
  return c.body(text, 200, { ...PRIVATE, 'Content-Type': type });
}

/** Texts as they are made. What fails before the first one is answered as a failure; later the body breaks off. */
export async function streamed(
  c: AppContext,
  texts: AsyncGenerator<string>,
  headers: Record<string, string>,
): Promise<Response> {
  const body = bodyOf(await started(texts), (error) => logBrokenOff(c, error));
  return c.body(body, 200, { ...PRIVATE, ...headers });
}
