import { accepts } from 'hono/accepts';
import type { AppContext } from '../context.ts';

/** Whether whoever asks would rather have a page than JSON: a browser that goes to an address does, nothing else. */
export function wantsPage(c: AppContext): boolean {
  const supports = ['application/json', 'text/html'];
  return accepts(c, { header: 'Accept', supports, default: 'application/json' }) === 'text/html';
}

/**
 * A page that the platform would not serve by itself, because another answer has its address.
 *
 * @param name of the folder in `pages/`
 */
export async function pageResponse(c: AppContext, name: string): Promise<Response> {
  const assets = c.env.ASSETS as Fetcher;
  const page = await assets.fetch(new Request(new URL(`/${name}`, c.req.url), { headers: c.req.raw.headers }));
  // Headers of what was fetched can't be changed, and others are to come.
  return new Response(page.body, page);
}
