import { z } from '@hono/zod-openapi';
import type { AppContext } from '../context.ts';
import { enveloped, privateAnswer } from '../http/answers.ts';
import { metaSchema, pageMeta } from '../http/pagination.ts';
import type { Listed, Paging } from './repo/page.ts';

/** The declared 200 of a list in pages. */
export function pageOf(description: string, item: z.ZodType) {
  return enveloped(description, z.array(item), metaSchema);
}

/** A private answer of a page of a list. */
export function pageAnswer<Row>(c: AppContext, { rows, total }: Listed<Row>, { page, limit }: Paging): Response {
  return privateAnswer(c, rows, pageMeta(c.req.url, { total, page, limit }));
}
