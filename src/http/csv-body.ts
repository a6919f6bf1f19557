import type { Context } from 'hono';

/** The media type of tables that are answered, with its encoding. */
export const CSV_TYPE = 'text/csv; charset=utf-8';

/** Whether the body of a request is a table. */
export function isCsv(c: Context): boolean {
  return /^\s*text\/csv\s*(;|$)/i.test(c.req.header('Content-Type') ?? '');
}
