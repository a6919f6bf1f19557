import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/** Whether the caller prefers HTML to JSON. A browser does when it opens a URL. */
export function wantsPage(c: Context): boolean {
  const supports = ['application/json', 'text/html'];
  return accepts(c, { header: 'Accept', supports, default: 'application/json' }) === 'text/html';
}

/**
 * The answer with a page. It is for URLs that also have another answer, because the platform does not serve a page
 * there by itself.
 *
 * @param assets the binding that serves the pages
 * @param name of the page's folder in `pages/`
 */
export async function pageResponse(c: Context, assets: Fetcher, name: string): Promise<Response> {
  const page = await assets.fetch(new Request(new URL(`/${name}`, c.req.url), { headers: c.req.raw.headers }));
  return c.newResponse(page.body, page);
}
