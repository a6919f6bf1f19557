import { answerRead } from '../areas/answer-read.ts';
import { cachedText } from '../areas/cached-answers.ts';
import { GEOGRAPHY, geographyResponses } from '../areas/representation.ts';
import { servedAreas } from '../areas/served-areas.ts';
import type { AreaStore, Level, Point } from '../areas/store.ts';
import { answerText, envelope } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { operation, Router } from '../operation.ts';
import { hitsSchema, searchParams, suggestionsSchema, suggestParams } from './schemas.ts';
import { DEFAULT_HITS, DEFAULT_SUGGESTIONS, searchPlaces, suggestPlaces } from './service.ts';

/** Route of the search by name over all levels. */
export function searchRoutes(): Router {
  const router = new Router(['search']);
  operation(router, {
    operationId: 'search_places',
    method: 'get',
    path: '/',
    access: 'free-tier',
    ...GEOGRAPHY,
    cached: cachedText,
    summary: 'Search places of all levels by name',
    description:
      'The search forgives differences in accents, case, hyphens, abbreviations (`Sto.`, `Gen.`, `Brgy.`), Roman or Arabic numerals and a few wrong letters. It knows former and short names (`QC`, `CDO`). Exact names come first, then other names, starts of names, starts of words, parts, and near misses; among equals, larger areas come first. Without a hit the answer is 200 with an empty list.',
    request: { query: searchParams },
    responses: {
      ...geographyResponses('Places, best first', envelope(hitsSchema)),
      ...errors(404, 422),
    },
    handler: async (c, { ctx, query: { q, level, parent, limit = DEFAULT_HITS, edition } }) => {
      const areas = await servedAreas(ctx, edition);
      return answerRead(c, ctx, {
        areas,
        read: () => areas.names(),
        produce: async (names) => {
          const { hits, notices } = await searchPlaces(names, { q, levels: level, parent, limit }, codeLookupOf(areas));
          return answerText(c, hits, notices && { notices });
        },
      });
    },
  });
  return router;
}

/** Route of the suggestions for one field that takes a place. */
export function suggestRoutes(): Router {
  const router = new Router(['search']);
  operation(router, {
    operationId: 'suggest_places',
    method: 'get',
    path: '/',
    access: 'free-tier',
    ...GEOGRAPHY,
    cached: cachedText,
    summary: 'Suggest places while a name is typed',
    description:
      'For an address field: suggestions from the first letter on, with a label to show and its parts to highlight. Names that start with the text come first, then names with another word that does; among equals, areas nearby, higher levels and larger places come first. Accents, case and short forms (`Sto.`, `Brgy.`) make no difference, former and short names count, and ancestors may follow or precede the name. If no name starts with the text, similar names are returned. Without any the answer is 200 with an empty list.',
    request: { query: suggestParams },
    responses: {
      ...geographyResponses('Places, best first', envelope(suggestionsSchema)),
      ...errors(404, 422),
    },
    handler: async (c, { ctx, query: { q, level, within, near, limit = DEFAULT_SUGGESTIONS, edition } }) => {
      const areas = await servedAreas(ctx, edition);
      return answerRead(c, ctx, {
        areas,
        read: () => areas.names(),
        produce: async (names) => {
          const around = near ? await areasAround(areas, near) : [];
          const { places, notices } = await suggestPlaces(
            names,
            { q, levels: level, within, around, limit },
            codeLookupOf(areas),
          );
          return answerText(c, places, notices && { notices });
        },
      });
    },
  });
  return router;
}

/** The areas that a point lies in, from the smallest. At sea, and where there are no boundaries, there are none. */
async function areasAround(areas: AreaStore, point: Point) {
  const { value } = await areas.reverseGeocode([point], { level: 'municity', within: 0 });
  const { municity, province, hostProvince, region } = value.locations[0] ?? {};
  return [municity, province ?? hostProvince, region].filter((it) => it != null);
}

/** Looks up a code at one level: the current code, or its successors. */
function codeLookupOf(areas: AreaStore) {
  return async (at: Level, code: string) => (await areas.find(at, code, {})).value;
}
