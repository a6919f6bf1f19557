import { z } from '@hono/zod-openapi';
import type { AppContext } from '../context.ts';
import { metaSchema, pageMeta } from '../http/pagination.ts';
import type { Listed, Page } from './repo/page.ts';

/** OpenAPI responses of a list. */
export function listed(description: string, item: z.ZodType) {
  return success(description, z.object({ data: z.array(item), meta: metaSchema, error: z.null() }));
}

/** OpenAPI responses of a single thing. */
export function enveloped(description: string, data: z.ZodType) {
  return success(description, z.object({ data, error: z.null() }));
}

function success(description: string, schema: z.ZodType) {
  return { 200: { description, content: { 'application/json': { schema } } } };
}

/** Answers with a page of a list. */
export function page<Row>(c: AppContext, { rows, total }: Listed<Row>, { page, limit }: Page): Response {
  c.header('Cache-Control', 'no-store');
  return c.json({ data: rows, meta: pageMeta(c.req.url, { total, page, limit }), error: null });
}

/** Answers with a single thing. */
export function single(c: AppContext, data: unknown): Response {
  c.header('Cache-Control', 'no-store');
  return c.json({ data, error: null });
}
