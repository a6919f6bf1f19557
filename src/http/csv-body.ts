import type { Context } from 'hono';

/** Whether the body of a request is a table. */
export function isCsv(c: Context): boolean {
  return /^\s*text\/csv\s*(;|$)/i.test(c.req.header('Content-Type') ?? '');
}
