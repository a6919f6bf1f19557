import { z } from '@hono/zod-openapi';
import { answer, envelope } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { editionParams } from './params.ts';
import { replyTo } from './reply.ts';
import { success } from './representation.ts';
import { sourcesSchema } from './schemas.ts';
import { servedAreas } from './served-areas.ts';

/** What is served, where it comes from and under which terms. */
export function sourceRoutes(): Router {
  const router = createRouter();

  operation(
    router,
    {
      operationId: 'list_sources',
      method: 'get',
      path: '/',
      access: 'free-tier',
      identity: 'credential',
      tags: ['sources'],
      summary: 'The data release, its sources, licences and attributions',
      request: { query: z.object(editionParams) },
      responses: {
        ...success('The active release and its sources', envelope(sourcesSchema)),
        ...errors(404, 422),
      },
    },
    async (c, { ctx, query }) => {
      const areas = await servedAreas(ctx, query.edition);
      const reply = replyTo(c, ctx, { areas });
      const read = reply.from(await areas.listSources({ knownVersions: reply.knownVersions }));
      const { release, value } = read;
      const { edition, boundarySet: boundaries, sources } = value;
      const data = { release, edition, boundaries, reverse_geocoding: boundaries === 'full', sources };
      return read.unchanged() ?? answer(c, data);
    },
  );

  return router;
}
