import { SCOPES } from '../auth/scopes.ts';
import { NEW_GEOMETRIES } from '../geojson/schemas.ts';
import type { Router } from '../operation.ts';
import { forGenerators } from './for-generators.ts';
import { guide } from './guide.ts';

export type OpenApi = ReturnType<Router['getOpenAPI31Document']>;

const INFO = {
  title: 'Philippine Geographic Data Service',
  license: { name: 'MIT', identifier: 'MIT' },
  contact: { name: 'The service and its documentation', url: '{origin}/docs' },
};

/** Sessions that stand in URLs: their schemes, where they come from, and what they open. */
const LINK_SESSIONS = [
  ['tile_session', 'POST /v1/tiles/sessions', 'tiles'],
  ['download_session', 'POST /v1/downloads/sessions', 'files'],
] as const;

/** The OpenAPI 3.1 document of everything that is registered on the router. `{origin}` stands for the origin of the service. */
export function makeDocument(router: Router, tags: { name: string; description: string }[], version: string): OpenApi {
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
  const info = { ...INFO, description: guide(), version };
  return forGenerators(router.getOpenAPI31Document({ openapi: '3.1.0', info, servers: [{ url: '/' }], tags }));
}
