import type { Router } from '../operation.ts';
import { guide } from './guide.ts';
import { llmsText } from './llms.ts';

const INFO = {
  title: 'Philippine Geographic Data Service',
  license: { name: 'MIT', identifier: 'MIT' },
};

/** The text in the document in whose place the origin of the request is put. */
const ORIGIN = '{origin}';

const CACHING = { 'Cache-Control': 'public, max-age=300' };

/** Serves the OpenAPI 3.1 document of everything that is registered on the router, and `llms.txt`, its summary for machines. */
export function serveDocument(router: Router, tags: { name: string; description: string }[], version: string): void {
  router.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (svc_sk_…), a session of the identity provider, or the master token',
  });
  router.openAPIRegistry.registerComponent('securitySchemes', 'tile_session', {
    type: 'apiKey',
    in: 'query',
    name: 'session',
    description: 'A session of POST /v1/tiles/sessions, which opens the tiles that it was asked for',
  });
  // It is made on the first request and kept, because it depends only on the routes.
  let made: { text: string; llms: string } | undefined;
  const make = () => {
    const info = { ...INFO, description: guide(), version };
    const document = router.getOpenAPI31Document({ openapi: '3.1.0', info, servers: [{ url: '/' }], tags });
    return { text: JSON.stringify(document), llms: llmsText(document) };
  };
  router.get('/openapi.json', (c) => {
    made ??= make();
    const text = made.text.replaceAll(ORIGIN, new URL(c.req.url).origin);
    return c.body(text, 200, { 'Content-Type': 'application/json', ...CACHING });
  });
  router.get('/llms.txt', (c) => {
    made ??= make();
    const text = made.llms.replaceAll(ORIGIN, new URL(c.req.url).origin);
    return c.body(text, 200, { 'Content-Type': 'text/plain; charset=utf-8', ...CACHING });
  });
}
