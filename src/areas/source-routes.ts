import { z } from '@hono/zod-openapi';
import { createRouter, operation, type Router } from '../operation.ts';
import { answer, type StoreOf, success } from './answers.ts';
import { sourcesSchema } from './schemas.ts';

/** What is served, where it comes from and under which terms. */
export function sourceRoutes(areasOf: StoreOf): Router {
  const router = createRouter();

  operation(
    router,
    {
      operationId: 'list_sources',
      method: 'get',
      path: '/',
      access: 'free-tier',
      tags: ['sources'],
      summary: 'The data release, its sources, licences and attributions',
      responses: {
        ...success('The active release and its sources', z.object({ data: sourcesSchema, error: z.null() })),
      },
    },
    (c) => {
      const store = areasOf(c);
      return answer(c, store, {
        read: (held) => store.sources({ held }),
        make: ({ edition, boundarySet, sources }, release) =>
          c.json({
            data: { release, edition, boundaries: boundarySet, reverse_geocoding: boundarySet === 'full', sources },
            error: null,
          }),
      });
    },
  );

  return router;
}
