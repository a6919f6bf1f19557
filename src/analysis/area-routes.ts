import { z } from '@hono/zod-openapi';
import { answerRead } from '../areas/answer-read.ts';
import { cachedText } from '../areas/cached-answers.ts';
import { editionParams, NEEDS_LON, pointOf, pointParams } from '../areas/params.ts';
import { requireBoundaries } from '../areas/refusals.ts';
import { GEOGRAPHY, geographyResponses, RELEASE_HEADER } from '../areas/representation.ts';
import { servedAreas } from '../areas/served-areas.ts';
import { throwInvalidGeometry } from '../geojson/invalid-geometry.ts';
import { answerText, envelope, enveloped, nameRelease, privateAnswer } from '../http/answers.ts';
import { errors } from '../http/error-schemas.ts';
import { notices } from '../http/notices.ts';
import { metaMembers, pageMeta, pageParams } from '../http/pagination.ts';
import { choiceParam, numberParam } from '../http/params.ts';
import { NAME_LEVELS } from '../names/source.ts';
import { operation, Router } from '../operation.ts';
import { countRows } from '../rate-limits/rows.ts';
import { type CountAreas, coveredAreas, MEASURING } from './covered.ts';
import { isWithinBoundary, LAND_POPULATION, landPopulations } from './land-populations.ts';
import { MAX_POLYGON_POSITIONS, parsePolygon, polygonOf, polygonSchema } from './polygon-body.ts';

/** How far from a point areas may be looked for, kilometres. */
const MAX_RADIUS = 100;

/** Max body with a polygon, bytes. */
const MAX_BODY = 1024 * 1024;

const code = z.string().max(10).openapi({ description: 'PSGC code, ten digits', example: '0730600000' });
const name = z.string().openapi({ example: 'City of Cebu' });
const population = z.int().nullable().openapi({ description: 'Residents in the newest census', example: 964_169 });
const number = (description: string, example: number) => z.number().min(0).openapi({ description, example });

const nearArea = z
  .object({
    code,
    name,
    population,
    distance_m: number('Distance to the area on the WGS 84 ellipsoid, metres; 0 if it contains the point', 1250.4),
  })
  .openapi('AreaWithin');

const withinMeta = z
  .object({
    ...metaMembers,
    level: z.enum(NAME_LEVELS),
    radius_km: number('The request', 10),
  })
  .openapi('AreasWithinMeta');

const share = (description: string, example: number) => number(description, example).max(1);

const coveredArea = z
  .object({
    code,
    name,
    population,
    share_of_area: share('Share of the area that lies in the polygon, 0 to 1', 0.2514),
    share_of_polygon: share('Share of the polygon that lies in the area, 0 to 1', 0.75),
    area_km2: number('Area of the intersection, square kilometres', 73.2),
    land_population: z.int().min(0).nullable().openapi({
      description: LAND_POPULATION,
      example: 964_169,
    }),
    population_estimate: z.int().min(0).nullable().openapi({
      description: 'land_population × share_of_area: an estimate that assumes an even distribution of residents',
      example: 242_392,
    }),
  })
  .openapi('AreaCovered');

const coveredMeta = z
  .object({
    level: z.enum(NAME_LEVELS),
    polygon_km2: number('Area of the polygon, square kilometres', 97.6),
    outside_share: share('Share of the polygon that lies in no area of the level: sea, lakes, other countries', 0.02),
    population_estimate: z.int().min(0).openapi({ description: 'Sum over the areas', example: 242_392 }),
    notices,
  })
  .openapi('AreasCoveredMeta');

const coveredShape = z.object(
  {
    geometry: polygonSchema,
    level: z
      .enum(NAME_LEVELS, `must be one of ${NAME_LEVELS.join(', ')}`)
      .optional()
      .openapi({ default: 'municity', description: 'The level of the areas' }),
    min_share: z
      .number('must be a number from 0 to 1')
      .min(0, 'must be a number from 0 to 1')
      .max(1, 'must be a number from 0 to 1')
      .optional()
      .openapi({
        default: 0,
        description: 'Minimum share of an area that lies in the polygon; areas with less are left out',
        example: 0.01,
      }),
  },
  'must be a JSON object',
);

/** What may be of any type is not required in a document unless it says so. */
const coveredBody = coveredShape.openapi({ required: ['geometry'] });

/** Routes that ask which areas lie where: around a point, in a polygon. */
export function areaAnalysisRoutes(): Router {
  const router = new Router(['analysis']);

  operation(router, {
    operationId: 'list_areas_within',
    method: 'get',
    path: '/within',
    access: 'authenticated',
    ...GEOGRAPHY,
    cached: cachedText,
    summary: 'List the areas within a radius of a point',
    description:
      'All areas of a level with a part within the radius, by detailed boundaries: nearest first, then by code. Distances are measured as in reverse geocoding. Areas without a boundary are not listed.',
    request: {
      query: z
        .object({
          ...pointParams,
          radius_km: numberParam({
            min: 0,
            max: MAX_RADIUS,
            rule: `must be a number of kilometres from 0 to ${MAX_RADIUS}`,
            description: 'Radius, kilometres',
            example: 10,
          }),
          level: choiceParam(NAME_LEVELS, 'The level of the areas').optional().openapi({ default: 'municity' }),
          ...pageParams,
          ...editionParams,
        })
        .refine(...NEEDS_LON),
    },
    responses: {
      ...geographyResponses('A page of the areas', envelope(z.array(nearArea).max(100), { meta: withinMeta })),
      ...errors(404, 422),
    },
    handler: async (c, { ctx, query }) => {
      const { level = 'municity', radius_km, page, limit, edition } = query;
      const areas = await servedAreas(ctx, edition);
      const options = { level, metres: radius_km * 1000, page: { page, limit } };
      return answerRead(c, ctx, {
        areas,
        read: (knownVersions) => areas.within(pointOf(query), { ...options, knownVersions }),
        check: ({ boundarySet }) => requireBoundaries(boundarySet, edition),
        produce: ({ total, found }) => {
          const data = found.map(({ area: { code, name, population }, distance }) => ({
            code,
            name,
            population,
            distance_m: distance,
          }));
          return answerText(c, data, { ...pageMeta(c.req.url, { total, page, limit }), level, radius_km });
        },
      });
    },
  });

  operation(router, {
    operationId: 'list_areas_covered',
    method: 'post',
    path: '/covered',
    access: 'authenticated',
    ...GEOGRAPHY,
    maxBody: MAX_BODY,
    summary: 'List the areas that a polygon covers',
    description: `The areas of a level that have land in common with a polygon, by detailed boundaries, and how much of each the polygon covers. The largest shares come first, equal ones by code. Areas that only touch the polygon are left out.\n\nEdges are straight in longitudes and latitudes (RFC 7946, 3.1.1), and areas are those on the WGS 84 ellipsoid. \`population_estimate\` is an estimate, which is better at a finer level. That of a province includes the highly urbanized cities in it.\n\nThe polygon has at most ${MAX_POLYGON_POSITIONS} positions. A point is inside it that is inside an odd number of its rings. Rings that cross or overlap are refused (\`invalid_geometry\`), and the message says where. A hundred areas and positions together count as one request. Positions count also where the polygon is refused.`,
    request: {
      query: z.object(editionParams),
      body: { required: true, content: { 'application/json': { schema: coveredBody } } },
    },
    responses: {
      200: {
        ...enveloped('The covered areas', z.array(coveredArea), coveredMeta)[200],
        headers: RELEASE_HEADER,
      },
      ...errors(400, 404, 413, 415, 422),
    },
    handler: async (c, { ctx, query: { edition }, body: { geometry, level = 'municity', min_share = 0 } }) => {
      const parsed = await parsePolygon(geometry).catch(throwInvalidGeometry);
      const areas = await servedAreas(ctx, edition);
      const { release, value } = await areas.reverseGeocode([], { level, within: 0 });
      nameRelease(c, release);
      requireBoundaries(value.boundarySet, edition);
      // Counted before the work, so that a polygon costs as much where it is refused.
      const failed = await countRows(c, parsed.positions);
      const countAreas: CountAreas = ({ whole, crossed }) => countRows(c, whole + crossed, parsed.positions);
      const polygon = await MEASURING.take(() => polygonOf(parsed))
        .catch(throwInvalidGeometry)
        .catch(failed);
      const covered = await coveredAreas(areas, { polygon, level, deadline: ctx.deadline, countAreas }).catch(failed);
      const found = covered.filter(({ share }) => share >= min_share);
      const shown = found.map(({ area }) => area);
      const populations = await landPopulations(areas, shown, isWithinBoundary).catch(failed);
      const data = found.map(({ area: { code, name, population }, share, overlap }) => {
        const residents = populations.get(code) ?? null;
        return {
          code,
          name,
          population,
          share_of_area: rounded(share, 6),
          share_of_polygon: rounded(Math.min(overlap / polygon.area, 1), 6),
          area_km2: rounded(overlap, 6),
          land_population: residents,
          population_estimate: residents === null ? null : Math.round(residents * share),
        };
      });
      data.sort((a, b) => b.share_of_area - a.share_of_area || (a.code < b.code ? -1 : 1));
      const inside = covered.reduce((sum, { overlap }) => sum + overlap, 0);
      return privateAnswer(c, data, {
        level,
        polygon_km2: rounded(polygon.area, 6),
        outside_share: rounded(Math.max(1 - inside / polygon.area, 0), 6),
        population_estimate: data.reduce((sum, { population_estimate }) => sum + (population_estimate ?? 0), 0),
      });
    },
  });

  return router;
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
