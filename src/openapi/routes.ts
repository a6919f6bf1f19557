import type { AppContext } from '../context.ts';
import { readText } from '../http/texts.ts';
import { Router } from '../operation.ts';

/** The OpenAPI document, and `llms.txt`, its summary for machines. */
export function documentRoutes(): Router {
  const router = new Router();
  const answer = async (c: AppContext, name: string, type: string) => {
    const text = await readText(c.env.ASSETS, name, c.req.url);
    return c.body(text, 200, { 'Content-Type': type, 'Cache-Control': 'public, max-age=300' });
  };
  router.get('/openapi.json', (c) => answer(c, 'openapi.json', 'application/json'));
  router.get('/llms.txt', (c) => answer(c, 'llms.txt', 'text/plain; charset=utf-8'));
  return router;
}
