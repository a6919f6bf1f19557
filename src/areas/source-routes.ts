import { answerText, envelope } from '../http/answers.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { knownAnswer } from './known-answers.ts';
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
      known: knownAnswer,
      tags: ['sources'],
      summary: 'The data release, its sources, licences and attributions',
      responses: {
        ...success('The active release and its sources', envelope(sourcesSchema)),
      },
    },
    async (c, { ctx }) => {
      const areas = await servedAreas(ctx);
      const reply = replyTo(c, ctx, { areas });
      const read = reply.from(await areas.listSources({ knownVersions: reply.knownVersions }));
      const { release, value } = read;
      const { edition, boundarySet: boundaries, sources } = value;
      const data = { release, edition, boundaries, reverse_geocoding: boundaries === 'full', sources };
      return read.unchanged() ?? read.answered(answerText(data));
    },
  );

  return router;
}
