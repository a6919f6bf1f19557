import { z } from '@hono/zod-openapi';
import { answerText, envelope } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { operation, Router } from '../operation.ts';
import { answerRead } from './answer-read.ts';
import { ATTRIBUTE_SOURCES } from './attribute-sources.ts';
import { ageOf, dayOf } from './edition-age.ts';
import { editionId } from './edition-id.ts';
import { editionParams } from './params.ts';
import { geographyResponses } from './representation.ts';
import { sourcesSchema } from './schemas.ts';
import { newestEdition, servedAreas } from './served-areas.ts';

/** What is served, where it comes from and under which terms. */
export function sourceRoutes(): Router {
  const router = new Router(['sources']);

  operation(router, {
    operationId: 'list_sources',
    method: 'get',
    path: '/',
    access: 'free-tier',
    identity: 'credential',
    summary: 'The data release, its sources, licences and attributions',
    description: 'The required attribution, the source of each attribute, and the age of the PSGC list.',
    request: { query: z.object(editionParams) },
    responses: {
      ...geographyResponses('The active release and its sources', envelope(sourcesSchema)),
      ...errors(404, 422),
    },
    handler: async (c, { ctx, query }) => {
      const areas = await servedAreas(ctx, query.edition);
      const now = Date.now();
      // `newestEdition` needs the areas of the active release, also if another edition is asked for.
      const newest = await newestEdition(ctx, query.edition === undefined ? areas : await servedAreas(ctx));
      return answerRead(c, ctx, {
        areas,
        ageKey: `${dayOf(now)} ${newest}`,
        read: (knownVersions) => areas.listSources({ knownVersions }),
        produce: ({ edition, publishedOn, boundarySet: boundaries, sources }, release) =>
          answerText(c, {
            release,
            edition,
            ...ageOf({ id: editionId(edition), day: publishedOn, newest }, now),
            boundaries,
            reverse_geocoding: boundaries === 'full',
            sources,
            attributes: ATTRIBUTE_SOURCES,
          }),
      });
    },
  });

  return router;
}
