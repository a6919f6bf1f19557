import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/** Whether the caller prefers a page to JSON, as a browser does that opens an address. */
export function wantsPage(c: Context): boolean {
  const supports = ['application/json', 'text/html'];
  return accepts(c, { header: 'Accept', supports, default: 'application/json' }) === 'text/html';
}

/**
 * A page that the platform would not serve by itself, because another answer has its address.
 *
 * @param assets the binding that serves the pages
 * @param name of the folder in `pages/`
 */
export async function pageResponse(c: Context, assets: Fetcher, name: string): Promise<Response> {
  const page = await assets.fetch(new Request(new URL(`/${name}`, c.req.url), { headers: c.req.raw.headers }));
  // Headers of what was fetched can't be changed, and others are to come.
  return new Response(page.body, page);
}
