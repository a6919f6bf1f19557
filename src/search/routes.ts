import { answerRead } from '../areas/answer-read.ts';
import { cachedText } from '../areas/cached-answers.ts';
import { success } from '../areas/representation.ts';
import { servedAreas } from '../areas/served-areas.ts';
import type { Level } from '../areas/store.ts';
import { answerText, envelope } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { createRouter, operation, type Router } from '../operation.ts';
import { hitsSchema, searchParams } from './schemas.ts';
import { DEFAULT_HITS, searchPlaces } from './service.ts';

/** Route of the search by name over all levels. */
export function searchRoutes(): Router {
  const router = createRouter();
  operation(
    router,
    {
      operationId: 'search_places',
      method: 'get',
      path: '/',
      access: 'free-tier',
      identity: 'credential',
      cached: cachedText,
      scope: 'read:boundaries',
      tags: ['search'],
      summary: 'Search places of all levels by name',
      description:
        'Forgives accents, case, hyphens, abbreviations (`Sto.`, `Gen.`, `Brgy.`), Roman or Arabic numerals and a few wrong letters; knows former names and short ones (`QC`, `CDO`). Best first: the name itself, other names, beginnings, words, parts, then near misses; among those that are as good, larger areas come first. No hit is 200 with an empty list.',
      request: { query: searchParams },
      responses: {
        ...success('Places, best first', envelope(hitsSchema)),
        ...errors(404, 422),
      },
    },
    async (c, { ctx, query: { q, level, parent, limit = DEFAULT_HITS, edition } }) => {
      const areas = await servedAreas(ctx, edition);
      const leadOf = async (at: Level, code: string) => (await areas.find(at, code, {})).value;
      return answerRead(c, ctx, {
        areas,
        read: () => areas.names(),
        produce: async (names) => {
          const { hits, notices } = await searchPlaces(names, { q, levels: level, parent, limit }, leadOf);
          return answerText(c, hits, notices && { notices });
        },
      });
    },
  );
  return router;
}
