import { SCOPES } from '../auth/scopes.ts';
import { NEW_GEOMETRIES } from '../geojson/schemas.ts';
import type { Router } from '../operation.ts';
import { forGenerators } from './for-generators.ts';
import { guide } from './guide.ts';
import { llmsText } from './llms.ts';

/** The text in the document in whose place the origin of the request is put. */
const ORIGIN = '{origin}';

const INFO = {
  title: 'Philippine Geographic Data Service',
  license: { name: 'MIT', identifier: 'MIT' },
  contact: { name: 'The service and its documentation', url: `${ORIGIN}/docs` },
};

/** Sessions that stand in addresses: their schemes, where they come from, and what they open. */
const LINK_SESSIONS = [
  ['tile_session', 'POST /v1/tiles/sessions', 'tiles'],
  ['download_session', 'POST /v1/downloads/sessions', 'files'],
] as const;

const CACHING = { 'Cache-Control': 'public, max-age=300' };

/** Serves the OpenAPI 3.1 document of everything that is registered on the router, and `llms.txt`, its summary for machines. */
export function serveDocument(router: Router, tags: { name: string; description: string }[], version: string): void {
  router.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: `An API key (svc_sk_…), a session of the identity provider, or the master token. Operations name the scope that a key needs: ${SCOPES.join(', ')}`,
  });
  for (const [scheme, source, opened] of LINK_SESSIONS) {
    router.openAPIRegistry.registerComponent('securitySchemes', scheme, {
      type: 'apiKey',
      in: 'query',
      name: 'session',
      description: `A session of ${source}, which opens the ${opened} that it was asked for`,
    });
  }
  for (const [name, schema] of Object.entries(NEW_GEOMETRIES)) {
    router.openAPIRegistry.registerComponent('schemas', name, schema);
  }
  // It is made on the first request and kept, because it depends only on the routes.
  let made: { text: string; llms: string } | undefined;
  const make = () => {
    const info = { ...INFO, description: guide(), version };
    const document = forGenerators(
      router.getOpenAPI31Document({ openapi: '3.1.0', info, servers: [{ url: '/' }], tags }),
    );
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
