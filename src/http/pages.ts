import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/** Whether the caller prefers HTML to JSON. A browser does when it opens a URL. */
export function wantsPage(c: Context): boolean {
  const supports = ['application/json', 'text/html'];
  return accepts(c, { header: 'Accept', supports, default: 'application/json' }) === 'text/html';
}

/**
 * The page of what is not there, for a browser that opened the address.
 *
 * @returns undefined where the caller expects something else than a page
 */
export async function notFoundPage(c: Context, assets: Fetcher): Promise<Response | undefined> {
  if (!['GET', 'HEAD'].includes(c.req.method)) return undefined;
  c.header('Vary', 'Accept', { append: true });
  if (!wantsPage(c)) return undefined;
  const page = await assets.fetch(new Request(new URL('/404', c.req.url)));
  if (!page.ok) return undefined;
  const answer = c.newResponse(page.body, { status: 404, headers: page.headers });
  answer.headers.set('Cache-Control', 'no-store');
  return answer;
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
