import type { Router } from './router.ts';

const INFO = {
  title: 'Philippine Geographic Data Service',
  description:
    'Administrative geography of the Philippines: regions, provinces, cities and municipalities, and barangays by their Philippine Standard Geographic Code (PSGC). Source of the codes: Philippine Statistics Authority.',
  license: { name: 'MIT', identifier: 'MIT' },
};

/** Serves the OpenAPI 3.1 document of everything that is registered on the router. */
export function serveDocument(
  router: Router,
  path: string,
  tags: { name: string; description: string }[],
  version: string,
): void {
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
  // Made on the first request and kept: it depends on nothing but the routes.
  let text: string | undefined;
  router.get(path, (c) => {
    text ??= JSON.stringify(
      router.getOpenAPI31Document({ openapi: '3.1.0', info: { ...INFO, version }, servers: [{ url: '/' }], tags }),
    );
    return c.body(text, 200, { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' });
  });
}
