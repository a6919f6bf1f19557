import { z } from '@hono/zod-openapi';
import type { AppContext } from '../http/context.ts';
import { errors } from '../http/error-responses.ts';
import { metaSchema, pageMeta, pageParams } from '../http/pagination.ts';
import { choiceParam, integerParam, textParam } from '../http/params.ts';
import { createRouter, operation, type Router } from '../http/router.ts';
import { answer, type Frame, geojson, json, listing, representationOf } from './answers.ts';
import { LEVELS, type LevelRules } from './levels.ts';
import { ambiguous, currentCode } from './lookup.ts';
import { batchBody, codeParam, RESOLUTIONS, representationParams } from './params.ts';
import type { ReadBoundaries } from './portions.ts';
import { COLLECTION, featureText, hierarchyOf, recordOf, singleOf, withGeometry } from './records.ts';
import { collections, features, hierarchy, records, singles } from './schemas.ts';
import type { Area, AreaStore, Level, Resolution } from './store.ts';

/** Gives a request its areas. */
export type StoreOf = (c: AppContext) => AreaStore;

/** The routes of one level of geography. All four levels have the same; `levels.ts` has their differences. */
export function areaRoutes(rules: LevelRules, areasOf: StoreOf): Router {
  const router = createRouter();
  addSearch(router, rules, areasOf);
  addBatch(router, rules, areasOf);
  addList(router, rules, areasOf);
  addSingle(router, rules, areasOf);
  addHierarchy(router, rules, areasOf);
  return router;
}

/** A response body in JSON, in GeoJSON, or either. */
function success(description: string, schema: z.ZodType, geo?: z.ZodType) {
  const content = {
    'application/json': { schema },
    ...(geo ? { 'application/geo+json': { schema: geo } } : {}),
  };
  return {
    200: { description, content },
    304: { description: 'The caller holds the answer of the active data release' },
  };
}

function addList(router: Router, rules: LevelRules, areasOf: StoreOf): void {
  const { level, plural, nouns, list } = rules;
  operation(
    router,
    {
      operationId: `list_${plural}`,
      method: 'get',
      path: '/',
      access: 'free-tier',
      tags: [plural],
      summary: `List ${nouns}`,
      description: `A page of ${nouns} in the order of their codes; with format=geojson, all that match as a FeatureCollection.`,
      request: { query: z.object({ ...pageParams, ...list.params, ...representationParams }) },
      responses: {
        ...success(
          `A page of ${nouns}, or a FeatureCollection`,
          z.object({ data: z.array(records[level]), meta: metaSchema, error: z.null() }),
          collections[level],
        ),
        ...errors(400, 401, 422, 500, 503),
      },
    },
    (c, { query }) => {
      const wanted = representationOf(c, query);
      const { page, limit } = query;
      const options = { resolution: wanted.resolution, page: wanted.geojson ? undefined : { page, limit } };
      return answer(
        c,
        (held) => areasOf(c).list(level, list.filter(query), { ...options, held }),
        ({ areas, total }, release) => {
          const meta = JSON.stringify(pageMeta(c.req.url, { total, page, limit }));
          const frame = wanted.geojson
            ? collectionFrame(level)
            : recordFrame(level, wanted.resolution, '{"data":[', `],"meta":${meta},"error":null}`);
          return listing(c, areas, frame, leftOut(areasOf(c), release, level, wanted.resolution));
        },
        ({ candidates }) => ambiguous(candidates),
      );
    },
  );
}

function addSingle(router: Router, rules: LevelRules, areasOf: StoreOf): void {
  const { level, plural, noun, nested } = rules;
  const choices = nested ? ([...RESOLUTIONS, 'true'] as const) : RESOLUTIONS;
  const about = nested ? `; true adds the boundaries of its ${LEVELS[nested].nouns} as "geojson"` : '';
  operation(
    router,
    {
      operationId: `get_${level}`,
      method: 'get',
      path: '/{id}',
      access: 'free-tier',
      tags: [plural],
      summary: `Get a ${noun}`,
      description: `The ${noun} that a current or former code names. Content-Location has its address by the current code.`,
      request: {
        params: z.object({ id: codeParam }),
        query: z.object({
          ...representationParams,
          geometry: choiceParam(choices, `Boundary to include; needs authentication${about}`).optional(),
        }),
      },
      responses: {
        ...success(
          `The ${noun}, or a Feature`,
          z.object({
            data: singles[level],
            ...(nested ? { geojson: collections[nested].nullable().optional() } : {}),
            error: z.null(),
          }),
          features[level],
        ),
        ...errors(401, 404, 422, 500, 503),
      },
    },
    (c, { params, query }) => {
      const wanted = representationOf(c, query);
      const children = nested && query.geometry === 'true' && !wanted.geojson ? nested : undefined;
      const options = {
        resolution: children ? ('simple' as const) : wanted.resolution,
        kin: children ? ('children' as const) : undefined,
      };
      return answer(
        c,
        (held) => areasOf(c).find(level, params.id, { ...options, held }),
        (found) => {
          const area = found.area as Area;
          if (wanted.geojson) return geojson(c, featureText(level, area));
          const record = singleOf(level, area, found);
          const data = wanted.resolution ? withGeometry(record, area) : JSON.stringify(record);
          if (!children) return json(c, `{"data":${data},"error":null}`);
          const nestedFeatures = found.kin.map((child) => featureText(children, child)).join(',');
          const collection = COLLECTION.head + nestedFeatures + COLLECTION.tail;
          return json(c, `{"data":${data},"geojson":${collection},"error":null}`);
        },
        (found) => located(c, rules, params.id, currentCode(level, params.id, found)),
      );
    },
  );
}

function addHierarchy(router: Router, rules: LevelRules, areasOf: StoreOf): void {
  const { level, plural, noun } = rules;
  operation(
    router,
    {
      operationId: `get_${level}_hierarchy`,
      method: 'get',
      path: '/{id}/hierarchy',
      access: 'free-tier',
      tags: [plural],
      summary: `Get a ${noun} with all its ancestors`,
      request: { params: z.object({ id: codeParam }) },
      responses: {
        ...success(`The ${noun} and its ancestors`, z.object({ data: hierarchy, error: z.null() })),
        ...errors(401, 404, 422, 500, 503),
      },
    },
    (c, { params }) =>
      answer(
        c,
        (held) => areasOf(c).find(level, params.id, { kin: 'ancestors', held }),
        ({ area, kin }) => c.json({ data: hierarchyOf(area as Area, kin), error: null }),
        (found) => located(c, rules, params.id, currentCode(level, params.id, found), '/hierarchy'),
      ),
  );
}

function addSearch(router: Router, { level, plural, nouns, search }: LevelRules, areasOf: StoreOf): void {
  if (!search) return;
  const limit = integerParam({ min: 1, max: 100, description: 'Most records to answer' });
  const unset = z.literal(['', 'null']).transform(() => 20);
  operation(
    router,
    {
      operationId: `search_${plural}`,
      method: 'get',
      path: '/search',
      access: 'free-tier',
      tags: [plural],
      summary: `Search ${nouns} by name`,
      description:
        'Without regard to accents and case, by present and former names, with or without "City". Exact matches come first, then beginnings, beginnings of words and parts, each by population.',
      request: {
        query: z.object({
          q: textParam({ min: 2, description: 'Text to look for', example: 'paranaque' }),
          limit: z
            .union([unset, limit], 'must be an integer from 1 to 100')
            .optional()
            .openapi({ type: ['integer', 'null'], minimum: 1, maximum: 100, default: 20 }),
          ...search.params,
        }),
      },
      responses: {
        ...success(`Matching ${nouns}, best first`, z.object({ data: z.array(records[level]), error: z.null() })),
        ...errors(401, 422, 500, 503),
      },
    },
    (c, { query }) =>
      answer(
        c,
        (held) => areasOf(c).search(level, query.q, search.filter(query), { limit: query.limit ?? 20, held }),
        (areas) => c.json({ data: areas.map((area) => recordOf(level, area)), error: null }),
      ),
  );
}

function addBatch(router: Router, { level, plural, nouns, batch }: LevelRules, areasOf: StoreOf): void {
  operation(
    router,
    {
      operationId: `find_${plural}`,
      method: 'post',
      path: '/search',
      access: 'authenticated',
      tags: [plural],
      summary: `Get ${nouns} by their codes`,
      description: 'In the order asked, each once. Codes that name nothing are listed in X-Missing-Codes.',
      request: {
        body: { required: true, content: { 'application/json': { schema: batchBody(batch.field, batch.max) } } },
      },
      responses: {
        200: {
          description: `The ${nouns}, or a FeatureCollection`,
          content: {
            'application/json': { schema: z.array(records[level]) },
            'application/geo+json': { schema: collections[level] },
          },
        },
        ...errors(400, 401, 413, 415, 422, 500, 503),
      },
    },
    async (c, { body }) => {
      const wanted = representationOf(c, body);
      const resolution = wanted.resolution ?? 'simple';
      const { release, value } = await areasOf(c).findMany(level, body[batch.field] as string[], { resolution });
      c.set('release', release);
      c.header('Cache-Control', 'private, no-store');
      if (value.missing.length > 0) c.header('X-Missing-Codes', value.missing.join(','));
      const frame = wanted.geojson ? collectionFrame(level) : recordFrame(level, resolution, '[', ']');
      return listing(c, value.areas, frame, leftOut(areasOf(c), release, level, resolution));
    },
  );
}

function collectionFrame(level: Level): Frame {
  return { type: 'application/geo+json', ...COLLECTION, item: (area) => featureText(level, area) };
}

function recordFrame(level: Level, resolution: Resolution | undefined, head: string, tail: string): Frame {
  const item = (area: Area) =>
    resolution ? withGeometry(recordOf(level, area), area) : JSON.stringify(recordOf(level, area));
  return { type: 'application/json', head, item, tail };
}

/** How a listing gets the boundaries that its first statement left out. */
function leftOut(areas: AreaStore, release: string, level: Level, resolution: Resolution = 'simple'): ReadBoundaries {
  return (codes) => areas.boundaries(release, level, resolution, codes);
}

/** Says where an area that was asked for by a former code is now. */
function located(c: AppContext, { plural }: LevelRules, asked: string, code: string, rest = ''): void {
  if (asked !== code) c.header('Content-Location', `/v1/${plural}/${code}${rest}${new URL(c.req.url).search}`);
}
