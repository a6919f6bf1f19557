import { z } from '@hono/zod-openapi';
import { notices } from './notices.ts';
import { integerParam } from './params.ts';

export const pageParams = {
  page: integerParam({ min: 1, max: 2_147_483_647, description: 'Page number, from 1', example: 1 })
    .optional()
    .transform((page) => page ?? 1)
    .openapi({ default: 1 }),
  limit: integerParam({ min: 1, max: 100, description: 'Records per page', example: 50 })
    .optional()
    .transform((limit) => limit ?? 10)
    .openapi({ default: 10 }),
};

const count = z.number().int();

export const metaMembers = {
  total: count,
  page: count,
  limit: count,
  totalPages: count,
  next: count.nullable(),
  prev: count.nullable(),
  links: z.object({ self: z.string(), next: z.string().nullable(), prev: z.string().nullable() }),
  notices,
};

export const metaSchema = z.object(metaMembers).openapi('PaginationMeta');

export type Meta = z.output<typeof metaSchema>;

/**
 * The position of a page in its list. Links are absolute and keep the caller's query. Behind the last page `next` is null
 * and `prev` leads to the last page.
 */
export function pageMeta(url: string, { total, page, limit }: { total: number; page: number; limit: number }): Meta {
  const totalPages = Math.ceil(total / limit);
  const next = page < totalPages ? page + 1 : null;
  const prev = page > 1 && totalPages > 0 ? Math.min(page - 1, totalPages) : null;
  const self = new URL(url);
  const link = (to: number | null) => {
    if (to === null) return null;
    // The other parameters stay as they were written, which URLSearchParams would not leave them.
    const others = self.search.slice(1).split('&');
    const given = others.findIndex((text) => new URLSearchParams(`?${text}`).has('page'));
    const written = `page=${to}`;
    const all = given < 0 ? [...others, written] : others.with(given, written);
    const target = new URL(self);
    target.search = all.filter((text) => text !== '').join('&');
    return target.href;
  };
  return {
    total,
    page,
    limit,
    totalPages,
    next,
    prev,
    links: { self: self.href, next: link(next), prev: link(prev) },
  };
}
