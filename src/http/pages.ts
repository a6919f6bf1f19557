import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/** Whether the caller prefers HTML to JSON, as a browser does when somebody opens an address. */
export function wantsPage(c: Context): boolean {
  const supports = ['application/json', 'text/html'];
  return accepts(c, { header: 'Accept', supports, default: 'application/json' }) === 'text/html';
}

/**
 * A page at an address that the platform leaves to the Worker.
 *
 * @param assets the binding that serves the pages
 * @param name the page's folder in `pages/`
 */
export async function pageResponse(c: Context, assets: Fetcher, name: string): Promise<Response> {
  const page = await assets.fetch(new Request(new URL(`/${name}`, c.req.url), { headers: c.req.raw.headers }));
  // The headers of a fetched response can't be changed, and middleware adds others.
  return new Response(page.body, page);
}
